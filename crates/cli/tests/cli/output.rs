//! Where results go: nothing is overwritten unasked, nothing half written stays, closed and full streams are handled.

use crate::run::{Folder, numbers};
#[cfg(unix)]
use crate::run::{after, finish, skipped};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::Stdio;

fn build(folder: &Folder, out: &str, more: &[&str]) -> crate::run::Run {
    folder.write("p.txt", "ant\n");
    let args = [
        "build",
        "bloom",
        "--positives",
        "p.txt",
        "--bytes",
        "64",
        "-o",
        out,
    ];
    folder.run(&[&args[..], more].concat())
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let folder = Folder::new();
    folder.write("f.bw", "precious");
    build(&folder, "f.bw", &[]).wrong(&["f.bw exists already", "--force"]);
    assert_eq!(folder.read("f.bw"), b"precious");
    build(&folder, "f.bw", &["--force"]).fine();
    folder.run(&["verify", "f.bw"]).fine();
    assert_eq!(folder.names(), ["f.bw", "p.txt"]);
}

#[test]
fn targets_that_cannot_be_are_found_before_keys_are_read() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).expect("a folder");
    let build = |out, more: &[&str]| {
        let args = [
            "build",
            "bloom",
            "--positives",
            "missing.txt",
            "--bytes",
            "64",
            "-o",
            out,
        ];
        folder.run(&[&args[..], more].concat())
    };
    build("sub", &["--force"]).wrong(&["sub is a directory", "name a file"]);
    build("new/", &[]).wrong(&["new/ is a directory", "name a file"]);
    if cfg!(target_os = "linux") {
        // Not even the superuser makes files there.
        build("/proc/f.bw", &[]).wrong(&["/proc/f.bw", "takes no new file", "-o"]);
    }
    build("no/f.bw", &[]).wrong(&["no/f.bw", "no folder no", "create it"]);
    if cfg!(unix) {
        let parts = ["/dev/null", "no ordinary file", "or - for standard output"];
        build("/dev/null", &["--force"]).wrong(&parts);
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_one_to_nowhere_counts_as_there() {
    let folder = Folder::new();
    folder.write("f.bw", "old");
    for (target, link) in [("f.bw", "link"), ("nowhere", "lost")] {
        std::os::unix::fs::symlink(target, folder.path(link)).expect("a link");
    }
    build(&folder, "link", &[]).wrong(&["link", "--force"]);
    for more in [&[][..], &["--force"]] {
        build(&folder, "lost", more).wrong(&["lost", "leads nowhere", "remove it"]);
    }
    build(&folder, "link", &["--force"]).fine();
    folder.run(&["verify", "f.bw"]).fine();
    assert!(folder.path("link").is_symlink());
}

#[test]
fn a_filter_can_go_to_standard_output() {
    let folder = Folder::new();
    let run = build(&folder, "-", &["--json"]).coded(0);
    assert!(
        run.stderr.starts_with("{\"kind\":\"bloom\""),
        "the report: {}",
        run.stderr
    );
    folder.write("f.bw", &run.stdout);
    folder.run(&["query", "f.bw", "ant"]).fine();
    build(&folder, "same.bw", &[]).fine();
    assert_eq!(folder.read("same.bw"), run.stdout);
    assert_eq!(folder.names(), ["f.bw", "p.txt", "same.bw"]);
}

#[cfg(unix)]
#[test]
fn a_save_that_fails_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    folder.write("f.bw", "precious");
    // Files end at one block here, and the signal that would end the program is ignored: writing fails as on a full
    // disk.
    let limited = r#"trap "" XFSZ; ulimit -f 1"#;
    let args = [
        "build",
        "bloom",
        "--positives",
        "p.txt",
        "--bytes",
        "1000000",
        "-o",
        "f.bw",
        "--force",
    ];
    finish(&mut after(&folder, limited, &args), b"").wrong(&[
        "not saved",
        "f.bw",
        "too large",
        "make room",
    ]);
    assert_eq!(folder.read("f.bw"), b"precious");
    assert_eq!(folder.names(), ["f.bw", "p.txt"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let sub = folder.path("sub");
    fs::create_dir(&sub).expect("a folder");
    fs::set_permissions(&sub, fs::Permissions::from_mode(0o555)).expect("its permissions");
    if File::create(folder.path("sub/probe")).is_ok() {
        skipped(
            "a_folder_that_cannot_be_written_is_an_error",
            "the superuser writes everywhere; run the tests as another user",
        );
        return;
    }
    build(&folder, "sub/f.bw", &[]).wrong(&["sub/f.bw", "takes no new file", "ermission"]);
}

#[test]
fn a_file_of_keys_is_never_replaced() {
    let folder = Folder::new();
    folder.write("n.txt", "bee\n");
    for (out, more) in [("p.txt", &[][..]), ("./n.txt", &["--negatives", "n.txt"])] {
        for force in [&[][..], &["--force"]] {
            build(&folder, out, &[more, force].concat()).wrong(&[out, "is read", "another file"]);
        }
    }
    assert_eq!(folder.read("p.txt"), b"ant\n");
    assert_eq!(folder.read("n.txt"), b"bee\n");
}

#[test]
fn a_file_that_comes_up_during_the_work_is_left_alone() {
    let folder = Folder::new();
    let args = ["build", "bloom", "--positives", "-", "--bytes", "64"];
    let mut command = folder.command(&[&args[..], &["-o", "f.bw"]].concat());
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("is piped");
    // More than a pipe holds: when all of it is written, the program has begun to read.
    let keys = numbers(0..100_000);
    stdin.write_all(keys.as_bytes()).expect("it reads");
    folder.write("f.bw", "precious");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("f.bw exists already; use --force"),
        "{stderr}"
    );
    assert_eq!(folder.read("f.bw"), b"precious");
    assert_eq!(folder.names(), ["f.bw"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let commands: [&[&str]; 4] = [
        &["query", "f.bw", "ant"],
        &["inspect", "f.bw"],
        &["eval", "f.bw", "--positives", "keys.txt"],
        &[
            "build",
            "bloom",
            "--positives",
            "keys.txt",
            "--bytes",
            "64",
            "-o",
            "-",
        ],
    ];
    for args in commands {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("is there");
        let mut child = folder.command(args);
        let child = child
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("bloomwise: standard output: No space left"),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn a_broken_pipe_is_no_error() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("q.txt", numbers(0..200_000));
    let mut command = folder.command(&["query", "f.bw", "--keys", "q.txt"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0; 4];
    let mut stdout = child.stdout.take().expect("is piped");
    stdout.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"no\t0");
    drop(stdout);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
}
