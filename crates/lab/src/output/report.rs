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
//! to all tables, and where the numbers come from. A pair that names `verdicts` gets a count of the verdicts on all
//! papers of the document. Everything else is left alone, so that prose is written by hand and numbers never are.

use super::provenance;
use super::{Cell, Claim, Table, Verdict};
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

fn list<'a>(json: &'a Value, field: &str) -> &'a [Value] {
    json[field].as_array().map_or(&[], Vec::as_slice)
}

fn claims(json: &Value) -> Result<Vec<Claim>> {
    let claim =
        |json| Claim::from_json(json).context("a claim lacks a field or has an odd verdict");
    list(json, "claims").iter().map(claim).collect()
}

/// What a document shows of an experiment whose files are under this path.
fn block(json: &Value, path: &str) -> Result<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut block = String::new();
    let claims = claims(json)?;
    if !claims.is_empty() {
        block += &format!("\n{}", Claim::markdown(&claims));
    }
    for note in list(json, "notes") {
        block += &format!("\n{}\n", text(note));
    }
    // Two beside each other: known negatives and unseen keys, where an experiment has both.
    for pair in list(json, "pictures").chunks(2) {
        let image = |picture: &Value| {
            let (title, file) = (text(&picture["title"]), text(&picture["file"]));
            format!("<img src=\"{path}/{file}\" alt=\"{title}\" width=\"49%\">")
        };
        let images: Vec<String> = pair.iter().map(image).collect();
        block += &format!("\n{}\n", images.join(" "));
    }
    let name = text(&json["experiment"]);
    let origin = provenance::line(&json["provenance"]);
    Ok(block + &format!("\n[All tables]({path}/{name}.md). {origin}\n\n"))
}

/// How many claims of each experiment came to which verdict, for those that have any.
fn verdicts<'a>(names: impl Iterator<Item = &'a str>, results: &Path) -> Result<String> {
    let columns = ["experiment"].into_iter();
    let mut table = Table::new("", columns.chain(Verdict::ALL.map(Verdict::name)));
    let mut all = Vec::new();
    let row = |claims: &[Claim]| {
        Verdict::ALL.map(|verdict| {
            let of = claims
                .iter()
                .filter(|claim| claim.verdict() == Some(verdict));
            Cell::whole(of.count() as u64)
        })
    };
    for name in names {
        let claims = read(results, name)?
            .as_ref()
            .map_or(Ok(Vec::new()), claims)?;
        if claims.iter().any(|claim| claim.verdict().is_some()) {
            table.row([format!("`{name}`").into()].into_iter().chain(row(&claims)));
            all.extend(claims);
        }
    }
    table.row(["all".into()].into_iter().chain(row(&all)));
    Ok(format!("\n{}\n", table.markdown()))
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
            VERDICTS => verdicts(parts.iter().map(|part| part.name), results)?,
            _ => match read(results, name)? {
                Some(json) => block(&json, path).with_context(|| name.to_string())?,
                None => between.to_string(),
            },
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
