//! `compare`: every kind in equal space, on keys that no filter has seen too.

use crate::eval;
use crate::run::{Folder, Run, names, numbers};
use serde_json::{Value, json};

/// Checks that a row has what is promised: its kind and setting, the time of the build, and all that `eval` promises.
fn check_fields(row: &Value) {
    let names = names(row);
    assert_eq!(names[..3], ["kind", "setting", "build_ns_per_key"], "{row}");
    assert_eq!(
        names[3..][..eval::FIELDS.len() - 1],
        eval::FIELDS[1..],
        "{row}"
    );
}

/// A folder with 2000 positives, and 1000 negatives of which the first cost most.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    let negatives = (0..1000).map(|n| format!("n{n}\t{}\n", 1000.0 / f64::from(n + 1)));
    folder.write("n.tsv", negatives.collect::<String>());
    folder
}

/// Compares the positives and negatives of a folder, with these arguments more.
pub fn compare(folder: &Folder, more: &[&str]) -> Run {
    let mut args = vec!["compare", "--positives", "p.txt", "--negatives", "n.tsv"];
    args.extend(more);
    folder.run(&args)
}

pub fn rows(result: &Value) -> &Vec<Value> {
    result["rows"].as_array().expect("rows")
}

#[test]
fn the_object_has_the_promised_fields_in_order() {
    let result = compare(&folder(), &["--json"]).fine().json();
    assert_eq!(names(&result), ["rows", "limit"]);
    for row in rows(&result) {
        check_fields(row);
        assert_eq!(row["false_negatives"], 0, "{row}");
        assert_eq!(row["positives"], 2000);
        for time in ["build_ns_per_key", "positive_ns", "negative_ns"] {
            assert!(row[time].as_f64().expect("a time") > 0.0, "{row}");
        }
        let (budget, bits) = (row["budget"].as_f64(), row["bits_per_key"].as_f64());
        let (budget, bits) = (budget.expect("a budget"), bits.expect("bits"));
        assert!(bits <= budget && bits > 0.9 * budget, "equal space: {row}");
        assert_eq!(row["setting"], format!("{budget} bits per key"));
    }
    let budgets: Vec<_> = (result["limit"].as_array().expect("limits").iter())
        .map(|limit| limit["bits_per_key"].clone())
        .collect();
    assert_eq!(budgets, [8.0, 10.0, 12.0]);
    for limit in result["limit"].as_array().expect("limits") {
        assert_eq!(names(limit), ["bits_per_key", "unseen_fpr"]);
        // Two to the minus bits, and a little for the negatives.
        let bits = limit["bits_per_key"].as_f64().expect("bits");
        let rate = limit["unseen_fpr"].as_f64().expect("a rate");
        assert!((rate * bits.exp2() - 1.0).abs() < 0.01, "{limit}");
    }
}

#[test]
fn kinds_that_make_no_sense_in_equal_space_are_left_out_unless_asked_for() {
    let folder = folder();
    let kinds = |more: &[&str]| {
        let result = compare(&folder, more).fine().json();
        let kind = |row: &Value| row["kind"].as_str().expect("a kind").to_string();
        rows(&result).iter().map(kind).collect::<Vec<_>>()
    };
    let usual = kinds(&["--json", "--bits-per-key", "10"]);
    for kind in ["bloom", "blocked", "habf", "balanced", "guarded"] {
        assert!(usual.iter().any(|usual| usual == kind), "{usual:?}");
    }
    for kind in ["counting", "seesaw", "personalized"] {
        assert!(
            !usual.iter().any(|usual| usual.starts_with(kind)),
            "{usual:?}"
        );
    }
    let asked = kinds(&[
        "--json",
        "--bits-per-key",
        "9,7,9",
        "--kinds",
        "counting,bloom,counting",
    ]);
    assert_eq!(
        asked,
        ["counting", "bloom", "counting", "bloom"],
        "each once at 7 and at 9"
    );
}

#[test]
fn what_is_held_out_is_never_known() {
    let folder = folder();
    let result = |more: &[&str]| {
        let mut args = vec!["--json", "--kinds", "guarded"];
        args.extend(more);
        compare(&folder, &args).fine().json()["rows"][0].clone()
    };
    let half = result(&["--holdout", "0.5"]);
    let (known, unseen) = (half["known_negatives"].as_u64(), half["unseen"].as_u64());
    let (known, unseen) = (known.expect("a count"), unseen.expect("a count"));
    assert_eq!(known + unseen, 1000);
    // Five standard deviations of 1000 fair coins.
    assert!(unseen.abs_diff(500) < 5 * 16, "{unseen}");
    assert_eq!(half["known_false_positives"], 0);
    // A small filter errs on some keys it never saw, while it is right on all it knows.
    let row = result(&["--holdout", "0.5", "--bits-per-key", "5"]);
    assert_eq!(row["known_false_positives"], 0, "{row}");
    // One in 32 of 500 at best; none at all would mean that they leaked.
    assert!(row["unseen_false_positives"].as_u64() > Some(0), "{row}");
    // The same keys are held out again, others with another seed.
    assert_eq!(result(&[])["unseen"], result(&[])["unseen"]);
    let counts = ["1", "2", "3"].map(|seed| result(&["--seed", seed])["unseen"].clone());
    assert!(counts.iter().any(|count| *count != counts[0]), "{counts:?}");
}

