//! Files that are not the filter they should be, for every subcommand that reads one.

use crate::run::Folder;

/// Every way to read `x.bw`.
const READERS: [&[&str]; 5] = [
    &["query", "x.bw", "ant"],
    &["inspect", "x.bw"],
    &["verify", "x.bw"],
    &["eval", "x.bw", "--positives", "keys.txt"],
    &["update", "x.bw", "--insert", "keys.txt"],
];

fn all_refuse(bytes: &[u8], parts: &[&str]) {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    folder.write("x.bw", bytes);
    for args in READERS {
        folder.run(args).wrong(&[&["x.bw"], parts].concat());
    }
    assert_eq!(folder.read("x.bw"), bytes, "nothing was written");
    assert_eq!(folder.names(), ["keys.txt", "x.bw"]);
}

fn sound() -> Vec<u8> {
    Folder::with_filter("counting", "ant\nbee\n").read("f.bw")
}

#[test]
fn a_changed_byte_is_found_wherever_it_is() {
    let sound = sound();
    for place in [17, 40, 70, 1000, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[place] ^= 4;
        all_refuse(&bytes, &["damaged", "checksum"]);
    }
}

#[test]
fn a_file_that_ends_early_or_late_is_refused() {
    let sound = sound();
    for length in [12, 64, 1000, sound.len() - 1] {
        all_refuse(&sound[..length], &["damaged"]);
    }
    all_refuse(&[&sound[..], b"more"].concat(), &["damaged"]);
}

#[test]
fn empty_and_foreign_files_are_no_filters() {
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
fn another_version_is_named() {
    let mut bytes = sound();
    bytes[8] = 9;
    all_refuse(&bytes, &["version 9", "version 1"]);
}

#[test]
fn missing_files_and_directories_are_no_filters() {
    let folder = Folder::new();
    folder.write("keys.txt", "ant\n");
    for args in READERS {
        let run = folder.run(args);
        run.wrong(&["x.bw"]);
    }
    std::fs::create_dir(folder.path("x.bw")).expect("a folder");
    for args in READERS {
        folder.run(args).wrong(&["x.bw", "irectory"]);
    }
}

#[test]
fn damage_on_standard_input_is_named_so() {
    let folder = Folder::new();
    folder
        .run_with(&["verify", "-"], b"ant\n")
        .wrong(&["standard input", "not a bloomwise filter"]);
}
