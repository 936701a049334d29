//! `inspect` and `verify`.

use crate::run::{Folder, names, numbers};
use serde_json::json;

#[test]
fn inspect_has_the_promised_fields_in_order() {
    let folder = Folder::with_filter("counting", "ant\nbee\n");
    let report = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
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
            "fill"
        ]
    );
    assert_eq!(report["kind"], "counting");
    assert_eq!(report["version"], 1);
    assert_eq!(report["hash"], "xxh3");
    assert_eq!(report["seed"], 0);
    assert_eq!(report["keys"], 2);
    assert_eq!(report["bytes"], 4096);
    assert_eq!(report["bits_per_key"], 16384.0);
    assert_eq!(report["parameters"]["counters"], 8192);
    let fill = report["fill"].as_f64().expect("a number");
    assert!(fill > 0.0 && fill < 0.01, "{fill}");
}

#[test]
fn inspect_for_people_is_aligned_and_never_shows_the_payload() {
    let folder = Folder::with_filter("bloom", &numbers(0..1000));
    let run = folder.run(&["inspect", "f.bw"]).fine();
    assert!(
        run.text().contains("kind            bloom\n"),
        "{}",
        run.text()
    );
    assert!(
        run.text()
            .contains("size            4,096 bytes, 32.77 bits per key\n")
    );
    assert!(run.text().contains("hash            xxh3, seed 0\n"));
    assert!(run.text().len() < 1000);
}

#[test]
fn verify_says_ok() {
    let folder = Folder::with_filter("blocked", &numbers(0..1000));
    let run = folder.run(&["verify", "f.bw"]).fine();
    assert_eq!(run.text(), "ok: blocked, 1,000 keys, 4,096 bytes\n");
    let run = folder.run(&["verify", "f.bw", "--json"]).fine();
    assert_eq!(
        run.json(),
        json!({"ok": true, "kind": "blocked", "keys": 1000, "bytes": 4096})
    );
}

#[test]
fn seeds_that_doubles_cannot_hold_are_digits() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    for (seed, shown) in [
        ("9007199254740992", json!(9_007_199_254_740_992u64)),
        ("9007199254740993", json!("9007199254740993")),
        ("18446744073709551615", json!("18446744073709551615")),
    ] {
        let args = ["build", "bloom", "--positives", "p.txt", "--bytes", "64"];
        let rest = ["-o", "f.bw", "--force", "--seed", seed];
        folder.run(&[&args[..], &rest].concat()).fine();
        let report = folder.run(&["inspect", "f.bw", "--json"]).fine().json();
        assert_eq!(report["seed"], shown);
        let run = folder.run(&["inspect", "f.bw"]).fine();
        assert_eq!(run.row("hash"), format!("xxh3, seed {seed}"));
    }
}
