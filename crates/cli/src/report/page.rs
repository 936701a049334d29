//! The whole page: `page.html`, in which the names in braces are filled in here, and `style.css`. What there is to see if any
//! filter was built is in `results.html`.

use super::figures;
use super::html::{Escaped, Table};
use crate::comparison::{Comparison, LEGEND, OVER, columns};
use crate::pace::PASSES;
use crate::{machine, text};

/// The style sheet; everything that has a colour has it from there.
const STYLE: &str = include_str!("style.css");

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
    let [keys, known, unseen] =
        [comparison.keys, comparison.known, comparison.unseen].map(text::grouped);
    let counts = format!("{keys} keys, {known} known negatives, {unseen} unseen keys");
    let mut settings = setup.settings.clone();
    settings.push(("passes", PASSES.to_string()));
    settings.push(("threads", rayon::current_num_threads().to_string()));
    format!(
        include_str!("page.html"),
        title = Escaped(&setup.title),
        style = STYLE,
        counts = counts,
        lead = all(&setup.lead, paragraph),
        results = comparison
            .budget()
            .map_or(String::new(), |budget| results(comparison, budget)),
        table = everything(comparison),
        legend = match comparison.rows.iter().any(|row| row.is_over) {
            true => format!("{LEGEND}\n{OVER}"),
            false => LEGEND.to_string(),
        },
        settings = list(&settings),
        machine = list(&machine::facts()),
    )
}

/// Sentences and charts.
fn results(comparison: &Comparison, budget: f64) -> String {
    let [known, unseen, asking, building] = figures::all(comparison, budget);
    format!(
        include_str!("results.html"),
        budget = budget,
        words = all(&comparison.words(), item),
        known = known,
        unseen = unseen,
        asking = asking,
        building = building,
        noise = noise(comparison),
    )
}

/// Each of these texts in its place.
fn all(texts: &[String], place: fn(&str) -> String) -> String {
    texts.iter().map(|text| place(text)).collect()
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
fn noise(comparison: &Comparison) -> String {
    let noise = comparison.noise_in_words().unwrap_or_default();
    prose(&format!(
        "{noise} Keys are in memory and asked for one at a time, hashing included. A build begins with sorted digests."
    ))
}

/// The table of all rows.
fn everything(comparison: &Comparison) -> Table {
    let columns = columns(comparison.rows.iter());
    Table {
        group: comparison.kinds().len(),
        heads: columns
            .iter()
            .map(|column| {
                let heading = column.heading;
                (heading.title.to_string(), heading.cells)
            })
            .collect(),
        rows: (comparison.rows.iter())
            .map(|row| columns.iter().map(|column| (column.cell)(row)).collect())
            .collect(),
    }
}
