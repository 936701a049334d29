//! The sections of a document: a whole experiment, some of its tables or charts, a count of verdicts, or the provenance
//! of everything on the page.

use super::{Claim, Picture, Recorded, Table, Verdict, provenance};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The section for a whole experiment, whose files are under `path`.
pub(super) fn experiment_section(result: &Recorded, path: &str) -> String {
    let mut block = String::new();
    if !result.claims.is_empty() {
        block += &format!("\n{}", Claim::markdown(&result.claims));
    }
    for note in &result.notes {
        block += &format!("\n{note}\n");
    }
    block += &images(&result.pictures.iter().collect::<Vec<_>>(), path);
    block + &format!("\n[All tables]({path}/{}.md).\n\n", result.experiment)
}

/// Pictures, two side by side: known negatives and unseen keys, where an experiment has both. A single picture is larger.
fn images(pictures: &[&Picture], path: &str) -> String {
    let width = if pictures.len() == 1 { "75%" } else { "49%" };
    let image = |picture: &&Picture| {
        let Picture { file, title } = picture;
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
pub(super) fn charts_section(result: &Recorded, numbers: &str, path: &str) -> Result<String> {
    let all = &result.pictures;
    let chosen = numbers.split_whitespace().map(|number| {
        let place = place(number, all.len());
        place
            .map(|place| &all[place])
            .with_context(|| format!("no chart {number}; charts are counted from 1"))
    });
    let chosen: Result<Vec<&Picture>> = chosen.collect();
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
pub(super) fn provenance_section(results: &[Recorded], path: &str) -> String {
    let mut table = Table::new("", &format!("experiment | {}", provenance::COLUMNS));
    for Recorded {
        experiment,
        provenance,
        ..
    } in results
    {
        let link = format!("[{experiment}]({path}/{experiment}.md)");
        table.row((link, provenance.row()));
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
pub(super) fn summary_section(results: &[Recorded], path: &str) -> String {
    let mut table = Table::new("", "figure | claim | published | measured | verdict");
    for Recorded {
        experiment, claims, ..
    } in results
    {
        let link = format!("[{}]({path}/{experiment}.md)", figure(experiment).1);
        for cells in claims.iter().filter_map(Claim::summary) {
            table.row((&link, cells));
        }
    }
    format!("\n{}\n", table.markdown())
}

/// The section that counts the verdicts on each paper.
pub(super) fn verdicts_section(results: &[Recorded]) -> String {
    let mut table = Table::new("", "paper").and(&Verdict::ALL.map(Verdict::name), "");
    let mut papers: Vec<(&str, Vec<&Claim>)> = Vec::new();
    for Recorded {
        experiment, claims, ..
    } in results
    {
        let (paper, _) = figure(experiment);
        match papers.iter_mut().find(|(known, _)| *known == paper) {
            Some((_, all)) => all.extend(claims),
            None => papers.push((paper, claims.iter().collect())),
        }
    }
    papers.retain(|(_, claims)| !claims.is_empty());
    let all = papers.iter().flat_map(|(_, claims)| claims.clone());
    papers.push(("all", all.collect()));
    for (paper, claims) in papers {
        let of = |verdict| {
            claims
                .iter()
                .filter(move |claim| claim.verdict() == Some(verdict))
        };
        table.row((paper, Verdict::ALL.map(|verdict| of(verdict).count())));
    }
    format!("\n{}\n", table.markdown())
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
