//! Kind `balanced`: what was chosen, what came of it, what it does beyond its capacity, and wishes that cannot be.

use crate::run::{Folder, Run, numbers};

fn build(folder: &Folder, more: &[&str]) -> Run {
    let args = ["build", "balanced", "--positives", "p.txt", "-o", "f.bw"];
    folder.run(&[&args[..], &["--force"], more].concat())
}

#[test]
fn the_report_says_what_was_chosen_and_what_came_of_it() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    let size = ["--bits-per-key", "24", "--set", "block=256"];
    let report = build(&folder, &[&size[..], &["--json"]].concat())
        .fine()
        .json();
    let parameters = &report["parameters"];
    assert_eq!(parameters["scheme"], "mht");
    assert_eq!(parameters["capacity"], 20_000);
    assert_eq!(parameters["beyond_capacity"], 0);
    let number = |name: &str| parameters[name].as_f64().expect("a number");
    assert!(number("insert_reads") <= 1.2 && number("insert_reads") > 1.0);
    assert!(number("negative_reads") > number("insert_reads"));
    assert!(number("worst_insert_reads") <= number("choices"));
    assert!(number("listed") <= number("list_room"));
    assert!(number("largest_load") <= number("level") + 1.0);
    assert!(report["bits_per_key"].as_f64().expect("a number") <= 24.0);
    for name in ["scheme", "overflow_share", "mean_load", "insert_reads"] {
        assert_eq!(report["report"][name], parameters[name], "{name}");
    }
    let inspected = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
    assert_eq!(&inspected["parameters"], parameters);

    let run = build(&folder, &size).fine();
    assert_eq!(run.row("scheme"), "mht");
    for row in [
        "mean_load",
        "overflow_share",
        "insert_reads",
        "worst_insert_reads",
    ] {
        assert!(!run.row(row).is_empty());
    }
    // Streamed keys give the same figures.
    let run = build(&folder, &[&size[..], &["--capacity", "20000"]].concat()).fine();
    assert_eq!(run.row("scheme"), "mht");
    folder.run(&["eval", "f.bw", "--positives", "p.txt"]).fine();
}

#[test]
fn settings_are_taken_as_they_are_given() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    for (scheme, choices) in [("single", 1), ("sequential", 3), ("mht", 3)] {
        let (scheme_is, choices_are) = (format!("scheme={scheme}"), format!("choices={choices}"));
        let settings = ["--set", &scheme_is, "--set", &choices_are, "--set", "k=9"];
        let size = ["--bytes", "60000", "--json"];
        let report = build(&folder, &[&size[..], &settings].concat())
            .fine()
            .json();
        assert_eq!(report["parameters"]["scheme"], scheme);
        assert_eq!(report["parameters"]["choices"], choices);
        assert_eq!(report["parameters"]["k"], 9);
        assert!(report["bytes"].as_u64().expect("a number") <= 60_000);
        folder
            .run(&["query", "f.bw", "--keys", "p.txt", "--count"])
            .fine();
    }
}

#[test]
fn a_rate_is_kept() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..20_000));
    let report = build(&folder, &["--fpr", "0.0001", "--json"]).fine().json();
    let predicted = report["report"]["predicted_fpr"].as_f64();
    assert!(predicted.expect("a number") < 1.1e-4, "{report}");
    assert!(report["bits_per_key"].as_f64().expect("a number") < 23.0);
}

#[test]
fn beyond_its_capacity_a_filter_says_so_and_denies_nobody() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    folder.write("more.txt", numbers(2000..6000));
    for scheme in ["scheme=single", "scheme=sequential", "scheme=mht"] {
        build(&folder, &["--bits-per-key", "20", "--set", scheme]).fine();
        let before = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
        folder
            .run(&["update", "f.bw", "--insert", "more.txt"])
            .fine();
        for file in ["p.txt", "more.txt"] {
            folder
                .run(&["query", "f.bw", "--keys", file, "--count"])
                .fine();
        }
        let after = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
        let of = |report: &serde_json::Value, name: &str| report["parameters"][name].as_u64();
        assert_eq!(of(&after, "beyond_capacity"), Some(4000));
        assert!(of(&after, "listed") > of(&before, "listed"), "{after}");
        assert!(of(&after, "listed") > of(&after, "list_room"), "{after}");
    }
}

#[test]
fn wishes_that_cannot_be_are_one_clear_line() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    let wrong = |settings: &[&str], parts: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let args: Vec<_> = ["--bits-per-key", "16"]
            .into_iter()
            .chain(settings)
            .collect();
        build(&folder, &args).wrong(parts);
    };
    wrong(
        &["scheme=double"],
        &["scheme", "single or sequential or mht"],
    );
    wrong(&["block=128"], &["block", "256 or 512"]);
    wrong(&["reads=0.5"], &["reads", "from 1 to 8"]);
    wrong(&["reads=many"], &["reads", "from 1 to 8"]);
    wrong(&["choices=9"], &["choices", "from 1 to 8"]);
    wrong(&["choices=2.5"], &["choices", "from 1 to 8"]);
    wrong(&["overflow=0.9"], &["overflow", "from 0 to 0.5"]);
    wrong(&["k=0"], &["k", "1 to 32"]);
    wrong(&["scheme=single", "choices=2"], &["choices", "one choice"]);
    wrong(&["scheme=single", "reads=5"], &["reads", "one choice"]);
    wrong(&["scheme=mht", "choices=1"], &["choices", "2 to 8"]);
    wrong(&["scheme=mht", "reads=1"], &["reads", "more than 1"]);
    wrong(
        &["scheme=mht", "reads=3", "choices=3"],
        &["reads", "less than the choices, 3"],
    );
    wrong(
        &["scheme=mht", "reads=1.3", "choices=2", "overflow=0.01"],
        &["overflow", "at least"],
    );
    let settings = ["scheme=mht", "reads=1.5", "choices=2", "overflow=0.001"];
    let settings = settings.iter().flat_map(|setting| ["--set", setting]);
    let args: Vec<_> = ["--fpr", "0.001"].into_iter().chain(settings).collect();
    build(&folder, &args).wrong(&["overflow", "at least", "with these reads and choices"]);
    build(&folder, &["--fpr", "0.00001", "--set", "k=1"]).wrong(&["(k) is 1", "at least"]);
    wrong(&["level=3"], &["level", "scheme, reads, choices, overflow"]);
    build(&folder, &["--bytes", "64"]).wrong(&["the size", "a bit for each key"]);
}
