//! `learn`: the costliest absent keys of a log.

use crate::run::{Folder, names, number};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;

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
fn old_events_fade_or_are_left_out() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt --force -o list.tsv";
    folder.run(&format!("{learn} --half-life 7d")).succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    folder
        .run(&format!("{learn} --since 2026-10-02"))
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
}

#[test]
fn saved_sketches_add_up_and_know_their_time() {
    let folder = folder();
    let learn = "--column 7 --positives pages.txt --force -o list.tsv";
    folder
        .run(&format!(
            "learn early.log {learn} --half-life 7d --sketch early.sketch"
        ))
        .succeeds();
    let merge = "--merge early.sketch";
    folder
        .run(&format!("learn late.log {learn} {merge} --half-life 7d"))
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    let run = folder.run(&format!(
        "learn late.log {learn} {merge} --sketch early.sketch"
    ));
    assert_eq!(run.succeeds().row("with sketches"), "5 absent events");
    folder
        .run("learn --merge early.sketch early.sketch --force -o list.tsv")
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/a\t6\n/b\t4\n");
    // A key that has come since is no negative.
    folder.write("pages.txt", "/1\n/a\n");
    folder
        .run("learn --merge early.sketch --positives pages.txt --force -o list.tsv")
        .succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
}

#[test]
fn sketch_of_any_run_fades_when_it_is_merged() {
    let folder = folder();
    let learn = "--column 7 --positives pages.txt --force -o list.tsv";
    let merge = "--merge early.sketch --half-life 7d";
    let save = folder.run(&format!("learn early.log {learn} --sketch early.sketch"));
    save.succeeds();
    let run = folder.run(&format!("learn late.log {learn} {merge}"));
    run.succeeds();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
    // Without times, a remark says that it does not fade.
    folder.write("plain.txt", "/1\n/a\n/a\n/a\n");
    let line = "learn plain.txt --positives pages.txt -o list.tsv --sketch early.sketch";
    folder.run(&format!("{line} --force")).succeeds();
    let run = folder.run(&format!("learn late.log {learn} {merge}"));
    run.exits_with(0)
        .remarks(&["early.sketch has no time", "do not fade"]);
    assert_eq!(folder.text("list.tsv"), "/a\t3\n/b\t2\n");
}

#[test]
fn keys_that_have_joined_the_set_take_nobodys_place() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt -o list.tsv --sketch s";
    folder.run(learn).succeeds();
    folder.write("pages.txt", "/1\n/2\n/a\n");
    let line = "learn --merge s --positives pages.txt --top 1 --force -o list.tsv --json";
    let json = folder.run(line).succeeds().json();
    assert_eq!(folder.text("list.tsv"), "/b\t2\n");
    assert_eq!(
        (
            number(&json["coverage"]["1000"]),
            number(&json["half_of_cost"])
        ),
        (1.0, 1.0)
    );
}

#[test]
fn list_and_sketch_are_two_files_and_the_sketch_is_saved_last() {
    let folder = folder();
    let learn = "learn access.log --column 7 --positives pages.txt";
    let run = folder.run(&format!("{learn} -o out --sketch ./out"));
    run.fails(&["-o and --sketch", "same file", "two files"]);
    assert!(!folder.path("out").exists());
    folder.write("out", "");
    let run = folder.run(&format!("{learn} -o out --sketch ./out --force"));
    run.fails(&["same file"]);
    // A list that cannot be written leaves no sketch.
    #[cfg(target_os = "linux")]
    {
        let line = format!("{learn} -o - --sketch s");
        let run = crate::run::finish(
            &mut crate::run::after(&folder, "exec 1>/dev/full", &line),
            b"",
        );
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(!folder.path("s").exists());
    }
}

#[test]
fn time_in_the_future_is_skipped_and_leaves_other_costs_alone() {
    let folder = folder();
    let future = line(1, "/c", "1").replace("01/Oct/2026", "31/Dec/9998");
    folder.write(
        "odd.log",
        folder.text("early.log") + &future + &folder.text("late.log"),
    );
    let learn = "learn odd.log --column 7 --positives pages.txt -o list.tsv --half-life 7d";
    let run = folder.run(&format!("{learn} --sketch s")).exits_with(0);
    run.remarks(&[
        "odd.log",
        "lines skipped: 1",
        "line 5",
        "9998-12-31",
        "in the future",
    ]);
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/a\t1.5\n");
}

#[test]
fn event_without_a_time_is_as_old_as_the_one_before() {
    let folder = folder();
    let untimed = "x x x x x x /u 1 1 1\n";
    let log = [
        &folder.text("early.log"),
        untimed,
        &folder.text("late.log"),
        untimed,
    ]
    .concat();
    folder.write("odd.log", log);
    let run =
        folder.run("learn odd.log --column 7 --positives pages.txt -o list.tsv --since 2026-10-02");
    run.exits_with(0)
        .remarks(&["events without a time", "the one before: 2"]);
    assert_eq!(folder.text("list.tsv"), "/b\t2\n/u\t1\n");
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
fn key_that_is_too_long_gets_a_remark() {
    let folder = folder();
    folder.write("log.txt", format!("/1\n{}\n", "x".repeat(20_000)));
    let run = folder.run("learn log.txt --positives pages.txt -o list.tsv");
    run.exits_with(0)
        .remarks(&["16384 bytes", "not listed: 1 events"]);
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
