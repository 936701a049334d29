//! Files of keys: text, compressed text, invalid files.

use crate::run::{Folder, numbers};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::{Read, Write};

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("writing to memory");
    encoder.finish().expect("writing to memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).expect("writing to memory")
}

/// Builds `f.bw` from a file of keys.
pub fn build(folder: &Folder, file: &str, more: &str) -> crate::run::Run {
    let args = format!("build bloom --positives {file} --bytes 4096 -o f.bw --force --json");
    folder.run(&format!("{args} {more}"))
}

/// Whether each of these keys is in `f.bw`.
pub fn present(folder: &Folder, keys: &[&str]) -> Vec<bool> {
    let run = folder.run_with_args("query f.bw --json --", keys);
    let answers = run.json()["answers"].as_array().expect("a list").clone();
    let present = |answer: &Value| answer["present"].as_bool().expect("a bool");
    answers.iter().map(present).collect()
}

#[test]
fn line_ends_and_byte_order_mark_are_not_part_of_keys() {
    let folder = Folder::new();
    folder.write("p.txt", "\u{feff}ant\r\nbee\n\n\r\ncow\tbell\r\ndog");
    let run = build(&folder, "p.txt", "")
        .exits_with(0)
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
fn byte_order_mark_inside_a_file_and_cr_inside_a_line_are_kept() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n\u{feff}bee\na\rb\n");
    build(&folder, "p.txt", "").succeeds();
    assert_eq!(
        present(&folder, &["\u{feff}bee", "a\rb", "bee"]),
        [true, true, false]
    );
}

#[test]
fn all_members_and_frames_of_compressed_files_are_read() {
    let folder = Folder::new();
    folder.write("p.txt.gz", [gzip(b"ant\nbe"), gzip(b"e\ncow\n")].concat());
    folder.write("p.zst", [zstd(b"ant\nbe"), zstd(b"e\ncow\n")].concat());
    for file in ["p.txt.gz", "p.zst"] {
        let report = build(&folder, file, "").succeeds().json();
        assert_eq!(report["keys"], 3, "{file}");
        assert_eq!(
            present(&folder, &["ant", "bee", "cow"]),
            [true; 3],
            "{file}"
        );
    }
}

#[test]
fn truncated_compressed_files_are_errors() {
    let folder = Folder::new();
    let keys = numbers(0..20_000);
    let (gz, zst) = (gzip(keys.as_bytes()), zstd(keys.as_bytes()));
    folder.write("cut.gz", &gz[..gz.len() / 2]);
    folder.write("cut.zst", &zst[..zst.len() / 2]);
    for (file, kind) in [("cut.gz", "gzip"), ("cut.zst", "zstd")] {
        build(&folder, file, "").fails(&[
            file,
            "line ",
            kind,
            "damaged or truncated",
            "get a new copy",
        ]);
    }
    assert!(!folder.names().contains(&"f.bw".to_string()));
}

#[test]
fn every_beginning_of_a_compressed_file_is_an_error() {
    let folder = Folder::new();
    folder.write("f.bw", "old");
    for (file, whole) in [
        ("cut.gz", gzip(b"ant\nbee\n")),
        ("cut.zst", zstd(b"ant\nbee\n")),
    ] {
        for length in 0..whole.len() {
            folder.write(file, &whole[..length]);
            build(&folder, file, "").fails(&[file, "get a new copy"]);
        }
        folder.write(file, "");
        build(&folder, file, "").fails(&[file, "truncated", "empty"]);
    }
    assert_eq!(folder.read("f.bw"), b"old");
}

#[test]
fn compressed_file_without_content_has_no_keys() {
    let folder = Folder::new();
    folder.write("no.gz", gzip(b""));
    folder.write("no.zst", zstd(b""));
    folder.write("no.txt", "");
    for file in ["no.gz", "no.zst", "no.txt"] {
        let run = build(&folder, file, "--capacity 100");
        assert_eq!(run.succeeds().json()["keys"], 0);
    }
}

