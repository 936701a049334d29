//! Standard input and pipes under several names: they can be read only once.

use crate::run::Folder;
#[cfg(unix)]
use crate::run::{finish, numbers, spawn, wait_not_for_ever};
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::Stdio;

/// Every pair of inputs of every command; `A` and `B` stand for the two.
const PAIRS: [&str; 12] = [
    "build bloom --positives A --negatives B --bytes 64 -o g.bw",
    "query A --keys B",
    "eval A --positives B",
    "eval A --positives keys.txt --negatives B",
    "eval A --positives keys.txt --unseen B",
    "eval f.bw --positives A --negatives B",
    "eval f.bw --positives A --unseen B",
    "eval f.bw --positives keys.txt --negatives A --unseen B",
    "update A --insert B -o g.bw",
    "update f.bw --guard A --remove B",
    "update f.bw --remove A --insert B",
    "compare --positives A --negatives B --kinds bloom",
];

/// The line of `pair` with these two inputs.
fn line(pair: &str, first: &str, second: &str) -> String {
    let words = pair.split(' ').map(|word| match word {
        "A" => first,
        "B" => second,
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn standard_input_cannot_be_read_twice() {
    let folder = Folder::with_filter("bloom", "ant\n");
    for pair in PAIRS {
        let run = folder.run_with_input(&line(pair, "-", "-"), b"ant\n");
        run.fails(&["standard input is named more than once", "use files"]);
    }
    assert_eq!(folder.names(), ["f.bw", "keys.txt"]);
}

#[cfg(target_os = "linux")]
#[test]
fn other_names_of_standard_input_are_refused_too() {
    let folder = Folder::with_filter("bloom", "ant\n");
    for (name, target) in [("link", "/dev/stdin"), ("sub", "/dev"), ("again", "link")] {
        std::os::unix::fs::symlink(target, folder.path(name)).expect("a link");
    }
    let names = [
        "/dev/stdin",
        "/dev/fd/0",
        "/proc/self/fd/0",
        "/proc/thread-self/fd/0",
        "/dev/../dev//stdin",
        "link",
        "./link",
        "again",
        "sub/stdin",
    ];
    let twice = ["standard input is named more than once"];
    for name in names {
        for pair in [PAIRS[0], PAIRS[1], PAIRS[8]] {
            folder.run(&line(pair, "-", name)).fails(&twice);
            folder.run(&line(pair, name, "-")).fails(&twice);
        }
    }
    for pair in PAIRS {
        folder.run(&line(pair, "-", "/dev/stdin")).fails(&twice);
        folder.run(&line(pair, "link", "/dev/fd/0")).fails(&twice);
    }
    // A file on standard input is refused too, whatever the system does with its second name.
    let file = File::open(folder.path("keys.txt")).expect("a file");
    let run = folder
        .command(&line(PAIRS[0], "-", "/dev/stdin"))
        .stdin(file)
        .output()
        .expect("the program runs");
    assert_eq!(run.status.code(), Some(2));
    assert!(!folder.path("g.bw").exists());
    assert_eq!(folder.run("query f.bw --keys link").succeeds().text(), "");
}

#[cfg(unix)]
#[test]
fn other_pipes_are_refused_twice_and_are_not_opened() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    std::os::unix::fs::symlink("pipe", folder.path("link")).expect("a link");
    for pair in PAIRS {
        let child = spawn(&mut folder.command(&line(pair, "pipe", "./link")));
        // Nobody writes to the pipe, so a program that opens it waits for ever.
        wait_not_for_ever(child).fails(&["pipe and ./link are the same pipe", "only once"]);
    }
}

#[cfg(unix)]
#[test]
fn files_and_devices_may_be_named_twice() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let line = "eval f.bw --positives keys.txt --negatives /dev/null --unseen /dev/null --json";
    let report = folder.run(line).succeeds().json();
    assert_eq!(
        (&report["positives"], &report["unseen"]),
        (&1.into(), &0.into())
    );
    let line = "eval f.bw --positives - --negatives keys.txt --json";
    let keys = File::open(folder.path("keys.txt")).expect("a file");
    let run = folder.command(line).stdin(keys).output().expect("it runs");
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    // The second name of another open file is another file.
    let mut other = crate::run::after(
        &folder,
        "exec 3<keys.txt",
        "eval f.bw --positives - --unseen /dev/fd/3",
    );
    finish(&mut other, b"ant\n").exits_with(0);
}

/// Someone truncates the filter while the program waits for keys from a pipe.
#[cfg(unix)]
#[test]
fn filter_that_is_truncated_while_keys_come_from_a_pipe_still_answers() {
    let (folder, keys) = (Folder::new(), numbers(0..200_000));
    folder.write("keys.txt", &keys);
    for (line, code) in [
        ("query f.bw - --count", 0),
        ("eval f.bw --positives -", 0),
        ("learn - --filter f.bw --column 1 -o out.tsv --force", 0),
        (
            "diff f.bw --old-positives keys.txt --positives - -o p.bw --force",
            0,
        ),
    ] {
        let build = "build blocked --positives keys.txt --bits-per-key 30 -o f.bw --force";
        folder.run(build).succeeds();
        let mut child = spawn(folder.command(line).stdin(Stdio::piped()));
        let mut stdin = child.stdin.take().expect("a pipe");
        // This is more than a pipe holds, so when all of it is written, the program has opened the filter.
        stdin.write_all(keys.as_bytes()).expect("it reads");
        let file = File::options().write(true).open(folder.path("f.bw"));
        file.and_then(|file| file.set_len(0)).expect("it is ours");
        // Other keys than before read other cells.
        stdin.write_all(b"7\n8\n").expect("it reads");
        drop(stdin);
        let run = wait_not_for_ever(child);
        assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
    }
}
