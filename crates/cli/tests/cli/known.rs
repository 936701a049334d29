//! Kinds that use known negatives: presets, settings, threads, the report.

use crate::run::{Folder, names, number};
use serde_json::Value;

/// A folder with 2000 positives, 2000 negatives whose costs fall with their rank, and 20,000 unseen keys.
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

fn build(folder: &Folder, kind: &str, more: &str) -> Value {
    let args = format!("build {kind} --positives p.txt --negatives n.tsv");
    let rest = "--bits-per-key 8.44 -o f.bw --force --json";
    let run = folder.run(&format!("{args} {rest} {more}")).exits_with(0);
    let report = run.json();
    // Standard error says how many known negatives are wrong, and what to do.
    match report["wrong"].as_u64() {
        None | Some(0) => assert_eq!(run.stderr, ""),
        Some(wrong) => {
            let start = format!("still answered wrong: {wrong} of 2,000, with");
            run.remarks(&[&start, "use more bits per key, or guarded"]);
        }
    }
    report
}

fn eval(folder: &Folder) -> Value {
    let args = "eval f.bw --positives p.txt --negatives n.tsv";
    let args = format!("{args} --unseen u.txt --json");
    folder.run(&args).succeeds().json()
}

#[test]
fn habf_makes_fewer_costly_mistakes_and_reports_them() {
    let folder = folder();
    build(&folder, "bloom", "");
    let plain = eval(&folder);
    for kind in ["habf", "habf-fast", "habf-cache"] {
        let report = build(&folder, kind, "");
        assert_eq!(
            names(&report["report"]),
            [
                "fill",
                "predicted_fpr",
                "skipped",
                "collisions",
                "adjusted_keys",
                "wrong",
                "wrong_no_owner",
                "wrong_does_not_fit",
                "wrong_too_costly",
                "wrong_disturbed",
                "passes_made",
                "cells_used",
                "weighted_fpr"
            ]
        );
        let measured = eval(&folder);
        assert_eq!(measured["false_negatives"], 0);
        let left = number(&measured["known_false_positives"]);
        assert_eq!(number(&report["guarded"]), 2000.0 - left);
        assert_eq!(report["report"]["wrong"], measured["known_false_positives"]);
        let (reported, measured_rate) =
            (&report["report"]["weighted_fpr"], &measured["weighted_fpr"]);
        assert!((number(reported) - number(measured_rate)).abs() < 1e-9);
        assert!(
            10.0 * number(measured_rate) < number(&plain["weighted_fpr"]),
            "{kind}"
        );
        // The price is a higher rate on unseen keys.
        assert!(
            number(&measured["unseen_fpr"]) > number(&plain["unseen_fpr"]),
            "{kind}"
        );
    }
}

#[test]
fn filter_does_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let more = "--set segment-bits=4096 --threads";
    build(&folder, "habf", &format!("{more} 1"));
    let one = folder.read("f.bw");
    build(&folder, "habf", &format!("{more} 3"));
    assert!(folder.read("f.bw") == one);
}

#[test]
fn settings_override_the_preset_of_the_paper() {
    let folder = folder();
    let report = build(&folder, "habf", "--preset paper");
    let parameters = &report["parameters"];
    assert_eq!(
        (&parameters["k"], &parameters["cell_bits"]),
        (&3.into(), &4.into())
    );
    assert_eq!(parameters["second_round"], "plain");
    let share = 4.0 * number(&parameters["cells"]) / (8.0 * number(&report["bytes"]));
    assert!(
        (share - 0.2).abs() < 0.02,
        "cells take {share} of the space"
    );
    let report = build(&folder, "habf", "--preset paper --set k=5");
    assert_eq!(report["parameters"]["k"], 5);
}

#[test]
fn inserting_keys_later_raises_the_weighted_rate() {
    let folder = folder();
    build(&folder, "habf", "");
    let before = eval(&folder);
    let run = folder.run("update f.bw --insert u.txt");
    run.exits_with(0)
        .remarks(&["22,000 keys exceed the capacity of 2,000"]);
    let args = "eval f.bw --positives p.txt --negatives n.tsv --json";
    let after = folder.run(args).succeeds().json();
    assert_eq!(after["false_negatives"], 0);
    assert!(number(&after["weighted_fpr"]) > number(&before["weighted_fpr"]));
    let all = folder.run("query f.bw --keys u.txt --count");
    all.succeeds().prints("20000");
    folder
        .run("update f.bw --remove p.txt")
        .fails(&["habf", "cannot remove keys"]);
}

