//! Writes an outcome into a folder.

use super::{Outcome, Provenance};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

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
    let put = |name: String, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let json = serde_json::to_string_pretty(&outcome.json(experiment, provenance))?;
    put(format!("{experiment}.json"), json + "\n")?;
    let mut text = outcome.markdown();
    for (picture, chart) in outcome
        .chart_files(experiment)
        .into_iter()
        .zip(&outcome.charts)
    {
        text += &format!("\n![{}]({picture})\n", chart.title);
        put(picture, chart.svg())?;
    }
    text += &format!("\n{}\n", provenance.line());
    put(format!("{experiment}.md"), text)
}
