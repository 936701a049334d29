//! `update`: what can change, where it goes, and what is left alone.

use crate::run::{Folder, names};
use serde_json::json;
use std::process::Stdio;

#[test]
fn keys_are_removed_then_inserted() {
    let folder = Folder::with_filter("counting", "ant\nbee\ncow\n");
    folder.write("out.txt", "ant\nbee\n");
    folder.write("in.txt", "dog\nbee\n");
    let args = [
        "update", "f.bw", "--insert", "in.txt", "--remove", "out.txt", "--json",
    ];
    let report = folder.run(&args).fine().json();
    assert_eq!(
        names(&report),
        [
            "kind", "guarded", "removed", "refused", "inserted", "keys", "bytes"
        ]
    );
    let all = json!({
        "kind": "counting", "guarded": 0, "removed": 2, "refused": 0, "inserted": 2, "keys": 3, "bytes": 4096
    });
    assert_eq!(report, all);
    let run = folder
        .run(&["query", "f.bw", "ant", "bee", "cow", "dog"])
        .coded(1);
    assert_eq!(run.text(), "no\tant\nyes\tbee\nyes\tcow\nyes\tdog\n");
}

#[test]
fn a_filter_that_grows_is_the_one_built_at_once() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("more.txt", "bee\ncow\n");
    folder.write("all.txt", "cow\nant\nbee\n");
    let args = [
        "build",
        "bloom",
        "--positives",
        "all.txt",
        "--bytes",
        "4096",
        "--set",
        "k=5",
        "-o",
        "all.bw",
    ];
    folder.run(&args).fine();
    folder
        .run(&[
            "build",
            "bloom",
            "--positives",
            "keys.txt",
            "--bytes",
            "4096",
            "--set",
            "k=5",
            "-o",
            "g.bw",
        ])
        .fine();
    let run = folder
        .run(&["update", "g.bw", "--insert", "more.txt"])
        .fine();
    assert!(run.text().contains("inserted  2\n"), "{}", run.text());
    assert_eq!(folder.read("g.bw"), folder.read("all.bw"));
}

#[test]
fn keys_that_are_not_there_are_refused_with_a_warning() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder.write("out.txt", "ant\nwasp\nant\n");
    let run = folder
        .run(&["update", "f.bw", "--remove", "out.txt", "--json"])
        .coded(0);
    let report = run.remarks(&["not in the filter: 2"]).json();
    assert_eq!(report["removed"], 1);
    assert_eq!(report["refused"], 2);
    assert_eq!(report["keys"], 0);
}

#[test]
fn a_kind_that_cannot_leaves_the_file_alone() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("k.txt", "ant\n");
    let before = folder.read("f.bw");
    folder
        .run(&["update", "f.bw", "--remove", "k.txt"])
        .wrong(&["bloom", "cannot remove", "counting"]);
    folder
        .run(&[
            "update", "f.bw", "--guard", "k.txt", "--insert", "k.txt", "-o", "g.bw",
        ])
        .wrong(&["bloom", "cannot guard"]);
    // Nothing is read before that is known, so that an empty file is no way around it, nor one that is not there.
    folder.write("k.txt", "");
    for file in ["k.txt", "missing.txt"] {
        folder
            .run(&["update", "f.bw", "--remove", file])
            .wrong(&["cannot remove"]);
        folder
            .run(&["update", "f.bw", "--guard", file])
            .wrong(&["cannot guard"]);
    }
    assert_eq!(folder.read("f.bw"), before);
    assert_eq!(folder.names(), ["f.bw", "k.txt", "keys.txt"]);
}

#[test]
fn updates_at_the_same_time_lose_no_keys() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    let build = ["build", "bloom", "--positives", "keys.txt"];
    let build = [&build[..], &["--bytes", "1000000", "-o", "f.bw"]].concat();
    folder.run(&build).fine();
    let mut keys = vec!["query".to_string(), "f.bw".to_string()];
    for round in 0..5 {
        let start = |number: usize| {
            let file = format!("in{number}.txt");
            folder.write(&file, format!("key {round} {number}\n"));
            let mut update = folder.command(&["update", "f.bw", "--insert", &file]);
            let update = update.stdout(Stdio::null());
            update.spawn().expect("the program starts")
        };
        let updates: Vec<_> = (0..6).map(start).collect();
        for mut update in updates {
            assert!(update.wait().expect("the program ends").success());
        }
        keys.extend((0..6).map(|number| format!("key {round} {number}")));
    }
    let keys: Vec<_> = keys.iter().map(String::as_str).collect();
    folder.run(&keys).fine();
    let report = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
    assert_eq!(report["keys"], 31);
    let left = folder.names();
    assert_eq!(left.len(), 8, "nothing else is left: {left:?}");
}

#[test]
fn a_file_of_keys_is_never_replaced() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder.write("in.txt", "bee\n");
    let read = ["in.txt", "is read"];
    for option in ["--insert", "--remove"] {
        let args = ["update", "f.bw", option, "in.txt", "-o", "./in.txt"];
        folder.run(&args).wrong(&read);
        folder.run(&[&args[..], &["--force"]].concat()).wrong(&read);
    }
    folder
        .run(&["update", "f.bw", "--insert", "f.bw"])
        .wrong(&["f.bw", "is read"]);
    assert_eq!(folder.read("in.txt"), b"bee\n");
}

#[test]
fn another_file_is_written_and_replaced_only_by_force() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("in.txt", "bee\n");
    let before = folder.read("f.bw");
    let update =
        |more: &[&str]| folder.run(&[&["update", "f.bw", "--insert", "in.txt"], more].concat());
    update(&["-o", "g.bw"]).fine();
    assert_eq!(folder.read("f.bw"), before);
    folder.run(&["query", "g.bw", "ant", "bee"]).fine();
    update(&["-o", "g.bw"]).wrong(&["g.bw exists", "--force"]);
    update(&["-o", "g.bw", "--force"]).fine();
    update(&["-o", "./f.bw"]).fine();
    assert_ne!(
        folder.read("f.bw"),
        before,
        "the filter itself needs no force"
    );
}

#[test]
fn filters_flow_through_pipes() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("in.txt", "bee\n");
    let args = ["update", "-", "--insert", "in.txt", "--json"];
    let run = folder.run_with(&args, &folder.read("f.bw")).coded(0);
    assert!(
        run.stderr.starts_with("{\"kind\":\"bloom\""),
        "the report: {}",
        run.stderr
    );
    folder.write("g.bw", run.stdout);
    folder.run(&["query", "g.bw", "ant", "bee"]).fine();
}

#[test]
fn nothing_to_do_is_an_error() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder
        .run(&["update", "f.bw"])
        .wrong(&["nothing to do", "--guard, --remove or --insert"]);
}

#[test]
fn a_missing_file_of_keys_changes_nothing() {
    let folder = Folder::with_filter("counting", "ant\nbee\n");
    let before = folder.read("f.bw");
    folder.write("out.txt", "ant\n");
    folder
        .run(&[
            "update",
            "f.bw",
            "--remove",
            "out.txt",
            "--insert",
            "missing.txt",
        ])
        .wrong(&["missing.txt"]);
    assert_eq!(folder.read("f.bw"), before);
}
