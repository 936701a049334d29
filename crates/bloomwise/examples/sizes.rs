//! What the formulas say about space.
//!
//! `cargo run -p bloomwise --example sizes`

use bloomwise::sizing::{MAX_FUNCTIONS, blocked_rate, paired_rate};
use bloomwise::{Family, Filter, Size, Spec};

const KEYS: u64 = 1_000_000;

fn main() -> bloomwise::Result<()> {
    println!("rate: bits per key of bloom, blocked with 512 and 256 bits, counting");
    for rate in [0.1, 0.01, 0.001, 0.0001] {
        let sized = |family| Spec::new(family).size(Size::Rate(rate)).capacity(KEYS);
        let specs = [
            sized(Family::Bloom),
            sized(Family::Blocked),
            sized(Family::Blocked).set("block", 256)?,
            sized(Family::Counting),
        ];
        print!("{} %:", 100.0 * rate);
        for spec in specs {
            print!(" {:.2}", spec.create()?.size_in_bits() as f64 / KEYS as f64);
        }
        println!();
    }
    println!("bits per key: rate of bloom, blocked with 512 and 256 bits");
    for bits in [6, 8, 10, 12, 16, 20].map(|bits| bits * KEYS) {
        let rates = |k| {
            [
                paired_rate(512, bits, KEYS, k),
                blocked_rate(512, bits, KEYS, k),
                blocked_rate(256, bits, KEYS, k),
            ]
        };
        let best = (1..=MAX_FUNCTIONS)
            .map(rates)
            .reduce(|a, b| [0, 1, 2].map(|i| a[i].min(b[i])));
        let shown = best
            .unwrap_or_default()
            .map(|rate| format!("{:.3} %", 100.0 * rate));
        println!("{}: {}", bits / KEYS, shown.join(" "));
    }
    Ok(())
}
