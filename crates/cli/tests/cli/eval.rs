//! `eval`: rates, costs and false negatives.

use crate::run::{Folder, names, number, numbers};
use serde_json::json;

/// The documented fields, in order.
pub const FIELDS: [&str; 14] = [
    "kind",
    "bytes",
    "bits_per_key",
    "false_negatives",
    "positives",
    "positive_ns",
    "known_negatives",
    "known_false_positives",
    "fpr",
    "weighted_fpr",
    "negative_ns",
    "unseen",
    "unseen_false_positives",
    "unseen_fpr",
];

/// The fields after those.
pub const MORE_FIELDS: [&str; 8] = [
    "known_lookups",
    "fpr_by_lookups",
    "known_cost",
    "costliest",
    "unseen_lookups",
    "unseen_fpr_by_lookups",
    "overlap",
    "skipped",
];

#[test]
fn json_has_the_documented_fields_in_order() {
    let folder = Folder::with_filter("bloom", &numbers(0..1000));
    folder.write("n.txt", "a\t2\nb\n");
    folder.write("u.txt", "c\nd\ne\n");
    let args = "eval f.bw --positives keys.txt --negatives n.txt --unseen u.txt --json";
    let result = folder.run(args).succeeds().json();
    assert_eq!(names(&result)[..14], FIELDS);
    assert_eq!(names(&result)[14..], MORE_FIELDS);
    assert_eq!(result["kind"], "bloom");
    assert_eq!(result["bytes"], 4096);
    assert_eq!(result["bits_per_key"], 32.768);
    assert_eq!(result["false_negatives"], 0);
    assert_eq!(result["positives"], 1000);
    assert_eq!(result["known_negatives"], 2);
    assert_eq!(result["unseen"], 3);
    for name in ["positive_ns", "negative_ns"] {
        assert!(number(&result[name]) > 0.0, "{name}");
    }
    for name in ["fpr", "weighted_fpr", "unseen_fpr"] {
        assert_eq!(result[name], 0.0, "{name}: 33 bits per key");
    }
}

#[test]
fn fields_without_a_file_are_null() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let result = folder
        .run("eval f.bw --positives keys.txt --json")
        .succeeds()
        .json();
    for name in &FIELDS[6..] {
        assert!(result[name].is_null(), "{name}: {result}");
    }
}

#[test]
fn negatives_that_are_positives_are_left_out() {
    // A filter of eight bytes with 1000 keys answers yes to everything.
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000));
    let args = "build bloom --positives p.txt --bytes 8 --set k=1 -o f.bw";
    folder.run(args).succeeds();
    folder.write("n.txt", "a\t2\na\t1\nb\n17\t100\n\t9\n");
    folder.write("u.txt", "1\n2\n");
    let args = "eval f.bw --positives p.txt --negatives n.txt --unseen u.txt --json";
    let run = folder
        .run(args)
        .exits_with(0)
        .remarks(&["n.txt", "empty", "1"]);
    let result = run.json();
    assert_eq!(
        result["known_negatives"], 2,
        "each key counts once; 17 is a positive, and one line has no key"
    );
    assert_eq!(result["known_false_positives"], 2);
    assert_eq!(result["known_lookups"], 3);
    let costliest = json!([{"key": "a", "cost": 3.0}, {"key": "b", "cost": 1.0}]);
    assert_eq!(result["costliest"], costliest);
    assert_eq!(result["known_cost"], 4.0);
    assert_eq!(result["fpr"], 1.0);
    assert_eq!(result["weighted_fpr"], 1.0);
    assert_eq!(result["unseen"], 0, "all of them are positives");
    assert!(result["unseen_fpr"].is_null());
    assert_eq!(result["overlap"], 3);
    assert_eq!(result["skipped"], 1);
}

