//! Output files that are links, have several names, or are no files; and an output that is an input under another name.
#![cfg(unix)]

use crate::run::{Folder, Run, finish};
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};

fn build(folder: &Folder, out: &str) -> Run {
    folder.run(&format!(
        "build bloom --positives keys.txt --bytes 64 --force -o {out}"
    ))
}

#[test]
fn other_name_of_a_replaced_file_keeps_the_old_content() {
    let folder = Folder::with_filter("bloom", "ant\n");
    fs::hard_link(folder.path("f.bw"), folder.path("g.bw")).expect("a link");
    let before = folder.read("g.bw");
    build(&folder, "f.bw").succeeds();
    assert_ne!(folder.read("f.bw"), before);
    assert_eq!(folder.read("g.bw"), before);
}

#[test]
fn input_is_never_replaced_under_another_name() {
    let folder = Folder::with_filter("bloom", "ant\n");
    fs::hard_link(folder.path("keys.txt"), folder.path("hard.bw")).expect("a link");
    symlink("keys.txt", folder.path("soft.bw")).expect("a link");
    for out in ["hard.bw", "soft.bw", "keys.txt"] {
        build(&folder, out).fails(&[out, "is an input"]);
        // The input comes through standard input, and its file is the output.
        let line = format!("build bloom --positives - --bytes 64 --force -o {out}");
        let keys = File::open(folder.path("keys.txt")).expect("a file");
        let run = folder.command(&line).stdin(keys).output();
        let run = run.expect("the program runs");
        let error = String::from_utf8(run.stderr).expect("UTF-8");
        assert_eq!(run.status.code(), Some(2), "{error}");
        assert!(error.contains("is an input"), "{error}");
    }
    assert_eq!(folder.read("keys.txt"), b"ant\n");
}

#[test]
fn filter_on_standard_input_is_not_replaced() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let before = folder.read("f.bw");
    for more in ["", "--force"] {
        let line = format!("update - --insert keys.txt -o f.bw {more}");
        let filter = File::open(folder.path("f.bw")).expect("a file");
        let run = folder.command(&line).stdin(filter).output();
        let run = run.expect("the program runs");
        let error = String::from_utf8(run.stderr).expect("UTF-8");
        assert_eq!(run.status.code(), Some(2), "{error}");
        assert!(error.contains("f.bw is an input"), "{error}");
    }
    assert_eq!(folder.read("f.bw"), before);
    // A file that is called `-` is not standard output.
    fs::copy(folder.path("f.bw"), folder.path("-")).expect("a copy");
    folder.run("update ./- --insert keys.txt").succeeds();
    let line = "update ./- --insert keys.txt -o - --json";
    let run = folder.run(line).exits_with(0);
    assert!(run.stdout.starts_with(b"BLOOMWIS"), "{}", run.stderr);
}

#[test]
fn pipes_devices_and_loops_are_no_targets_and_are_not_opened() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe"))
        .status();
    assert!(made.expect("mkfifo").success());
    symlink("loop", folder.path("loop")).expect("a link");
    symlink("pipe", folder.path("link")).expect("a link");
    for out in ["pipe", "link", "/dev/null", "/dev/full"] {
        build(&folder, out).fails(&[out, "is not a regular file"]);
    }
    build(&folder, "loop").fails(&["loop is a broken link"]);
    build(&folder, "loop/f.bw").fails(&["loop/f.bw cannot be written"]);
    build(&folder, "keys.txt/").fails(&["keys.txt/ is a directory"]);
    build(&folder, "keys.txt/f.bw").fails(&["keys.txt/f.bw cannot be written"]);
    let left = ["f.bw", "keys.txt", "link", "loop", "pipe"];
    assert_eq!(folder.names(), left);
}

#[test]
fn link_into_another_folder_stays_a_link() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let other = Folder::new();
    other.write("g.bw", "old");
    symlink(other.path("g.bw"), folder.path("g.bw")).expect("a link");
    build(&folder, "g.bw").succeeds();
    assert!(folder.path("g.bw").is_symlink());
    folder.run("verify g.bw").succeeds();
    assert_eq!(other.names(), ["g.bw"], "the temporary file was there");
    folder.run("update g.bw --insert keys.txt").succeeds();
    assert!(folder.path("g.bw").is_symlink());
}

/// Other file systems are in other folders: temporary files must be in the folder of the target, not in a common one.
#[cfg(target_os = "linux")]
#[test]
fn filter_can_be_written_to_another_file_system() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let other = tempfile::tempdir_in("/dev/shm");
    let device = |path: &std::path::Path| fs::metadata(path).map(|file| file.dev()).ok();
    let Some(other) = other
        .ok()
        .filter(|other| device(other.path()) != device(&folder.path("")))
    else {
        crate::run::skipped(
            "filter_can_be_written_to_another_file_system",
            "/dev/shm is no other file system",
        );
        return;
    };
    let out = other.path().join("f.bw");
    let mut command = folder.command("build bloom --positives keys.txt --bytes 64 -o");
    finish(command.arg(&out), b"").succeeds();
    symlink(&out, folder.path("link")).expect("a link");
    build(&folder, "link").succeeds();
    folder.run("query link ant").succeeds();
    assert_eq!(fs::read_dir(other.path()).expect("a folder").count(), 1);
}
