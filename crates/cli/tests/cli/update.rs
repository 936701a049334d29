//! `update`: guarding, removing and inserting keys, and where the filter is saved.

use crate::run::{Folder, names, numbers};
use serde_json::{Value, json};
use std::process::Stdio;

#[test]
fn keys_are_removed_then_inserted() {
    let folder = Folder::with_filter("counting", "ant\nbee\ncow\n");
    folder.write("out.txt", "ant\nbee\n");
    folder.write("in.txt", "dog\nbee\n");
    let args = "update f.bw --insert in.txt --remove out.txt --json";
    let report = folder.run(args).succeeds().json();
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
    let run = folder.run("query f.bw ant bee cow dog").exits_with(1);
    assert_eq!(run.text(), "no\tant\nyes\tbee\nyes\tcow\nyes\tdog\n");
}

#[test]
fn inserting_keys_gives_the_filter_built_from_all_keys() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("more.txt", "bee\ncow\n");
    folder.write("all.txt", "cow\nant\nbee\n");
    for (keys, out) in [("all.txt", "all.bw"), ("keys.txt", "g.bw")] {
        let size = "--capacity 3 --bits-per-key 1000";
        let args = format!("build bloom --positives {keys} {size} -o {out}");
        folder.run(&args).succeeds();
    }
    let run = folder.run("update g.bw --insert more.txt").succeeds();
    run.prints("inserted  2\n");
    assert_eq!(folder.read("g.bw"), folder.read("all.bw"));
}

#[test]
fn removing_absent_keys_gives_a_remark() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder.write("out.txt", "ant\nwasp\nant\n");
    let run = folder
        .run("update f.bw --remove out.txt --json")
        .exits_with(0);
    let report = run.remarks(&["not in the filter: 2"]).json();
    assert_eq!(report["removed"], 1);
    assert_eq!(report["refused"], 2);
    assert_eq!(report["keys"], 0);
}

#[test]
fn unsupported_operation_is_an_error_and_changes_nothing() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("k.txt", "ant\n");
    let before = folder.read("f.bw");
    folder
        .run("update f.bw --remove k.txt")
        .fails(&["bloom", "cannot remove", "counting"]);
    folder
        .run("update f.bw --guard k.txt --insert k.txt -o g.bw")
        .fails(&["bloom", "cannot guard"]);
    // The operation is checked before the file is read, so an empty or missing file gives the same error.
    folder.write("k.txt", "");
    for file in ["k.txt", "missing.txt"] {
        folder
            .run(&format!("update f.bw --remove {file}"))
            .fails(&["cannot remove"]);
        folder
            .run(&format!("update f.bw --guard {file}"))
            .fails(&["cannot guard"]);
    }
    assert_eq!(folder.read("f.bw"), before);
    assert_eq!(folder.names(), ["f.bw", "k.txt", "keys.txt"]);
}

#[test]
fn concurrent_updates_lose_no_keys() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder
        .run("build bloom --positives keys.txt --bytes 1000000 -o f.bw")
        .succeeds();
    let mut keys = Vec::new();
    for round in 0..5 {
        let start = |number: usize| {
            let file = format!("in{number}.txt");
            folder.write(&file, format!("key-{round}-{number}\n"));
            let mut update = folder.command(&format!("update f.bw --insert {file}"));
            let update = update.stdout(Stdio::null());
            update.spawn().expect("the program starts")
        };
        let updates: Vec<_> = (0..6).map(start).collect();
        for mut update in updates {
            assert!(update.wait().expect("the program ends").success());
        }
        keys.extend((0..6).map(|number| format!("key-{round}-{number}")));
    }
    folder
        .run(&format!("query f.bw {}", keys.join(" ")))
        .succeeds();
    let report = folder.inspect();
    assert_eq!(report["keys"], 31);
    let left = folder.names();
    assert_eq!(left.len(), 8, "no temporary file remains: {left:?}");
}

#[test]
fn input_file_is_never_replaced() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder.write("in.txt", "bee\n");
    let parts = ["in.txt", "is an input"];
    for option in ["--insert", "--remove"] {
        let args = format!("update f.bw {option} in.txt -o ./in.txt");
        folder.run(&args).fails(&parts);
        folder.run(&format!("{args} --force")).fails(&parts);
    }
    folder
        .run("update f.bw --insert f.bw")
        .fails(&["f.bw", "is an input"]);
    assert_eq!(folder.read("in.txt"), b"bee\n");
}

#[test]
fn other_existing_file_is_replaced_only_with_force() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("in.txt", "bee\n");
    let before = folder.read("f.bw");
    let update = |more: &str| folder.run(&format!("update f.bw --insert in.txt {more}"));
    update("-o g.bw").succeeds();
    assert_eq!(folder.read("f.bw"), before);
    folder.run("query g.bw ant bee").succeeds();
    update("-o g.bw").fails(&["g.bw already exists", "--force"]);
    update("-o g.bw --force").succeeds();
    update("-o ./f.bw").succeeds();
    assert_ne!(
        folder.read("f.bw"),
        before,
        "the filter itself is replaced without --force"
    );
}

#[test]
fn filter_can_be_updated_in_a_pipe() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("in.txt", "bee\n");
    let args = "update - --insert in.txt --json";
    let run = folder
        .run_with_input(args, &folder.read("f.bw"))
        .exits_with(0);
    let report: Value = serde_json::from_str(&run.stderr).expect("the report");
    assert_eq!(report["kind"], "bloom");
    folder.write("g.bw", run.stdout);
    folder.run("query g.bw ant bee").succeeds();
}

#[test]
fn nothing_to_do_is_an_error() {
    let folder = Folder::with_filter("counting", "ant\n");
    folder
        .run("update f.bw")
        .fails(&["nothing to do", "--guard, --remove or --insert"]);
}

#[test]
fn missing_file_of_keys_changes_nothing() {
    let folder = Folder::with_filter("counting", "ant\nbee\n");
    let before = folder.read("f.bw");
    folder.write("out.txt", "ant\n");
    folder
        .run("update f.bw --remove out.txt --insert missing.txt")
        .fails(&["missing.txt"]);
    assert_eq!(folder.read("f.bw"), before);
}

#[test]
fn growth_out_of_proportion_is_refused_unless_the_user_allows_it() {
    let folder = Folder::new();
    folder.write("keys.txt", numbers(0..1000));
    folder.write("more.txt", numbers(1000..1010));
    for shards in ["", "--shards 2"] {
        let build = "build growing --positives keys.txt --fpr 0.01 --set expansion=32768";
        folder
            .run(&format!("{build} {shards} -o f.bw --force"))
            .succeeds();
        let before = folder.read("f.bw");
        let update = "update f.bw --insert more.txt";
        let limit = "the limit is 16777216";
        folder
            .run(update)
            .fails(&["would grow the filter to", limit, "--memory"]);
        let small = folder.run(&format!("{update} --memory 1MB"));
        small.fails(&["the limit is 1000000"]);
        assert_eq!(folder.read("f.bw"), before);
        folder.run(&format!("{update} --memory 200MB")).succeeds();
        folder.run("query f.bw --keys more.txt --count").succeeds();
    }
}
