//! `compare`: kinds of equal size on known and unseen keys.

use crate::eval;
use crate::run::{Folder, Run, names, number, numbers};
use serde_json::{Value, json};

/// Checks that a row has the documented fields: kind, setting, build time, and all fields of `eval`.
fn check_fields(row: &Value) {
    let names = names(row);
    assert_eq!(names[..3], ["kind", "setting", "build_ns_per_key"], "{row}");
    assert_eq!(
        names[3..][..eval::FIELDS.len() - 1],
        eval::FIELDS[1..],
        "{row}"
    );
}

/// A folder with 2000 positives and 1000 negatives; the first negatives are the most costly.
pub fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..2000));
    let negatives = (0..1000).map(|n| format!("n{n}\t{}\n", 1000.0 / f64::from(n + 1)));
    folder.write("n.tsv", negatives.collect::<String>());
    folder
}

/// Compares the positives and negatives of a folder, with more arguments.
pub fn compare(folder: &Folder, more: &str) -> Run {
    folder.run(&format!(
        "compare --positives p.txt --negatives n.tsv {more}"
    ))
}

pub fn rows(result: &Value) -> &Vec<Value> {
    result["rows"].as_array().expect("rows")
}

#[test]
fn json_has_the_documented_fields_in_order() {
    let result = compare(&folder(), "--json").succeeds().json();
    assert_eq!(names(&result), ["rows", "limit", "recommended"]);
    assert!(
        rows(&result)
            .iter()
            .any(|row| row["kind"] == result["recommended"]),
        "{result}"
    );
    for row in rows(&result) {
        check_fields(row);
        assert_eq!(row["false_negatives"], 0, "{row}");
        assert_eq!(row["positives"], 2000);
        for time in ["build_ns_per_key", "positive_ns", "negative_ns"] {
            assert!(number(&row[time]) > 0.0, "{row}");
        }
        let (budget, bits) = (number(&row["budget"]), number(&row["bits_per_key"]));
        assert!(bits <= budget && bits > 0.9 * budget, "equal size: {row}");
        assert_eq!(row["setting"], format!("{budget} bits per key"));
    }
    let budgets: Vec<_> = (result["limit"].as_array().expect("limits").iter())
        .map(|limit| limit["bits_per_key"].clone())
        .collect();
    assert_eq!(budgets, [8.0, 10.0, 12.0]);
    for limit in result["limit"].as_array().expect("limits") {
        assert_eq!(names(limit), ["bits_per_key", "unseen_fpr"]);
        // 2 to the power of minus bits, and a little for the negatives.
        let bits = number(&limit["bits_per_key"]);
        let rate = number(&limit["unseen_fpr"]);
        assert!((rate * bits.exp2() - 1.0).abs() < 0.01, "{limit}");
    }
}

#[test]
fn repeated_lines_add_columns_for_look_ups() {
    let folder = folder();
    let column = "unseen by look-up";
    let args = "--kinds bloom,growing --bits-per-key 8";
    let once = compare(&folder, args).succeeds();
    assert!(!once.text().contains(column), "{}", once.text());
    let lines = folder.text("n.tsv");
    folder.write("n.tsv", format!("{lines}{lines}"));
    let twice = compare(&folder, args).succeeds();
    assert!(twice.text().contains(column), "{}", twice.text());
    let result = compare(&folder, &format!("{args} --json"))
        .succeeds()
        .json();
    for row in rows(&result) {
        // All lines are there twice, so the rates are equal.
        assert_eq!(row["fpr"], row["fpr_by_lookups"], "{row}");
        assert_eq!(
            number(&row["known_lookups"]),
            2.0 * number(&row["known_negatives"])
        );
        // Both kinds have the same size, though one does not count keys that it already accepts.
        assert_eq!(
            row["bits_per_key"],
            rows(&result)[0]["bits_per_key"],
            "{row}"
        );
    }
}

