//! Vouches for a recorded result: its sources have changed since the run, but what it shows still holds.
//!
//! The result keeps the commit that made it. It also names the commit at which somebody vouched for it, and why, so that a reader sees both.

use super::provenance::commit;
use crate::catalogue::Experiment;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Writes the present digest of the sources into the result of `experiment` in `folder`.
pub fn vouch(folder: &Path, experiment: &Experiment, because: &str) -> Result<()> {
    let file = folder.join(format!("{}.json", experiment.name));
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut json: Value = serde_json::from_str(&text)
        .with_context(|| format!("{} is damaged; run the experiment again", file.display()))?;
    json["provenance"]["sources"] = json!(experiment.digest());
    json["provenance"]["vouched"] = json!(format!("{}: {because}", commit()));
    let text = serde_json::to_string_pretty(&json)? + "\n";
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find;

    #[test]
    fn vouched_result_has_the_digest_and_keeps_its_commit() {
        let folder = tempfile::tempdir().expect("creates a folder");
        let file = folder.path().join("limit.json");
        let old = json!({ "provenance": { "commit": "c0", "sources": "old" } });
        fs::write(&file, old.to_string()).expect("writes");
        let experiment = find("limit").expect("exists");
        vouch(folder.path(), experiment, "only imports changed").expect("is written");
        let text = fs::read_to_string(&file).expect("exists");
        let json: Value = serde_json::from_str(&text).expect("is JSON");
        let provenance = &json["provenance"];
        assert_eq!(provenance["sources"], experiment.digest());
        assert_eq!(provenance["commit"], "c0");
        let vouched = provenance["vouched"].as_str().expect("is text");
        assert!(vouched.ends_with(": only imports changed"), "{vouched}");
        let missing = find("scale").expect("exists");
        assert!(vouch(folder.path(), missing, "").is_err());
    }
}
