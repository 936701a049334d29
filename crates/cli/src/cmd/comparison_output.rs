//! The output options and the exit code that `compare` and `demo` share.

use super::Outcome;
use crate::io::output::{Output, remark};
use crate::io::target::Target;
use anyhow::Result;
use bloomwise_compare::measure::Comparison;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How a comparison is shown.
#[derive(clap::Args)]
pub struct ComparisonOutput {
    /// Write an HTML page with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace the page if it exists
    #[arg(long, requires = "html")]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl ComparisonOutput {
    /// The file of the page, if the user wants a page.
    pub fn target(&self, inputs: &[Option<&Path>]) -> Result<Option<Target>> {
        let Some(path) = &self.html else {
            return Ok(None);
        };
        Target::page(path, self.force, inputs).map(Some)
    }

    /// Prints the name of the page, unless the output is JSON.
    pub fn print_page_name(&self, target: &Target, out: &mut Output) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        writeln!(out, "\nPage with charts: {}", target.name())
    }
}

/// The outcome of a comparison. A false negative is a bug of this program; prints a remark about it.
pub fn outcome(comparison: &Comparison) -> Outcome {
    let Some((row, denied)) = comparison.denied() else {
        return Outcome::Success;
    };
    remark(&format!(
        "filters denied {denied} positives in total, first {} at {}; this is a bug, please report it",
        row.kind.name(),
        row.setting(),
    ));
    Outcome::Denied
}
