//! The result of an experiment on disk: `EXPERIMENT.json` to compute with, `EXPERIMENT.md` to read, and the charts.

use super::{Claim, Outcome, Provenance, Table};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// What `EXPERIMENT.json` holds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Recorded {
    /// The name of the experiment.
    pub experiment: String,
    /// What it measured.
    #[serde(default)]
    pub about: String,
    /// Where its numbers come from.
    pub provenance: Provenance,
    /// Its tables: titles, columns and rows.
    #[serde(default)]
    pub tables: Vec<Value>,
    /// What the source says, beside the measurements.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Remarks on the measurements.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Its charts.
    #[serde(default)]
    pub pictures: Vec<Picture>,
}

/// A chart in a file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Picture {
    /// The name of the file.
    pub file: String,
    /// The title.
    pub title: String,
}

impl Recorded {
    /// Reads the result of an experiment; `None` if there is none yet.
    pub fn read(folder: &Path, experiment: &str) -> Result<Option<Self>> {
        let file = folder.join(format!("{experiment}.json"));
        if !file.exists() {
            return Ok(None);
        }
        let damaged = || format!("cannot read {}; run the experiment again", file.display());
        let text = fs::read_to_string(&file).with_context(damaged)?;
        serde_json::from_str(&text).map(Some).with_context(damaged)
    }
}

/// Creates `folder` if it does not exist.
pub fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// Writes `EXPERIMENT.json`, `EXPERIMENT.md` and the charts into `folder`.
pub fn write(
    folder: &Path,
    experiment: &str,
    outcome: &Outcome,
    provenance: &Provenance,
) -> Result<()> {
    create_folder(folder)?;
    let put = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let mut text = outcome.markdown();
    let mut pictures = Vec::new();
    for (letter, chart) in ('a'..).zip(&outcome.charts) {
        let file = match outcome.charts.len() {
            1 => format!("{experiment}.svg"),
            _ => format!("{experiment}-{letter}.svg"),
        };
        let title = chart.title.clone();
        text += &format!("\n![{title}]({file})\n");
        put(&file, chart.svg())?;
        pictures.push(Picture { file, title });
    }
    text += &format!("\n{}\n", provenance.line());
    put(&format!("{experiment}.md"), text)?;
    let recorded = Recorded {
        experiment: experiment.to_string(),
        about: outcome.about.clone(),
        provenance: provenance.clone(),
        tables: outcome.tables.iter().map(Table::json).collect(),
        claims: outcome.claims.clone(),
        notes: outcome.notes.clone(),
        pictures,
    };
    let json = serde_json::to_string_pretty(&recorded)?;
    put(&format!("{experiment}.json"), json + "\n")
}
