//! Ctrl-C and its kin.
#![cfg(target_os = "linux")]

use crate::run::{Folder, after, skipped};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// SIGHUP, SIGINT and SIGTERM in the masks of `/proc`.
const ENDING: u64 = HUP | 1 << 1 | 1 << 14;

/// SIGHUP alone.
const HUP: u64 = 1 << 0;

/// A mask of signals of a process.
fn mask(process: &str, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    u64::from_str_radix(line.expect("a mask").trim(), 16).expect("a number")
}

/// Waits for something that comes soon.
fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !happened() {
        assert!(Instant::now() < deadline, "{what} never came");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether whoever started the tests told them to ignore interrupts; the program obeys, too.
fn deaf(test: &str) -> bool {
    let deaf = mask("self", "SigIgn:") & ENDING != 0;
    if deaf {
        skipped(
            test,
            "interrupts are ignored here; run the tests without nohup",
        );
    }
    deaf
}

/// A build that waits for more keys after a shell has run some commands, and that waits for these signals.
fn waiting_build(folder: &Folder, shell: &str, signals: u64, more: &[&str]) -> Child {
    let args = ["build", "bloom", "--positives", "-", "-o", "f.bw"];
    let mut command = after(folder, shell, &[&args[..], more].concat());
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let stdin = child.stdin.as_mut().expect("is piped");
    stdin.write_all(b"ant\nbee\n").expect("it reads");
    let id = child.id().to_string();
    wait_for("a handler", || mask(&id, "SigCgt:") & ENDING == signals);
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    if deaf("an_interrupted_build_leaves_nothing") {
        return;
    }
    for (signal, code, more) in [
        ("-INT", 130, &["--bytes", "64"][..]),
        ("-TERM", 143, &["--bytes", "64"]),
        ("-HUP", 129, &["--bytes", "64"]),
        ("-INT", 130, &["--bytes", "64", "--capacity", "100"]),
    ] {
        let folder = Folder::new();
        let mut child = waiting_build(&folder, ":", ENDING, more);
        // The pipe stays open, or the build would simply end.
        let stdin = child.stdin.take();
        send(signal, &child);
        let output = child.wait_with_output().expect("the program ends");
        drop(stdin);
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert_eq!(output.stdout, b"");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

#[test]
fn a_signal_that_is_ignored_stays_so_and_the_others_are_heard() {
    if deaf("a_signal_that_is_ignored_stays_so_and_the_others_are_heard") {
        return;
    }
    let folder = Folder::new();
    let rest = ENDING & !HUP;
    let mut child = waiting_build(&folder, r#"trap "" HUP"#, rest, &["--bytes", "64"]);
    let stdin = child.stdin.take();
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(50));
    assert!(child.try_wait().expect("a child").is_none(), "it goes on");
    send("-TERM", &child);
    let output = child.wait_with_output().expect("the program ends");
    drop(stdin);
    assert_eq!(output.status.code(), Some(143));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn a_save_is_finished_before_the_program_ends() {
    if deaf("a_save_is_finished_before_the_program_ends") {
        return;
    }
    for shell in [":", r#"trap "" HUP"#] {
        let signals = if shell == ":" { ENDING } else { ENDING & !HUP };
        let folder = Folder::new();
        let more = ["--bytes", "200000000"];
        let mut child = waiting_build(&folder, shell, signals, &more);
        drop(child.stdin.take());
        let saving = |name: &String| name.ends_with(".tmp") || name == "f.bw";
        wait_for("a file", || folder.names().iter().any(saving));
        send("-TERM", &child);
        let output = child.wait_with_output().expect("the program ends");
        // It may have been faster than the signal.
        assert!(matches!(output.status.code(), Some(143 | 0)), "{output:?}");
        assert_eq!(folder.names(), ["f.bw"]);
        folder.run(&["verify", "f.bw"]).fine();
    }
}

#[test]
fn a_build_that_is_left_alone_ends_well() {
    if deaf("a_build_that_is_left_alone_ends_well") {
        return;
    }
    let folder = Folder::new();
    let child = waiting_build(&folder, ":", ENDING, &["--bytes", "64"]);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    folder.run(&["query", "f.bw", "ant", "bee"]).fine();
    assert_eq!(folder.names(), ["f.bw"]);
}