#[test]
fn kinds_that_make_no_sense_at_equal_size_are_compared_only_on_request() {
    let folder = folder();
    let kinds = |more: &str| {
        let result = compare(&folder, more).succeeds().json();
        let kind = |row: &Value| row["kind"].as_str().expect("a kind").to_string();
        rows(&result).iter().map(kind).collect::<Vec<_>>()
    };
    let default = kinds("--json --bits-per-key 10");
    for kind in ["bloom", "blocked", "habf", "balanced", "guarded"] {
        assert!(default.iter().any(|found| found == kind), "{default:?}");
    }
    for kind in ["counting", "seesaw", "personalized"] {
        assert!(
            !default.iter().any(|found| found.starts_with(kind)),
            "{default:?}"
        );
    }
    let requested = kinds("--json --bits-per-key 9,7,9 --kinds counting,bloom,counting");
    assert_eq!(
        requested,
        ["counting", "bloom", "counting", "bloom"],
        "each once at 7 and at 9"
    );
}

#[test]
fn held_out_keys_are_not_seen_by_builds() {
    let folder = folder();
    let result = |more: &str| {
        let args = format!("--json --kinds guarded {more}");
        compare(&folder, &args).succeeds().json()["rows"][0].clone()
    };
    let half = result("--holdout 0.5");
    let (known, unseen) = (half["known_negatives"].as_u64(), half["unseen"].as_u64());
    let (known, unseen) = (known.expect("a count"), unseen.expect("a count"));
    assert_eq!(known + unseen, 1000);
    // Five standard deviations of 1000 fair coin flips.
    assert!(unseen.abs_diff(500) < 5 * 16, "{unseen}");
    assert_eq!(half["known_false_positives"], 0);
    // A small filter is right on all known keys and wrong on some unseen keys.
    let row = result("--holdout 0.5 --bits-per-key 5");
    assert_eq!(row["known_false_positives"], 0, "{row}");
    // At best one in 32 of 500 is wrong; none at all would mean that the build saw them.
    assert!(row["unseen_false_positives"].as_u64() > Some(0), "{row}");
    // The same seed holds out the same keys; another seed holds out others.
    assert_eq!(result("")["unseen"], result("")["unseen"]);
    let counts = ["1", "2", "3"].map(|seed| result(&format!("--seed {seed}"))["unseen"].clone());
    assert!(counts.iter().any(|count| *count != counts[0]), "{counts:?}");
}

#[test]
fn known_negatives_in_the_file_of_unseen_keys_are_left_out() {
    let folder = folder();
    folder.write("u.txt", "n1\nn2\n7\nu1\nu2\nu3\n");
    let run = compare(
        &folder,
        "--json --unseen u.txt --kinds bloom --bits-per-key 12",
    );
    let run = run.exits_with(0).remarks(&[
        "left out: negatives that are also positives: 1, unseen keys that are also negatives: 2",
    ]);
    let result = run.json();
    assert_eq!(result["rows"][0]["known_negatives"], 1000);
    assert_eq!(
        result["rows"][0]["unseen"], 3,
        "two are known, and one is a positive"
    );
}

