//! Ctrl-C and other signals that end the program.
#![cfg(target_os = "linux")]

use crate::run::{Folder, HANGS, after, numbers, skipped, spawn, wait, wait_not_for_ever};
use std::fs;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// SIGHUP, SIGINT and SIGTERM in the signal masks of `/proc`.
const ENDING: u64 = HUP | 1 << 1 | 1 << 14;

/// SIGXFSZ. Its handler is the last that the program installs.
const LAST: u64 = 1 << 24;

/// SIGHUP alone.
const HUP: u64 = 1 << 0;

/// The number `name` in the status of a process; it is hexadecimal.
fn mask(process: &str, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    u64::from_str_radix(line.expect("a mask").trim(), 16).expect("a number")
}

/// Waits until `happened` returns true.
fn wait_for(what: &str, happened: impl Fn() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < HANGS, "{what} never came");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether the program would ignore signals because these tests were started so, by `nohup` for example, and nothing here can undo that.
fn ignores_signals(test: &str) -> bool {
    if mask("self", "SigIgn:") & ENDING == 0 {
        return false;
    }
    let undone = Command::new("env").args([DEFAULT_SIGNALS, "true"]).status();
    let ignored = !undone.is_ok_and(|status| status.success());
    if ignored {
        skipped(test, "signals are ignored; run the tests without nohup");
    }
    ignored
}

/// The argument with which `env` starts a program that does not ignore the signals. GNU's `env` has it, others may not.
const DEFAULT_SIGNALS: &str = "--default-signal=HUP,INT,TERM";

/// The command, started in a way that it does not ignore signals even if these tests do.
fn heeding_signals(command: Command) -> Command {
    if mask("self", "SigIgn:") & ENDING == 0 {
        return command;
    }
    let mut heeding = Command::new("env");
    heeding.arg(DEFAULT_SIGNALS).arg(command.get_program());
    heeding.args(command.get_args());
    heeding.current_dir(command.get_current_dir().expect("a folder"));
    heeding
}

/// Starts a build that waits for more keys and handles these signals. A shell first runs the commands in `shell`.
fn waiting_build(folder: &Folder, shell: &str, signals: u64, more: &str) -> Child {
    let args = "build bloom --positives - -o f.bw";
    let mut command = heeding_signals(after(folder, shell, &format!("{args} {more}")));
    let mut child = spawn(command.stdin(Stdio::piped()));
    let stdin = child.stdin.as_mut().expect("a pipe");
    stdin.write_all(b"ant\nbee\n").expect("it reads");
    let id = child.id().to_string();
    // The handler of a signal does nothing until its action is registered, soon after it is installed. The last handler tells that the others have theirs.
    wait_for("the handlers", || {
        mask(&id, "SigCgt:") & (ENDING | LAST) == signals | LAST
    });
    child
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn interrupted_build_leaves_no_files() {
    if ignores_signals("interrupted_build_leaves_no_files") {
        return;
    }
    for (signal, code, more) in [
        ("-INT", 130, "--bytes 64"),
        ("-TERM", 143, "--bytes 64"),
        ("-HUP", 129, "--bytes 64"),
        ("-INT", 130, "--bytes 64 --capacity 100"),
    ] {
        let folder = Folder::new();
        let mut child = waiting_build(&folder, ":", ENDING, more);
        // The pipe stays open; otherwise the build would end normally.
        let stdin = child.stdin.take();
        send(signal, &child);
        let run = wait_not_for_ever(child).exits_with(code);
        drop(stdin);
        assert_eq!(run.stdout, b"", "{signal}");
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}

#[test]
fn ignored_signal_stays_ignored_and_others_are_handled() {
    if ignores_signals("ignored_signal_stays_ignored_and_others_are_handled") {
        return;
    }
    let folder = Folder::new();
    let rest = ENDING & !HUP;
    let mut child = waiting_build(&folder, r#"trap "" HUP"#, rest, "--bytes 64");
    let stdin = child.stdin.take();
    send("-HUP", &child);
    send("-TERM", &child);
    // A program that handles the first signal would exit with 129.
    wait_not_for_ever(child).exits_with(143);
    drop(stdin);
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn save_is_finished_before_a_signal_ends_the_program() {
    if ignores_signals("save_is_finished_before_a_signal_ends_the_program") {
        return;
    }
    for shell in [":", r#"trap "" HUP"#] {
        let signals = if shell == ":" { ENDING } else { ENDING & !HUP };
        let folder = Folder::new();
        let more = "--bytes 200000000";
        let mut child = waiting_build(&folder, shell, signals, more);
        drop(child.stdin.take());
        // The file that only tries out the folder, before the build, stays empty.
        let saving = |name: &String| {
            let file = fs::metadata(folder.path(name));
            file.is_ok_and(|file| file.len() > 0)
        };
        wait_for("a file", || folder.names().iter().any(saving));
        send("-TERM", &child);
        let run = wait(child);
        // The build may have ended before the signal arrived.
        assert!(matches!(run.code, Some(143 | 0)), "{run:?}");
        assert_eq!(folder.names(), ["f.bw"]);
        folder.run("verify f.bw").succeeds();
    }
}

#[test]
fn build_without_signals_succeeds() {
    if ignores_signals("build_without_signals_succeeds") {
        return;
    }
    let folder = Folder::new();
    let child = waiting_build(&folder, ":", ENDING, "--bytes 64");
    wait(child).exits_with(0);
    folder.run("query f.bw ant bee").succeeds();
    assert_eq!(folder.names(), ["f.bw"]);
}

#[test]
fn signal_ends_a_program_that_could_not_start_the_thread_for_signals() {
    if ignores_signals("signal_ends_a_program_that_could_not_start_the_thread_for_signals") {
        return;
    }
    let folder = Folder::with_filter("bloom", "ant\n");
    // This is more than a pipe holds, so when all of it is written, the program has begun to read.
    let keys = numbers(0..30_000);
    let mut without_thread = 0;
    // With a little less memory the program does not start, with a little more it has its thread.
    for kilobytes in (4000..200_000).step_by(500) {
        let limit = format!("ulimit -v {kilobytes}");
        let mut command = heeding_signals(after(&folder, &limit, "query f.bw --keys - --count"));
        // Printing a backtrace takes memory. Without any it waits for itself for ever.
        command.env_remove("RUST_BACKTRACE");
        let mut child = spawn(command.stdin(Stdio::piped()));
        let mut stdin = child.stdin.take().expect("a pipe");
        if stdin.write_all(keys.as_bytes()).is_err() {
            wait(child);
            continue;
        }
        let threads = mask(&child.id().to_string(), "Threads:");
        send("-TERM", &child);
        let run = wait_not_for_ever(child);
        // In between there is a thread, but no memory for what it starts with. Rust's library then ends the program, whatever signal comes.
        let no_memory = ["alternative stack", "memory allocation of"];
        if run.code.is_none() && no_memory.iter().any(|why| run.stderr.contains(why)) {
            continue;
        }
        run.exits_with(143);
        if threads > 1 {
            break;
        }
        without_thread += 1;
    }
    assert!(without_thread > 0, "the thread always started");
}
