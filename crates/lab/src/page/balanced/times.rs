//! Times of balanced filters against blocked ones of the same size.

use crate::filter::contender::filled;
use crate::prelude::*;
use crate::times::race::{self, Entry, Keys};
use bloomwise::{Balanced, Blocked};

/// Runs the races.
pub fn run(outcome: &mut Outcome, options: &Options) -> Result<()> {
    let count = options.scaled(10_000_000, 10_000);
    let keys = Keys::<u64>::new(count, count);
    for bits in [10, 16, 24, 32] {
        let size = Size::BitsPerKey(f64::from(bits));
        let balanced = move |keys: &[u64]| filled(Balanced::builder(size), keys);
        let blocked = move |keys: &[u64]| filled(Blocked::builder(size), keys);
        let entries = vec![
            Entry::single("balanced", &keys, balanced)?,
            Entry::single("blocked", &keys, blocked)?,
            Entry::batch("balanced, batch", &keys, balanced)?,
            Entry::batch("blocked, batch", &keys, blocked)?,
        ];
        let pairs = ["balanced / blocked", "balanced, batch / blocked, batch"];
        let title = format!(
            "{count} keys of 8 bytes and as many queries, {bits} bits per key, blocks of 512"
        );
        race::run(&title, &keys, entries, &pairs, outcome)?;
    }
    Ok(())
}