#[test]
fn repeated_lines_count_once_and_look_ups_have_a_rate_of_their_own() {
    // This filter holds bee, which is measured as a negative, so it is a false positive.
    let folder = Folder::with_filter("bloom", "ant\nbee\nant\n");
    folder.write("p.txt", "ant\nant\n");
    folder.write("n.txt", "bee\ncow\nbee\nbee\ndog\neel\n");
    let args = "eval f.bw --positives p.txt --negatives n.txt --unseen n.txt";
    let result = folder.run(&format!("{args} --json")).succeeds().json();
    assert_eq!(result["positives"], 1);
    for (count, rate, lookups, lookup_rate) in [
        ("known_negatives", "fpr", "known_lookups", "fpr_by_lookups"),
        (
            "unseen",
            "unseen_fpr",
            "unseen_lookups",
            "unseen_fpr_by_lookups",
        ),
    ] {
        assert_eq!((&result[count], &result[rate]), (&json!(4), &json!(0.25)));
        assert_eq!(
            (&result[lookups], &result[lookup_rate]),
            (&json!(6), &json!(0.5))
        );
    }
    assert_eq!(
        result["weighted_fpr"], 0.5,
        "the costs of equal keys are added"
    );
    let text = folder.run(args).succeeds();
    text.prints("rate by look-up");
    // A build counts alike.
    folder.write("both.txt", "ant\nbee\nant\n");
    let build = "build bloom --positives both.txt --negatives n.txt --bytes 64 -o g.bw --json";
    let built = folder.run(build).succeeds().json();
    assert_eq!(
        (&built["keys"], &built["known_negatives"], &built["overlap"]),
        (&json!(2), &json!(3), &json!(1))
    );
    let evaluated = folder
        .run("eval g.bw --positives both.txt --negatives n.txt --json")
        .succeeds()
        .json();
    assert_eq!(
        (
            &evaluated["positives"],
            &evaluated["known_negatives"],
            &evaluated["overlap"]
        ),
        (&json!(2), &json!(3), &json!(1))
    );
}

#[test]
fn weighted_rate_is_the_share_of_the_cost() {
    let folder = Folder::with_filter("bloom", "ant\n");
    // This filter holds bee, which is measured as a negative, so it is a false positive.
    folder.write("both.txt", "ant\nbee\n");
    let args = "build bloom --positives both.txt --bytes 4096 -o both.bw";
    folder.run(args).succeeds();
    folder.write("n.txt", "bee\t3\ncow\t0.5\ndog\t0.5\neel\t1\n");
    let args = "eval both.bw --positives keys.txt --negatives n.txt --json";
    let result = folder.run(args).succeeds().json();
    assert_eq!(result["known_false_positives"], 1);
    assert_eq!(result["fpr"], 0.25);
    assert_eq!(result["weighted_fpr"], 0.6);
    folder.write("n.txt", "bee\t0\ncow\t0\n");
    let result = folder.run(args).succeeds().json();
    assert_eq!(result["fpr"], 0.5);
    assert!(result["weighted_fpr"].is_null(), "every cost is 0");
}

#[test]
fn false_negatives_are_exit_code_3() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    folder.write("p.txt", "ant\nwasp\nbee\nhornet\n");
    let run = folder
        .run("eval f.bw --positives p.txt --json")
        .exits_with(3);
    let run = run.remarks(&["2 of 4", "\"wasp\""]);
    assert_eq!(run.json()["false_negatives"], 2);
    let run = folder
        .run("eval f.bw --positives p.txt")
        .exits_with(3)
        .remarks(&["wasp"]);
    assert_eq!(run.row("false negatives"), "2");
}

#[test]
fn text_shows_known_and_unseen_side_by_side() {
    let folder = Folder::with_filter("bloom", &numbers(0..1000));
    folder.write("n.txt", "a\nb\n");
    folder.write("u.txt", numbers(5000..7500));
    let args = "eval f.bw --positives keys.txt --negatives n.txt --unseen u.txt";
    let run = folder.run(args).succeeds();
    let row = run
        .text()
        .lines()
        .find(|line| line.starts_with("negatives"))
        .expect("a row");
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["negatives", "2", "2,500"]
    );
}

#[test]
fn empty_files_have_no_rates() {
    let folder = Folder::with_filter("guarded", "");
    let args = "eval f.bw --positives keys.txt --negatives keys.txt --json";
    let result = folder.run(args).succeeds().json();
    assert_eq!(result["positives"], 0);
    assert_eq!(result["known_negatives"], 0);
    let absent = [
        "bits_per_key",
        "positive_ns",
        "negative_ns",
        "fpr",
        "weighted_fpr",
    ];
    for name in absent {
        assert_eq!(result[name], json!(null), "{name}");
    }
    let run = folder.run(&args.replace(" --json", "")).succeeds();
    for row in ["rate", "rate by cost", "time"] {
        let name = format!("{row:16}");
        let mut lines = run.text().lines();
        let cells = lines.find_map(|line| line.strip_prefix(&name));
        let cells: Vec<_> = cells.expect("a row").split_whitespace().collect();
        assert_eq!(cells, ["-", "-"], "{row}: {}", run.text());
    }
}

#[test]
fn long_key_is_truncated_in_the_remark() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("p.txt", "\u{1b}".to_string() + &"x".repeat(5000));
    let run = folder.run("eval f.bw --positives p.txt");
    let run = run.exits_with(3).remarks(&["1 of 1", "xxx", "u{1b}"]);
    assert!(run.stderr.len() < 300, "{}", run.stderr);
}
