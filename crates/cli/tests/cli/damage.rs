//! Damaged filter files, for every subcommand that reads a filter.

use crate::run::{Folder, spawn, wait};
use std::process::Stdio;

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
fn every_command_reads_the_short_form() {
    use bloomwise::{AnyFilter, Persist};
    let filter = AnyFilter::from_bytes(&valid()).expect("a filter");
    let short = filter.to_short_bytes();
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    for line in READERS {
        folder.write("x.bw", &short);
        folder.run(line).succeeds();
        let piped = line.replace("x.bw", "-");
        let run = folder.run_with_input(&piped, &short).exits_with(0);
        assert!(!run.stdout.is_empty(), "{piped}");
        let cut = &short[..short.len() - 1];
        folder
            .run_with_input(&piped, cut)
            .fails(&["standard input", "damaged"]);
        let longer = [&short[..], b"x"].concat();
        folder
            .run_with_input(&piped, &longer)
            .fails(&["standard input", "damaged"]);
    }
    folder.run("query x.bw ant bee").succeeds();
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
    let directory = std::fs::File::open(folder.path("")).map(Stdio::from);
    if let (true, Ok(directory)) = (cfg!(unix), directory) {
        let child = spawn(folder.command("verify -").stdin(directory));
        wait(child).fails(&["standard input: reading the filter failed", "try again"]);
    }
    let valid = valid();
    folder
        .run_with_input("verify -", &valid[..valid.len() - 1])
        .fails(&["standard input", "damaged"]);
    folder
        .run_with_input("verify -", &[&valid[..], b"m"].concat())
        .fails(&["standard input", "more bytes follow"]);
}

/// The commands with another file instead of `x.bw`. `update` cannot replace a device or a pipe, so it writes `y.bw`.
#[cfg(target_os = "linux")]
fn readers(file: &str) -> impl Iterator<Item = String> {
    READERS.into_iter().map(move |line| {
        let line = line.replace("x.bw", file);
        if line.starts_with("update") {
            line + " -o y.bw"
        } else {
            line
        }
    })
}

#[cfg(target_os = "linux")]
#[test]
fn endless_file_is_an_error_at_once() {
    use crate::run::{after, finish};
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder.write("f.bw", valid());
    let limited = "ulimit -v 2000000";
    for line in readers("/dev/zero") {
        finish(&mut after(&folder, limited, &line), b"")
            .fails(&["/dev/zero", "not a bloomwise filter"]);
    }
    for line in readers("-") {
        let shell = format!("{limited}; exec </dev/zero");
        finish(&mut after(&folder, &shell, &line), b"").fails(&["standard input: not a bloomwise"]);
    }
    // A filter in either form with zeros behind it.
    folder.write("short.bw", [0xB2]);
    for (file, message) in [("f.bw", "more bytes follow"), ("short.bw", "damaged")] {
        let endless =
            format!("rm -f pipe; mkfifo pipe; cat {file} /dev/zero >pipe 2>/dev/null & :");
        for line in readers("pipe") {
            let shell = format!("{limited}; {endless}");
            finish(&mut after(&folder, &shell, &line), b"").fails(&["pipe", message]);
        }
        for line in readers("-") {
            let shell = format!("{limited}; {endless}; exec <pipe");
            finish(&mut after(&folder, &shell, &line), b"").fails(&["standard input", message]);
        }
    }
    assert!(!folder.path("y.bw").exists());
}

/// A filter whose header claims 2^60 bytes. The checksum of the header is right.
#[cfg(target_os = "linux")]
fn huge() -> Vec<u8> {
    let mut bytes = Folder::with_filter("bloom", "ant\n").read("f.bw");
    let parameters = u64::from_le_bytes(bytes[56..64].try_into().expect("a word")) as usize;
    // The words of the payload, and the parameter that is the same size in bits.
    bytes[64..72].copy_from_slice(&(1u64 << 57).to_le_bytes());
    let places = (0..parameters).map(|number| 80 + 8 * number);
    let bits = (4096u64 * 8).to_le_bytes();
    let place = places.clone().find(|&at| bytes[at..at + 8] == bits);
    let place = place.expect("the number of bits is a parameter");
    bytes[place..place + 8].copy_from_slice(&(1u64 << 63).to_le_bytes());
    let summed = [&bytes[..72], &bytes[80..80 + 8 * parameters]].concat();
    let sum = xxhash_rust::xxh3::xxh3_64(&summed);
    bytes[72..80].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[cfg(target_os = "linux")]
#[test]
fn size_in_the_header_is_checked_before_memory_is_used() {
    use crate::run::{after, finish};
    let huge = huge();
    all_refuse(&huge, &["damaged"]);
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder.write("f.bw", huge);
    for line in readers("-") {
        let shell = "ulimit -v 2000000; exec <f.bw";
        finish(&mut after(&folder, shell, &line), b"").fails(&["standard input"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_that_grows_is_read_as_far_as_its_header_says() {
    use std::io::Write;
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder.write("f.bw", valid());
    let options = std::fs::File::options()
        .append(true)
        .open(folder.path("f.bw"));
    let mut file = options.expect("a file");
    file.write_all(b"x").expect("it can be written");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for _ in 0..1000 {
                file.write_all(&[0; 1000]).expect("it can be written");
                std::thread::sleep(std::time::Duration::from_micros(100));
            }
        });
        for line in readers("f.bw") {
            folder.run(&line).fails(&["f.bw", "damaged"]);
        }
    });
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
