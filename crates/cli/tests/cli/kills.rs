//! The program is killed at any moment: each file is the old one or the new one, and the next run leaves nothing behind.

use crate::run::{Folder, numbers, spawn};
use bloomwise::{AnyFilter, Filter, Persist};
use std::thread;
use std::time::{Duration, Instant};

/// How often the program is killed.
const KILLS: u32 = 120;

/// A command that writes `f.bw`, and what the file may hold afterwards.
struct Case {
    line: &'static str,
    /// Whether a filter is one that the command started from or made.
    is_sound: fn(&AnyFilter) -> bool,
    /// The longest time that the command takes if it is not killed.
    time: Duration,
}

fn holds(filter: &AnyFilter, keys: std::ops::Range<u64>) -> bool {
    keys.into_iter().all(|key| filter.contains(key.to_string()))
}

#[test]
fn killed_program_leaves_the_old_or_the_new_file_and_no_litter_after_the_next_run() {
    let folder = Folder::new();
    folder.write("keys.txt", numbers(0..30_000));
    folder.write("known.tsv", numbers(30_000..60_000));
    folder.write("one.txt", "one\n");
    let shard = "shard guarded --positives keys.txt --bits-per-key 9 --shards 2";
    folder.run(&format!("{shard} --share 0 -o p0")).succeeds();
    folder.run(&format!("{shard} --share 1 -o p1")).succeeds();
    let complete = |filter: &AnyFilter| filter.len() == 30_000 && holds(filter, 0..30_000);
    let one_more = |filter: &AnyFilter| filter.len() >= 30_000 && holds(filter, 0..30_000);
    let first =
        "build cuckoo --positives keys.txt --capacity 40000 --bits-per-key 14 --force -o c.bw";
    folder.run(first).succeeds();
    folder.write("new.txt", numbers(100..30_100));
    folder
        .run("build guarded --positives keys.txt --bits-per-key 9 -o base.bw")
        .succeeds();
    folder
        .run("diff base.bw --positives new.txt --old-positives keys.txt -o patch")
        .succeeds();
    let patched = |filter: &AnyFilter| filter.patch().is_some() && holds(filter, 100..30_100);
    let case = |line, is_sound| Case {
        line,
        is_sound,
        time: Duration::ZERO,
    };
    let files = "--positives keys.txt --negatives known.tsv --bits-per-key 10 --force -o f.bw";
    let build: &'static str = format!("build guarded {files}").leak();
    let large: &'static str = format!("build guarded {files} --memory 64MiB --shards 3").leak();
    let mut cases = [
        (case(build, complete), "f.bw"),
        (case(large, complete), "f.bw"),
        (case("join p1 p0 --force -o f.bw", complete), "f.bw"),
        (case("update c.bw --insert one.txt", one_more), "c.bw"),
        (case("apply base.bw patch -o base.bw", patched), "base.bw"),
    ];
    for (case, _) in &mut cases {
        let start = Instant::now();
        folder.run(case.line).succeeds();
        case.time = start.elapsed();
    }
    let mut killed = 0;
    while killed < KILLS {
        let count = cases.len();
        let (case, file) = &mut cases[killed as usize % count];
        let mut child = spawn(&mut folder.command(case.line));
        // Later and later, up to the end.
        thread::sleep(case.time * (killed + 1) / KILLS);
        child.kill().expect("a child");
        if child.wait().expect("a child").success() {
            // The program was faster than before; the next kill comes earlier.
            case.time = case.time * 9 / 10;
        } else {
            killed += 1;
        }
        let filter = AnyFilter::load(folder.path(file)).expect("a whole file");
        assert!((case.is_sound)(&filter), "{} was killed", case.line);
    }
    folder.run(build).succeeds();
    let names = [
        "base.bw",
        "c.bw",
        "f.bw",
        "keys.txt",
        "known.tsv",
        "new.txt",
        "one.txt",
        "p0",
        "p1",
        "patch",
    ];
    assert_eq!(folder.names(), names, "nothing is left behind");
}
