//! Names and arguments in a command that is shown for a shell.

use bloomwise_compare::path::is_dash;
use bloomwise_compare::path::shown;
use std::ffi::OsStr;
use std::path::Path;

/// The name of a file without its folder and its endings.
pub fn data_name(path: &Path) -> String {
    if is_dash(path) {
        return "standard input".to_string();
    }
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let stem = name.split('.').find(|part| !part.is_empty());
    stem.unwrap_or("keys").to_string()
}

/// An argument as a shell takes it.
pub fn quoted(argument: impl AsRef<OsStr>) -> String {
    let text = shown(Path::new(argument.as_ref()));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
