//! The whole page.

use super::figures;
use super::html::{Escaped, Table};
use crate::comparison::{Comparison, LEGEND, columns};
use crate::pace::PASSES;
use crate::{machine, text};

/// The style sheet; everything that has a colour has it from there.
const STYLE: &str = include_str!("style.css");

/// The spread of passes from which times are called rough.
const ROUGH: f64 = 0.25;

/// What there is to tell about a comparison beside its numbers.
pub struct Setup {
    /// What the page is called.
    pub title: String,
    /// Sentences to begin with.
    pub lead: Vec<String>,
    /// How it was made: name and value.
    pub settings: Vec<(&'static str, String)>,
}

/// The page of a comparison.
pub fn page(setup: &Setup, comparison: &Comparison) -> String {
    let title = Escaped(&setup.title);
    let lead: String = setup
        .lead
        .iter()
        .map(|sentence| paragraph(sentence))
        .collect();
    let words: String = comparison
        .words()
        .iter()
        .map(|sentence| item(sentence))
        .collect();
    let [keys, known, unseen] =
        [comparison.keys, comparison.known, comparison.unseen].map(text::grouped);
    let counts = format!("{keys} keys, {known} known negatives, {unseen} unseen keys");
    let [known, unseen, asking, building] = figures::all(comparison);
    let mut settings = setup.settings.clone();
    settings.push(("passes", PASSES.to_string()));
    settings.push(("threads", rayon::current_num_threads().to_string()));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<h1>{title}</h1>\n<p class=\"sub\">{counts}</p>\n{lead}</header>\n\
         <section>\n<p>At {} bits per key:</p>\n<ul>\n{words}</ul>\n</section>\n\
         <section>\n<h2>How often they are wrong</h2>\n<div class=\"charts\">\n{known}{unseen}</div>\n</section>\n\
         <section>\n<h2>How long they take</h2>\n<div class=\"charts\">\n{asking}{building}</div>\n<p>{}</p>\n</section>\n\
         <section>\n<h2>All numbers</h2>\n{}<p class=\"note\">{LEGEND}</p>\n</section>\n\
         <section class=\"facts\">\n<div><h2>Settings</h2>\n{}</div>\n<div><h2>Machine</h2>\n{}</div>\n</section>\n\
         </main>\n</body>\n</html>\n",
        comparison.budget(),
        believed(comparison),
        everything(comparison),
        list(&settings),
        list(&machine::facts()),
    )
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", prose(text))
}

/// A text whose numbers stay with their units.
fn prose(text: &str) -> String {
    let text = text.replace(" %", "\u{a0}%").replace(" ns", "\u{a0}ns");
    Escaped(&text).to_string()
}

/// A sentence of a list, with what it is about standing out.
fn item(text: &str) -> String {
    match text.split_once(": ") {
        Some((about, rest)) => format!("<li><b>{}:</b> {}</li>\n", prose(about), prose(rest)),
        None => format!("<li>{}</li>\n", prose(text)),
    }
}

/// Names and values.
fn list(rows: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", Escaped(name), Escaped(value))
    };
    format!("<dl>\n{}</dl>\n", rows.iter().map(row).collect::<String>())
}

/// How times were taken, and how far they can be believed.
fn believed(comparison: &Comparison) -> String {
    let rough = comparison.noise().is_some_and(|(median, _)| median > ROUGH);
    let advice = match rough {
        true => " That is a lot: the machine was busy, and the times are rough.",
        false => "",
    };
    let noise = comparison.noise_in_words().unwrap_or_default();
    prose(&format!(
        "{noise}{advice} Keys are in memory and asked for one at a time, hashing included. A build begins with sorted digests."
    ))
}

/// The table of all rows.
fn everything(comparison: &Comparison) -> Table {
    let columns = columns(comparison.rows.iter());
    Table {
        group: comparison.kinds().len(),
        heads: columns
            .iter()
            .map(|column| (column.title.to_string(), column.numbers))
            .collect(),
        rows: (comparison.rows.iter())
            .map(|row| columns.iter().map(|column| (column.cell)(row)).collect())
            .collect(),
    }
}