#[test]
fn nothing_but_frames_may_follow_zstd_data() {
    let folder = Folder::new();
    for rubbish in [&b"x"[..], b"\0\0\0\0", b"ant\nbee\n", &[0x28, 0xb5, 0x2f]] {
        folder.write("p.zst", [&zstd(b"ant\n"), rubbish].concat());
        build(&folder, "p.zst", "").fails(&["p.zst", "zstd", "damaged"]);
    }
}

#[test]
fn compressed_files_are_read_whatever_their_name() {
    let folder = Folder::new();
    for compressed in [gzip(b"\xef\xbb\xbfant\nbee\n"), zstd(b"ant\nbee\n")] {
        folder.write("p.txt", &compressed);
        assert_eq!(build(&folder, "p.txt", "").succeeds().json()["keys"], 2);
        assert_eq!(present(&folder, &["ant", "bee"]), [true; 2]);
        let run = folder.run_with_input("query f.bw --keys -", &compressed);
        assert_eq!(run.succeeds().text(), "yes\tant\nyes\tbee\n");
    }
    folder.write("p.csv", gzip(b"key\nant\n"));
    let report = build(&folder, "p.csv", "--key-column key");
    assert_eq!(report.succeeds().json()["keys"], 1);
}

#[test]
fn compressed_file_name_with_other_content_is_an_error() {
    let folder = Folder::new();
    for (file, kind) in [("text.gz", "gzip"), ("text.zst", "zstd")] {
        folder.write(file, "ant\n");
        build(&folder, file, "").fails(&[file, kind, "first bytes", "rename the file"]);
    }
    folder.write("zstd.gz", zstd(b"ant\n"));
    build(&folder, "zstd.gz", "").fails(&["zstd.gz", "gzip", "first bytes"]);
}

#[test]
fn only_zeros_may_follow_gzip_data() {
    let folder = Folder::new();
    let parts = [gzip(b"ant\n"), vec![0; 3], gzip(b"bee\n"), vec![0; 100_000]].concat();
    folder.write("p.gz", &parts);
    assert_eq!(build(&folder, "p.gz", "").succeeds().json()["keys"], 2);
    folder.write("p.gz", [&parts[..], b"x"].concat());
    build(&folder, "p.gz", "").fails(&["p.gz", "damaged"]);
}

#[test]
fn zstd_window_may_have_the_maximum_size() {
    // A frame with a window of 2^31 bytes and one raw block.
    let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x21\x00\x00ant\n";
    let folder = Folder::new();
    folder.write("p.zst", frame);
    assert_eq!(build(&folder, "p.zst", "").succeeds().json()["keys"], 1);
    assert_eq!(present(&folder, &["ant"]), [true]);
    // Parallel compressors put a skippable frame before each frame.
    folder.write(
        "p.zst",
        [&b"\x50\x2a\x4d\x18\x01\x00\x00\x00x"[..], frame].concat(),
    );
    assert_eq!(build(&folder, "p.zst", "").succeeds().json()["keys"], 1);
}

#[test]
fn remark_names_standard_input() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let args = "query f.bw --keys -";
    let run = folder.run_with_input(args, b"ant\n\n").exits_with(0);
    run.remarks(&["standard input: empty keys skipped: 1"]);
}

#[test]
fn standard_input_has_one_key_per_line() {
    let folder = Folder::new();
    let args = "build bloom --positives - --bytes 64 -o f.bw --json";
    let report = folder.run_with_input(args, b"ant\r\nbee").succeeds().json();
    assert_eq!(report["keys"], 2);
    assert_eq!(present(&folder, &["ant", "bee"]), [true; 2]);
}

