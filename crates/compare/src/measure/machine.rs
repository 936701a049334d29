//! Facts about the machine that times were measured on.

use crate::system_file;
use std::env::consts::{ARCH, OS};
use std::thread::available_parallelism;

/// The facts, as names and values.
pub fn facts() -> Vec<(&'static str, String)> {
    let unknown = || "unknown".to_string();
    let cores = available_parallelism().map_or_else(|_| unknown(), |cores| cores.to_string());
    vec![
        ("processor", processor().unwrap_or_else(unknown)),
        ("cores", cores),
        ("architecture", ARCH.to_string()),
        ("system", system().unwrap_or(OS.to_string())),
        ("bloomwise", env!("CARGO_PKG_VERSION").to_string()),
    ]
}

/// The model of the processor, on Linux.
fn processor() -> Option<String> {
    system_file::value("/proc/cpuinfo", "model name", ':')
}

/// The name of the operating system, on Linux.
fn system() -> Option<String> {
    let name = system_file::value("/etc/os-release", "PRETTY_NAME", '=')?;
    Some(format!("{OS}, {}", name.trim_matches('"')))
}