#[test]
fn invalid_settings_are_one_line_errors() {
    let folder = folder();
    let fails = |kind: &str, more: &str, parts: &[&str]| {
        let args = format!("build {kind} --positives p.txt --negatives n.tsv");
        let rest = "--bits-per-key 8 -o f.bw";
        folder.run(&format!("{args} {rest} {more}")).fails(parts);
    };
    fails(
        "habf",
        "--preset papers",
        &["no preset \"papers\"", "paper"],
    );
    fails(
        "habf",
        "--set cells=4",
        &["no setting \"cells\"", "cell-bits", "ratio"],
    );
    fails("habf", "--set ratio=2", &["ratio", "0 to 0.9"]);
    fails("habf", "--set empty=no", &["watch or blind or never"]);
    fails(
        "habf",
        "--set k=9 --set cell-bits=4",
        &["(k) is 9", "1 to 6"],
    );
    fails("habf-cache", "--set cell-bits=6", &["cell-bits is 6", "4"]);
    fails("habf", "--set passes=-1", &["passes", "0 to 100"]);
    assert!(!folder.names().contains(&"f.bw".to_string()));
}

#[test]
fn guarded_filter_is_right_on_all_known_negatives_and_reports_it() {
    let folder = folder();
    build(&folder, "bloom", "");
    let plain = eval(&folder);
    let report = build(&folder, "guarded", "");
    assert_eq!(
        names(&report["report"]),
        [
            "fill",
            "predicted_fpr",
            "skipped",
            "survivors",
            "wrong",
            "weighted_fpr",
            "tries",
            "information_limit",
            "times_limit"
        ]
    );
    assert_eq!(report["guarded"], 2000);
    assert_eq!(report["exact"], true);
    assert_eq!(report["wrong"], 0);
    let measured = eval(&folder);
    assert_eq!(measured["false_negatives"], 0);
    assert_eq!(measured["known_false_positives"], 0);
    // The rate on unseen keys is lower too.
    assert!(number(&measured["unseen_fpr"]) < number(&plain["unseen_fpr"]));
    let args = "build guarded --positives p.txt --negatives n.tsv -o f.bw --force";
    let more = "--bits-per-key 1.5 --json";
    let done = folder.run(&format!("{args} {more}")).exits_with(0);
    let (report, remark) = (done.json(), done.stderr);
    let measured = eval(&folder);
    let wrong = number(&measured["known_false_positives"]);
    assert!(wrong > 0.0 && number(&report["guarded"]) == 2000.0 - wrong);
    assert_eq!(report["wrong"], measured["known_false_positives"]);
    assert_eq!(report["exact"], false);
    assert!(report["report"]["times_limit"].is_null());
    // Standard error says how many are wrong, and how many bits per key are enough for all.
    assert!(
        remark.contains("of 2,000, with") && remark.contains("none would be"),
        "{remark}"
    );
    let enough = remark.split("--bits-per-key ").nth(1).expect("a size");
    let report = folder
        .run(&format!("{args} --json --bits-per-key {}", enough.trim()))
        .succeeds()
        .json();
    assert_eq!(report["exact"], true);
    folder.run("inspect f.bw").succeeds().prints("2,000, exact");
}

#[test]
fn guarded_filter_cannot_be_updated() {
    let folder = folder();
    build(&folder, "guarded", "");
    let before = folder.read("f.bw");
    for (what, verb) in [
        ("--insert", "insert"),
        ("--remove", "remove"),
        ("--guard", "guard"),
    ] {
        let parts = ["guarded", &format!("cannot {verb} keys")];
        folder
            .run(&format!("update f.bw {what} p.txt"))
            .fails(&parts);
    }
    assert!(folder.read("f.bw") == before);
    let args = "build guarded --positives p.txt --bits-per-key 9";
    let rest = "--capacity 5000 -o g.bw";
    let parts = [
        "--capacity: a guarded filter cannot insert keys later",
        "leave out --capacity",
    ];
    folder.run(&format!("{args} {rest}")).fails(&parts);
    folder
        .run(&format!("{args} {rest} --negatives n.tsv"))
        .fails(&parts);
    assert!(!folder.names().contains(&"g.bw".to_string()));
}
