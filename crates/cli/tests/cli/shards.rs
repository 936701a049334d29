//! Filters of several shards: `build --shards`, `build --memory`, `shard` and `join`.

use crate::run::{Folder, number, numbers};
use serde_json::json;

/// A folder with 20,000 keys, and as many negatives with costs.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("keys.txt", numbers(0..20_000));
    let negatives: String = (20_000..40_000)
        .map(|key| format!("{key}\t{}\n", key % 9))
        .collect();
    folder.write("known.tsv", negatives);
    folder
}

const FILES: &str = "--positives keys.txt --negatives known.tsv --bits-per-key 10";

#[test]
fn all_ways_to_build_shards_give_the_same_bytes() {
    let folder = folder();
    let json = folder
        .run(&format!("build guarded {FILES} --shards 3 -o f.bw --json"))
        .succeeds()
        .json();
    assert_eq!((&json["shards"], &json["exact"]), (&json!(3), &json!(true)));
    for (name, more) in [
        ("a.bw", "--memory 64MiB"),
        ("b.bw", "--memory 300MB --threads 1"),
    ] {
        let line = format!("build guarded {FILES} --shards 3 {more} -o {name} --json");
        let large = folder.run(&line).succeeds().json();
        assert_eq!(folder.read(name), folder.read("f.bw"), "{more}");
        for field in [
            "keys",
            "duplicates",
            "known_negatives",
            "overlap",
            "guarded",
            "wrong",
            "bytes",
        ] {
            assert_eq!(large[field], json[field], "{field}");
        }
    }
    for (part, share) in [("p0", "0"), ("p12", "1..3")] {
        let line = format!("shard guarded {FILES} --shards 3 --share {share} -o {part}");
        folder.run(&line).succeeds();
    }
    let run = folder.run("join p12 p0 -o joined.bw").succeeds();
    assert_eq!((run.row("shards"), run.row("keys")), ("3", "20,000"));
    assert_eq!(folder.read("joined.bw"), folder.read("f.bw"));
}

#[test]
fn size_in_bytes_is_shared_by_all_shards() {
    let folder = folder();
    let files = "--positives keys.txt --negatives known.tsv --bytes 30kB --shards 3";
    folder
        .run(&format!("build guarded {files} -o f.bw"))
        .succeeds();
    let line = format!("build guarded {files} --memory 64MiB -o m.bw --json");
    let json = folder.run(&line).succeeds().json();
    assert!(number(&json["bytes"]) <= 30_000.0);
    assert_eq!(folder.read("m.bw"), folder.read("f.bw"));
}

#[test]
fn query_reads_the_shards_it_needs_and_finds_damage_in_them() {
    let folder = folder();
    folder
        .run(&format!("build guarded {FILES} --shards 3 -o f.bw"))
        .succeeds();
    let mut bytes = folder.read("f.bw");
    // In the cells of the last shard.
    let at = bytes.len() - 200;
    bytes[at] ^= 0x10;
    folder.write("f.bw", bytes);
    let (mut sound, mut damaged) = (0, 0);
    for key in 0..20 {
        let run = folder.run(&format!("query f.bw {key}"));
        if run.code == Some(0) {
            sound += 1;
        } else {
            run.exits_with(2).remarks(&["f.bw", "1 of the 3 shards"]);
            damaged += 1;
        }
    }
    assert!(sound > 0 && damaged > 0, "{sound} {damaged}");
    folder.run("verify f.bw").fails(&["damaged"]);
}

#[test]
fn every_command_takes_a_filter_of_shards() {
    let folder = folder();
    folder
        .run(&format!("build guarded {FILES} --shards 3 -o f.bw"))
        .succeeds();
    folder.run("query f.bw 1 19999").succeeds();
    folder.run("query f.bw 20000").exits_with(1);
    folder
        .run("verify f.bw")
        .succeeds()
        .prints("ok: guarded, 20,000 keys");
    let inspect = folder.inspect();
    assert_eq!(
        (&inspect["kind"], &inspect["shards"]),
        (&json!("guarded"), &json!(3))
    );
    let line = "eval f.bw --positives keys.txt --negatives known.tsv --json";
    let eval = folder.run(line).succeeds().json();
    assert_eq!(
        (number(&eval["false_negatives"]), number(&eval["fpr"])),
        (0.0, 0.0)
    );

    folder.run("build cuckoo --positives keys.txt --bits-per-key 14 --capacity 30000 --shards 2 -o c.bw").succeeds();
    folder.write("new.txt", "new\n");
    folder.run("update c.bw --insert new.txt").succeeds();
    folder.run("query c.bw new 7").succeeds();
    folder.run("update c.bw --remove new.txt").succeeds();
    folder.run("query c.bw new").exits_with(1);
}

