//! Negatives that are held out: measured as unseen keys, and never shown to whoever builds a filter.
//!
//! Which ones is decided by a digest of the key alone, so that all copies of a key fall on the same side, and the same
//! keys do whatever order they come in. The hash differs from that of the filters; else a filter would see only keys
//! whose digests lie in one part of all there are.

use crate::key_list::KeyList;
use crate::memory;
use crate::samples::{Negatives, Samples};
use anyhow::{Context, Result, bail};
use bloomwise::{Digest, Hashing};

/// Sets this hash apart from that of a filter with the same seed.
const APART: u64 = 0x686f_6c64_6f75_7421;

/// What to do about keys that cannot be held.
const TOO_MANY: &str = "the keys do not fit into memory; compare on fewer of them";

/// Parts the known negatives: a share of them becomes the unseen ones.
///
/// # Errors
///
/// One of the two sides would be empty.
pub fn hold_out(samples: &mut Samples, share: f64, seed: u64) -> Result<()> {
    let hashing = Hashing::Xxh3 { seed: seed ^ APART };
    // A share of 1 is out of reach, and what lies below it fits.
    let below = (share * u64::MAX as f64) as u64;
    let all = samples.known.take().unwrap_or_default();
    let (mut known, mut unseen) = (Negatives::default(), Negatives::default());
    known.overlap = all.overlap;
    for (key, &cost) in all.keys.iter().zip(&all.costs) {
        let held_out = hashing.digest(key).function(0) < below;
        let side = if held_out { &mut unseen } else { &mut known };
        side.push(key, cost).context(TOO_MANY)?;
    }
    if known.costs.is_empty() || unseen.costs.is_empty() {
        let (count, side) = (all.costs.len(), ["unseen", "known"]);
        bail!(
            "--holdout {share} leaves no {} negatives of {count}; give more of them, or unseen ones with --unseen",
            side[usize::from(known.costs.is_empty())],
        );
    }
    samples.known = Some(known);
    samples.unseen = Some(unseen);
    Ok(())
}

/// Leaves out unseen keys that are among the known ones, and tells how many.
pub fn leave_out_known(samples: &mut Samples) -> Result<u64> {
    let (Some(known), Some(unseen)) = (&samples.known, samples.unseen.take()) else {
        return Ok(0);
    };
    let digests = sorted(&known.keys);
    let mut kept = Negatives {
        overlap: unseen.overlap,
        ..Negatives::default()
    };
    for (key, &cost) in unseen.keys.iter().zip(&unseen.costs) {
        let digest = Hashing::default().digest(key);
        if digests.binary_search(&digest).is_err() {
            kept.push(key, cost).context(TOO_MANY)?;
        }
    }
    let left_out = unseen.costs.len() - kept.costs.len();
    samples.unseen = Some(kept);
    Ok(left_out as u64)
}

/// The digests of keys, in order.
fn sorted(keys: &KeyList) -> Vec<Digest> {
    let mut digests: Vec<_> = keys
        .iter()
        .map(|key| Hashing::default().digest(key))
        .collect();
    digests.sort_unstable();
    digests
}

impl Negatives {
    /// Adds a key and its cost.
    pub fn push(&mut self, key: &[u8], cost: f64) -> std::io::Result<()> {
        self.keys.push(key)?;
        memory::push(&mut self.costs, cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known negatives of these numbers, each with itself as its cost.
    fn samples(numbers: impl Iterator<Item = u32>) -> Samples {
        let mut known = Negatives::default();
        for number in numbers {
            let pushed = known.push(number.to_string().as_bytes(), f64::from(number));
            pushed.expect("memory");
        }
        Samples {
            positives: KeyList::default(),
            known: Some(known),
            unseen: None,
            skipped: 0,
        }
    }

    fn keys(side: &Option<Negatives>) -> Vec<Vec<u8>> {
        let side = side.as_ref().expect("a side");
        let mut keys: Vec<_> = side.keys.iter().map(<[u8]>::to_vec).collect();
        keys.sort();
        keys
    }

    #[test]
    fn every_key_is_on_one_side_with_its_cost_whatever_the_order() {
        let mut first = samples((0..10_000).chain(0..10_000));
        hold_out(&mut first, 0.2, 7).expect("both sides");
        let (known, unseen) = (keys(&first.known), keys(&first.unseen));
        assert_eq!(known.len() + unseen.len(), 20_000);
        assert!(known.iter().all(|key| unseen.binary_search(key).is_err()));
        // Five standard deviations of 10,000 coins at 0.2, which count twice.
        assert!(unseen.len().abs_diff(4000) < 2 * 5 * 40, "{}", unseen.len());
        for side in [&first.known, &first.unseen].into_iter().flatten() {
            for (key, cost) in side.keys.iter().zip(&side.costs) {
                assert_eq!(key, cost.to_string().as_bytes());
            }
        }
        let mut second = samples((0..10_000).rev().chain(0..10_000));
        hold_out(&mut second, 0.2, 7).expect("both sides");
        assert_eq!(keys(&second.unseen), unseen);
        let mut third = samples((0..10_000).chain(0..10_000));
        hold_out(&mut third, 0.2, 8).expect("both sides");
        assert_ne!(keys(&third.unseen), unseen, "the seed decides");
    }

    #[test]
    fn an_empty_side_is_an_error_that_names_it() {
        for (count, share, side) in [(0, 0.5, "known"), (9, 1e-12, "unseen"), (9, 1.0, "known")] {
            let error = hold_out(&mut samples(0..count), share, 0).expect_err("an empty side");
            assert!(error.to_string().contains(side), "{error}");
        }
    }

    #[test]
    fn unseen_keys_that_are_known_are_left_out() {
        let mut both = samples(0..10);
        both.unseen = samples(5..20).known;
        assert_eq!(leave_out_known(&mut both).expect("memory"), 5);
        assert_eq!(keys(&both.unseen), keys(&samples(10..20).known));
        assert_eq!(keys(&both.known), keys(&samples(0..10).known));
    }
}
