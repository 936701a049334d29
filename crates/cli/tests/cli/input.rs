//! Files of keys: text, packed text, tables, and what can be wrong with them.

use crate::run::{Folder, numbers};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::Write;

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).expect("memory takes all")
}

/// Builds a filter of a file.
pub fn build(folder: &Folder, file: &str, more: &[&str]) -> crate::run::Run {
    let args = [
        "build",
        "bloom",
        "--positives",
        file,
        "--bytes",
        "4096",
        "-o",
        "f.bw",
        "--force",
        "--json",
    ];
    folder.run(&[&args[..], more].concat())
}

/// The answers for all of these keys.
pub fn present(folder: &Folder, keys: &[&str]) -> Vec<bool> {
    let run = folder.run(&[&["query", "f.bw", "--json", "--"], keys].concat());
    let answers = run.json()["answers"].as_array().expect("a list").clone();
    let present = |answer: &Value| answer["present"].as_bool().expect("a bool");
    answers.iter().map(present).collect()
}

#[test]
fn line_ends_marks_and_empty_lines_are_no_part_of_keys() {
    let folder = Folder::new();
    folder.write("p.txt", "\u{feff}ant\r\nbee\n\n\r\ncow\tbell\r\ndog");
    let run = build(&folder, "p.txt", &[])
        .coded(0)
        .remarks(&["p.txt", "empty keys skipped: 2"]);
    assert_eq!(run.json()["keys"], 4);
    assert_eq!(run.json()["report"]["skipped"], 2);
    assert_eq!(
        present(&folder, &["ant", "bee", "cow\tbell", "dog"]),
        [true; 4]
    );
    assert_eq!(
        present(&folder, &["\u{feff}ant", "ant\r", "cow", "dog\n", ""]),
        [false; 5]
    );
}

#[test]
fn a_mark_inside_of_a_file_and_a_return_inside_of_a_line_are_kept() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n\u{feff}bee\na\rb\n");
    build(&folder, "p.txt", &[]).fine();
    assert_eq!(
        present(&folder, &["\u{feff}bee", "a\rb", "bee"]),
        [true, true, false]
    );
}

#[test]
fn packed_files_are_read_to_their_last_part() {
    let folder = Folder::new();
    folder.write("p.txt.gz", [gzip(b"ant\nbe"), gzip(b"e\ncow\n")].concat());
    folder.write("p.zst", [zstd(b"ant\nbe"), zstd(b"e\ncow\n")].concat());
    for file in ["p.txt.gz", "p.zst"] {
        let report = build(&folder, file, &[]).fine().json();
        assert_eq!(report["keys"], 3, "{file}");
        assert_eq!(
            present(&folder, &["ant", "bee", "cow"]),
            [true; 3],
            "{file}"
        );
    }
}

#[test]
fn packed_files_that_end_early_are_errors() {
    let folder = Folder::new();
    let keys = numbers(0..20_000);
    let (gz, zst) = (gzip(keys.as_bytes()), zstd(keys.as_bytes()));
    folder.write("cut.gz", &gz[..gz.len() / 2]);
    folder.write("cut.zst", &zst[..zst.len() / 2]);
    for (file, kind) in [("cut.gz", "gzip"), ("cut.zst", "zstd")] {
        build(&folder, file, &[]).wrong(&[
            file,
            "line ",
            kind,
            "damaged or cut off",
            "get the file again",
        ]);
    }
    assert!(!folder.names().contains(&"f.bw".to_string()));
}

#[test]
fn what_is_packed_is_unpacked_whatever_it_is_called() {
    let folder = Folder::new();
    for packed in [gzip(b"\xef\xbb\xbfant\nbee\n"), zstd(b"ant\nbee\n")] {
        folder.write("p.txt", &packed);
        assert_eq!(build(&folder, "p.txt", &[]).fine().json()["keys"], 2);
        assert_eq!(present(&folder, &["ant", "bee"]), [true; 2]);
        let run = folder.run_with(&["query", "f.bw", "--keys", "-"], &packed);
        assert_eq!(run.fine().text(), "yes\tant\nyes\tbee\n");
    }
    folder.write("p.csv", gzip(b"key\nant\n"));
    let report = build(&folder, "p.csv", &["--key-column", "key"]);
    assert_eq!(report.fine().json()["keys"], 1);
}

#[test]
fn a_name_that_says_packed_has_to_be_right() {
    let folder = Folder::new();
    for (file, kind) in [("text.gz", "gzip"), ("text.zst", "zstd")] {
        folder.write(file, "ant\n");
        build(&folder, file, &[]).wrong(&[file, kind, "first bytes", "rename it"]);
        folder.write(file, "");
        assert_eq!(build(&folder, file, &[]).fine().json()["keys"], 0);
    }
    folder.write("zstd.gz", zstd(b"ant\n"));
    build(&folder, "zstd.gz", &[]).wrong(&["zstd.gz", "gzip", "first bytes"]);
}

