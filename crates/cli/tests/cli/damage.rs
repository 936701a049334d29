//! Damaged filter files, for every subcommand that reads a filter.

use crate::run::Folder;

/// Every command that reads `x.bw`.
const READERS: [&str; 5] = [
    "query x.bw ant",
    "inspect x.bw",
    "verify x.bw",
    "eval x.bw --positives keys.txt",
    "update x.bw --insert keys.txt",
];

/// Checks that every command fails on these bytes and changes nothing.
fn all_refuse(bytes: &[u8], parts: &[&str]) {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder.write("x.bw", bytes);
    for args in READERS {
        folder.run(args).fails(&[&["x.bw"], parts].concat());
    }
    assert_eq!(folder.read("x.bw"), bytes, "nothing was written");
    assert_eq!(folder.names(), ["keys.txt", "x.bw"]);
}

fn valid() -> Vec<u8> {
    Folder::with_filter("counting", "ant\nbee\n").read("f.bw")
}

#[test]
fn changed_byte_is_an_error_at_every_position() {
    let valid = valid();
    for position in [17, 40, 70, 1000, valid.len() - 1] {
        let mut bytes = valid.clone();
        bytes[position] ^= 4;
        all_refuse(&bytes, &["damaged", "checksum"]);
    }
}

#[test]
fn truncated_or_extended_file_is_an_error() {
    let valid = valid();
    for length in [12, 64, 1000, valid.len() - 1] {
        all_refuse(&valid[..length], &["damaged"]);
    }
    all_refuse(&[&valid[..], b"more"].concat(), &["damaged"]);
}

#[test]
fn empty_and_foreign_files_are_errors() {
    all_refuse(b"", &["not a bloomwise filter"]);
    all_refuse(
        b"ant\nbee\ncow\ndog\neel\nfox\n",
        &["not a bloomwise filter"],
    );
    all_refuse(
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0],
        &["not a bloomwise filter"],
    );
}

#[test]
fn error_names_an_unknown_version() {
    let mut bytes = valid();
    bytes[8] = 9;
    all_refuse(&bytes, &["version 9", "version 2"]);
}

#[test]
fn missing_files_and_directories_are_errors() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    for args in READERS {
        let run = folder.run(args);
        run.fails(&["x.bw"]);
    }
    std::fs::create_dir(folder.path("x.bw")).expect("a folder");
    for args in READERS {
        folder.run(args).fails(&["x.bw", "irectory"]);
    }
}

#[test]
fn error_names_standard_input() {
    let folder = Folder::new();
    folder
        .run_with_input("verify -", b"ant\n")
        .fails(&["standard input", "not a bloomwise filter"]);
    let valid = valid();
    folder
        .run_with_input("verify -", &valid[..valid.len() - 1])
        .fails(&["standard input", "damaged"]);
    folder
        .run_with_input("verify -", &[&valid[..], b"m"].concat())
        .fails(&["standard input", "more bytes follow"]);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_file_is_an_error_at_once() {
    let folder = Folder::new();
    folder
        .run("verify /dev/zero")
        .fails(&["/dev/zero: not a bloomwise filter"]);
}

#[cfg(unix)]
#[test]
fn bytes_behind_the_filter_in_a_pipe_are_an_error() {
    use crate::run::{after, finish};
    let folder = Folder::with_filter("bloom", "ant\n");
    let feed = |command: &str| format!("rm -f pipe; mkfifo pipe; {command} > pipe & :");
    let run = |command: &str| finish(&mut after(&folder, &feed(command), "verify pipe"), b"");
    run("cat f.bw").succeeds();
    run("cat f.bw f.bw").fails(&["pipe: the filter is damaged"]);
}
