//! Several processes that replace the same filter, and filters that must not be replaced.

use crate::run::{Folder, numbers, spawn, wait};
#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Whether the program still runs after a while.
fn waits(child: &mut Child) -> bool {
    std::thread::sleep(Duration::from_millis(300));
    child.try_wait().expect("a child").is_none()
}

#[test]
fn every_command_that_replaces_a_filter_waits_for_its_lock() {
    for line in [
        "update f.bw --insert more.txt",
        "build bloom --positives more.txt --bytes 64 -o f.bw --force",
        "update g.bw --insert more.txt -o f.bw --force",
    ] {
        let folder = Folder::with_filter("bloom", "ant\n");
        folder.write("more.txt", "bee\n");
        fs::copy(folder.path("f.bw"), folder.path("g.bw")).expect("a copy");
        let before = folder.read("f.bw");
        let file = File::open(folder.path("f.bw")).expect("a file");
        file.lock().expect("a lock");
        let mut child = spawn(&mut folder.command(line));
        assert!(waits(&mut child), "{line}");
        assert_eq!(folder.read("f.bw"), before, "{line}");
        // Another process puts a new filter in place, as an update does. Nobody may replace that one without its lock.
        fs::copy(folder.path("g.bw"), folder.path("new.bw")).expect("a copy");
        let new = File::open(folder.path("new.bw")).expect("a file");
        new.lock().expect("a lock");
        fs::rename(folder.path("new.bw"), folder.path("f.bw")).expect("a rename");
        drop(file);
        assert!(waits(&mut child), "{line}");
        drop(new);
        wait(child).succeeds();
        folder.run("query f.bw bee").succeeds();
        assert_eq!(folder.names(), ["f.bw", "g.bw", "keys.txt", "more.txt"]);
    }
}

#[test]
fn other_files_are_written_without_a_lock() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let file = File::open(folder.path("f.bw")).expect("a file");
    file.lock().expect("a lock");
    folder
        .run("update f.bw --insert keys.txt -o g.bw")
        .succeeds();
    folder
        .run("build bloom --positives keys.txt --bytes 64 -o h.bw --force")
        .succeeds();
    folder.run("verify f.bw").succeeds();
}

#[test]
fn build_replaces_a_file_that_appears_under_its_lock() {
    use std::io::Write;
    let folder = Folder::with_filter("bloom", "ant\n");
    let line = "build bloom --positives - --bytes 64 -o g.bw --force";
    let mut child = spawn(folder.command(line).stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().expect("a pipe");
    // This is more than a pipe holds, so when all of it is written, the program has begun to read.
    let keys = numbers(0..100_000);
    stdin.write_all(keys.as_bytes()).expect("it reads");
    fs::copy(folder.path("f.bw"), folder.path("g.bw")).expect("a copy");
    let file = File::open(folder.path("g.bw")).expect("a file");
    file.lock().expect("a lock");
    drop(stdin);
    assert!(waits(&mut child));
    drop(file);
    wait(child).succeeds();
    let report = folder.run("inspect g.bw --json").succeeds().json();
    assert_eq!(report["keys"], 100_000);
}

#[cfg(unix)]
#[test]
fn read_only_filter_is_updated_only_with_force() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("more.txt", "bee\n");
    std::os::unix::fs::symlink("f.bw", folder.path("link")).expect("a link");
    let before = folder.read("f.bw");
    let read_only = Permissions::from_mode(0o444);
    fs::set_permissions(folder.path("f.bw"), read_only.clone()).expect("mine");
    for filter in ["f.bw", "./f.bw", "link", "f.bw -o f.bw", "link -o ./f.bw"] {
        folder
            .run(&format!("update --insert more.txt {filter}"))
            .fails(&["is read-only", "--force", "-o"]);
    }
    assert_eq!(folder.read("f.bw"), before);
    folder
        .run("update f.bw --insert more.txt -o g.bw")
        .succeeds();
    folder
        .run("update f.bw --insert more.txt --force")
        .succeeds();
    folder.run("query f.bw ant bee").succeeds();
    let mode = fs::metadata(folder.path("f.bw")).expect("a file");
    assert!(
        mode.permissions().readonly(),
        "the new file is read-only too"
    );
    folder
        .run("build bloom --positives more.txt --bytes 64 -o f.bw --force")
        .succeeds();
}

/// The file is there at every moment, but it is never the same for long.
#[cfg(unix)]
#[test]
fn filter_that_others_replace_can_be_updated() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = Folder::with_filter("bloom", "ant\n");
    for copy in ["a.bw", "b.bw"] {
        fs::copy(folder.path("f.bw"), folder.path(copy)).expect("a copy");
    }
    let done = AtomicBool::new(false);
    let runs: Vec<_> = std::thread::scope(|scope| {
        scope.spawn(|| {
            let [a, b, new, filter] =
                ["a.bw", "b.bw", "new.bw", "f.bw"].map(|name| folder.path(name));
            for copy in [a, b].iter().cycle() {
                fs::hard_link(copy, &new).expect("a link");
                fs::rename(&new, &filter).expect("a rename");
                // If the name already led to this copy, renaming did nothing.
                let _ = fs::remove_file(&new);
                if done.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let lines = [
            "update f.bw --insert keys.txt",
            "update f.bw --insert keys.txt -o ./f.bw",
        ];
        let runs = lines.iter().cycle().take(40);
        let runs = runs.map(|line| folder.run(line)).collect();
        done.store(true, Ordering::Relaxed);
        runs
    });
    for run in runs {
        run.succeeds();
    }
}

#[cfg(unix)]
#[test]
fn too_few_open_files_are_an_error_and_not_a_loop() {
    use crate::run::{after, wait_not_for_ever};
    let folder = Folder::with_filter("bloom", "ant\n");
    let mut codes = Vec::new();
    for files in 4..16 {
        for line in [
            "build bloom --positives keys.txt --bytes 64 -o f.bw --force",
            "update f.bw --insert keys.txt",
        ] {
            let limit = format!("ulimit -n {files}");
            let child = spawn(&mut after(&folder, &limit, line));
            let run = wait_not_for_ever(child);
            match run.code {
                Some(0) => assert_eq!(run.stderr, ""),
                _ => run.clone().fails(&["Too many open files"]),
            }
            codes.push(run.code);
            folder.run("query f.bw ant").succeeds();
        }
    }
    assert_eq!(codes.first(), Some(&Some(2)), "four are too few");
    assert_eq!(codes.last(), Some(&Some(0)), "fifteen are enough");
    assert_eq!(folder.names(), ["f.bw", "keys.txt"]);
}
