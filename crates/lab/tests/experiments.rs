//! Runs every experiment at a size that takes seconds, and checks the parts of its outcome.

use bloomwise_lab::catalogue::{EXPERIMENTS, Experiment, find};
use bloomwise_lab::options::Options;
use bloomwise_lab::output::{Provenance, refilled, sources, write};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Runs the experiments whose names start with `family`, and checks the files they write.
fn run(family: &str) {
    let folder = tempfile::tempdir().expect("creates a folder");
    let options = Options {
        scale: 0.001,
        data: None,
    };
    let mine = EXPERIMENTS
        .iter()
        .filter(|experiment| experiment.name.starts_with(family));
    for experiment in mine {
        let Experiment {
            name, about, run, ..
        } = experiment;
        assert!(!about.is_empty() && !about.contains('\n'));
        let outcome = run(&options).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert!(!outcome.tables.is_empty(), "{name} measures nothing");
        assert!(!outcome.charts.is_empty(), "{name} has no picture");
        assert!(
            outcome.tables.iter().all(|table| !table.rows().is_empty()),
            "{name}: an empty table"
        );
        let provenance = Provenance::now(experiment, &options);
        write(folder.path(), name, &outcome, &provenance).expect("writes");
        let text = fs::read_to_string(folder.path().join(format!("{name}.json"))).expect("exists");
        let json: serde_json::Value = serde_json::from_str(&text).expect("is JSON");
        assert_eq!(json["experiment"], *name);
        for field in [
            "machine", "date", "commit", "command", "scale", "seconds", "sources",
        ] {
            assert!(
                !json["provenance"][field].is_null(),
                "{name} has no {field}"
            );
        }
        let tables = json["tables"].as_array().expect("tables");
        for table in tables {
            let columns = table["columns"].as_array().expect("columns").len();
            let rows = table["rows"].as_array().expect("rows");
            assert!(
                rows.iter()
                    .all(|row| row.as_array().map(Vec::len) == Some(columns))
            );
        }
        for picture in json["pictures"].as_array().expect("pictures") {
            let svg = fs::read_to_string(
                folder
                    .path()
                    .join(picture["file"].as_str().expect("a name")),
            );
            let svg = svg.expect("exists");
            assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{picture}");
        }
        let markdown =
            fs::read_to_string(folder.path().join(format!("{name}.md"))).expect("exists");
        assert!(markdown.contains("cargo run --release -p bloomwise-lab"));
    }
}

#[test]
fn habf_paper_experiments_run() {
    run("habf-");
}

#[test]
fn sscf_paper_experiments_run() {
    run("sscf-");
}

#[test]
fn other_paper_experiments_run() {
    run("balanced");
    run("ibf-");
    run("personalized");
}

#[test]
fn experiments_beyond_the_papers_run() {
    for family in [
        "peers", "batches", "known", "guarded", "exact", "learned", "seesaw", "limit", "scale",
        "data",
    ] {
        run(family);
    }
}

#[test]
fn names_are_unique_and_unknown_ones_are_not_found() {
    let names: HashSet<_> = EXPERIMENTS.iter().map(|one| one.name).collect();
    assert_eq!(names.len(), EXPERIMENTS.len());
    assert!(names.iter().all(|name| find(name).is_some()));
    assert!(find("habf-fig7").is_none());
}

fn results() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

#[test]
fn results_are_as_new_as_the_sources_they_rest_on() {
    let mut paths = Vec::new();
    for experiment in &EXPERIMENTS {
        let name = experiment.name;
        let text = fs::read_to_string(results().join(format!("{name}.json"))).expect("exists");
        let json: serde_json::Value = serde_json::from_str(&text).expect("is JSON");
        assert_eq!(
            json["provenance"]["sources"],
            experiment.digest(),
            "{name} is older than its sources; run it again, or see CONTRIBUTING"
        );
        assert_eq!(sources::missing(&experiment.sources()), [""; 0], "{name}");
        paths.extend(experiment.sources());
    }
    assert_eq!(sources::uncovered(&paths), [""; 0], "no result rests on it");
}

#[test]
fn documents_match_the_recorded_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = |name: &str| {
        let text = fs::read_to_string(root.join(name)).expect("exists");
        let fresh = refilled(&text, &results(), "../crates/lab/results").expect("valid");
        assert!(
            fresh == text,
            "{name}: run `cargo run --release -p bloomwise-lab -- report`"
        );
        text
    };
    let choosing = document("docs/choosing.md");
    let pages = ["docs/measurements.md", "docs/reproduction.md"].map(document);
    for Experiment { name, .. } in EXPERIMENTS {
        let marks = ["", ", charts"].map(|what| format!("<!-- results: {name}{what}"));
        let shown = pages
            .iter()
            .any(|page| marks.iter().any(|mark| page.contains(mark)));
        assert!(shown, "{name} must have a place in docs/");
    }
    let provenance = "<!-- results: provenance -->";
    for page in pages.iter().chain([&choosing]) {
        assert_eq!(page.matches(provenance).count(), 1);
    }
}
