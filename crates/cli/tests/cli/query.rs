//! `query`: answers, their order, counts, exit codes.

use crate::run::{Folder, names, numbers};
use serde_json::json;

#[test]
fn answers_come_in_order_and_the_exit_code_tells() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    let run = folder
        .run(&["query", "f.bw", "bee", "wasp", "ant"])
        .coded(1);
    assert_eq!(run.text(), "yes\tbee\nno\twasp\nyes\tant\n");
    folder.run(&["query", "f.bw", "ant"]).fine();
}

#[test]
fn keys_of_the_command_line_come_before_those_of_the_file() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    folder.write("q.txt", "ant\ncow");
    let run = folder
        .run(&["query", "f.bw", "bee", "--keys", "q.txt"])
        .coded(1);
    assert_eq!(run.text(), "yes\tbee\nyes\tant\nno\tcow\n");
}

#[test]
fn counts_replace_the_answers() {
    let folder = Folder::with_filter("blocked", &numbers(0..100));
    folder.write("q.txt", numbers(0..100) + "x\n");
    let run = folder
        .run(&["query", "f.bw", "--keys", "q.txt", "--count"])
        .coded(1);
    assert_eq!(run.text(), "present\t100\nabsent\t1\n");
}

#[test]
fn json_has_the_promised_fields() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let run = folder
        .run(&["query", "f.bw", "ant", "cow", "--json"])
        .coded(1);
    let answers = json!([{"key": "ant", "present": true}, {"key": "cow", "present": false}]);
    let all = json!({"kind": "bloom", "keys": 2, "present": 1, "absent": 1, "answers": answers});
    assert_eq!(run.json(), all);
    assert_eq!(
        names(&run.json()),
        ["kind", "keys", "present", "absent", "answers"]
    );
    let run = folder
        .run(&["query", "f.bw", "ant", "--json", "--count"])
        .fine();
    assert_eq!(
        run.json(),
        json!({"kind": "bloom", "keys": 1, "present": 1, "absent": 0})
    );
}

#[test]
fn more_keys_than_fit_a_group_keep_their_order() {
    let folder = Folder::with_filter("bloom", &numbers(0..10));
    let asked = numbers(0..10).repeat(2000);
    let run = folder
        .run_with(&["query", "f.bw", "--keys", "-"], asked.as_bytes())
        .fine();
    let expected: String = asked.lines().map(|key| format!("yes\t{key}\n")).collect();
    assert!(
        run.text() == expected,
        "some of 20,000 answers is out of place"
    );
}

#[cfg(unix)]
#[test]
fn keys_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    folder.write("p.bin", b"\xff\xfe\x00\x01\n\xc3(\n");
    folder
        .run(&[
            "build",
            "bloom",
            "--positives",
            "p.bin",
            "--bytes",
            "64",
            "-o",
            "f.bw",
        ])
        .fine();
    let run = folder.run(&["query", "f.bw", "--keys", "p.bin"]).fine();
    assert_eq!(run.stdout, b"yes\t\xff\xfe\x00\x01\nyes\t\xc3(\n");
    let mut command = folder.command(&["query", "f.bw"]);
    let run = crate::run::finish(command.arg(OsStr::from_bytes(b"\xc3(")), b"").fine();
    assert_eq!(run.stdout, b"yes\t\xc3(\n");
    let run = folder
        .run(&["query", "f.bw", "--keys", "p.bin", "--json"])
        .fine();
    let answers = json!([
        {"key": "\u{fffd}\u{fffd}\0\u{1}", "key_hex": "fffe0001", "present": true},
        {"key": "\u{fffd}(", "key_hex": "c328", "present": true},
    ]);
    assert_eq!(run.json()["answers"], answers);
}

#[test]
fn json_escapes_what_it_has_to() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let key = "a\"\\\u{1b}\u{e9}\t";
    let run = folder.run(&["query", "f.bw", key, "--json"]).coded(1);
    assert_eq!(
        run.json()["answers"],
        json!([{"key": key, "present": false}])
    );
    let run = folder.run_with(&["query", "f.bw", "--keys", "-", "--json"], b"");
    assert_eq!(run.fine().json()["answers"], json!([]));
}

#[test]
fn costs_are_not_asked_for() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let run = folder.run(&["query", "--help"]).fine();
    assert!(run.text().contains("--key-column"), "{}", run.text());
    assert!(!run.text().contains("cost"), "{}", run.text());
    folder.write("q.csv", "id,key\n1,ant\n");
    let args = ["query", "f.bw", "--keys", "q.csv", "--key-column", "key"];
    assert_eq!(folder.run(&args).fine().text(), "yes\tant\n");
}

#[test]
fn the_filter_may_come_on_standard_input() {
    let folder = Folder::with_filter("counting", "ant\n");
    let filter = folder.read("f.bw");
    let run = folder.run_with(&["query", "-", "ant"], &filter).fine();
    assert_eq!(run.text(), "yes\tant\n");
    folder.run_with(&["verify", "-"], &filter).fine();
    folder.run_with(&["inspect", "-"], &filter).fine();
    folder
        .run_with(&["eval", "-", "--positives", "keys.txt"], &filter)
        .fine();
}

#[test]
fn no_keys_at_all_is_an_error_and_an_empty_file_is_not() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.run(&["query", "f.bw"]).wrong(&["no keys", "--keys"]);
    folder.write("q.txt", "");
    let run = folder
        .run(&["query", "f.bw", "--keys", "q.txt", "--count"])
        .fine();
    assert_eq!(run.text(), "present\t0\nabsent\t0\n");
}
