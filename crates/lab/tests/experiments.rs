//! Runs the experiments on URL-like keys at a size that takes seconds, and checks what they write. `command.rs` runs the others.

mod outcome;

use bloomwise_lab::catalogue::{EXPERIMENTS, Experiment, find};
use bloomwise_lab::options::Options;
use bloomwise_lab::output::{Provenance, refilled, write};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Runs those of the experiments on URL-like keys that are `wanted`, and checks the files they write.
fn run(wanted: fn(&str) -> bool) {
    let folder = tempfile::tempdir().expect("creates a folder");
    let options = Options {
        scale: 0.001,
        data: None,
    };
    let experiments = EXPERIMENTS.iter().filter(|one| one.accepts_data);
    for experiment in experiments.filter(|one| wanted(one.name)) {
        let name = experiment.name;
        let outcome =
            (experiment.run)(&options).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        let provenance = Provenance::now(experiment, &options);
        write(folder.path(), name, &outcome, &provenance).expect("writes");
        outcome::check(folder.path(), experiment);
    }
}

#[test]
fn habf_paper_experiments_run() {
    run(|name| name.starts_with("habf-"));
}

#[test]
fn other_experiments_on_urls_run() {
    run(|name| !name.starts_with("habf-"));
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
