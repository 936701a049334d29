//! Names of files and keys as text on one line, and the paths that are streams.

use std::path::Path;

/// The name of a file, for display. All names of files that are printed or written to a page come from here.
pub fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// Turns `text` into one line that cannot control the terminal. File names and keys may contain any character.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => line.push(' '),
            // These end lines or change the direction of the text after them.
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                line.extend(character.escape_unicode());
            }
            control if control.is_control() => line.extend(control.escape_default()),
            other => line.push(other),
        }
    }
    line
}

/// Whether a path is `-`, which stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether an input is a stream, which can be read only once and may take for ever: `-`, or something that is no regular file.
pub fn is_stream(path: &Path) -> bool {
    is_dash(path) || path.exists() && !path.is_file()
}