#[test]
fn zeros_behind_gzip_data_are_padding_and_all_else_is_damage() {
    let folder = Folder::new();
    let parts = [gzip(b"ant\n"), vec![0; 3], gzip(b"bee\n"), vec![0; 100_000]].concat();
    folder.write("p.gz", &parts);
    assert_eq!(build(&folder, "p.gz", &[]).fine().json()["keys"], 2);
    folder.write("p.gz", [&parts[..], b"x"].concat());
    build(&folder, "p.gz", &[]).wrong(&["p.gz", "damaged"]);
}

#[test]
fn zstd_may_look_back_as_far_as_it_can() {
    // A frame whose window is 2^31 bytes, with one raw block, the last.
    let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x21\x00\x00ant\n";
    let folder = Folder::new();
    folder.write("p.zst", frame);
    assert_eq!(build(&folder, "p.zst", &[]).fine().json()["keys"], 1);
    assert_eq!(present(&folder, &["ant"]), [true]);
    // Parallel packers put a frame to be skipped before each.
    folder.write(
        "p.zst",
        [&b"\x50\x2a\x4d\x18\x01\x00\x00\x00x"[..], frame].concat(),
    );
    assert_eq!(build(&folder, "p.zst", &[]).fine().json()["keys"], 1);
}

#[test]
fn standard_input_has_its_name_in_remarks() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let args = ["query", "f.bw", "--keys", "-"];
    let run = folder.run_with(&args, b"ant\n\n").coded(0);
    run.remarks(&["standard input: empty keys skipped: 1"]);
}

#[test]
fn standard_input_is_lines() {
    let folder = Folder::new();
    let args = [
        "build",
        "bloom",
        "--positives",
        "-",
        "--bytes",
        "64",
        "-o",
        "f.bw",
        "--json",
    ];
    let report = folder.run_with(&args, b"ant\r\nbee").fine().json();
    assert_eq!(report["keys"], 2);
    assert_eq!(present(&folder, &["ant", "bee"]), [true; 2]);
}

#[test]
fn standard_input_cannot_be_read_twice() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let twice = ["standard input", "more than once"];
    let args = [
        "build",
        "bloom",
        "--positives",
        "-",
        "--negatives",
        "-",
        "--bytes",
        "64",
        "-o",
        "g.bw",
    ];
    folder.run(&args).wrong(&twice);
    folder.run(&["query", "-", "--keys", "-"]).wrong(&twice);
    folder
        .run(&["eval", "f.bw", "--positives", "-", "--unseen", "-"])
        .wrong(&twice);
    folder.run(&["update", "-", "--insert", "-"]).wrong(&twice);
}

#[test]
fn costs_that_are_none_are_named_with_their_line() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    for (bad, shown) in [
        ("x", "\"x\""),
        ("-1", "-1"),
        ("nan", "NaN"),
        ("inf", "inf"),
        ("1e999", "inf"),
    ] {
        folder.write("n.txt", format!("a\t1\n\nb\nc\t{bad}\r\nd\n"));
        build(&folder, "p.txt", &["--negatives", "n.txt"]).wrong(&[
            "n.txt, line 4",
            "the cost",
            shown,
        ]);
        let run = build(&folder, "p.txt", &["--negatives", "n.txt"]);
        assert_eq!(run.stderr.contains("TAB"), bad == "x", "{}", run.stderr);
    }
    folder.write("n.txt", "a\t\nb\t 2 \nkey\twith\t3\n");
    let report = build(&folder, "p.txt", &["--negatives", "n.txt"])
        .fine()
        .json();
    assert_eq!(report["known_negatives"], 3);
}

#[test]
fn very_long_lines_are_keys() {
    let folder = Folder::new();
    folder.write("p.txt", "x".repeat(3_000_000) + "\nant\n");
    assert_eq!(build(&folder, "p.txt", &[]).fine().json()["keys"], 2);
    folder
        .run(&["query", "f.bw", "--keys", "p.txt", "--count"])
        .fine();
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_says_how_to_get_it() {
    let folder = Folder::new();
    folder.write("p.parquet", "PAR1");
    build(&folder, "p.parquet", &["--key-column", "key"])
        .wrong(&["p.parquet", "--features parquet"]);
}

#[test]
fn what_is_no_file_of_keys_is_one_clear_line() {
    let folder = Folder::with_filter("bloom", "ant\n");
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    build(&folder, "missing.txt", &[]).wrong(&["missing.txt", "No such file", "name a file"]);
    build(&folder, "missing.csv", &["--key-column", "key"]).wrong(&["missing.csv", "No such file"]);
    build(&folder, "sub", &[]).wrong(&["sub is a directory", "name a file"]);
    folder
        .run(&["query", "f.bw", "--keys", "sub"])
        .wrong(&["sub is a directory"]);
    folder
        .run(&["eval", "f.bw", "--positives", "sub"])
        .wrong(&["sub is a directory"]);
    folder
        .run(&["update", "f.bw", "--insert", "sub"])
        .wrong(&["sub is a directory"]);
}
