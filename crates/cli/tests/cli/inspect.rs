//! `inspect` and `verify`.

use crate::run::{Folder, names, number, numbers};
use serde_json::json;

#[test]
fn inspect_has_the_documented_fields_in_order() {
    let folder = Folder::with_filter("counting", "ant\nbee\n");
    let report = folder.inspect();
    assert_eq!(
        names(&report),
        [
            "kind",
            "version",
            "hash",
            "seed",
            "keys",
            "bytes",
            "bits_per_key",
            "parameters",
            "predicted_fpr",
            "fill",
            "capacity",
            "exact",
            "wrong",
            "shards",
            "patch"
        ]
    );
    assert_eq!(report["kind"], "counting");
    assert_eq!(report["version"], 2);
    assert_eq!(report["hash"], "xxh3");
    assert_eq!(report["seed"], 0);
    assert_eq!(report["keys"], 2);
    assert_eq!(report["capacity"], 2);
    assert_eq!(report["bytes"], 4096);
    assert_eq!(report["bits_per_key"], 16384.0);
    assert_eq!(report["parameters"]["counters"], 8192);
    let fill = number(&report["fill"]);
    assert!(fill > 0.0 && fill < 0.01, "{fill}");
}

#[test]
fn text_of_inspect_is_aligned_and_short() {
    let folder = Folder::with_filter("bloom", &numbers(0..1000));
    let run = folder.run("inspect f.bw").succeeds();
    for line in [
        "kind            bloom\n",
        "capacity        1,000\n",
        "size            4,096 bytes, 32.77 bits per key\n",
        "hash            xxh3, seed 0\n",
    ] {
        run.prints(line);
    }
    assert!(run.text().len() < 1000);
}

#[test]
fn verify_prints_ok() {
    let folder = Folder::with_filter("blocked", &numbers(0..1000));
    let run = folder.run("verify f.bw").succeeds();
    assert_eq!(run.text(), "ok: blocked, 1,000 keys, 4,096 bytes\n");
    let run = folder.run("verify f.bw --json").succeeds();
    assert_eq!(
        run.json(),
        json!({"ok": true, "kind": "blocked", "keys": 1000, "bytes": 4096})
    );
}

#[test]
fn capacity_is_null_if_none_was_given() {
    let folder = Folder::with_filter("guarded", "");
    assert!(folder.inspect()["capacity"].is_null());
    let run = folder.run("inspect f.bw").succeeds();
    assert_eq!(run.row("capacity"), "-");
}

#[cfg(target_os = "linux")]
#[test]
fn loading_takes_little_more_memory_than_the_filter() {
    use crate::run::{after, finish};
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let args = "build blocked --positives p.txt --bytes 160000000 -o f.bw";
    folder.run(args).succeeds();
    for (line, input) in [
        ("verify f.bw", ":"),
        ("verify -", "exec < f.bw"),
        ("update f.bw --insert p.txt", ":"),
    ] {
        // Twice the filter would be more than this.
        let limited = format!("{input}; ulimit -v 250000");
        finish(&mut after(&folder, &limited, line), b"").succeeds();
    }
}

#[test]
fn seed_above_2_to_53_is_a_json_string() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    for (seed, shown) in [
        ("9007199254740992", json!(9_007_199_254_740_992u64)),
        ("9007199254740993", json!("9007199254740993")),
        ("18446744073709551615", json!("18446744073709551615")),
    ] {
        let args = "build bloom --positives p.txt --bytes 64";
        let rest = format!("-o f.bw --force --seed {seed}");
        folder.run(&format!("{args} {rest}")).succeeds();
        let report = folder.inspect();
        assert_eq!(report["seed"], shown);
        let run = folder.run("inspect f.bw").succeeds();
        assert_eq!(run.row("hash"), format!("xxh3, seed {seed}"));
    }
}
