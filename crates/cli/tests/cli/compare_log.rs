//! `compare --log`: learned from the first part of a log, measured on the rest.

use crate::run::{Folder, number, numbers};
use std::fmt::Write as _;

/// A folder with `keys.txt`, the numbers below 2000, and `log.txt`. Each half of the log asks for 500 keys of the set, for 300 absent
/// keys four times each, and for 3000 other absent keys of its own.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("keys.txt", numbers(0..2000));
    let mut log = String::new();
    for half in 0..2 {
        for key in 0..500 {
            writeln!(log, "{key}").expect("memory");
        }
        for key in 0..1200 {
            writeln!(log, "hot{}", key % 300).expect("memory");
        }
        for key in 0..3000 {
            writeln!(log, "cold{half}-{key}").expect("memory");
        }
    }
    folder.write("log.txt", log);
    folder
}

#[test]
fn builds_know_the_first_part_and_are_measured_on_the_rest() {
    let folder = folder();
    let line = "compare --positives keys.txt --log log.txt --top 300 --kinds bloom,guarded --bits-per-key 8 --json";
    let json = folder.run(line).succeeds().json();
    let log = &json["log"];
    assert_eq!(
        (number(&log["events"]), number(&log["later_events"])),
        (4700.0, 4700.0)
    );
    assert_eq!(
        (number(&log["listed"]), number(&log["split"])),
        (300.0, 0.5)
    );
    assert_eq!(number(&log["later_absent_events"]), 4200.0);
    assert_eq!(number(&log["later_covered"]), 1200.0 / 4200.0);
    for row in json["rows"].as_array().expect("rows") {
        assert_eq!(
            number(&row["known_negatives"]),
            300.0,
            "hot keys came again"
        );
        assert_eq!(number(&row["known_lookups"]), 1200.0);
        assert_eq!(number(&row["unseen"]), 3000.0);
        assert_eq!(number(&row["false_negatives"]), 0.0);
        let wrong = number(&row["known_cost"]) + number(&row["unseen_false_positives"]);
        assert!(
            (number(&row["wasted"]) - wrong / 4200.0).abs() < 1e-12,
            "{row}"
        );
    }
    let guarded = &json["rows"][1];
    assert_eq!(
        (guarded["kind"].as_str(), number(&guarded["fpr"])),
        (Some("guarded"), 0.0)
    );
    assert_eq!(json["recommended"], "guarded");
}

#[test]
fn text_and_page_say_what_is_wasted_and_how_to_go_on() {
    let folder = folder();
    let line = "compare --positives keys.txt --log log.txt --split 0.6 --top 300 --kinds bloom,guarded --bits-per-key 8 --html page.html";
    let run = folder.run(line).succeeds();
    run.prints("| wasted |");
    run.prints("keys learned from the first 60 % of the log have");
    let command = "bloomwise learn log.txt --positives keys.txt --top 300 -o negatives.tsv && bloomwise build guarded --positives keys.txt --negatives negatives.tsv --bits-per-key 8";
    run.prints(command);
    let page = folder.text("page.html");
    assert!(page.contains("Wasted after the split"));
    assert!(page.contains("learned from the first 0.6 of log.txt"));
}

#[test]
fn shown_command_learns_from_the_events_that_were_measured() {
    let folder = folder();
    let mut log = String::new();
    for day in 1..=9 {
        for key in 0..100 {
            writeln!(log, "2026-10-{day:02}\thot{}", key % 50).expect("memory");
        }
    }
    folder.write("log.tsv", log);
    let line = "compare --positives keys.txt --log log.tsv --column 2 --time-column 1 --since 2026-10-04 --kinds bloom,guarded --bits-per-key 8";
    let run = folder.run(line).succeeds();
    run.prints("bloomwise learn log.tsv --positives keys.txt --column 2 --time-column 1 --since 2026-10-04T00:00:00Z -o negatives.tsv &&");
}

#[test]
fn same_events_are_counted_and_measured() {
    let folder = folder();
    let mut log = String::new();
    // Every other line has no third column, where the time would be.
    for event in 0..400 {
        let time = if event % 2 == 0 { " 5" } else { "" };
        writeln!(log, "x hot{}{time}", event % 20).expect("memory");
    }
    folder.write("log.txt", log);
    let line = "compare --positives keys.txt --log log.txt --column 2 --time-column 3 --kinds bloom --bits-per-key 8 --json";
    let run = folder.run(line);
    let json = run.exits_with(0).json();
    let log = &json["log"];
    assert_eq!(
        (number(&log["events"]), number(&log["later_events"])),
        (100.0, 100.0)
    );
    assert_eq!(number(&log["later_absent_events"]), 100.0);
}

#[test]
fn wrong_arguments_are_one_line() {
    let folder = folder();
    folder.write("few.txt", "1\n2\nx\n");
    folder.write("present.txt", "1\n2\n3\n4\n");
    for (line, parts) in [
        ("--log -", &["standard input", "read twice"][..]),
        ("--log log.txt --split 1", &["--split"]),
        ("--log log.txt --negatives keys.txt", &["--negatives"]),
        ("--log missing.txt", &["missing.txt"]),
        ("--log few.txt", &["first part", "no absent look-ups"]),
        ("--log present.txt", &["no absent look-ups"]),
        ("--log log.txt --column 7", &["holds no events"]),
        ("", &["--negatives"]),
    ] {
        folder
            .run(&format!("compare --positives keys.txt {line}"))
            .fails(parts);
    }
}

#[test]
fn log_that_goes_back_in_time_gets_a_remark() {
    let folder = folder();
    let mut log = String::new();
    for event in 0..400 {
        writeln!(log, "{}\thot{}", 1000 - event, event % 7).expect("memory");
    }
    folder.write("log.tsv", log);
    let run = folder.run("compare --positives keys.txt --log log.tsv --column 2 --time-column 1 --kinds bloom --bits-per-key 8");
    run.exits_with(0)
        .remarks(&["log.tsv", "399 of 400 events are earlier"]);
}
