//! The sections of a document: a whole experiment, some of its tables or charts, a count of verdicts, or the provenance
//! of everything on the page.

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
    block += &images(&list(json, "pictures").iter().collect::<Vec<_>>(), path);
    let name = text(&json["experiment"]);
    Ok(block + &format!("\n[All tables]({path}/{name}.md).\n\n"))
}

/// Pictures, two side by side: known negatives and unseen keys, where an experiment has both. A single picture is larger.
fn images(pictures: &[&Value], path: &str) -> String {
    let width = if pictures.len() == 1 { "75%" } else { "49%" };
    let image = |picture: &&Value| {
        let text = |field: &str| picture[field].as_str().unwrap_or_default();
        let (file, title) = (text("file"), text("title"));
        format!("<img src=\"{path}/{file}\" alt=\"{title}\" width=\"{width}\">")
    };
    let lines = pictures.chunks(2).map(|pair| {
        let images: Vec<String> = pair.iter().map(image).collect();
        format!("\n{}\n", images.join(" "))
    });
    lines.collect()
}

/// The place of something that is counted from 1, in a list of `count`.
fn place(number: &str, count: usize) -> Option<usize> {
    let place = number.parse::<usize>().ok()?.checked_sub(1)?;
    (place < count).then_some(place)
}

/// The section for some charts of an experiment, whose files are under `path`.
pub(super) fn charts_section(json: &Value, numbers: &str, path: &str) -> Result<String> {
    let all = list(json, "pictures");
    let chosen = numbers.split_whitespace().map(|number| {
        let place = place(number, all.len());
        place
            .map(|place| &all[place])
            .with_context(|| format!("no chart {number}; charts are counted from 1"))
    });
    let chosen: Result<Vec<&Value>> = chosen.collect();
    Ok(images(&chosen?, path) + "\n")
}

/// Extracts the tables with these numbers, counted from 1, and their titles from an experiment's Markdown.
fn tables(markdown: &str, numbers: &str) -> Result<String> {
    let blocks: Vec<&str> = markdown.split("\n\n").map(str::trim).collect();
    let starts = |block: usize, text: &str| blocks[block].starts_with(text);
    let of_table: Vec<usize> = (0..blocks.len()).filter(|&at| starts(at, "|")).collect();
    let mut text = String::new();
    for number in numbers.split_whitespace() {
        let place = place(number, of_table.len())
            .with_context(|| format!("no table {number}; tables are counted from 1"))?;
        let at = of_table[place];
        if at > 0 && starts(at - 1, "**") {
            text += &format!("\n{}\n", blocks[at - 1]);
        }
        text += &format!("\n{}\n", blocks[at]);
    }
    Ok(text)
}

/// The section for some tables of an experiment.
pub(super) fn tables_section(results: &Path, name: &str, numbers: &str) -> Result<String> {
    let file = results.join(format!("{name}.md"));
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(tables(&text, numbers)? + "\n")
}

/// The section with the provenance of experiments, whose files are under `path`.
pub(super) fn provenance_section(results: &[Value], path: &str) -> String {
    let columns = ["experiment"].into_iter();
    let mut table = Table::new("", columns.chain(provenance::COLUMNS));
    for json in results {
        let name = json["experiment"].as_str().unwrap_or_default();
        let link = Cell::from(format!("[{name}]({path}/{name}.md)"));
        let row = provenance::row(&json["provenance"]);
        table.row([link].into_iter().chain(row));
    }
    format!("\n{}\n", table.markdown())
}

/// The paper and the figure that an experiment repeats, from its name: `habf-fig9`.
fn figure(name: &str) -> (&str, String) {
    let papers = [
        ("habf", "HABF"),
        ("sscf", "SSCF"),
        ("balanced", "Balanced"),
        ("ibf", "Item-personalized"),
    ];
    let (start, rest) = name.split_once('-').unwrap_or((name, ""));
    let paper = papers.into_iter().find(|(known, _)| *known == start);
    let paper = paper.map_or(start, |(_, paper)| paper);
    match rest.strip_prefix("fig") {
        Some(number) => (paper, format!("{paper}, {number}")),
        None => (paper, format!("{paper} {rest}").trim().to_string()),
    }
}

/// The section with the headline claims of all experiments, whose files are under `path`.
pub(super) fn summary_section(results: &[Value], path: &str) -> Result<String> {
    let columns = ["figure", "claim", "published", "measured", "verdict"];
    let mut table = Table::new("", columns);
    for json in results {
        let name = json["experiment"].as_str().unwrap_or_default();
        let link = format!("[{}]({path}/{name}.md)", figure(name).1);
        for cells in claims(json)?.iter().filter_map(Claim::summary) {
            table.row([link.as_str().into()].into_iter().chain(cells));
        }
    }
    Ok(format!("\n{}\n", table.markdown()))
}

/// The section that counts the verdicts on each paper.
pub(super) fn verdicts_section(results: &[Value]) -> Result<String> {
    let columns = ["paper"].into_iter();
    let mut table = Table::new("", columns.chain(Verdict::ALL.map(Verdict::name)));
    let mut papers: Vec<(&str, Vec<Claim>)> = Vec::new();
    for json in results {
        let (paper, _) = figure(json["experiment"].as_str().unwrap_or_default());
        match papers.iter_mut().find(|(known, _)| *known == paper) {
            Some((_, all)) => all.extend(claims(json)?),
            None => papers.push((paper, claims(json)?)),
        }
    }
    papers.retain(|(_, claims)| !claims.is_empty());
    let all = papers.iter().flat_map(|(_, claims)| claims.clone());
    papers.push(("all", all.collect()));
    for (paper, claims) in papers {
        let count = |verdict| {
            let of = claims
                .iter()
                .filter(|claim| claim.verdict() == Some(verdict));
            Cell::whole(of.count() as u64)
        };
        table.row([paper.into()].into_iter().chain(Verdict::ALL.map(count)));
    }
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
