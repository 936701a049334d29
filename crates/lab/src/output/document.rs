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
//! The text between them is generated from `EXPERIMENT.json` in the folder of results: claims and verdicts, notes,
//! charts, a link to all tables, and the provenance. `<!-- results: peers, tables 1 2 -->` shows these two tables of
//! `EXPERIMENT.md` and the provenance. `<!-- results: verdicts_section -->` shows the number of verdicts on all papers of the
//! document. All other text is left alone: people write the prose, and only this module writes numbers.

use super::section::{experiment_section, tables_section, verdicts_section};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;

const START: &str = "<!-- results: ";
const END: &str = "<!-- end -->";

/// The name that selects the count of verdicts.
const VERDICTS: &str = "verdicts";

/// A part of a document: the text before a pair of lines, the name in it, and the text between.
struct Part<'a> {
    before: &'a str,
    name: &'a str,
    between: &'a str,
}

/// Splits a document into its parts and the text after the last one.
fn parts(text: &str) -> Result<(Vec<Part<'_>>, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once(START) {
        let Some((name, body)) = from.split_once(" -->\n") else {
            bail!("the document has '{START}' without ' -->' at the end of the line");
        };
        let Some((between, after)) = body.split_once(END) else {
            bail!("'{START}{name} -->' has no '{END}' after it");
        };
        parts.push(Part {
            before,
            name,
            between,
        });
        rest = after;
    }
    Ok((parts, rest))
}

/// Reads the results of an experiment; `None` if there are none yet.
fn read(results: &Path, name: &str) -> Result<Option<Value>> {
    let file = results.join(format!("{name}.json"));
    if !file.exists() {
        return Ok(None);
    }
    let damaged = || format!("cannot read {}", file.display());
    let text = fs::read_to_string(&file).with_context(damaged)?;
    serde_json::from_str(&text).map(Some).with_context(damaged)
}

/// Returns the document `text` refilled with the results in `results`, which the document links to as `path`.
/// Experiments without results are left as they are.
pub fn refilled(text: &str, results: &Path, path: &str) -> Result<String> {
    let (parts, rest) = parts(text)?;
    let mut fresh = String::new();
    for Part {
        before,
        name,
        between,
    } in &parts
    {
        let new = match *name {
            VERDICTS => {
                let of = |part: &Part<'_>| Ok((part.name.to_string(), read(results, part.name)?));
                let all: Result<Vec<_>> = parts.iter().map(of).collect();
                verdicts_section(&all?)?
            }
            _ => {
                let (experiment, numbers) = match name.split_once(", tables ") {
                    Some((experiment, numbers)) => (experiment, Some(numbers)),
                    None => (*name, None),
                };
                let shown = match (read(results, experiment)?, numbers) {
                    (Some(json), Some(numbers)) => {
                        tables_section(results, experiment, numbers, &json)
                    }
                    (Some(json), None) => experiment_section(&json, path),
                    (None, _) => Ok(between.to_string()),
                };
                shown.with_context(|| format!("the results of {name}"))?
            }
        };
        fresh += &format!("{before}{START}{name} -->\n{new}{END}");
    }
    Ok(fresh + rest)
}

/// Refills the file `document` with the results in `results`.
pub fn refill(document: &Path, results: &Path, path: &str) -> Result<()> {
    let text = fs::read_to_string(document)
        .with_context(|| format!("cannot read {}", document.display()))?;
    fs::write(document, refilled(&text, results, path)?)
        .with_context(|| format!("cannot write {}", document.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_replace_the_text_between_the_marks_only() {
        let folder = tempfile::tempdir().expect("creates a folder");
        let json = json!({
            "experiment": "one",
            "claims": [{ "claim": "c", "paper": "1", "measured": "2", "verdict": "better", "remark": "", "ours": false }],
            "pictures": [{ "file": "one.svg", "title": "A" }],
        });
        fs::write(folder.path().join("one.json"), json.to_string()).expect("writes");
        let text = "Prose.\n<!-- results: one -->\nold\n<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n";
        let fresh = refilled(text, folder.path(), "../r").expect("valid");
        assert!(
            fresh.starts_with("Prose.\n<!-- results: one -->\n\n| claim |"),
            "{fresh}"
        );
        assert!(fresh.contains("| c | 1 | 2 | better |") && !fresh.contains("old"));
        let counted = refilled(
            &format!("<!-- results: verdicts -->\n<!-- end -->\n{text}"),
            folder.path(),
            "",
        );
        assert!(
            counted
                .expect("valid")
                .contains("| `one` | 0 | 1 | 0 | 0 |\n| all | 0 | 1 | 0 | 0 |\n\n<!-- end -->")
        );
        assert!(fresh.contains("<img src=\"../r/one.svg\" alt=\"A\" width=\"49%\">\n"));
        assert!(fresh.contains("[All tables](../r/one.md)."));
        assert!(
            fresh.ends_with("<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n")
        );
        assert_eq!(
            refilled(&fresh, folder.path(), "../r").expect("valid"),
            fresh
        );
        assert!(refilled("<!-- results: one -->\n", folder.path(), "").is_err());
    }
}
