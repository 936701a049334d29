//! `build --capacity`: keys are inserted as they are read, instead of being held in memory.

use crate::run::{Folder, number, numbers};

#[test]
fn with_a_capacity_keys_are_streamed() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..10_000) + "5\n");
    let args = "build bloom --positives p.txt --bits-per-key 10 -o f.bw --json";
    let report = folder
        .run(&format!("{args} --capacity 20000"))
        .succeeds()
        .json();
    assert_eq!(report["keys"], 10_001);
    assert!(report["duplicates"].is_null());
    assert_eq!(report["bytes"], 24_960, "whole cache lines");
    folder.run("query f.bw --keys p.txt --count").succeeds();
}

#[test]
fn keys_beyond_the_capacity_are_inserted_with_a_remark() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..3000));
    folder.write("n.txt", "dog\n");
    let (rate, bits) = ("--fpr 0.01", "--bits-per-key 10");
    for (size, more, remark) in [
        (rate, "", "above the target of 1.00 %"),
        (rate, "--negatives n.txt", "above the target of 1.00 %"),
        (bits, "", "may be higher"),
    ] {
        let args = "build bloom --positives p.txt";
        let rest = "--capacity 2000 -o f.bw --force";
        let run = folder.run(&format!("{args} {size} {rest} {more}"));
        run.exits_with(0)
            .remarks(&["3000 keys exceed --capacity 2000", remark]);
        folder.run("query f.bw --keys p.txt --count").succeeds();
    }
}

#[test]
fn duplicates_beyond_the_capacity_are_no_reason_for_a_remark() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..1000).repeat(3));
    let args = "build bloom --positives p.txt --fpr 0.01";
    let rest = "--capacity 2000 -o f.bw --json";
    let report = folder.run(&format!("{args} {rest}")).succeeds().json();
    assert_eq!(report["keys"], 3000);
}

#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_is_a_one_line_error() {
    use crate::run::{after, finish};
    let folder = Folder::new();
    let build = "build bloom --bytes 64 -o f.bw";
    let run = |feed: &str, args: &str| {
        let shell = format!("ulimit -v 250000; {feed} > pipe & exec < pipe");
        let shell = format!("rm -f pipe; mkfifo pipe; {shell}");
        finish(&mut after(&folder, &shell, args), b"")
    };
    let keys = "yes | head -n 20000000";
    run(keys, &format!("{build} --positives -")).fails(&["do not fit into memory", "--capacity N"]);
    folder.write("p.txt", "y\n");
    folder.run(&format!("{build} --positives p.txt")).succeeds();
    run("seq 20000000", "eval f.bw --positives -").fails(&["do not fit into memory", "fewer"]);
    run(keys, "query f.bw --keys - --json").fails(&["do not fit into memory", "--count"]);
    let line = "head -c 400000000 /dev/zero";
    run(line, "query f.bw --keys -").fails(&["standard input, line 1", "does not fit into memory"]);
}

#[test]
fn with_negatives_the_capacity_decides_the_size() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\nant\n");
    folder.write("n.txt", "dog\n");
    let args = "build bloom --positives p.txt --negatives n.txt --bits-per-key 8";
    let args = format!("{args} --capacity 1600 -o f.bw --json");
    let report = folder.run(&args).succeeds().json();
    assert_eq!(report["bytes"], 1600);
    assert_eq!(report["duplicates"], 1);
    assert_eq!(report["known_negatives"], 1);
}

#[test]
fn growing_filter_takes_keys_beyond_its_capacity() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..3000));
    folder.write("more.txt", numbers(3000..20_000));
    let args = "build growing --positives p.txt --fpr 0.01 -o f.bw --force";
    folder.run(&format!("{args} --capacity 500")).succeeds();
    let before = folder.inspect();
    assert_eq!(before["parameters"]["layers"], 3);
    assert_eq!(before["capacity"], 500 + 1000 + 2000);
    folder.run("update f.bw --insert more.txt").succeeds();
    let after = folder.inspect();
    assert!(number(&after["predicted_fpr"]) < 0.01, "{after}");
    assert!(number(&after["bytes"]) > number(&before["bytes"]));
    for file in ["p.txt", "more.txt"] {
        let query = format!("query f.bw --keys {file} --count");
        folder.run(&query).succeeds();
    }
    let error = folder.run(&format!("{args} --set expansion=0"));
    error.fails(&["expansion is 0", "a whole number from 1 to 32768"]);
}

#[test]
fn kinds_that_accept_keys_later_need_a_capacity_if_there_are_no_keys() {
    let folder = Folder::new();
    folder.write("none.txt", "");
    for family in bloomwise::Family::ALL {
        let args = format!(
            "build {} --positives none.txt --bits-per-key 20",
            family.name()
        );
        let grows = family.can(bloomwise::Operation::Insert);
        for more in ["", "--shards 2", "--memory 64MiB"] {
            let run = folder.run(&format!("{args} {more} -o f.bw --force"));
            match grows {
                true => run.fails(&["none.txt: no keys", "with --capacity"]),
                false => _ = run.succeeds(),
            }
        }
        if grows {
            let run = folder.run(&format!("{args} --capacity 100 -o f.bw --force"));
            run.succeeds();
        }
    }
}
