//! `demo`: a story that needs nothing, and is true.

use crate::run::{Folder, names};

#[test]
fn the_story_is_told_from_its_beginning_to_what_comes_next() {
    let folder = Folder::new();
    let run = folder.run(&["demo", "--keys", "20000"]).fine();
    let text = run.text();
    for part in [
        "block list of 20,000 host names",
        "generated",
        "| bloom ",
        "| guarded ",
        "a plain Bloom filter would wrongly flag",
        "guarded, in the same space: none.",
        "Next, on your own keys:",
        "bloomwise compare ",
        "bloomwise build ",
        "bloomwise query ",
    ] {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
    assert!(
        folder.names().is_empty(),
        "nothing is written unless asked for"
    );
}

#[test]
fn its_numbers_are_those_of_a_comparison() {
    let folder = Folder::new();
    let run = |seed| {
        let args = ["demo", "--keys", "20000", "--seed", seed, "--json"];
        folder.run(&args).fine().json()
    };
    let result = run("1");
    assert_eq!(names(&result), ["rows", "limit"]);
    let bits = |kind: &str, name: &str| {
        let rows = result["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["kind"] == kind).expect("a row");
        assert_eq!(row["false_negatives"], 0);
        assert_eq!(row["known_negatives"], 10_000);
        assert_eq!(row["unseen"], 40_000);
        row[name].as_f64().expect("a number")
    };
    // The formula for ten bits per key says 0.82 %; 40,000 keys tell it to five times 0.045 %.
    let rate = bits("bloom", "unseen_fpr");
    assert!((rate - 0.0082).abs() < 5.0 * 0.00045, "{rate}");
    assert_eq!(bits("guarded", "weighted_fpr"), 0.0);
    assert_ne!(run("2")["rows"][0]["fpr"], result["rows"][0]["fpr"]);
}

#[test]
fn sizes_that_make_no_story_are_refused() {
    let folder = Folder::new();
    for keys in ["0", "1", "1000000000000"] {
        folder
            .run(&["demo", "--keys", keys])
            .wrong(&["--keys", "from 2 to"]);
    }
    folder
        .run(&["demo", "--keys", "-5"])
        .wrong(&["--keys", "-5", "whole number"]);
    let seed = "0x10000000000000000";
    folder
        .run(&["demo", "--seed", seed])
        .wrong(&["--seed", "64 bits"]);
}

#[test]
fn a_single_site_is_one() {
    let run = Folder::new().run(&["demo", "--keys", "2"]).fine();
    let known = "Known is one popular site and its traffic,";
    assert!(run.text().contains(known), "{}", run.text());
}
