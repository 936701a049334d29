//! The outcome of an experiment, and its forms: Markdown to read, JSON to compute with, SVG to look at.
//!
//! An [`Outcome`] has tables, charts of the same numbers, and claims: what a paper says, beside what was measured. All
//! three forms are made from it, so they always agree.

mod chart;
mod claim;
mod document;
mod provenance;
mod section;
mod table;
pub mod verdict;
mod write;

pub use bloomwise_compare::text::rate as percent;
pub use chart::{Axis, Chart};
pub use claim::Claim;
pub use document::{refill, refilled};
pub use provenance::Provenance;
pub use table::{Cell, Table};
pub use verdict::Verdict;
pub use write::{create_folder, write};

use serde_json::{Value, json};

/// The outcome of an experiment.
#[derive(Debug, Default)]
pub struct Outcome {
    /// A line or two about the experiment: the source, the sets, the settings.
    pub about: String,
    /// The measurements.
    pub tables: Vec<Table>,
    /// The measurements as charts.
    pub charts: Vec<Chart>,
    /// What the source says, beside the measurements.
    pub claims: Vec<Claim>,
    /// Remarks that help a reader judge the measurements.
    pub notes: Vec<String>,
}

impl Outcome {
    /// An empty outcome with this introduction.
    pub fn new(about: impl Into<String>) -> Self {
        Outcome {
            about: about.into(),
            ..Outcome::default()
        }
    }

    /// The file names of its charts.
    pub fn chart_files(&self, experiment: &str) -> Vec<String> {
        let one = self.charts.len() == 1;
        let name = |(letter, _)| {
            if one {
                format!("{experiment}.svg")
            } else {
                format!("{experiment}-{letter}.svg")
            }
        };
        ('a'..).zip(&self.charts).map(name).collect()
    }

    /// The whole outcome as Markdown, without the charts.
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

    /// The whole outcome as JSON, with its provenance.
    pub fn json(&self, experiment: &str, provenance: &Provenance) -> Value {
        let pictures = self.chart_files(experiment).into_iter().zip(&self.charts);
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