#[test]
fn everything_except_times_is_deterministic() {
    let folder = folder();
    let result = |threads| {
        let mut result = compare(&folder, &format!("--json --threads {threads}"))
            .succeeds()
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
fn row_of_a_kind_that_cannot_be_built_has_the_reason() {
    let folder = folder();
    let more = "--kinds bloom,blocked --bits-per-key 1e18,10";
    let result = compare(&folder, &format!("{more} --json"))
        .succeeds()
        .json();
    let row = &rows(&result)[2];
    check_fields(row);
    assert_eq!(
        (&row["kind"], &row["budget"]),
        (&json!("bloom"), &json!(1e18))
    );
    assert!(row["error"].as_str().expect("a reason").len() > 10, "{row}");
    assert!(row["unseen_fpr"].is_null() && row["bytes"].is_null());
    assert!(rows(&result)[0]["error"].is_null());
    let text = compare(&folder, more).succeeds();
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
fn keys_that_are_left_out_are_reported() {
    let folder = folder();
    folder.write("p.txt", numbers(0..2000) + "\n\n");
    folder.write("n.tsv", numbers(1990..2100));
    let more = "--kinds bloom --html page.html";
    let run = compare(&folder, more).exits_with(0);
    let remarks = "bloomwise: p.txt: empty keys skipped: 2\nbloomwise: left out: negatives that are also positives: 10\n";
    assert_eq!(run.stderr, remarks);
    let left_out = "negatives that are also positives: 10, empty keys: 2";
    let page = folder.text("page.html");
    assert!(page.contains(&format!("<dt>left out</dt><dd>{left_out}</dd>")));
}

#[test]
fn errors_are_one_line() {
    let folder = folder();
    folder.write("none.txt", "");
    folder.write("inside.txt", numbers(0..10));
    folder.write("two.txt", "a\nb\n");
    let fails = |more: &str, parts: &[&str]| compare(&folder, more).fails(parts);
    fails(
        "--kinds bloom,blom",
        &["\"blom\"", "bloom, blocked, counting"],
    );
    for budgets in ["0", "-3", "8,,10", "8,x", "nan", "inf"] {
        fails(
            &format!("--bits-per-key {budgets}"),
            &["--bits-per-key", "more than 0"],
        );
    }
    for share in ["0", "1", "1.5", "-0.2", "x", "nan"] {
        fails(
            &format!("--holdout {share}"),
            &["--holdout", "more than 0 and less than 1"],
        );
    }
    fails(
        "--holdout 0.2 --unseen two.txt",
        &["--unseen", "--holdout", "cannot be used with"],
    );
    fails("--unseen gone.txt", &["gone.txt"]);
    fails("--html -", &["--html", "name a file"]);
    fails(
        "--html gone/page.html",
        &["gone/page.html", "does not exist"],
    );
    fails("--html p.txt --force", &["p.txt", "would be replaced"]);
    fails("--force", &["--html"]);
    if cfg!(target_os = "linux") {
        let page = "/proc/page.html";
        fails(
            &format!("--html {page}"),
            &[page, "no file can be created", "--html"],
        );
    }
    let with = |positives: &str, negatives: &str, parts: &[&str]| {
        let args = format!("compare --positives {positives} --negatives {negatives}");
        folder.run(&args).fails(parts);
    };
    with("p.txt", "none.txt", &["none.txt", "no negatives"]);
    with("p.txt", "inside.txt", &["inside.txt", "no negatives"]);
    with("none.txt", "n.tsv", &["none.txt", "no keys"]);
    with("-", "-", &["standard input", "more than once"]);
    let args = "--holdout 0.000001";
    fails(
        args,
        &[
            "--holdout 0.000001",
            "of 1000 negatives",
            "no unseen negatives",
            "--unseen",
        ],
    );
}

#[test]
fn settings_and_hash_reach_the_kinds_that_have_them() {
    let folder = folder();
    let rows_of = |more: &str| {
        let run = compare(&folder, &format!("--json --bits-per-key 10 {more}"));
        run.succeeds().json()
    };
    let (few, many) = (
        rows_of("--kinds bloom,guarded --set k=2"),
        rows_of("--kinds bloom,guarded"),
    );
    let rate = |result: &Value, row: usize| number(&rows(result)[row]["unseen_fpr"]);
    assert!(rate(&few, 0) > rate(&many, 0), "two functions are too few");
    assert_eq!(rate(&few, 1), rate(&many, 1), "guarded has no such setting");
    rows_of("--kinds bloom --hash siphash --seed 7");
    let run = compare(&folder, "--kinds bloom,blocked --set cell=2");
    run.fails(&[
        "no kind that is compared has a setting \"cell\"",
        "block, k",
    ]);
    let run = compare(&folder, "--kinds bloom --set k=33");
    run.fails(&["k is 33", "from 1 to 32"]);
}
