//! Computes a digest of each source file, so that a result can say which code made it.
//!
//! Comments, imports, tests and white space do not count: they change no number.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    files.sort();
    let mut list = String::from("&[");
    for file in files {
        let text = fs::read_to_string(&file)?;
        let digest = xxh3_64(code(&text).as_bytes());
        let name = file.strip_prefix("src").unwrap_or(&file).display();
        // Writing to a string cannot fail.
        let _ = writeln!(list, "(\"{name}\", {digest:#x}),");
    }
    list.push(']');
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(folder.join("sources.rs"), list)
}

/// All Rust files below `folder`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The code of a file. Tests are at its end.
fn code(text: &str) -> String {
    let (text, _) = text
        .split_once("#[cfg(test)]\nmod tests")
        .unwrap_or((text, ""));
    let mut code = String::new();
    let mut import = false;
    for line in text.lines().map(str::trim) {
        import |= ["use ", "pub use ", "pub(crate) use "]
            .iter()
            .any(|start| line.starts_with(start));
        if !import && !line.starts_with("//") {
            code.extend(line.chars().filter(|letter| !letter.is_whitespace()));
        }
        import &= !line.ends_with(';');
    }
    // A list that fits on one line has no comma at its end.
    code.replace(",)", ")")
        .replace(",]", "]")
        .replace(",}", "}")
}
