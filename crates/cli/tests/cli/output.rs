//! Output files and streams: nothing is overwritten without `--force`, no partial file remains, closed and full streams are
//! handled.

use crate::run::{Folder, numbers, spawn, wait};
#[cfg(unix)]
use crate::run::{after, finish};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;

fn build(folder: &Folder, out: &str, more: &str) -> crate::run::Run {
    folder.write("p.txt", "ant\n");
    let args = format!("build bloom --positives p.txt --bytes 64 -o {out}");
    folder.run(&format!("{args} {more}"))
}

#[test]
fn existing_file_is_replaced_only_with_force() {
    let folder = Folder::new();
    folder.write("f.bw", "precious");
    build(&folder, "f.bw", "").fails(&["f.bw already exists", "--force"]);
    assert_eq!(folder.read("f.bw"), b"precious");
    build(&folder, "f.bw", "--force").succeeds();
    folder.run("verify f.bw").succeeds();
    assert_eq!(folder.names(), ["f.bw", "p.txt"]);
}

#[test]
fn invalid_targets_are_errors_before_keys_are_read() {
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).expect("a folder");
    let build = |out, more: &str| {
        let args = format!("build bloom --positives missing.txt --bytes 64 -o {out}");
        folder.run(&format!("{args} {more}"))
    };
    build("sub", "--force").fails(&["sub is a directory", "name a file"]);
    for out in ["new/", "new/.", "new/..", "."] {
        build(out, "").fails(&[&format!("{out} is a directory"), "name a file"]);
    }
    if cfg!(target_os = "linux") {
        // Not even root can create files there.
        build("/proc/f.bw", "").fails(&["/proc/f.bw", "no file can be created", "-o"]);
    }
    build("no/f.bw", "").fails(&["no/f.bw", "the folder no does not exist", "create it"]);
    if cfg!(unix) {
        let parts = [
            "/dev/null",
            "not a regular file",
            "or - for standard output",
        ];
        build("/dev/null", "--force").fails(&parts);
    }
}

#[cfg(unix)]
#[test]
fn link_is_followed_and_broken_link_is_an_error() {
    let folder = Folder::new();
    folder.write("f.bw", "old");
    for (target, link) in [("f.bw", "link"), ("nowhere", "lost")] {
        std::os::unix::fs::symlink(target, folder.path(link)).expect("a link");
    }
    build(&folder, "link", "").fails(&["link", "--force"]);
    for more in ["", "--force"] {
        build(&folder, "lost", more).fails(&["lost", "broken link", "remove it"]);
    }
    build(&folder, "link", "--force").succeeds();
    folder.run("verify f.bw").succeeds();
    assert!(folder.path("link").is_symlink());
}

#[test]
fn filter_can_be_written_to_standard_output() {
    let folder = Folder::new();
    let run = build(&folder, "-", "--json").exits_with(0);
    let report: Value = serde_json::from_str(&run.stderr).expect("the report");
    assert_eq!(report["kind"], "bloom");
    folder.write("f.bw", &run.stdout);
    folder.run("query f.bw ant").succeeds();
    build(&folder, "same.bw", "").succeeds();
    assert_eq!(folder.read("same.bw"), run.stdout);
    assert_eq!(folder.names(), ["f.bw", "p.txt", "same.bw"]);
}

#[cfg(unix)]
#[test]
fn failed_save_keeps_the_old_file_and_leaves_nothing_else() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    folder.write("f.bw", "precious");
    // Files are limited to one block. The program gets a signal for that, unless its caller told it to ignore the signal.
    for limited in [r#"trap "" XFSZ; ulimit -f 1"#, "ulimit -f 1"] {
        for out in ["f.bw --force", "g.bw"] {
            let args = format!("build bloom --positives p.txt --bytes 1000000 -o {out}");
            finish(&mut after(&folder, limited, &args), b"").fails(&[
                "not saved",
                &out[..4],
                "too large",
                "free some space",
            ]);
        }
        let args = "compare --positives p.txt --negatives n.txt --kinds bloom --bits-per-key 8 --html p.html";
        folder.write("n.txt", "bee\ncow\n");
        finish(&mut after(&folder, limited, args), b"").fails(&[
            "not saved",
            "p.html",
            "too large",
        ]);
    }
    assert_eq!(folder.read("f.bw"), b"precious");
    assert_eq!(folder.names(), ["f.bw", "n.txt", "p.txt"]);
}

