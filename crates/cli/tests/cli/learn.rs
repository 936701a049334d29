//! `learn`: the costliest absent keys of a log.

mod input;
mod time;

use crate::run::{Folder, names, number};
use serde_json::json;
use std::fmt::Write as _;

/// A line of the Common Log Format on this day of October.
fn line(day: u32, path: &str, bytes: &str) -> String {
    format!(
        "203.0.113.9 - - [{day:02}/Oct/2026:12:00:00 +0000] \"GET {path} HTTP/1.1\" 404 {bytes}\n"
    )
}

/// A folder with `pages.txt`, two pages, and `access.log`: a look-up of a page and three of `/a` on the first day, a look-up of a page and two of
/// `/b`, which cost more, on the eighth.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("pages.txt", "/1\n/2\n");
    let early = [line(1, "/1", "9"), line(1, "/a", "10").repeat(3)].concat();
    let late = [line(8, "/2", "9"), line(8, "/b", "100").repeat(2)].concat();
    folder.write("early.log", &early);
    folder.write("late.log", &late);
    folder.write("access.log", early + &late);
    folder
}

#[test]
fn absent_keys_are_listed_with_their_counts() {
    let folder = folder();
    let run = folder.run("learn access.log --column 7 --positives pages.txt -o list.tsv");
    let run = run.succeeds();
    assert_eq!(folder.text("list.tsv"), "/a\t3\n/b\t2\n");
    assert_eq!(run.row("events"), "7");
    assert_eq!(run.row("present keys"), "2, matched exactly");
    assert!(run.row("absent").starts_with("5 events: 71.43 % of all"));
    assert!(run.row("costs").starts_with("exact"));
    run.prints("bloomwise build auto --positives pages.txt --negatives list.tsv");
    // The next command works.
    let next = run.text().lines().last().expect("a line");
    let next = next.trim().strip_prefix("bloomwise ").expect("a command");
    folder.run(next).succeeds();
    folder.run("query pages.bloomwise /a /b").exits_with(1);
}

#[test]
fn json_has_the_documented_fields() {
    let folder = folder();
    let line =
        "learn access.log --column 7 --cost-column 10 --positives pages.txt -o list.tsv --json";
    let json = folder.run(line).succeeds().json();
    let documented = [
        "events",
        "distinct",
        "absent_events",
        "kept",
        "error_bound",
        "coverage",
        "memory_bytes",
    ];
    for name in documented {
        assert!(names(&json).contains(&name), "{name} is not in {json}");
    }
    assert_eq!(
        (&json["events"], &json["absent_events"]),
        (&json!(7), &json!(5))
    );
    assert_eq!((&json["distinct"], &json["kept"]), (&json!(4), &json!(2)));
    assert_eq!(number(&json["absent_cost"]), 230.0);
    let memory = number(&json["memory_bytes"]);
    assert!(
        memory < f64::from(64 << 20) && memory > f64::from(48 << 20),
        "{json}"
    );
    assert_eq!(
        json["coverage"],
        json!({"1000": 1.0, "10000": 1.0, "100000": 1.0})
    );
    assert_eq!(folder.text("list.tsv"), "/b\t200\n/a\t30\n");
}

#[test]
fn list_can_be_short_and_go_to_standard_output() {
    let folder = folder();
    let run = folder.run("learn access.log --column 7 --positives pages.txt --top 1 -o -");
    let run = run.exits_with(0);
    assert_eq!(run.text(), "/a\t3\n");
    assert!(run.stderr.contains("present keys"), "{run:?}");
    assert!(run.stderr.contains("--negatives FILE"), "{run:?}");
}

#[test]
fn filter_stands_for_the_set() {
    let folder = folder();
    folder
        .run("build bloom --positives pages.txt --bytes 4096 -o pages.bw")
        .succeeds();
    let run = folder.run("learn access.log --column 7 --filter pages.bw -o list.tsv");
    assert!(
        run.succeeds()
            .row("present keys")
            .starts_with("as the filter answers")
    );
    assert_eq!(folder.text("list.tsv"), "/a\t3\n/b\t2\n");
}

#[test]
fn dropped_names_are_not_called_exact() {
    let folder = folder();
    // 700 names of 1,000 bytes do not fit into a quarter of a mebibyte; their counters do.
    let mut log = String::from("/1\n");
    for key in 0..700 {
        writeln!(log, "{key:01000}").expect("memory");
    }
    folder.write("log.txt", &log);
    let run = folder.run("learn log.txt --positives pages.txt --memory 1MiB -o list.tsv");
    let run = run.succeeds();
    assert_eq!(run.row("costs"), "exact; every key above 1 was kept");
    assert!(folder.text("list.tsv").lines().count() < 700);
}

#[test]
fn next_command_names_the_column_of_the_keys() {
    let folder = folder();
    folder.write("pages.csv", "id,path\n1,/1\n2,/2\n");
    let run = folder
        .run("learn access.log --column 7 --positives pages.csv --key-column path -o list.tsv");
    let run = run.succeeds();
    run.prints("--positives pages.csv --key-column path --negatives list.tsv");
    let next = run.text().lines().last().expect("a line");
    let next = next.trim().strip_prefix("bloomwise ").expect("a command");
    folder.run(next).succeeds();
}

#[test]
fn list_is_complete_above_its_bound_in_little_memory() {
    let folder = folder();
    // 60,000 keys are more than a mebibyte can count; every hundredth comes ten times.
    let mut log = String::new();
    for round in 0..10 {
        for key in 0..60_000 {
            if round == 0 || key % 100 == 0 {
                writeln!(log, "key{key}").expect("memory");
            }
        }
    }
    folder.write("log.txt", &log);
    let line = "learn log.txt --positives pages.txt --memory 1MiB --top 600 -o list.tsv --json";
    let json = folder.run(line).exits_with(0).json();
    assert!(
        number(&json["error_bound"]) >= 1.0,
        "nothing was purged: {json}"
    );
    assert!(number(&json["complete_above"]) < 10.0, "{json}");
    let list = folder.text("list.tsv");
    let hot = |line: &str| {
        let key = line.split_once('\t').expect("a cost").0.strip_prefix("key");
        key.and_then(|key| key.parse::<u32>().ok())
            .is_some_and(|key| key % 100 == 0)
    };
    assert_eq!(list.lines().filter(|line| hot(line)).count(), 600);
}
