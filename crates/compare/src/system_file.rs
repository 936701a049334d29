//! Values in text files of the system that have one `name: value` or `name=value` per line, such as `/proc/self/status`.

use std::fs;

/// The value of `name` in `file`, without the white space around it; `None` if there is no such file or name.
pub fn value(file: &str, name: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(separator));
    let (_, value) = pairs.find(|(found, _)| found.trim() == name)?;
    Some(value.trim().to_string())
}

/// The value of `name` in the status of this process, on Linux.
pub fn process_status(name: &str) -> Option<String> {
    value("/proc/self/status", name, ':')
}

/// The peak memory use of this process in bytes, on Linux.
pub fn peak_bytes() -> Option<u64> {
    let peak = process_status("VmHWM")?;
    let kibibytes: u64 = peak.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
