//! Temporary files that killed processes leave behind.
#![cfg(unix)]

use crate::run::{Folder, HANGS, numbers, spawn, wait};
use std::fs::{self, File};
use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// The names in a folder that begin like those of temporary files.
fn temporary_names(folder: &Folder) -> Vec<String> {
    let mut names = folder.names();
    names.retain(|name| name.starts_with(".bloomwise."));
    names
}

/// Kills builds while they save until `count` of them have left a temporary file. Returns the names of these files.
fn kill_while_saving(folder: &Folder, count: usize) -> Vec<String> {
    let mut left = Vec::new();
    let start = Instant::now();
    while left.len() < count {
        assert!(start.elapsed() < HANGS, "every build ended before its kill");
        // Each build cleans the folder first, so what the builds before it left is moved away.
        let line = "build bloom --positives keys.txt --bytes 100000000 -o f.bw";
        let mut child = spawn(&mut folder.command(line));
        let started =
            |name: &String| fs::metadata(folder.path(name)).is_ok_and(|file| file.len() > 100);
        while child.try_wait().expect("a child").is_none()
            && !temporary_names(folder).iter().any(started)
        {
            thread::sleep(Duration::from_micros(200));
        }
        // Kill -9.
        child.kill().expect("mine");
        child.wait().expect("it ends");
        let _ = fs::remove_file(folder.path("f.bw"));
        for name in temporary_names(folder) {
            let kept = format!("{}-{name}", left.len());
            fs::rename(folder.path(&name), folder.path(&kept)).expect("a file");
            left.push((kept, name));
        }
    }
    for (kept, name) in &left {
        fs::rename(folder.path(kept), folder.path(name)).expect("a file");
    }
    left.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn next_run_removes_what_killed_runs_left() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    for line in [
        "build bloom --positives keys.txt --bytes 64 -o g.bw",
        "update g.bw --insert keys.txt",
        "compare --positives keys.txt --negatives no.txt --kinds bloom --bits-per-key 8 --html p.html",
    ] {
        folder.write("no.txt", "bee\ncow\n");
        let left = kill_while_saving(&folder, 3);
        folder.write(".bloomwise.rc", "not ours");
        let names = folder.names();
        assert!(left.iter().all(|name| names.contains(name)), "{names:?}");
        folder.run(line).exits_with(0);
        assert_eq!(temporary_names(&folder), [".bloomwise.rc"], "{line}");
        fs::remove_file(folder.path(".bloomwise.rc")).expect("it is there");
    }
    folder.run("query g.bw ant").succeeds();
}

#[test]
fn run_that_saves_at_the_same_time_keeps_its_file() {
    let folder = Folder::new();
    folder.write("keys.txt", numbers(0..1000));
    let start = |number: usize| {
        let line =
            format!("build bloom --positives keys.txt --bytes 3000000 -o f{number}.bw --force");
        spawn(&mut folder.command(&line))
    };
    for _ in 0..5 {
        let runs: Vec<_> = (0..8).map(start).collect();
        for run in runs {
            wait(run).succeeds();
        }
    }
    for number in 0..8 {
        folder.run(&format!("verify f{number}.bw")).succeeds();
    }
    assert_eq!(folder.names().len(), 9, "{:?}", folder.names());
}

#[test]
fn file_that_somebody_writes_is_kept() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    let name = ".bloomwise.1.0.tmp";
    let mut file = File::create(folder.path(name)).expect("a file");
    file.lock().expect("a lock");
    file.write_all(b"half").expect("it can be written");
    let line = "build bloom --positives keys.txt --bytes 64 -o f.bw --force";
    folder.run(line).succeeds();
    assert_eq!(folder.read(name), b"half");
    drop(file);
    folder.run(line).succeeds();
    assert_eq!(folder.names(), ["f.bw", "keys.txt"]);
}

#[test]
fn commands_that_write_no_file_remove_nothing() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write(".bloomwise.1.0.tmp", "half");
    folder.run("query f.bw ant").succeeds();
    let mut command = folder.command("build bloom --positives keys.txt --bytes 64 -o -");
    let run = command.stdout(Stdio::null()).output().expect("it runs");
    assert!(run.status.success());
    assert_eq!(folder.read(".bloomwise.1.0.tmp"), b"half");
}
