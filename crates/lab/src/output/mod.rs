//! The outcome of an experiment, and its forms: Markdown to read, JSON to compute with, SVG to look at.
//!
//! An [`Outcome`] has tables, charts of the same numbers, and claims: what a paper says, beside what was measured. All
//! three forms are made from it, so they always agree.

mod chart;
mod claim;
mod document;
mod provenance;
mod result;
mod section;
mod table;
pub mod verdict;

pub use bloomwise_compare::text::rate as percent;
pub use chart::{Axis, Chart};
pub use claim::Claim;
pub use document::{refill, refilled};
pub use provenance::Provenance;
pub use result::{Picture, Recorded, create_folder, write};
pub use table::{Cell, Cells, Table};
pub use verdict::Verdict;

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
}
