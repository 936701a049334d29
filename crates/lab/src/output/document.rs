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
//! The text between them is generated from `EXPERIMENT.json` in the folder of results. A pair shows, depending on its name:
//!
//! | name | shows |
//! |---|---|
//! | `peers` | claims and verdicts, notes, all charts, and a link to all tables |
//! | `peers, tables 1 2` | these two tables of `EXPERIMENT.md` |
//! | `peers, charts 1` | this chart |
//! | `summary` | the headline claims of all papers of the document |
//! | `verdicts` | the number of verdicts on each paper of the document |
//! | `provenance` | machine, date, commit and command of each experiment of the document |
//!
//! All other text is left alone: people write the prose, and only this module writes numbers.

use super::Recorded;
use super::section::{
    charts_section, experiment_section, provenance_section, summary_section, tables_section,
    verdicts_section,
};
use crate::catalogue::EXPERIMENTS;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;

const START: &str = "<!-- results: ";
const END: &str = "<!-- end -->";

/// The name that selects the headline claims, and the name that selects the count of verdicts.
const SUMMARY: &str = "summary";
const VERDICTS: &str = "verdicts";

/// The name that selects the table of provenances.
const PROVENANCE: &str = "provenance";

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

/// Reads the results of all experiments of a document, each once, in the order of the catalogue. Those without results are left out.
fn read_all(results: &Path, parts: &[Part<'_>]) -> Result<Vec<Recorded>> {
    let mut names: Vec<&str> = Vec::new();
    for name in parts.iter().filter_map(|part| part.name.split(", ").next()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort_by_key(|name| {
        let place = EXPERIMENTS.iter().position(|known| known.name == *name);
        place.unwrap_or(usize::MAX)
    });
    let read = |name| Recorded::read(results, name).transpose();
    names.into_iter().filter_map(read).collect()
}

/// Returns the document `text` refilled with the results in `results`, which the document links to as `path`.
/// Experiments without results are left as they are.
pub fn refilled(text: &str, results: &Path, path: &str) -> Result<String> {
    let (parts, rest) = parts(text)?;
    let fill = |part: &Part<'_>| match part.name {
        SUMMARY => Ok(summary_section(&read_all(results, &parts)?, path)),
        VERDICTS => Ok(verdicts_section(&read_all(results, &parts)?)),
        PROVENANCE => Ok(provenance_section(&read_all(results, &parts)?, path)),
        _ => {
            // The name of the experiment, and what to show of it: the word `tables` or `charts`, and numbers.
            let (experiment, what) = part.name.split_once(", ").unwrap_or((part.name, ""));
            let Some(result) = Recorded::read(results, experiment)? else {
                return Ok(part.between.to_string());
            };
            match what.split_once(' ') {
                Some(("tables", numbers)) => tables_section(results, experiment, numbers),
                Some(("charts", numbers)) => charts_section(&result, numbers, path),
                None if what.is_empty() => Ok(experiment_section(&result, path)),
                _ => bail!("write 'tables' or 'charts' and numbers after the comma"),
            }
        }
    };
    let mut fresh = String::new();
    for part in &parts {
        let Part { before, name, .. } = part;
        let new = fill(part).with_context(|| format!("the results of {name}"))?;
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

    /// A folder with the results of an experiment `one`.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("creates a folder");
        let json = json!({
            "experiment": "one",
            "claims": [{ "claim": "c", "paper": "1", "measured": "2", "verdict": "reproduced", "rests_on": "r", "remark": "", "ours": false, "headline": true }],
            "pictures": [{ "file": "one-a.svg", "title": "A" }, { "file": "one-b.svg", "title": "B" }],
            "provenance": { "command": "cargo run --release -p bloomwise-lab -- one --scale 1", "date": "today", "commit": "c0",
                "machine": "PC, 2 cores, avx2 kernel", "seconds": 7.4 },
        });
        fs::write(folder.path().join("one.json"), json.to_string()).expect("writes");
        fs::write(folder.path().join("one.md"), "| a |\n|---|\n| 1 |\n").expect("writes");
        folder
    }

    /// The text that replaces that between the marks for `name`, in a document with the experiments `one` and `two`.
    fn filled(name: &str) -> Result<String> {
        let folder = folder();
        let text = format!(
            "{START}{name} -->\nold\n{END}\n{START}one, charts 2 -->\n{END}{START}two -->\n{END}"
        );
        let fresh = refilled(&text, folder.path(), "../r")?;
        let fresh = fresh.strip_prefix(&format!("{START}{name} -->\n"));
        let (between, _) = fresh
            .and_then(|fresh| fresh.split_once(END))
            .expect("marks");
        Ok(between.to_string())
    }

    #[test]
    fn results_replace_the_text_between_the_marks_only() {
        let folder = folder();
        let text = "Prose.\n<!-- results: one -->\nold\n<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n";
        let fresh = refilled(text, folder.path(), "../r").expect("valid");
        assert!(
            fresh.starts_with("Prose.\n<!-- results: one -->\n\n| claim |"),
            "{fresh}"
        );
        assert!(!fresh.contains("old"));
        assert!(
            fresh.ends_with("<!-- end -->\nMore.\n<!-- results: two -->\nkept\n<!-- end -->\n")
        );
        assert_eq!(
            refilled(&fresh, folder.path(), "../r").expect("valid"),
            fresh
        );
        assert!(refilled("<!-- results: one -->\n", folder.path(), "").is_err());
    }

    #[test]
    fn whole_experiment_has_claims_charts_and_a_link() {
        let text = filled("one").expect("valid");
        assert!(text.contains("| c | 1 | 2 | reproduced | r |  |"), "{text}");
        let images = ["a", "b"].map(|letter| {
            let title = letter.to_uppercase();
            format!("<img src=\"../r/one-{letter}.svg\" alt=\"{title}\" width=\"49%\">")
        });
        let end = format!("\n{}\n\n[All tables](../r/one.md).\n\n", images.join(" "));
        assert!(text.ends_with(&end), "{text}");
    }

    #[test]
    fn selected_tables_and_charts_are_shown_alone() {
        let image = "<img src=\"../r/one-b.svg\" alt=\"B\" width=\"75%\">";
        assert_eq!(
            filled("one, charts 2").expect("valid"),
            format!("\n{image}\n\n")
        );
        assert_eq!(
            filled("one, tables 1").expect("valid"),
            "\n| a |\n|---|\n| 1 |\n\n"
        );
        for wrong in [
            "one, charts 3",
            "one, charts 0",
            "one, table 1",
            "one, tables",
        ] {
            assert!(filled(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn verdicts_and_provenance_list_each_experiment_once() {
        let text = filled("verdicts").expect("valid");
        assert!(
            text.ends_with("| one | 1 | 0 | 0 |\n| all | 1 | 0 | 0 |\n\n"),
            "{text}"
        );
        let text = filled("summary").expect("valid");
        let row = "| [one](../r/one.md) | c | 1 | 2 | **reproduced** |";
        assert!(text.contains(row), "{text}");
        let text = filled("provenance").expect("valid");
        let row = "| [one](../r/one.md) | `one --scale 1` | today | c0 | PC, 2 cores | avx2 | 7 |";
        let header = "| experiment | command | date | commit | machine | kernel | seconds |\n|---|---|---|---|---|---|---|";
        assert_eq!(text, format!("\n{header}\n{row}\n\n"));
    }
}
