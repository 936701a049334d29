//! What an experiment has written.

use bloomwise_lab::catalogue::Experiment;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Checks the files that `experiment` has written to `folder`: provenance, tables and pictures, and the page about them.
pub fn check(folder: &Path, experiment: &Experiment) {
    let name = experiment.name;
    let about = experiment.about;
    assert!(!about.is_empty() && !about.contains('\n'), "{name}");
    let read = |file: &str| fs::read_to_string(folder.join(file)).expect("exists");
    let json: Value = serde_json::from_str(&read(&format!("{name}.json"))).expect("is JSON");
    assert_eq!(json["experiment"], *name);
    for field in ["machine", "date", "commit", "command", "scale", "seconds"] {
        assert!(
            !json["provenance"][field].is_null(),
            "{name} has no {field}"
        );
    }
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let tables = list(&json["tables"]);
    assert!(!tables.is_empty(), "{name} measures nothing");
    for table in tables {
        let (columns, rows) = (list(&table["columns"]), list(&table["rows"]));
        assert!(!rows.is_empty(), "{name}: an empty table");
        assert!(rows.iter().all(|row| list(row).len() == columns.len()));
    }
    let pictures = list(&json["pictures"]);
    // Their tables have few numbers.
    let plain = ["growing", "learn", "shards", "threads"].contains(&name);
    assert!(plain || !pictures.is_empty(), "{name} has no picture");
    for picture in pictures {
        let svg = read(picture["file"].as_str().expect("a name"));
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{picture}");
    }
    let page = read(&format!("{name}.md"));
    assert!(page.contains("cargo run --release -p bloomwise-lab"));
}
