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
//! to all tables, and where the numbers come from. With `<!-- results: peers, tables 1 2 -->` it is these tables of
//! `EXPERIMENT.md`, and where they come from. A pair that names `verdicts` gets a count of the verdicts on all
//! papers of the document. Everything else is left alone, so that prose is written by hand and numbers never are.

use super::shown::{some_tables, verdicts, whole};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::Path;

const START: &str = "<!-- results: ";
const END: &str = "<!-- end -->";

/// The name that stands for the count of verdicts.
const VERDICTS: &str = "verdicts";

/// A part of a document: what is before a pair of lines, the name in it, and what is between.
struct Part<'a> {
    before: &'a str,
    name: &'a str,
    between: &'a str,
}

/// The parts of a document, and what is behind the last one.
fn parts(text: &str) -> Result<(Vec<Part<'_>>, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once(START) {
        let Some((name, body)) = from.split_once(" -->\n") else {
            bail!("the document has a '{START}' without its end");
        };
        let Some((between, after)) = body.split_once(END) else {
            bail!("the results of {name} have no '{END}'");
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

/// The results of an experiment, or nothing if there are none yet.
fn read(results: &Path, name: &str) -> Result<Option<Value>> {
    let file = results.join(format!("{name}.json"));
    if !file.exists() {
        return Ok(None);
    }
    let damaged = || format!("cannot read {}", file.display());
    let text = fs::read_to_string(&file).with_context(damaged)?;
    serde_json::from_str(&text).map(Some).with_context(damaged)
}

/// The text of a document with the results in this folder, which the document calls `path`. Experiments without results
/// are left as they are.
pub fn refreshed(text: &str, results: &Path, path: &str) -> Result<String> {
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
                verdicts(&all?)?
            }
            _ => {
                let (experiment, numbers) = match name.split_once(", tables ") {
                    Some((experiment, numbers)) => (experiment, Some(numbers)),
                    None => (*name, None),
                };
                let shown = match (read(results, experiment)?, numbers) {
                    (Some(json), Some(numbers)) => some_tables(results, experiment, numbers, &json),
                    (Some(json), None) => whole(&json, path),
                    (None, _) => Ok(between.to_string()),
                };
                shown.with_context(|| format!("the results of {name}"))?
            }
        };
        fresh += &format!("{before}{START}{name} -->\n{new}{END}");
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
            "claims": [{ "claim": "c", "paper": "1", "measured": "2", "verdict": "better", "remark": "", "ours": false }],
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
        let counted = refreshed(
            &format!("<!-- results: verdicts -->\n<!-- end -->\n{text}"),
            folder.path(),
            "",
        );
        assert!(
            counted
                .expect("sound")
                .contains("| `one` | 0 | 1 | 0 | 0 |\n| all | 0 | 1 | 0 | 0 |\n\n<!-- end -->")
        );
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
