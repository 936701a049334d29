//! Times of balanced filters against blocked ones of the same size.

use crate::contender::filled;
use crate::options::Options;
use crate::output::Outcome;
use crate::race::{self, Entry, Keys};
use anyhow::Result;
use bloomwise::{Balanced, Blocked, Size};

fn balanced<const BITS: u32>(keys: &[u64]) -> Result<Balanced> {
    let size = Size::BitsPerKey(f64::from(BITS));
    filled(Balanced::builder(size), keys)
}

fn blocked<const BITS: u32>(keys: &[u64]) -> Result<Blocked> {
    let size = Size::BitsPerKey(f64::from(BITS));
    filled(Blocked::builder(size), keys)
}

fn times<const BITS: u32>(outcome: &mut Outcome, options: &Options) -> Result<()> {
    let count = options.scaled(10_000_000, 10_000);
    let keys = Keys::<u64>::new(count, count);
    let entries = vec![
        Entry::single::<u64, Balanced>("balanced", &keys, balanced::<BITS>)?,
        Entry::single::<u64, Blocked>("blocked", &keys, blocked::<BITS>)?,
        Entry::batch::<u64, Balanced>("balanced, batch", &keys, balanced::<BITS>)?,
        Entry::batch::<u64, Blocked>("blocked, batch", &keys, blocked::<BITS>)?,
    ];
    let pairs = [
        ("balanced", "blocked"),
        ("balanced, batch", "blocked, batch"),
    ];
    let title =
        format!("{count} keys of 8 bytes and as many queries, {BITS} bits per key, blocks of 512");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Runs the races.
pub fn run(outcome: &mut Outcome, options: &Options) -> Result<()> {
    times::<10>(outcome, options)?;
    times::<16>(outcome, options)?;
    times::<24>(outcome, options)?;
    times::<32>(outcome, options)
}
