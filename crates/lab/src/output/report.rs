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
//! What is between them is made from `EXPERIMENT.json` in the folder of results: claims and verdicts, notes, pictures, a link
//! to all tables, and where the numbers come from. Everything else is left alone, so that prose is written by hand
//! and numbers never are.

use super::provenance;
use super::{Cell, Table};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;

const START: &str = "<!-- results: ";
const END: &str = "<!-- end -->";

/// What a document shows of an experiment whose files are under this path.
fn block(json: &Value, path: &str) -> String {
    let empty = Vec::new();
    let list = |field: &str| json[field].as_array().unwrap_or(&empty);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut block = String::new();
    if !list("claims").is_empty() {
        let fields = ["claim", "paper", "measured", "verdict", "remark"];
        let mut table = Table::new("", fields);
        for claim in list("claims") {
            table.row(fields.map(|field| Cell::Text(text(&claim[field]))));
        }
        block += &format!("\n{}", table.markdown());
    }
    for note in list("notes") {
        block += &format!("\n{}\n", text(note));
    }
    // Two beside each other: known negatives and unseen keys, where an experiment has both.
    for pair in list("pictures").chunks(2) {
        let image = |picture: &Value| {
            let (title, file) = (text(&picture["title"]), text(&picture["file"]));
            format!("<img src=\"{path}/{file}\" alt=\"{title}\" width=\"49%\">")
        };
        let images: Vec<String> = pair.iter().map(image).collect();
        block += &format!("\n{}\n", images.join(" "));
    }
    let name = text(&json["experiment"]);
    let origin = provenance::line(&json["provenance"]);
    block + &format!("\n[All tables]({path}/{name}.md). {origin}\n\n")
}

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
        let file = results.join(format!("{name}.json"));
        let new = match fs::read_to_string(&file) {
            Ok(text) => {
                let json = serde_json::from_str(&text);
                block(
                    &json.with_context(|| format!("cannot read {}", file.display()))?,
                    path,
                )
            }
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
    use serde_json::json;

    #[test]
    fn results_replace_what_was_there_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let json = json!({
            "experiment": "one",
            "claims": [{ "claim": "c", "paper": "1", "measured": "2", "verdict": "better", "remark": "" }],
            "pictures": [{ "file": "one.svg", "title": "A" }],
        });
        fs::write(folder.path().join("one.json"), json.to_string()).expect("writes");
        let text = "Prose.\n<!-- results: one -->\nold\n<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n";
        let fresh = refreshed(text, folder.path(), "../r").expect("sound");
        assert!(
            fresh.starts_with("Prose.\n<!-- results: one -->\n\n| claim |"),
            "{fresh}"
        );
        assert!(fresh.contains("| c | 1 | 2 | better |") && !fresh.contains("old"));
        assert!(fresh.contains("<img src=\"../r/one.svg\" alt=\"A\" width=\"49%\">\n"));
        assert!(fresh.contains("[All tables](../r/one.md)."));
        assert!(
            fresh.ends_with("<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n")
        );
        assert_eq!(
            refreshed(&fresh, folder.path(), "../r").expect("sound"),
            fresh
        );
        assert!(refreshed("<!-- results: one -->\n", folder.path(), "").is_err());
    }
}
