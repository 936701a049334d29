//! `build --capacity`: keys that stream into a filter instead of being held.

use crate::run::{Folder, numbers};

#[test]
fn a_capacity_streams_the_keys() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..10_000) + "5\n");
    let args = [
        "build",
        "bloom",
        "--positives",
        "p.txt",
        "--bits-per-key",
        "10",
        "-o",
        "f.bw",
        "--json",
    ];
    let report = folder
        .run(&[&args[..], &["--capacity", "20000"]].concat())
        .fine()
        .json();
    assert_eq!(report["keys"], 10_001);
    assert!(report["duplicates"].is_null());
    assert_eq!(report["bytes"], 25_000);
    folder
        .run(&["query", "f.bw", "--keys", "p.txt", "--count"])
        .fine();
}

#[test]
fn more_keys_than_planned_are_taken_with_a_warning() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..3000));
    folder.write("n.txt", "dog\n");
    let (rate, bits) = (["--fpr", "0.01"], ["--bits-per-key", "10"]);
    for (size, more, remark) in [
        (rate, &[][..], "above the 1.00 % asked for"),
        (
            rate,
            &["--negatives", "n.txt"],
            "above the 1.00 % asked for",
        ),
        (bits, &[], "may be higher"),
    ] {
        let args = ["build", "bloom", "--positives", "p.txt"];
        let rest = ["--capacity", "2000", "-o", "f.bw", "--force"];
        let run = folder.run(&[&args[..], &size, &rest, more].concat());
        run.coded(0)
            .remarks(&["more keys (3000)", "--capacity 2000", remark]);
        folder
            .run(&["query", "f.bw", "--keys", "p.txt", "--count"])
            .fine();
    }
}

#[test]
fn keys_that_are_streamed_twice_keep_the_rate_and_bring_no_warning() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000).repeat(3));
    let args = ["build", "bloom", "--positives", "p.txt", "--fpr", "0.01"];
    let rest = ["--capacity", "2000", "-o", "f.bw", "--json"];
    let report = folder.run(&[&args[..], &rest].concat()).fine().json();
    assert_eq!(report["keys"], 3000);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out_is_one_clear_line() {
    use crate::run::{after, finish};
    let folder = Folder::new();
    let build = ["build", "bloom", "--bytes", "64", "-o", "f.bw"];
    let run = |feed: &str, args: &[&str]| {
        let shell = format!("ulimit -v 250000; {feed} > pipe & exec < pipe");
        let shell = format!("rm -f pipe; mkfifo pipe; {shell}");
        finish(&mut after(&folder, &shell, args), b"")
    };
    let keys = "yes | head -n 20000000";
    run(keys, &[&build[..], &["--positives", "-"]].concat())
        .wrong(&["do not fit into memory", "--capacity N"]);
    folder.write("p.txt", "y\n");
    folder
        .run(&[&build[..], &["--positives", "p.txt"]].concat())
        .fine();
    run(keys, &["eval", "f.bw", "--positives", "-"]).wrong(&["do not fit into memory", "fewer"]);
    run(keys, &["query", "f.bw", "--keys", "-", "--json"])
        .wrong(&["do not fit into memory", "--count"]);
    let line = "head -c 400000000 /dev/zero";
    run(line, &["query", "f.bw", "--keys", "-"])
        .wrong(&["standard input, line 1", "too long for memory"]);
}

#[test]
fn a_capacity_with_negatives_is_the_planned_size() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\nant\n");
    folder.write("n.txt", "dog\n");
    let args = [
        "build",
        "bloom",
        "--positives",
        "p.txt",
        "--negatives",
        "n.txt",
        "--bits-per-key",
        "8",
    ];
    let args = [&args[..], &["--capacity", "1600", "-o", "f.bw", "--json"]].concat();
    let report = folder.run(&args).fine().json();
    assert_eq!(report["bytes"], 1600);
    assert_eq!(report["duplicates"], 1);
    assert_eq!(report["known_negatives"], 1);
}
