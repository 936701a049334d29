//! Where a comparison goes, and what it comes to: what `compare` and `demo` share.

use super::Outcome;
use crate::comparison::Comparison;
use crate::output::{Output, one_line, remark};
use crate::target::Target;
use anyhow::Result;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How a comparison is shown.
#[derive(clap::Args)]
pub struct Outlet {
    /// Write a page with charts to this file, for a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace the page if it exists
    #[arg(long, requires = "html")]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Outlet {
    /// Where the page goes, if there shall be one.
    pub fn target(&self, inputs: &[Option<&Path>]) -> Result<Option<Target>> {
        let Some(path) = &self.html else {
            return Ok(None);
        };
        Target::page(path, self.force, inputs).map(Some)
    }

    /// Tells people where the page is.
    pub fn tell(&self, target: &Target, out: &mut Output) -> io::Result<()> {
        match self.json {
            true => Ok(()),
            false => writeln!(out, "\nPage with charts: {}", one_line(&target.name())),
        }
    }
}

/// What it came to: a positive that was denied is a mistake of this program.
pub fn outcome(comparison: &Comparison) -> Outcome {
    let Some((row, denied)) = comparison.denied() else {
        return Outcome::Fine;
    };
    remark(&format!(
        "positives are denied, {denied} in all, first by {} at {}; this must not happen, please report it",
        row.kind.name(),
        row.setting(),
    ));
    Outcome::Denied
}
