//! The whole page. `page.html` is the template: names in braces are replaced here. `style.css` is the style sheet, and
//! `results.html` is the part of the page that exists only if at least one filter was built.

use super::markup::prose;
use super::{banner::banner, costliest, figures};
use crate::measure::{Comparison, PASSES, machine};
use crate::report::chart::Escaped;
use crate::report::comparison::{LATER_LEGEND, LEGEND, OVER_BUDGET_NOTE};
use crate::report::text;
use bloomwise::Family;

/// The style sheet; all colours are defined there.
const STYLE: &str = include_str!("style.css");

/// What the page says besides the numbers of a comparison.
pub struct Setup {
    /// The title of the page.
    pub title: String,
    /// The paragraphs at the beginning.
    pub introduction: Vec<String>,
    /// The settings of the comparison: name and value.
    pub settings: Vec<(&'static str, String)>,
    /// The command that builds a filter of this kind and this many bits per key.
    pub command: Box<dyn Fn(Family, f64) -> String>,
}

impl Setup {
    /// A page with this title, and with the command that builds a filter from `keys.txt` and `known.tsv`.
    pub fn new(title: impl Into<String>) -> Self {
        Setup {
            title: title.into(),
            introduction: Vec::new(),
            settings: Vec::new(),
            command: Box::new(|kind, budget| {
                let kind = kind.name();
                format!(
                    "bloomwise build {kind} --positives keys.txt --negatives known.tsv --bits-per-key {budget} -o keys.bloomwise"
                )
            }),
        }
    }
}

/// The page of a comparison.
pub fn page(setup: &Setup, comparison: &Comparison) -> String {
    let [keys, known, unseen] =
        [comparison.keys, comparison.known, comparison.unseen].map(text::count);
    let counts = match comparison.later {
        None => format!("{keys} keys, {known} known negatives, {unseen} unseen keys"),
        Some(_) => format!(
            "{keys} keys, {} learned negatives; after the split {known} of them and {unseen} other absent keys",
            text::count(comparison.listed.0)
        ),
    };
    let mut settings = setup.settings.clone();
    settings.push(("passes", PASSES.to_string()));
    settings.push(("threads", rayon::current_num_threads().to_string()));
    format!(
        include_str!("page.html"),
        title = Escaped(&setup.title),
        style = STYLE,
        counts = counts,
        introduction = map(&setup.introduction, paragraph),
        results = comparison
            .middle_budget()
            .map_or(String::new(), |budget| results(setup, comparison, budget)),
        table = comparison.table().html(),
        legend = legend(comparison),
        settings = list(&settings),
        machine = list(&machine::facts()),
    )
}

/// What the columns of the table are.
fn legend(comparison: &Comparison) -> String {
    let over_budget = comparison.rows.iter().any(|row| row.over_budget);
    let notes = [
        (LATER_LEGEND, comparison.later.is_some()),
        (OVER_BUDGET_NOTE, over_budget),
    ];
    let notes = notes.into_iter().filter(|(_, wanted)| *wanted);
    let notes: Vec<&str> = [LEGEND]
        .into_iter()
        .chain(notes.map(|(note, _)| note))
        .collect();
    notes.join("\n")
}

/// The verdict and the charts.
fn results(setup: &Setup, comparison: &Comparison, budget: f64) -> String {
    let verdict = comparison.verdict();
    let banner = verdict.as_ref().map_or(String::new(), |verdict| {
        banner(verdict, &(setup.command)(verdict.kind(), budget))
    });
    let verdict = verdict.as_ref();
    let [all, known, unseen] = figures::mistakes(comparison, verdict, budget);
    let later: String = [
        figures::wasted(comparison, verdict, budget),
        figures::covered(comparison),
    ]
    .into_iter()
    .flatten()
    .map(|figure| figure.to_string())
    .collect();
    let [querying, building] = figures::speed(comparison, verdict, budget);
    format!(
        include_str!("results.html"),
        banner = banner,
        mistakes = map(&comparison.mistakes_summary(), item),
        later = later,
        all = all,
        sizes = figures::sizes(comparison, verdict),
        known = known,
        unseen = unseen,
        budget = budget,
        cards = costliest::cards(comparison, budget),
        costs = figures::costs(comparison).map_or(String::new(), |figure| figure.to_string()),
        speeds = map(&comparison.speed_summary(), item),
        querying = querying,
        building = building,
        method = method(comparison),
    )
}

/// The HTML of all texts.
fn map(texts: &[String], html: fn(&str) -> String) -> String {
    texts.iter().map(|text| html(text)).collect()
}

/// A paragraph.
fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", prose(text))
}

/// A list item. The part before the colon is bold.
fn item(text: &str) -> String {
    match text.split_once(": ") {
        Some((topic, rest)) => format!("<li><b>{}:</b> {}</li>\n", prose(topic), prose(rest)),
        None => format!("<li>{}</li>\n", prose(text)),
    }
}

/// A list of names and values.
fn list(rows: &[(&str, String)]) -> String {
    let row = |(name, value): &(&str, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", Escaped(name), Escaped(value))
    };
    format!("<dl>\n{}</dl>\n", rows.iter().map(row).collect::<String>())
}

/// How times were measured, and how reliable they are.
fn method(comparison: &Comparison) -> String {
    let noise = comparison.noise_summary().unwrap_or_default();
    prose(&format!(
        "{noise} Keys are in memory and looked up one at a time; query times include hashing. A build starts from sorted digests."
    ))
}
