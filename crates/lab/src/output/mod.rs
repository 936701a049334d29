//! What an experiment comes to, and the forms in which it is shown: Markdown to read, JSON to compute with, SVG to see.
//!
//! An [`Outcome`] has tables, pictures made of the same numbers, and claims: what a paper says beside what was measured. All
//! three forms are made from it, so that they cannot tell different stories.

mod axis;
mod chart;
mod claim;
mod draw;
mod place;
mod provenance;
mod report;
mod shown;
mod style;
mod table;

pub use axis::Axis;
pub use chart::{Chart, Point, Series};
pub use claim::{Claim, Verdict};
pub use place::{prepare, write};
pub use provenance::Provenance;
pub use report::{refresh, refreshed};
pub use table::{Cell, Table};

use serde_json::{Value, json};

/// What came of an experiment.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What it was about, in a line or two: the source, the sets, the settings.
    pub about: String,
    /// What was measured.
    pub tables: Vec<Table>,
    /// The same as pictures.
    pub charts: Vec<Chart>,
    /// What the source says beside it.
    pub claims: Vec<Claim>,
    /// What a reader has to know to judge it.
    pub notes: Vec<String>,
}

impl Outcome {
    /// Nothing yet, but what it is about.
    pub fn new(about: impl Into<String>) -> Self {
        Outcome {
            about: about.into(),
            ..Outcome::default()
        }
    }

    /// The names of the files of its pictures.
    pub fn pictures(&self, experiment: &str) -> Vec<String> {
        let one = self.charts.len() == 1;
        let name = |(letter, _)| match one {
            true => format!("{experiment}.svg"),
            false => format!("{experiment}-{letter}.svg"),
        };
        ('a'..).zip(&self.charts).map(name).collect()
    }

    /// All of it as Markdown, but the pictures.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n", self.about);
        for table in &self.tables {
            text += &format!("\n{}", table.markdown());
        }
        if !self.claims.is_empty() {
            text += &format!(
                "\n**What the paper says**\n\n{}",
                Claim::markdown(&self.claims)
            );
        }
        for note in &self.notes {
            text += &format!("\n{note}\n");
        }
        text
    }

    /// All of it as JSON, with where it comes from.
    pub fn json(&self, experiment: &str, provenance: &Provenance) -> Value {
        let pictures = self.pictures(experiment).into_iter().zip(&self.charts);
        let pictures = pictures.map(|(file, chart)| json!({ "file": file, "title": chart.title }));
        json!({
            "experiment": experiment,
            "about": self.about,
            "provenance": provenance.json(),
            "tables": self.tables.iter().map(Table::json).collect::<Vec<_>>(),
            "claims": self.claims.iter().map(Claim::json).collect::<Vec<_>>(),
            "notes": self.notes,
            "pictures": pictures.collect::<Vec<_>>(),
        })
    }
}
