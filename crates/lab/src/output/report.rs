//! Results inside a document.
//!
//! A document has a pair of lines for each experiment whose results it shows:
//!
//! ```text
//! <!-- results: habf-fig10 -->
//! ...
//! <!-- end -->
//! ```
//!
//! What is between them is taken from `EXPERIMENT.md` in the folder of results, with paths of pictures as seen from
//! the document. Everything else is left alone, so that prose is written by hand and numbers never are.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

const START: &str = "<!-- results: ";
const END: &str = "<!-- end -->";

/// The text of a document with the results in this folder, which the document calls `path`. Experiments without results
/// are left as they are.
pub fn refreshed(text: &str, results: &Path, path: &str) -> Result<String> {
    let mut fresh = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once(START) {
        let Some((name, body)) = from.split_once(" -->\n") else {
            bail!("the document has a '{START}' without its end");
        };
        let Some((old, after)) = body.split_once(END) else {
            bail!("the results of {name} have no '{END}'");
        };
        let new = match fs::read_to_string(results.join(format!("{name}.md"))) {
            Ok(result) => format!("\n{}\n", result.replace("](", &format!("]({path}/"))),
            Err(_) => old.to_string(),
        };
        fresh += &format!("{before}{START}{name} -->\n{new}{END}");
        rest = after;
    }
    Ok(fresh + rest)
}

/// Brings a document up to date with a folder of results.
pub fn refresh(document: &Path, results: &Path, path: &str) -> Result<()> {
    let text = fs::read_to_string(document)
        .with_context(|| format!("cannot read {}", document.display()))?;
    fs::write(document, refreshed(&text, results, path)?)
        .with_context(|| format!("cannot write {}", document.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_replace_what_was_there_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("one.md"), "New.\n\n![A](one.svg)\n").expect("writes");
        let text = "Prose.\n<!-- results: one -->\nold\n<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n";
        let fresh = refreshed(text, folder.path(), "../r").expect("sound");
        assert_eq!(
            fresh,
            "Prose.\n<!-- results: one -->\n\nNew.\n\n![A](../r/one.svg)\n\n<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n"
        );
        assert_eq!(
            refreshed(&fresh, folder.path(), "../r").expect("sound"),
            fresh
        );
        assert!(refreshed("<!-- results: one -->\n", folder.path(), "").is_err());
    }
}