#[test]
fn unseen_keys_can_come_from_a_file_and_known_ones_in_it_are_left_out() {
    let folder = folder();
    folder.write("u.txt", "n1\nn2\n7\nu1\nu2\nu3\n");
    let run = compare(
        &folder,
        &[
            "--json",
            "--unseen",
            "u.txt",
            "--kinds",
            "bloom",
            "--bits-per-key",
            "12",
        ],
    );
    let run = run.coded(0).remarks(&[
        "left out: negatives that are positives: 1, unseen keys that are among the negatives: 2",
    ]);
    let result = run.json();
    assert_eq!(result["rows"][0]["known_negatives"], 1000);
    assert_eq!(
        result["rows"][0]["unseen"], 3,
        "two are known, one is a positive"
    );
}

#[test]
fn all_but_the_times_is_the_same_every_time() {
    let folder = folder();
    let result = |threads| {
        let mut result = compare(&folder, &["--json", "--threads", threads])
            .fine()
            .json();
        for row in result["rows"].as_array_mut().expect("rows") {
            for name in ["build_ns_per_key", "positive_ns", "negative_ns"] {
                row[name] = json!(null);
            }
            for name in ["build_spread", "positive_spread", "negative_spread"] {
                row[name] = json!(null);
            }
        }
        result
    };
    assert_eq!(result("1"), result("2"));
}

#[test]
fn a_kind_that_cannot_be_built_says_why_in_its_row() {
    let folder = folder();
    let more = ["--kinds", "bloom,blocked", "--bits-per-key", "1e18,10"];
    let mut args = more.to_vec();
    args.push("--json");
    let result = compare(&folder, &args).fine().json();
    let row = &rows(&result)[2];
    check_fields(row);
    assert_eq!(
        (&row["kind"], &row["budget"]),
        (&json!("bloom"), &json!(1e18))
    );
    assert!(row["error"].as_str().expect("a reason").len() > 10, "{row}");
    assert!(row["unseen_fpr"].is_null() && row["bytes"].is_null());
    assert!(rows(&result)[0]["error"].is_null());
    let text = compare(&folder, &more).fine();
    let line = text
        .text()
        .lines()
        .find(|line| line.contains(row["error"].as_str().expect("a reason")));
    assert!(
        line.expect("a row").starts_with("| bloom "),
        "{}",
        text.text()
    );
}

#[test]
fn keys_that_are_left_out_are_told() {
    let folder = folder();
    folder.write("p.txt", numbers(0..2000) + "\n\n");
    folder.write("n.tsv", numbers(1990..2100));
    let more = ["--kinds", "bloom", "--html", "page.html"];
    let run = compare(&folder, &more).coded(0);
    let remarks = "bloomwise: p.txt: empty keys skipped: 2\nbloomwise: left out: negatives that are positives: 10\n";
    assert_eq!(run.stderr, remarks);
    let told = "negatives that are positives: 10, empty keys: 2";
    let page = String::from_utf8(folder.read("page.html")).expect("UTF-8");
    assert!(page.contains(&format!("<dt>left out</dt><dd>{told}</dd>")));
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let folder = folder();
    folder.write("none.txt", "");
    folder.write("inside.txt", numbers(0..10));
    folder.write("two.txt", "a\nb\n");
    let wrong = |more: &[&str], parts: &[&str]| compare(&folder, more).wrong(parts);
    wrong(
        &["--kinds", "bloom,blom"],
        &["\"blom\"", "bloom, blocked, counting"],
    );
    for budgets in ["0", "-3", "8,,10", "8,x", "nan", "inf"] {
        wrong(
            &["--bits-per-key", budgets],
            &["--bits-per-key", "more than 0"],
        );
    }
    for share in ["0", "1", "1.5", "-0.2", "x", "nan"] {
        wrong(
            &["--holdout", share],
            &["--holdout", "more than 0 and less than 1"],
        );
    }
    wrong(
        &["--holdout", "0.2", "--unseen", "two.txt"],
        &["--unseen", "--holdout", "cannot be used with"],
    );
    wrong(&["--unseen", "gone.txt"], &["gone.txt"]);
    wrong(&["--html", "-"], &["--html", "name a file"]);
    wrong(
        &["--html", "gone/page.html"],
        &["gone/page.html", "no folder"],
    );
    wrong(
        &["--html", "p.txt", "--force"],
        &["p.txt", "would be replaced"],
    );
    wrong(&["--force"], &["--html"]);
    if cfg!(target_os = "linux") {
        let page = "/proc/page.html";
        wrong(&["--html", page], &[page, "takes no new file", "--html"]);
    }
    let with = |positives: &str, negatives: &str, parts: &[&str]| {
        let args = [
            "compare",
            "--positives",
            positives,
            "--negatives",
            negatives,
        ];
        folder.run(&args).wrong(parts);
    };
    with("p.txt", "none.txt", &["none.txt", "no negatives"]);
    with("p.txt", "inside.txt", &["inside.txt", "no negatives"]);
    with("none.txt", "n.tsv", &["none.txt", "no keys"]);
    with("-", "-", &["standard input", "more than once"]);
    let args = ["--holdout", "0.000001"];
    wrong(
        &args,
        &[
            "--holdout 0.000001",
            "no unseen negatives of 1000",
            "--unseen",
        ],
    );
}