#[cfg(unix)]
#[test]
fn limit_of_the_file_behind_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    for line in [
        "build bloom --positives p.txt --bytes 1000000 -o -",
        "plan --positives 1000 --bits-per-key 8 --json",
    ] {
        let mut command = after(&folder, "ulimit -f 1; exec >>out", line);
        folder.write("out", [b'x'; 512]);
        let run = finish(&mut command, b"");
        run.fails(&["standard output", "too large"]);
    }
}

#[cfg(unix)]
#[test]
fn read_only_folder_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let sub = folder.path("sub");
    fs::create_dir(&sub).expect("a folder");
    fs::set_permissions(&sub, fs::Permissions::from_mode(0o555)).expect("its permissions");
    // Root can write there, but to no folder of this system's processes.
    if File::create(folder.path("sub/probe")).is_ok() && Path::new("/proc/self").exists() {
        build(&folder, "/proc/f.bw", "").fails(&["/proc/f.bw", "no file can be created"]);
        return;
    }
    build(&folder, "sub/f.bw", "").fails(&["sub/f.bw", "no file can be created", "ermission"]);
}

#[test]
fn input_file_is_never_replaced() {
    let folder = Folder::new();
    folder.write("n.txt", "bee\n");
    for (out, more) in [("p.txt", ""), ("./n.txt", "--negatives n.txt")] {
        for force in ["", "--force"] {
            build(&folder, out, &format!("{more} {force}")).fails(&[
                out,
                "is an input",
                "another file",
            ]);
        }
    }
    assert_eq!(folder.read("p.txt"), b"ant\n");
    assert_eq!(folder.read("n.txt"), b"bee\n");
}

#[cfg(unix)]
#[test]
fn named_pipe_is_opened_only_once() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    folder.write("f.bw", "old");
    let line = "build bloom --positives pipe --bytes 64 -o f.bw --force --json";
    let report = std::thread::scope(|scope| {
        // Opening the pipe waits for a reader. If the program opened and closed it first, this would fail.
        scope.spawn(|| folder.write("pipe", numbers(0..100_000)));
        folder.run(line).succeeds().json()
    });
    assert_eq!(report["keys"], 100_000);
}

#[test]
fn file_that_appears_during_the_build_is_not_replaced() {
    let folder = Folder::new();
    let args = "build bloom --positives - --bytes 64";
    let mut command = folder.command(&format!("{args} -o f.bw"));
    let mut child = spawn(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().expect("a pipe");
    // This is more than a pipe holds, so when all of it is written, the program has begun to read.
    let keys = numbers(0..100_000);
    stdin.write_all(keys.as_bytes()).expect("it reads");
    folder.write("f.bw", "precious");
    drop(stdin);
    wait(child).fails(&["f.bw already exists; use --force"]);
    assert_eq!(folder.read("f.bw"), b"precious");
    assert_eq!(folder.names(), ["f.bw"]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_standard_output_is_an_error() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let lines = [
        "query f.bw ant",
        "inspect f.bw",
        "eval f.bw --positives keys.txt",
        "build bloom --positives keys.txt --bytes 64 -o -",
    ];
    for line in lines {
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let mut child = folder.command(line);
        let child = child
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(
            stderr.starts_with("bloomwise: standard output: ") && stderr.contains("No space left"),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

#[test]
fn broken_pipe_is_not_an_error() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("q.txt", numbers(0..200_000));
    let mut command = folder.command("query f.bw --keys q.txt");
    let mut child = spawn(&mut command);
    let mut first = [0; 4];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut first).expect("an answer");
    assert_eq!(&first, b"no\t0");
    drop(stdout);
    wait(child).succeeds();
}

#[test]
fn filter_that_is_not_read_to_its_end_is_an_error() {
    let folder = Folder::with_filter("bloom", "ant\n");
    folder.write("add.txt", "bee\n");
    folder.write("keys.txt", numbers(0..100_000));
    // More than a pipe holds.
    let size = "--positives keys.txt --bits-per-key 40";
    let lines = [
        format!("build bloom {size} -o -"),
        format!("shard bloom {size} --shards 2 --share 0 -o -"),
        "update large.bw --insert add.txt -o -".to_string(),
    ];
    folder
        .run(&format!("build bloom {size} -o large.bw"))
        .succeeds();
    for line in lines {
        let mut child = spawn(&mut folder.command(&line));
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0; 10]).expect("the start");
        drop(stdout);
        wait(child).fails(&["bloomwise: standard output: ", "writing the filter failed"]);
    }
}
