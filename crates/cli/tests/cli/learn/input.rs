//! `learn` and what it reads: formats of logs, broken lines, wrong arguments.

use super::{folder, line};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::io::Write as _;

#[test]
fn key_that_is_too_long_gets_a_remark() {
    let folder = folder();
    folder.write("log.txt", format!("/1\n{}\n", "x".repeat(20_000)));
    let run = folder.run("learn log.txt --positives pages.txt -o list.tsv");
    run.exits_with(0)
        .remarks(&["16384 bytes", "not listed: 1 events"]);
}

#[test]
fn logs_of_all_formats_give_the_same_list() {
    let folder = folder();
    folder.write("log.csv", "ms,path\n2,/1\n3,\"/a,x\"\n4,\"/a,x\"\n");
    folder.write("log.tsv", "ms\tpath\n2\t/1\n3\t/a,x\n4\t/a,x\n");
    let json = |path: &str, ms: u32| format!("{}\n", json!({"request": {"path": path}, "ms": ms}));
    folder.write(
        "log.json",
        json("/1", 2) + &json("/a,x", 3) + &json("/a,x", 4),
    );
    folder.write("log.txt", "took 2ms: /1\ntook 3ms: /a,x\ntook 4ms: /a,x\n");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&folder.read("log.tsv")).expect("memory");
    folder.write("log.tsv.gz", gzip.finish().expect("memory"));
    for log in [
        "log.csv --column path --cost-column ms",
        "log.csv --column 2 --cost-column 1",
        "log.tsv --column path --cost-column ms",
        "log.tsv.gz --column path --cost-column ms",
        "log.json --json-field request.path --cost-column ms",
        r"log.txt --regex (?<cost>\d+)ms:.(?<key>.*)",
    ] {
        let run = folder.run(&format!(
            "learn {log} --positives pages.txt --force -o list.tsv"
        ));
        run.succeeds();
        assert_eq!(folder.text("list.tsv"), "/a,x\t7\n", "{log}");
    }
    let input = folder.read("log.json");
    let line = "learn - --json-field request.path --positives pages.txt --force -o list.tsv";
    folder.run_with_input(line, &input).succeeds();
    assert_eq!(folder.text("list.tsv"), "/a,x\t2\n");
}

#[test]
fn broken_lines_are_skipped_and_counted() {
    let folder = folder();
    folder.write(
        "access.log",
        line(1, "/a", "x") + "broken\n\n" + &line(1, "/1", "5") + &line(1, "/b", "-"),
    );
    let run = folder
        .run("learn access.log --column 7 --cost-column 10 --positives pages.txt -o list.tsv");
    let run = run.exits_with(0);
    let run = run.remarks(&[
        "access.log",
        "lines skipped: 3",
        "line 1",
        "\"x\" is not a number",
    ]);
    assert_eq!(run.row("events"), "2");
    assert_eq!(
        folder.text("list.tsv"),
        "",
        "a cost of nothing is no reason to be listed"
    );
}

#[test]
fn broken_rows_and_costs_of_a_table_are_skipped_and_counted() {
    let folder = folder();
    folder.write(
        "log.csv",
        "ms,path\n1e101,/a\n2,/b,x\nmany,/a\n-,/a\n3,/b\n4,/1\n",
    );
    let run = folder
        .run("learn log.csv --column path --cost-column ms --positives pages.txt -o list.tsv");
    let run = run.exits_with(0);
    let run = run.remarks(&["log.csv", "lines skipped: 3", "line 2", "at most 1e100"]);
    assert_eq!(run.row("events"), "3");
    assert_eq!(folder.text("list.tsv"), "/b\t3\n");
    folder.write("log.txt", "/a 1e101\n/b 5\n/1 1\n");
    let run = folder
        .run("learn log.txt --column 1 --cost-column 2 --positives pages.txt --force -o list.tsv");
    run.exits_with(0)
        .remarks(&["log.txt", "lines skipped: 1", "line 1", "at most 1e100"]);
    assert_eq!(folder.text("list.tsv"), "/b\t5\n");
}

#[test]
fn key_with_a_line_end_is_left_out() {
    let folder = folder();
    let log = ["a\nb", "c"]
        .map(|key| json!({"k": key}).to_string() + "\n")
        .concat();
    folder.write("log.json", log + "{\"k\":\"/1\"}\n");
    let run = folder.run("learn log.json --json-field k --positives pages.txt -o list.tsv");
    run.exits_with(0)
        .remarks(&["keys with a line end", "left out: 1"]);
    assert_eq!(folder.text("list.tsv"), "c\t1\n");
}

#[test]
fn wrong_arguments_are_one_line_and_leave_no_file() {
    let folder = folder();
    folder.write("full.tsv", "");
    let set = "--positives pages.txt -o list.tsv";
    for (line, parts) in [
        ("access.log -o list.tsv", &["--positives", "--filter"][..]),
        (
            &format!("access.log --column 99 {set}"),
            &["holds no events", "no column 99", "--column"],
        ),
        (
            &format!("access.log --column 0 {set}"),
            &["holds no events", "\"0\""],
        ),
        (
            &format!("access.log --column 7 --memory 1kB {set}"),
            &["--memory", "at least 1048576"],
        ),
        (
            &format!("access.log --column 7 --memory 999999TiB {set}"),
            &["--memory", "not enough memory"],
        ),
        (
            &format!("pages.txt --half-life 1d {set}"),
            &["no times", "--time-column"],
        ),
        (
            &format!("access.log --time-column 4 {set}"),
            &["required", "--column"],
        ),
        (
            &format!("access.log --half-life soon {set}"),
            &["half-life", "7d"],
        ),
        (
            &format!("access.log --since soon {set}"),
            &["since", "2026-10-31"],
        ),
        (&format!("access.log --regex ( {set}"), &["--regex"]),
        (
            &format!("access.log --regex GET {set}"),
            &["--regex", "parentheses"],
        ),
        (
            &format!("access.log --column 7 --regex (x) {set}"),
            &["cannot be used with"],
        ),
        (&format!("missing.log {set}"), &["missing.log"]),
        (
            &format!("access.log --merge pages.txt {set}"),
            &["pages.txt", "not a saved learner"],
        ),
        (
            &format!("access.log --merge missing.sketch {set}"),
            &["missing.sketch"],
        ),
        (
            &format!("access.log --column 7 --sketch - {set}"),
            &["--sketch -"],
        ),
        (
            &format!("access.log --column 7 --key-column x {set}"),
            &["--key-column"],
        ),
        (
            "access.log --positives pages.txt -o full.tsv",
            &["full.tsv already exists", "--force"],
        ),
        (
            "access.log --positives pages.txt -o access.log --force",
            &["is an input"],
        ),
        (&format!("log.parquet --regex (x) {set}"), &["log.parquet"]),
        ("-o list.tsv", &["LOG"]),
    ] {
        folder.run(&format!("learn {line}")).fails(parts);
        assert!(!folder.path("list.tsv").exists(), "{line}");
    }
}

#[test]
fn log_without_any_present_key_gets_a_hint() {
    let folder = folder();
    let run = folder.run("learn access.log --positives pages.txt -o list.tsv");
    run.exits_with(0)
        .remarks(&["no key of the logs is present", "--column"]);
}
