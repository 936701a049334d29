//! A million keys: no false negatives, and the predicted false positive rate.

use crate::run::{Folder, number, numbers};

const KEYS: u64 = 1_000_000;

#[test]
fn a_million_keys_have_the_predicted_rate() {
    let folder = Folder::new();
    folder.write("p.txt", numbers(0..KEYS));
    folder.write("u.txt", numbers(KEYS..2 * KEYS));
    for (kind, more) in [
        ("bloom", "--fpr 0.01"),
        ("blocked", "--fpr 0.01 --capacity 1000000"),
        ("counting", "--bits-per-key 40"),
    ] {
        let args = format!("build {kind} --positives p.txt -o f.bw --force --json");
        let report = folder.run(&format!("{args} {more}")).succeeds().json();
        assert_eq!(report["keys"], KEYS, "{kind}");
        let predicted = number(&report["report"]["predicted_fpr"]);
        assert!((0.005..0.0102).contains(&predicted), "{kind}: {predicted}");

        let args = "eval f.bw --positives p.txt --unseen u.txt --json";
        let result = folder.run(args).succeeds().json();
        assert_eq!(result["false_negatives"], 0, "{kind}");
        assert_eq!(result["unseen"], KEYS, "{kind}");
        let measured = number(&result["unseen_fpr"]);
        let deviation = (predicted * (1.0 - predicted) / KEYS as f64).sqrt();
        assert!(
            (measured - predicted).abs() < 5.0 * deviation,
            "{kind}: measured {measured}, predicted {predicted}"
        );
    }
}
