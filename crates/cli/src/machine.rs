//! The machine that times were measured on, as far as it tells.

use std::env::consts::{ARCH, OS};
use std::fs;
use std::thread::available_parallelism;

/// What is known: name and value.
pub fn facts() -> Vec<(&'static str, String)> {
    let cores = available_parallelism().map_or("unknown".to_string(), |cores| cores.to_string());
    vec![
        ("processor", processor().unwrap_or("unknown".to_string())),
        ("cores", cores),
        ("architecture", ARCH.to_string()),
        ("system", system().unwrap_or(OS.to_string())),
        ("bloomwise", env!("CARGO_PKG_VERSION").to_string()),
    ]
}

/// The model of the processor, where Linux tells.
fn processor() -> Option<String> {
    value_in("/proc/cpuinfo", "model name", ':')
}

/// The name of the system, where Linux tells.
fn system() -> Option<String> {
    let name = value_in("/etc/os-release", "PRETTY_NAME", '=')?;
    Some(format!("{OS}, {}", name.trim_matches('"')))
}

/// The value of a name in a file with one name and value a line.
fn value_in(file: &str, name: &str, between: char) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(between));
    let (_, value) = pairs.find(|(found, _)| found.trim() == name)?;
    Some(value.trim().to_string())
}
