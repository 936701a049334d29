//! Kinds `seesaw` and `seesaw-adaptive`: known negatives, updates, guarding later.

use crate::run::{Folder, names, number};
use serde_json::{Value, json};

/// A folder with 3000 positives, 3000 negatives whose costs fall with their rank, and 20,000 unseen keys.
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

fn build(folder: &Folder, kind: &str, more: &str) -> Value {
    let args = format!("build {kind} --positives p.txt --bits-per-key 28");
    let rest = "-o f.bw --force --json";
    let run = folder.run(&format!("{args} {rest} {more}")).exits_with(0);
    let report = run.json();
    match report["wrong"].as_u64() {
        None | Some(0) => assert_eq!(run.stderr, ""),
        Some(wrong) => {
            let start = format!("still answered wrong: {wrong} of 3,000, with");
            run.remarks(&[&start, "use more bits per key, or guarded"]);
        }
    }
    report
}

fn eval(folder: &Folder, positives: &str, negatives: &str) -> Value {
    let args = format!("eval f.bw --positives {positives} --negatives {negatives}");
    folder
        .run(&format!("{args} --unseen u.txt --json"))
        .succeeds()
        .json()
}

const KNOWN: &str = "--negatives n.tsv";

#[test]
fn costliest_negatives_are_guarded_and_reported() {
    let folder = folder();
    build(&folder, "counting", KNOWN);
    let plain = eval(&folder, "p.txt", "top.tsv");
    for kind in ["seesaw", "seesaw-adaptive"] {
        let report = build(&folder, kind, &format!("{KNOWN} --set guard=0.3"));
        let facts = names(&report["report"]);
        assert_eq!(
            facts,
            [
                "fill",
                "predicted_fpr",
                "skipped",
                "chosen",
                "wrong",
                "weighted_fpr"
            ]
        );
        assert_eq!(report["report"]["chosen"], 900);
        let measured = eval(&folder, "p.txt", "n.tsv");
        assert_eq!(measured["false_negatives"], 0);
        assert_eq!(report["report"]["wrong"], measured["known_false_positives"]);
        let costliest = eval(&folder, "p.txt", "top.tsv");
        let wrong = number(&costliest["known_false_positives"]);
        assert_eq!(number(&report["guarded"]), 900.0 - wrong);
        assert!(2.0 * wrong < number(&plain["known_false_positives"]));
        let (reported, measured_rate) =
            (&report["report"]["weighted_fpr"], &measured["weighted_fpr"]);
        assert!((number(reported) - number(measured_rate)).abs() < 1e-9);
        // The price is a higher rate on unseen keys, as predicted.
        let unseen = number(&measured["unseen_fpr"]);
        assert!(unseen > number(&plain["unseen_fpr"]));
        assert!((unseen / number(&report["report"]["predicted_fpr"]) - 1.0).abs() < 0.15);
    }
}

#[test]
fn inspect_shows_parameters_and_predicted_rates() {
    let folder = folder();
    let paper = "--set guard=0.05 --set alpha=0.1 --set count-bits=3 --set index-bits=1 --set k=4";
    build(&folder, "seesaw", &format!("{KNOWN} {paper}"));
    let info = folder.inspect();
    assert_eq!(
        (&info["kind"], &info["keys"]),
        (&json!("seesaw"), &json!(3000))
    );
    let parameters = &info["parameters"];
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
    assert!(number(&parameters["predicted_guarded_fpr"]) < number(&info["predicted_fpr"]) / 100.0);
}

#[test]
fn update_guards_then_removes_then_inserts() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", "--capacity 3000");
    let before = eval(&folder, "p.txt", "top.tsv");
    let lines = |range: std::ops::Range<u32>| -> String {
        range.map(|n| format!("bad{n}.example\n")).collect()
    };
    // All keys are removed and 3000 keys are inserted, so counters become empty and get marks.
    folder.write("out.txt", lines(0..3000));
    folder.write("in.txt", lines(1000..4000));
    let args = "update f.bw --insert in.txt --remove out.txt --guard top.tsv";
    let report = folder.run(&format!("{args} --json")).succeeds().json();
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
    let info = folder.inspect();
    assert_eq!(info["parameters"]["pending"], 0);
}

#[test]
fn guarding_members_gives_a_remark() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", "");
    folder.run("update f.bw --guard top.tsv").succeeds();
    let run = folder.run("update f.bw --guard p.txt").exits_with(0);
    run.remarks(&["took 3,000 of the 3,000 keys to guard for members"]);
    let after = eval(&folder, "p.txt", "top.tsv");
    assert_eq!(after["false_negatives"], 0, "guarding removes no members");
}

#[test]
fn rate_after_guarding_later_is_as_predicted() {
    let folder = folder();
    build(&folder, "seesaw-adaptive", "");
    let parameters = |folder: &Folder| {
        let info = folder.inspect();
        info["parameters"].clone()
    };
    assert_eq!(parameters(&folder)["predicted_guarded_fpr"], Value::Null);
    let before = number(&eval(&folder, "p.txt", "top.tsv")["known_false_positives"]);
    folder.run("update f.bw --guard top.tsv").succeeds();
    let after = number(&eval(&folder, "p.txt", "top.tsv")["known_false_positives"]);
    assert!(after <= 1.2 * before, "{before}, then {after}");
    let mean = 900.0 * number(&parameters(&folder)["predicted_guarded_fpr"]);
    assert!((after - mean).abs() < 5.0 * mean.sqrt(), "{after}, {mean}");
}

#[test]
fn error_says_which_kind_can_guard_later() {
    let folder = Folder::with_filter("seesaw", "ant\nbee\n");
    folder.write("g.txt", "cow\n");
    let before = folder.read("f.bw");
    folder
        .run("update f.bw --guard g.txt")
        .fails(&["a seesaw filter cannot guard keys", "use cuckoo"]);
    assert_eq!(folder.read("f.bw"), before);
    folder.write("out.txt", "bee\nwasp\n");
    let run = folder
        .run("update f.bw --remove out.txt --json")
        .exits_with(0);
    let report = run.remarks(&["not in the filter: 1"]).json();
    assert_eq!(
        (&report["removed"], &report["refused"]),
        (&json!(1), &json!(1))
    );
    folder.run("query f.bw ant").succeeds();
    folder.run("verify f.bw").succeeds();
}

#[test]
fn invalid_settings_are_one_line_errors() {
    let folder = folder();
    let fails = |setting: &str, parts: &[&str]| {
        let args = "build seesaw --positives p.txt --bits-per-key 28";
        let rest = format!("-o f.bw --set {setting}");
        folder.run(&format!("{args} {rest}")).fails(parts);
    };
    fails("alpha=0.7", &["alpha is 0.7", "from 0 to 0.5"]);
    fails("guard=-1", &["guard is -1", "from 0 to 100"]);
    fails("count-bits=9", &["count-bits", "from 1 to 8"]);
    fails("index-bits=0", &["index-bits", "from 1 to 4"]);
    fails(
        "beta=1",
        &[
            "seesaw has no setting \"beta\"",
            "k, guard, alpha, count-bits, index-bits, unseen-share",
        ],
    );
    assert_eq!(folder.names(), ["n.tsv", "p.txt", "top.tsv", "u.txt"]);
}
