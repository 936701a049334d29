//! Ctrl-C.
#![cfg(target_os = "linux")]

use crate::run::Folder;
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// SIGHUP, SIGINT and SIGTERM in the masks of `/proc`.
const ENDING: u64 = 1 << 0 | 1 << 1 | 1 << 14;

/// A mask of signals of a process.
fn mask(process: &str, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    u64::from_str_radix(line.expect("a mask").trim(), 16).expect("a number")
}

/// A build that waits for more keys, and is ready for signals.
fn waiting_build(folder: &Folder, more: &[&str]) -> Child {
    let args = [
        "build",
        "bloom",
        "--positives",
        "-",
        "--bytes",
        "64",
        "-o",
        "f.bw",
    ];
    let mut command = folder.command(&[&args[..], more].concat());
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let stdin = child.stdin.as_mut().expect("is piped");
    stdin.write_all(b"ant\nbee\n").expect("it reads");
    let deadline = Instant::now() + Duration::from_secs(20);
    while mask(&child.id().to_string(), "SigCgt:") & ENDING != ENDING {
        assert!(Instant::now() < deadline, "it never got ready");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    if mask("self", "SigIgn:") & ENDING != 0 {
        // Whoever started the tests told them to ignore interrupts, and the program obeys, too.
        return;
    }
    for (signal, more) in [
        ("-INT", &[][..]),
        ("-TERM", &[]),
        ("-INT", &["--capacity", "100"]),
    ] {
        let folder = Folder::new();
        let mut child = waiting_build(&folder, more);
        // The pipe stays open, or the build would simply end.
        let stdin = child.stdin.take();
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.expect("kill is there").success());
        let output = child.wait_with_output().expect("the program ends");
        drop(stdin);
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert_eq!(output.stdout, b"");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

#[test]
fn a_build_that_is_left_alone_ends_well() {
    if mask("self", "SigIgn:") & ENDING != 0 {
        return;
    }
    let folder = Folder::new();
    let child = waiting_build(&folder, &[]);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    folder.run(&["query", "f.bw", "ant", "bee"]).fine();
    assert_eq!(folder.names(), ["f.bw"]);
}