#[test]
fn everything_that_fits_is_one_filter() {
    let folder = folder();
    folder
        .run(&format!("build guarded {FILES} --memory 64MiB -o large.bw"))
        .succeeds();
    folder
        .run(&format!("build guarded {FILES} -o f.bw"))
        .succeeds();
    assert_eq!(folder.read("large.bw"), folder.read("f.bw"));
    assert_eq!(
        folder.names(),
        ["f.bw", "keys.txt", "known.tsv", "large.bw"]
    );
}

#[test]
fn more_keys_than_fit_are_built_within_the_memory() {
    let folder = folder();
    folder.write("keys.txt", numbers(0..1_200_000));
    let line = "build blocked --positives keys.txt --bits-per-key 10 --memory 64MiB -o f.bw --json";
    let json = folder.run(line).succeeds().json();
    assert_eq!(
        (&json["shards"], &json["keys"]),
        (&json!(2), &json!(1_200_000))
    );
    let eval = folder
        .run("eval f.bw --positives keys.txt --json")
        .succeeds()
        .json();
    assert_eq!(number(&eval["false_negatives"]), 0.0);
}

#[test]
fn wrong_arguments_are_one_line() {
    let folder = folder();
    let shard = "shard guarded --positives keys.txt --bits-per-key 10";
    folder
        .run(&format!("{shard} --shards 3 --share 0 -o p0"))
        .succeeds();
    folder
        .run(&format!("{shard} --shards 3 --share 1 -o p1"))
        .succeeds();
    folder
        .run(&format!("{shard} --seed 1 --shards 3 --share 2 -o other"))
        .succeeds();
    folder
        .run(&format!(
            "{shard} --shards 3 --share 2 --set unseen-share=0.5 -o plan"
        ))
        .succeeds();
    folder
        .run(&format!("build guarded {FILES} -o plain.bw"))
        .succeeds();
    for (line, parts) in [
        ("join p0 p1 -o f.bw", &["without shard 2"][..]),
        ("join p0 p0 p1 -o f.bw", &["shard 0 twice"]),
        ("join p0 p1 other -o f.bw", &["hashing differs"]),
        (
            "join p0 p1 plan -o f.bw",
            &[
                "shards 2 to 2",
                "another kind, size or setting than shard 0",
            ],
        ),
        ("join p0 plain.bw -o f.bw", &["plain.bw", "sharded"]),
        (
            "join p0 keys.txt -o f.bw",
            &["keys.txt", "not a bloomwise filter"],
        ),
        ("join p0 missing -o f.bw", &["missing"]),
        ("join p0 p1 -o p1 --force", &["p1 is an input"]),
        ("join -o f.bw", &["PART"]),
        ("query p0 1", &["p0", "shards 0 to 0 of 3", "join"]),
        (
            &format!("{shard} --shards 3 --share 3 -o f.bw"),
            &["range of shards"],
        ),
        (
            &format!("{shard} --shards 3 --share 2..1 -o f.bw"),
            &["--share", "3..5"],
        ),
        (
            &format!("{shard} --shards 0 --share 0 -o f.bw"),
            &["number of shards"],
        ),
        (
            &format!("{shard} --hash siphash --shards 3 --share 0 -o f.bw"),
            &["same key", "--seed"],
        ),
        (
            "shard guarded --positives keys.txt --bytes 9000 --shards 3 --share 0 -o f.bw",
            &["bits per key"],
        ),
        (
            &format!("build guarded {FILES} --shards 0 -o f.bw"),
            &["number of shards"],
        ),
        (
            &format!("build guarded {FILES} --memory 1MiB -o f.bw"),
            &["memory", "at least 64 MiB"],
        ),
        (
            &format!("build auto {FILES} --memory 1GiB -o f.bw"),
            &["auto takes no --memory"],
        ),
    ] {
        folder.run(line).fails(parts);
        assert!(!folder.path("f.bw").exists(), "{line}");
    }
}

#[test]
fn size_is_that_of_all_shards_together() {
    let folder = Folder::new();
    folder.write("one.txt", "ant\n");
    for (args, most) in [
        ("cuckoo --bytes 1MB --shards 100", 1_000_000),
        (
            "cuckoo --bytes 10MB --shards 100 --memory 64MiB",
            10_000_000,
        ),
        ("growing --bytes 1MB --shards 100", 1_000_000),
        (
            "bloom --bytes 125125 --capacity 1001 --shards 1000",
            125_125,
        ),
    ] {
        let line = format!("build {args} --positives one.txt -o f.bw --force --json");
        let json = folder.run(&line).succeeds().json();
        let bytes = json["bytes"].as_u64().expect("a number");
        assert!(bytes <= most, "{args}: {bytes}");
        folder.run("query f.bw ant").succeeds();
    }
    let line = "build blocked --bytes 1000 --shards 100 --positives one.txt -o g.bw";
    folder
        .run(line)
        .fails(&["the number of shards is 100", "at most 15"]);
}