#[test]
fn invalid_cost_is_an_error_that_names_the_line() {
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
        build(&folder, "p.txt", "--negatives n.txt").fails(&["n.txt, line 4", "the cost", shown]);
        let run = build(&folder, "p.txt", "--negatives n.txt");
        assert_eq!(run.stderr.contains("TAB"), bad == "x", "{}", run.stderr);
    }
    folder.write("n.txt", "a\t\nb\t 2 \nkey\twith\t3\n");
    let report = build(&folder, "p.txt", "--negatives n.txt")
        .succeeds()
        .json();
    assert_eq!(report["known_negatives"], 3);
}

#[test]
fn lines_may_be_very_long() {
    let folder = Folder::new();
    folder.write("p.txt", "x".repeat(3_000_000) + "\nant\n");
    assert_eq!(build(&folder, "p.txt", "").succeeds().json()["keys"], 2);
    folder.run("query f.bw --keys p.txt --count").succeeds();
}

#[test]
fn small_file_with_an_endless_line_is_an_error() {
    let folder = Folder::new();
    let line = std::io::repeat(b'x').take(400 << 20);
    let packed = zstd::encode_all(line, 0).expect("writing to memory");
    assert!(packed.len() < 100_000);
    folder.write("p.zst", &packed);
    folder.write("p.csv.zst", &packed);
    build(&folder, "p.zst", "").fails(&["p.zst, line 1", "longer than 256 MiB"]);
    let csv = build(&folder, "p.csv.zst", "--key-column key");
    csv.fails(&["p.csv.zst, line 1", "longer than 256 MiB"]);
}

#[cfg(target_os = "linux")]
#[test]
fn endless_line_is_an_error_before_memory_runs_out() {
    use crate::run::{after, finish};
    let folder = Folder::with_filter("bloom", "ant\n");
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero.csv")).expect("a link");
    for (line, file) in [
        ("query f.bw --keys /dev/zero", "/dev/zero, line 1"),
        (
            "build bloom --positives zero.csv --key-column a --bytes 64 -o g.bw",
            "zero.csv, line 1",
        ),
    ] {
        let limited = "ulimit -v 8000000";
        finish(&mut after(&folder, limited, line), b"").fails(&[
            file,
            "longer than 256 MiB",
            "check",
        ]);
    }
    assert!(!folder.path("g.bw").exists());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_error_says_how_to_get_it() {
    let folder = Folder::new();
    folder.write("p.parquet", "PAR1");
    build(&folder, "p.parquet", "--key-column key").fails(&["p.parquet", "--features parquet"]);
}

#[test]
fn missing_files_and_directories_are_one_line_errors() {
    let folder = Folder::with_filter("bloom", "ant\n");
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    build(&folder, "missing.txt", "").fails(&["missing.txt", "No such file", "name a file"]);
    build(&folder, "missing.csv", "--key-column key").fails(&["missing.csv", "No such file"]);
    build(&folder, "sub", "").fails(&["sub is a directory", "name a file"]);
    folder
        .run("query f.bw --keys sub")
        .fails(&["sub is a directory"]);
    folder
        .run("eval f.bw --positives sub")
        .fails(&["sub is a directory"]);
    folder
        .run("update f.bw --insert sub")
        .fails(&["sub is a directory"]);
}

#[test]
fn first_keys_are_shown_and_costs_without_a_tab_are_noticed() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\nbee\ncow\n");
    folder.write("n.txt", "dog 7\ncat 3\n");
    let args = "build guarded --positives p.txt --negatives n.txt --bits-per-key 20 -o f.bw";
    let run = folder.run(args).exits_with(0);
    assert_eq!(run.row("first keys"), "ant, bee");
    assert_eq!(run.row("first negatives"), "dog 7, cat 3");
    run.remarks(&["n.txt: the lines end in numbers", "put a TAB before them"]);
    folder.write("u.txt", "eel\n");
    let args = "compare --positives p.txt --negatives n.txt --unseen u.txt";
    let run = folder.run(args).exits_with(0);
    run.prints(
        "First positives: ant, bee\nFirst negatives: dog 7, cat 3\nFirst unseen keys: eel\n",
    );
}
