//! Seesaw filters: built with known negatives, changed by `update`, guarded later.

use crate::run::{Folder, names};
use serde_json::{Value, json};

/// A folder with 3000 positives, as many negatives whose costs fall with their rank, and keys nobody has seen.
fn folder() -> Folder {
    let folder = Folder::new();
    let lines = |prefix: &str, count: u32| -> String {
        (0..count)
            .map(|n| format!("{prefix}{n}.example\n"))
            .collect()
    };
    let costed = (0..3000).map(|n| format!("good{n}.example\t{}\n", 1000.0 / f64::from(n + 1)));
    let costed: Vec<String> = costed.collect();
    folder.write("p.txt", lines("bad", 3000));
    folder.write("n.tsv", costed.concat());
    folder.write("top.tsv", costed[..900].concat());
    folder.write("u.txt", lines("other", 20_000));
    folder
}

fn build(folder: &Folder, kind: &str, more: &[&str]) -> Value {
    let args = [
        "build",
        kind,
        "--positives",
        "p.txt",
        "--bits-per-key",
        "28",
    ];
    let rest = ["-o", "f.bw", "--force", "--json"];
    folder.run(&[&args[..], &rest, more].concat()).fine().json()
}

fn eval(folder: &Folder, positives: &str, negatives: &str) -> Value {
    let args = [
        "eval",
        "f.bw",
        "--positives",
        positives,
        "--negatives",
        negatives,
    ];
    folder
        .run(&[&args[..], &["--unseen", "u.txt", "--json"]].concat())
        .fine()
        .json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

const KNOWN: [&str; 2] = ["--negatives", "n.tsv"];

#[test]
fn the_costliest_negatives_are_guarded_and_the_report_says_what_became_of_them() {
    let folder = folder();
    build(&folder, "counting", &KNOWN);
    let plain = eval(&folder, "p.txt", "top.tsv");
    for kind in ["seesaw", "seesaw-adaptive"] {
        let report = build(
            &folder,
            kind,
            &[&KNOWN[..], &["--set", "guard=0.3"]].concat(),
        );
        let facts = names(&report["report"]);
        assert_eq!(
            facts,
            [
                "fill",
                "predicted_fpr",
                "skipped",
                "chosen",
                "left",
                "weighted_fpr"
            ]
        );
        assert_eq!(report["report"]["chosen"], 900);
        let measured = eval(&folder, "p.txt", "n.tsv");
        assert_eq!(measured["false_negatives"], 0);
        assert_eq!(report["report"]["left"], measured["known_false_positives"]);
        let costliest = eval(&folder, "p.txt", "top.tsv");
        let wrong = number(&costliest["known_false_positives"]);
        assert_eq!(number(&report["guarded"]), 900.0 - wrong);
        assert!(2.0 * wrong < number(&plain["known_false_positives"]));
        let (said, found) = (&report["report"]["weighted_fpr"], &measured["weighted_fpr"]);
        assert!((number(said) - number(found)).abs() < 1e-9);
        // The price is paid on unseen keys, and is predicted.
        let unseen = number(&measured["unseen_fpr"]);
        assert!(unseen > number(&plain["unseen_fpr"]));
        assert!((unseen / number(&report["report"]["predicted_fpr"]) - 1.0).abs() < 0.15);
    }
}

#[test]
fn inspect_tells_parameters_and_predicted_rates() {
    let folder = folder();
    let paper = [
        "guard=0.05",
        "alpha=0.1",
        "count-bits=3",
        "index-bits=1",
        "k=4",
    ];
    let paper: Vec<&str> = paper
        .iter()
        .flat_map(|setting| ["--set", setting])
        .collect();
    build(&folder, "seesaw", &[&KNOWN[..], &paper].concat());
    let told = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
    assert_eq!(
        (&told["kind"], &told["keys"]),
        (&json!("seesaw"), &json!(3000))
    );
    let parameters = &told["parameters"];
    assert_eq!(
        names(parameters),
        [
            "counters",
            "k",
            "segments",
            "backups",
            "modulator_cells",
            "marked",
            "stuck",
            "count_bits",
            "stuck_cells",
            "predicted_guarded_fpr"
        ]
    );
    assert_eq!(
        (&parameters["k"], &parameters["backups"]),
        (&json!(4), &json!(2))
    );
    assert!(number(&parameters["marked"]) > 400.0);
    assert!(number(&parameters["predicted_guarded_fpr"]) < number(&told["predicted_fpr"]) / 100.0);
}

#[test]
fn keys_are_guarded_removed_and_inserted_in_this_order() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", &["--capacity", "3000"]);
    let before = eval(&folder, "p.txt", "top.tsv");
    let lines = |range: std::ops::Range<u32>| -> String {
        range.map(|n| format!("bad{n}.example\n")).collect()
    };
    // All keys are replaced by themselves or others, so that counters empty and marks come to them.
    folder.write("out.txt", lines(0..3000));
    folder.write("in.txt", lines(1000..4000));
    let args = [
        "update", "f.bw", "--insert", "in.txt", "--remove", "out.txt", "--guard", "top.tsv",
    ];
    let report = folder.run(&[&args[..], &["--json"]].concat()).fine().json();
    assert_eq!(
        (&report["guarded"], &report["removed"]),
        (&json!(900), &json!(3000))
    );
    assert_eq!(
        (&report["refused"], &report["inserted"]),
        (&json!(0), &json!(3000))
    );
    assert_eq!(report["keys"], 3000);
    let after = eval(&folder, "in.txt", "top.tsv");
    assert_eq!(after["false_negatives"], 0);
    let wrong = |report: &Value| number(&report["known_false_positives"]);
    assert!(4.0 * wrong(&after) < wrong(&before), "{after} {before}");
    let told = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
    assert_eq!(told["parameters"]["pending"], 0);
}

