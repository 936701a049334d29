//! `plan`: predicted rates and a recommendation.

use crate::run::{Folder, names, number};

/// The JSON of a plan with more arguments.
fn plan(folder: &Folder, more: &str) -> serde_json::Value {
    let start = "plan --json --positives 1000000";
    folder.run(&format!("{start} {more}")).succeeds().json()
}

#[test]
fn json_has_the_documented_fields_in_order_and_all_kinds() {
    let folder = Folder::new();
    let plan = plan(&folder, "--negatives 1000000 --bits-per-key 10");
    assert_eq!(names(&plan), ["rows", "recommended", "why", "limit"]);
    let rows = plan["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), bloomwise::Family::ALL.len());
    let fields = [
        "kind",
        "parameters",
        "predicted_fpr",
        "predicted_weighted_fpr",
        "exact",
        "wrong",
        "bits_per_key",
        "lines",
        "unfit",
    ];
    for row in rows {
        assert_eq!(names(row), fields);
        assert_eq!(row["unfit"], serde_json::Value::Null);
        assert!(number(&row["bits_per_key"]) <= 10.0);
    }
    assert_eq!(plan["recommended"], "guarded");
    let limit = number(&plan["limit"]["unseen_fpr"]);
    assert!((limit - 0.000978).abs() < 1e-6, "{limit}");
}

#[test]
fn without_negatives_there_is_no_weighted_rate() {
    let folder = Folder::new();
    let plan = plan(&folder, "--fpr 0.01 --needs insert,remove");
    assert!(
        (plan["rows"].as_array().expect("rows").iter())
            .all(|row| row["predicted_weighted_fpr"].is_null())
    );
    assert!(plan["limit"]["weighted_fpr"].is_null());
    let unfit = &plan["rows"][0]["unfit"];
    let unfit = unfit.as_str().expect("bloom cannot remove");
    assert!(unfit.contains("cannot remove keys"), "{unfit}");
}

#[test]
fn costs_come_from_a_file_of_all_or_some_negatives() {
    let folder = Folder::new();
    let line = |rank: u32| format!("site{rank}\t{}\n", 1.0 / f64::from(rank));
    folder.write("costs.tsv", (1..=1000).map(line).collect::<String>());
    let known = |more: &str| {
        let start = "--bits-per-key 2 --costs costs.tsv";
        let plan = plan(&folder, &format!("{start} {more}"));
        let rows = plan["rows"].as_array().expect("rows");
        let guarded = rows.iter().find(|row| row["kind"] == "guarded");
        number(&guarded.expect("one of all kinds")["predicted_weighted_fpr"])
    };
    // A thousand negatives are few for a million keys. As a sample of two million, some of them remain wrong.
    assert_eq!(known(""), 0.0);
    let left = known("--negatives 2000000");
    assert!(left > 0.0 && left < 0.2, "{left}");
}

#[test]
fn text_is_a_table_and_a_reason() {
    let folder = Folder::new();
    let args = "plan --positives 1000 --bits-per-key 12";
    let run = folder.run(args).succeeds();
    let text = run.text();
    assert!(text.starts_with("| kind "), "{text}");
    assert!(text.contains("| guarded * "), "{text}");
    assert!(text.contains("* guarded: It errs on "), "{text}");
}

#[test]
fn errors_are_one_line() {
    let folder = Folder::new();
    folder.write("costs.tsv", "site\tmuch\n");
    for (args, wanted) in [
        ("--bits-per-key 0", "bits per key is 0"),
        ("--bits-per-key 10 --lines 0.1", "more cache lines"),
        ("--bits-per-key 10 --unseen-share 2", "a share from 0 to 1"),
        ("--bits-per-key 10 --needs fly", "fly"),
        ("--bits-per-key 10 --costs none.tsv", "none.tsv"),
        ("--bits-per-key 10 --costs costs.tsv", "costs.tsv, line 1"),
        ("--bits-per-key 10 --key-column host", "--key-column"),
        ("", "--bits-per-key"),
    ] {
        let start = "plan --positives 1000";
        folder.run(&format!("{start} {args}")).fails(&[wanted]);
    }
}

#[test]
fn number_of_keys_may_come_from_a_file() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\nbee\nant\n");
    let size = "--bits-per-key 10 --json";
    let counted = folder.run(&format!("plan --positives p.txt {size}"));
    let given = folder.run(&format!("plan --positives 2 {size}"));
    assert_eq!(counted.succeeds().json(), given.succeeds().json());
    let run = folder.run(&format!("plan --positives missing.txt {size}"));
    run.fails(&["missing.txt"]);
    let run = folder.run(&format!("plan --positives -5 {size}"));
    run.fails(&["whole number from 0"]);
}
