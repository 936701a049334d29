//! `demo`: an example on generated keys.

use crate::run::{Folder, names, number};

#[test]
fn output_has_introduction_table_takeaway_and_next_steps() {
    let folder = Folder::new();
    let run = folder.run("demo --keys 20000").succeeds();
    for part in [
        "block list of 20,000 host names",
        "generated",
        "| bloom ",
        "| guarded ",
        "a plain Bloom filter would wrongly flag",
        "guarded, in the same space: none.",
        "Next, try your own keys:",
        "bloomwise compare ",
        "bloomwise build ",
        "bloomwise query ",
    ] {
        run.prints(part);
    }
    assert!(
        folder.names().is_empty(),
        "no file is written without --html"
    );
}

#[test]
fn json_is_that_of_a_comparison() {
    let folder = Folder::new();
    let run = |seed| {
        let args = format!("demo --keys 20000 --seed {seed} --json");
        folder.run(&args).succeeds().json()
    };
    let result = run("1");
    assert_eq!(names(&result), ["rows", "limit", "recommended"]);
    let field = |kind: &str, name: &str| {
        let rows = result["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["kind"] == kind).expect("a row");
        assert_eq!(row["false_negatives"], 0);
        assert_eq!(row["known_negatives"], 10_000);
        assert_eq!(row["unseen"], 40_000);
        number(&row[name])
    };
    // The formula for ten bits per key gives 0.82 %; the standard deviation for 40,000 keys is 0.045 %.
    let rate = field("bloom", "unseen_fpr");
    assert!((rate - 0.0082).abs() < 5.0 * 0.00045, "{rate}");
    assert_eq!(field("guarded", "weighted_fpr"), 0.0);
    assert_ne!(run("2")["rows"][0]["fpr"], result["rows"][0]["fpr"]);
}

#[test]
fn invalid_numbers_of_keys_are_errors() {
    let folder = Folder::new();
    for keys in ["0", "1", "1000000000000"] {
        folder
            .run(&format!("demo --keys {keys}"))
            .fails(&["--keys", "from 2 to"]);
    }
    folder
        .run("demo --keys -5")
        .fails(&["--keys", "-5", "whole number"]);
    let seed = "0x10000000000000000";
    folder
        .run(&format!("demo --seed {seed}"))
        .fails(&["--seed", "64 bits"]);
}

#[test]
fn introduction_has_a_singular() {
    let run = Folder::new().run("demo --keys 2").succeeds();
    run.prints("The filter knows one popular site and how much traffic it gets");
}
