//! `query`: answers, their order, counts, exit codes.

use crate::run::{Folder, names, numbers};
use serde_json::json;

#[test]
fn answers_keep_their_order_and_an_absent_key_is_exit_code_1() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    let run = folder.run("query f.bw bee wasp ant").exits_with(1);
    assert_eq!(run.text(), "yes\tbee\nno\twasp\nyes\tant\n");
    folder.run("query f.bw ant").succeeds();
}

#[test]
fn keys_on_the_command_line_come_before_keys_in_the_file() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    folder.write("q.txt", "ant\ncow");
    let run = folder.run("query f.bw bee --keys q.txt").exits_with(1);
    assert_eq!(run.text(), "yes\tbee\nyes\tant\nno\tcow\n");
}

#[test]
fn count_prints_only_counts() {
    let folder = Folder::with_filter("blocked", &numbers(0..100));
    folder.write("q.txt", numbers(0..100) + "x\n");
    let run = folder.run("query f.bw --keys q.txt --count").exits_with(1);
    assert_eq!(run.text(), "present\t100\nabsent\t1\n");
}

#[test]
fn json_has_the_documented_fields() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let run = folder.run("query f.bw ant cow --json").exits_with(1);
    let answers = json!([{"key": "ant", "present": true}, {"key": "cow", "present": false}]);
    let all = json!({"kind": "bloom", "keys": 2, "present": 1, "absent": 1, "answers": answers});
    assert_eq!(run.json(), all);
    assert_eq!(
        names(&run.json()),
        ["kind", "keys", "present", "absent", "answers"]
    );
    let run = folder.run("query f.bw ant --json --count").succeeds();
    assert_eq!(
        run.json(),
        json!({"kind": "bloom", "keys": 1, "present": 1, "absent": 0})
    );
}

#[test]
fn keys_in_several_batches_keep_their_order() {
    let folder = Folder::with_filter("bloom", &numbers(0..10));
    let keys = numbers(0..10).repeat(2000);
    let run = folder
        .run_with_input("query f.bw --keys -", keys.as_bytes())
        .succeeds();
    let expected: String = keys.lines().map(|key| format!("yes\t{key}\n")).collect();
    assert!(
        run.text() == expected,
        "at least one of 20,000 answers is wrong"
    );
}

#[cfg(unix)]
#[test]
fn keys_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    folder.write("p.bin", b"\xff\xfe\x00\x01\n\xc3(\n");
    folder
        .run("build bloom --positives p.bin --bytes 64 -o f.bw")
        .succeeds();
    let run = folder.run("query f.bw --keys p.bin").succeeds();
    assert_eq!(run.stdout, b"yes\t\xff\xfe\x00\x01\nyes\t\xc3(\n");
    let mut command = folder.command("query f.bw");
    let run = crate::run::finish(command.arg(OsStr::from_bytes(b"\xc3(")), b"").succeeds();
    assert_eq!(run.stdout, b"yes\t\xc3(\n");
    let run = folder.run("query f.bw --keys p.bin --json").succeeds();
    let answers = json!([
        {"key": "\u{fffd}\u{fffd}\0\u{1}", "key_hex": "fffe0001", "present": true},
        {"key": "\u{fffd}(", "key_hex": "c328", "present": true},
    ]);
    assert_eq!(run.json()["answers"], answers);
}

#[test]
fn json_escapes_special_characters() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let key = "a\"\\\u{1b}\u{e9}\t";
    let run = folder
        .run_with_args("query f.bw --json", &[key])
        .exits_with(1);
    assert_eq!(
        run.json()["answers"],
        json!([{"key": key, "present": false}])
    );
    let run = folder.run_with_input("query f.bw --keys - --json", b"");
    assert_eq!(run.succeeds().json()["answers"], json!([]));
}

#[test]
fn query_has_no_cost_column() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let run = folder.run("query --help").succeeds();
    run.prints("--key-column");
    assert!(!run.text().contains("cost"), "{}", run.text());
    folder.write("q.csv", "id,key\n1,ant\n");
    let args = "query f.bw --keys q.csv --key-column key";
    assert_eq!(folder.run(args).succeeds().text(), "yes\tant\n");
}

#[test]
fn filter_may_come_from_standard_input() {
    let folder = Folder::with_filter("counting", "ant\n");
    let filter = folder.read("f.bw");
    let run = folder.run_with_input("query - ant", &filter).succeeds();
    assert_eq!(run.text(), "yes\tant\n");
    folder.run_with_input("verify -", &filter).succeeds();
    folder.run_with_input("inspect -", &filter).succeeds();
    folder
        .run_with_input("eval - --positives keys.txt", &filter)
        .succeeds();
}

#[test]
fn no_keys_is_an_error_but_an_empty_file_is_not() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.run("query f.bw").fails(&["no keys", "--keys"]);
    folder.write("q.txt", "");
    let run = folder.run("query f.bw --keys q.txt --count").succeeds();
    assert_eq!(run.text(), "present\t0\nabsent\t0\n");
}

#[test]
fn dash_alone_reads_keys_from_standard_input() {
    let folder = Folder::with_filter("bloom", "ant\nbee\n");
    let run = folder
        .run_with_input("query f.bw -", b"bee\ncow\n")
        .exits_with(1);
    assert_eq!(run.text(), "yes\tbee\nno\tcow\n");
    // Beside other keys it is a key.
    let run = folder.run("query f.bw ant -").exits_with(1);
    assert_eq!(run.text(), "yes\tant\nno\t-\n");
    let run = folder.run("query f.bw").exits_with(2);
    run.remarks(&["no keys to look up", "- for standard input"]);
}