#[test]
fn guarding_members_is_remarked_upon() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", &[]);
    folder.run(&["update", "f.bw", "--guard", "top.tsv"]).fine();
    let run = folder.run(&["update", "f.bw", "--guard", "p.txt"]).coded(0);
    run.remarks(&["takes 3,000 of the 3,000 keys to guard for members"]);
    let after = eval(&folder, "p.txt", "top.tsv");
    assert_eq!(after["false_negatives"], 0, "members stay members");
}

#[test]
fn guarding_later_does_no_harm_and_its_rate_is_predicted() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", &[]);
    let parameters = |folder: &Folder| {
        let told = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
        told["parameters"].clone()
    };
    assert_eq!(parameters(&folder)["predicted_guarded_fpr"], Value::Null);
    let before = number(&eval(&folder, "p.txt", "top.tsv")["known_false_positives"]);
    folder.run(&["update", "f.bw", "--guard", "top.tsv"]).fine();
    let after = number(&eval(&folder, "p.txt", "top.tsv")["known_false_positives"]);
    assert!(after <= 1.2 * before, "{before}, then {after}");
    let mean = 900.0 * number(&parameters(&folder)["predicted_guarded_fpr"]);
    assert!((after - mean).abs() < 5.0 * mean.sqrt(), "{after}, {mean}");
}

#[test]
fn a_filter_that_cannot_guard_later_says_what_to_do() {
    let folder = Folder::with_filter("seesaw", "ant\nbee\n");
    folder.write("g.txt", "cow\n");
    let before = folder.read("f.bw");
    folder
        .run(&["update", "f.bw", "--guard", "g.txt"])
        .wrong(&["a seesaw filter cannot guard keys", "seesaw-adaptive"]);
    assert_eq!(folder.read("f.bw"), before);
    folder.write("out.txt", "bee\nwasp\n");
    let run = folder
        .run(&["update", "f.bw", "--remove", "out.txt", "--json"])
        .coded(0);
    let report = run.remarks(&["not in the filter: 1"]).json();
    assert_eq!(
        (&report["removed"], &report["refused"]),
        (&json!(1), &json!(1))
    );
    folder.run(&["query", "f.bw", "ant"]).fine();
    folder.run(&["verify", "f.bw"]).fine();
}

#[test]
fn settings_that_cannot_be_are_errors_that_say_what_can() {
    let folder = folder();
    let wrong = |setting: &str, words: &[&str]| {
        let args = [
            "build",
            "seesaw",
            "--positives",
            "p.txt",
            "--bits-per-key",
            "28",
        ];
        let rest = ["-o", "f.bw", "--set", setting];
        folder.run(&[&args[..], &rest].concat()).wrong(words);
    };
    wrong("alpha=0.7", &["alpha is \"0.7\"", "from 0 to 0.5"]);
    wrong("guard=-1", &["guard is \"-1\"", "from 0 to 100"]);
    wrong("count-bits=9", &["count-bits", "from 1 to 8"]);
    wrong("index-bits=0", &["index-bits", "from 1 to 4"]);
    wrong(
        "beta=1",
        &[
            "seesaw has no setting \"beta\"",
            "k, guard, alpha, count-bits, index-bits, unseen-share",
        ],
    );
    assert_eq!(folder.names(), ["n.tsv", "p.txt", "top.tsv", "u.txt"]);
}
