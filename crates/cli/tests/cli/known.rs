//! Kinds that look at known negatives: presets, settings, threads, and what the report says.

use crate::run::{Folder, names};
use serde_json::Value;

/// A folder with 2000 positives, and as many negatives whose costs fall with their rank.
fn folder() -> Folder {
    let folder = Folder::new();
    let positives: String = (0..2000).map(|n| format!("bad{n}.example\n")).collect();
    let negatives = (0..2000).map(|n| format!("good{n}.example\t{}\n", 1000.0 / f64::from(n + 1)));
    let unseen: String = (0..20_000).map(|n| format!("other{n}.example\n")).collect();
    folder.write("p.txt", positives);
    folder.write("n.tsv", negatives.collect::<String>());
    folder.write("u.txt", unseen);
    folder
}

fn build(folder: &Folder, kind: &str, more: &[&str]) -> Value {
    let args = [
        "build",
        kind,
        "--positives",
        "p.txt",
        "--negatives",
        "n.tsv",
    ];
    let rest = ["--bits-per-key", "8.44", "-o", "f.bw", "--force", "--json"];
    folder.run(&[&args[..], &rest, more].concat()).fine().json()
}

fn eval(folder: &Folder) -> Value {
    let args = [
        "eval",
        "f.bw",
        "--positives",
        "p.txt",
        "--negatives",
        "n.tsv",
    ];
    let args = [&args[..], &["--unseen", "u.txt", "--json"]].concat();
    folder.run(&args).fine().json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn known_negatives_are_answered_better_and_the_report_says_so() {
    let folder = folder();
    build(&folder, "bloom", &[]);
    let plain = eval(&folder);
    for kind in ["habf", "habf-fast", "habf-cache"] {
        let report = build(&folder, kind, &[]);
        assert_eq!(
            names(&report["report"]),
            [
                "fill",
                "predicted_fpr",
                "skipped",
                "collisions",
                "adjusted_keys",
                "left",
                "left_no_owner",
                "left_does_not_fit",
                "left_too_costly",
                "left_disturbed",
                "passes",
                "cells_used",
                "weighted_fpr"
            ]
        );
        let measured = eval(&folder);
        assert_eq!(measured["false_negatives"], 0);
        let left = number(&measured["known_false_positives"]);
        assert_eq!(number(&report["guarded"]), 2000.0 - left);
        assert_eq!(report["report"]["left"], measured["known_false_positives"]);
        let (said, found) = (&report["report"]["weighted_fpr"], &measured["weighted_fpr"]);
        assert!((number(said) - number(found)).abs() < 1e-9);
        assert!(
            10.0 * number(found) < number(&plain["weighted_fpr"]),
            "{kind}"
        );
        // Unseen keys pay for it.
        assert!(
            number(&measured["unseen_fpr"]) > number(&plain["unseen_fpr"]),
            "{kind}"
        );
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = folder();
    let more = ["--set", "segment-bits=4096", "--threads"];
    build(&folder, "habf", &[&more[..], &["1"]].concat());
    let one = folder.read("f.bw");
    build(&folder, "habf", &[&more[..], &["3"]].concat());
    assert!(folder.read("f.bw") == one);
}

#[test]
fn the_preset_is_the_setting_of_the_paper_and_settings_go_before_it() {
    let folder = folder();
    let report = build(&folder, "habf", &["--preset", "paper"]);
    let parameters = &report["parameters"];
    assert_eq!(
        (&parameters["k"], &parameters["cell_bits"]),
        (&3.into(), &4.into())
    );
    assert_eq!(parameters["second_round"], "plain");
    let share = 4.0 * number(&parameters["cells"]) / (8.0 * number(&report["bytes"]));
    assert!((share - 0.2).abs() < 0.02, "{share} of the space are cells");
    let report = build(&folder, "habf", &["--preset", "paper", "--set", "k=5"]);
    assert_eq!(report["parameters"]["k"], 5);
}

#[test]
fn keys_can_be_inserted_later_and_eval_shows_what_that_does() {
    let folder = folder();
    build(&folder, "habf", &[]);
    let before = eval(&folder);
    folder.run(&["update", "f.bw", "--insert", "u.txt"]).fine();
    let args = [
        "eval",
        "f.bw",
        "--positives",
        "p.txt",
        "--negatives",
        "n.tsv",
        "--json",
    ];
    let after = folder.run(&args).fine().json();
    assert_eq!(after["false_negatives"], 0);
    assert!(number(&after["weighted_fpr"]) > number(&before["weighted_fpr"]));
    let all = folder.run(&["query", "f.bw", "--keys", "u.txt", "--count"]);
    assert!(all.fine().text().contains("20000"));
    folder
        .run(&["update", "f.bw", "--remove", "p.txt"])
        .wrong(&["habf", "cannot remove keys"]);
}

#[test]
fn wrong_settings_are_one_line_that_says_what_is_right() {
    let folder = folder();
    let wrong = |kind: &str, more: &[&str], words: &[&str]| {
        let args = [
            "build",
            kind,
            "--positives",
            "p.txt",
            "--negatives",
            "n.tsv",
        ];
        let rest = ["--bits-per-key", "8", "-o", "f.bw"];
        folder.run(&[&args[..], &rest, more].concat()).wrong(words);
    };
    wrong(
        "habf",
        &["--preset", "papers"],
        &["no preset \"papers\"", "paper"],
    );
    wrong(
        "habf",
        &["--set", "cells=4"],
        &["no setting \"cells\"", "cell-bits", "ratio"],
    );
    wrong("habf", &["--set", "ratio=2"], &["ratio", "0 to 0.9"]);
    wrong("habf", &["--set", "empty=no"], &["watch or blind or never"]);
    wrong(
        "habf",
        &["--set", "k=9", "--set", "cell-bits=4"],
        &["(k) is 9", "1 to 6"],
    );
    wrong(
        "habf-cache",
        &["--set", "cell-bits=6"],
        &["cell-bits is 6", "4"],
    );
    wrong("habf", &["--set", "passes=-1"], &["passes", "0 to 100"]);
    assert!(!folder.names().contains(&"f.bw".to_string()));
}

#[test]
fn a_guarded_filter_is_right_on_all_known_negatives_and_says_so() {
    let folder = folder();
    build(&folder, "bloom", &[]);
    let plain = eval(&folder);
    let report = build(&folder, "guarded", &[]);
    assert_eq!(
        names(&report["report"]),
        [
            "fill",
            "predicted_fpr",
            "skipped",
            "survivors",
            "left",
            "weighted_fpr",
            "tries",
            "information_limit",
            "times_limit"
        ]
    );
    assert_eq!(report["guarded"], 2000);
    assert_eq!(report["parameters"]["arity"], 4);
    let measured = eval(&folder);
    assert_eq!(measured["false_negatives"], 0);
    assert_eq!(measured["known_false_positives"], 0);
    // Unseen keys gain too.
    assert!(number(&measured["unseen_fpr"]) < number(&plain["unseen_fpr"]));
    let more = ["--bits-per-key", "1.5", "--set", "arity=3", "--json"];
    let args = ["build", "guarded", "--positives", "p.txt", "--negatives"];
    let rest = ["n.tsv", "-o", "f.bw", "--force"];
    let report = folder
        .run(&[&args[..], &rest, &more].concat())
        .fine()
        .json();
    let measured = eval(&folder);
    let wrong = number(&measured["known_false_positives"]);
    assert!(wrong > 0.0 && number(&report["guarded"]) == 2000.0 - wrong);
    assert!(report["report"]["times_limit"].is_null());
}

#[test]
fn a_guarded_filter_neither_grows_nor_shrinks() {
    let folder = folder();
    build(&folder, "guarded", &[]);
    let before = folder.read("f.bw");
    for (what, verb) in [
        ("--insert", "insert"),
        ("--remove", "remove"),
        ("--guard", "guard"),
    ] {
        let words = ["guarded", &format!("cannot {verb} keys")];
        folder.run(&["update", "f.bw", what, "p.txt"]).wrong(&words);
    }
    assert!(folder.read("f.bw") == before);
    let args = [
        "build",
        "guarded",
        "--positives",
        "p.txt",
        "--bits-per-key",
        "9",
    ];
    let rest = ["--capacity", "5000", "-o", "g.bw"];
    let words = [
        "--capacity: a guarded filter cannot insert keys",
        "with all keys",
    ];
    folder.run(&[&args[..], &rest].concat()).wrong(&words);
    folder
        .run(&[&args[..], &rest, &["--negatives", "n.tsv"]].concat())
        .wrong(&words);
    assert!(!folder.names().contains(&"g.bw".to_string()));
}
