//! The sections of a document: a whole experiment, some of its tables, or a count of verdicts.

use super::provenance;
use super::{Cell, Claim, Table, Verdict};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn list<'a>(json: &'a Value, field: &str) -> &'a [Value] {
    json[field].as_array().map_or(&[], Vec::as_slice)
}

fn claims(json: &Value) -> Result<Vec<Claim>> {
    let claim = |json| {
        Claim::from_json(json)
            .context("a claim has a missing field or an unknown verdict; run the experiment again")
    };
    list(json, "claims").iter().map(claim).collect()
}

/// The section for a whole experiment, whose files are under `path`.
pub(super) fn experiment_section(json: &Value, path: &str) -> Result<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut block = String::new();
    let claims = claims(json)?;
    if !claims.is_empty() {
        block += &format!("\n{}", Claim::markdown(&claims));
    }
    for note in list(json, "notes") {
        block += &format!("\n{}\n", text(note));
    }
    // Two charts side by side: known negatives and unseen keys, where an experiment has both.
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

/// Extracts the tables with these numbers, counted from 1, and their titles from an experiment's Markdown.
fn tables(markdown: &str, numbers: &str) -> Result<String> {
    let blocks: Vec<&str> = markdown.split("\n\n").map(str::trim).collect();
    let starts = |block: usize, text: &str| blocks[block].starts_with(text);
    let of_table: Vec<usize> = (0..blocks.len()).filter(|&at| starts(at, "|")).collect();
    let mut text = String::new();
    for number in numbers.split_whitespace() {
        let place = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
        let place = place.and_then(|place| of_table.get(place));
        let &at = place.with_context(|| format!("no table {number}; tables are counted from 1"))?;
        if at > 0 && starts(at - 1, "**") {
            text += &format!("\n{}\n", blocks[at - 1]);
        }
        text += &format!("\n{}\n", blocks[at]);
    }
    Ok(text)
}

/// The section for some tables of an experiment.
pub(super) fn tables_section(
    results: &Path,
    name: &str,
    numbers: &str,
    json: &Value,
) -> Result<String> {
    let file = results.join(format!("{name}.md"));
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let origin = provenance::line(&json["provenance"]);
    Ok(format!("{}\n{origin}\n\n", tables(&text, numbers)?))
}

/// The section that counts the verdicts of each experiment that has any.
pub(super) fn verdicts_section(results: &[(String, Option<Value>)]) -> Result<String> {
    let columns = ["experiment"].into_iter();
    let mut table = Table::new("", columns.chain(Verdict::ALL.map(Verdict::name)));
    let mut all = Vec::new();
    let row = |claims: &[Claim]| {
        Verdict::ALL.map(|verdict| {
            let of = claims.iter();
            let of = of.filter(|claim| claim.verdict() == Some(verdict));
            Cell::whole(of.count() as u64)
        })
    };
    for (name, json) in results {
        let claims = json.as_ref().map_or(Ok(Vec::new()), claims)?;
        if claims.iter().any(|claim| claim.verdict().is_some()) {
            table.row([format!("`{name}`").into()].into_iter().chain(row(&claims)));
            all.extend(claims);
        }
    }
    table.row(["all".into()].into_iter().chain(row(&all)));
    Ok(format!("\n{}\n", table.markdown()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_tables_include_their_titles() {
        let markdown =
            "About.\n\n**First**\n\n| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |\n\n![p](p.svg)\n";
        let both = tables(markdown, "2 1").expect("exist");
        assert_eq!(
            both,
            "\n| b |\n|---|\n| 2 |\n\n**First**\n\n| a |\n|---|\n| 1 |\n"
        );
        for wrong in ["0", "3", "x"] {
            let error = tables(markdown, wrong).expect_err("no such table");
            assert_eq!(
                error.to_string(),
                format!("no table {wrong}; tables are counted from 1")
            );
        }
    }
}
