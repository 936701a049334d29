//! Holds out some negatives: they are measured as unseen keys, and no build sees them.
//!
//! A hash of the key alone decides whether it is held out, so the order of the keys does not matter. The hash differs from that of
//! the filters. Otherwise the digests that a filter sees would not be uniform.

use super::{Negatives, Samples};
use crate::keys::KeyList;
use crate::{Error, Message, Result, Setting};
use bloomwise::Hashing;
use bloomwise::keys::Digest;

/// Makes the seed of this hash differ from that of the filters.
const SEED_MASK: u64 = 0x686f_6c64_6f75_7421;

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; compare on fewer keys";

impl Samples {
    /// Moves a share of the known negatives to the unseen negatives.
    ///
    /// # Errors
    ///
    /// One of the two sides would be empty, or memory runs out.
    pub fn hold_out(&mut self, share: f64, seed: u64) -> Result<()> {
        let hashing = Hashing::Xxh3 {
            seed: seed ^ SEED_MASK,
        };
        // The share is less than 1, so the product fits.
        let below = (share * u64::MAX as f64) as u64;
        let all = self.known.take().unwrap_or_default();
        let (mut known, mut unseen) = (Negatives::default(), Negatives::default());
        known.overlap = all.overlap;
        for (key, cost, lookups) in all.iter() {
            let held_out = hashing.digest(key).function(0) < below;
            let side = if held_out { &mut unseen } else { &mut known };
            (side.push(key, cost, lookups)).map_err(Error::memory(TOO_MANY))?;
        }
        if known.costs.is_empty() || unseen.costs.is_empty() {
            let count = all.costs.len();
            let side = if known.costs.is_empty() {
                "known"
            } else {
                "unseen"
            };
            return Err(Error::Invalid(
                Message::from(Setting::with("holdout", share))
                    + format!(
                        " of {count} negatives leaves no {side} negatives; give more negatives, or give unseen keys with "
                    )
                    + Setting::named("unseen"),
            ));
        }
        self.known = Some(known);
        self.unseen = Some(unseen);
        Ok(())
    }

    /// Removes unseen keys that are also known negatives. Returns how many it removed.
    pub fn remove_known(&mut self) -> Result<u64> {
        let (Some(known), Some(unseen)) = (&self.known, self.unseen.take()) else {
            return Ok(0);
        };
        let digests = sorted_digests(&known.keys);
        let mut kept = Negatives {
            overlap: unseen.overlap,
            ..Negatives::default()
        };
        for (key, cost, lookups) in unseen.iter() {
            let digest = Hashing::default().digest(key);
            if digests.binary_search(&digest).is_err() {
                (kept.push(key, cost, lookups)).map_err(Error::memory(TOO_MANY))?;
            }
        }
        let removed = unseen.costs.len() - kept.costs.len();
        self.unseen = Some(kept);
        Ok(removed as u64)
    }
}

/// The digests of keys, sorted.
fn sorted_digests(keys: &KeyList) -> Vec<Digest> {
    let mut digests: Vec<_> = keys
        .iter()
        .map(|key| Hashing::default().digest(key))
        .collect();
    digests.sort_unstable();
    digests
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose known negatives are `numbers`; the cost of each is the number itself.
    fn samples(numbers: impl Iterator<Item = u32>) -> Samples {
        let mut known = Negatives::default();
        for number in numbers {
            let pushed = known.push(number.to_string().as_bytes(), f64::from(number), 1);
            pushed.expect("memory");
        }
        Samples {
            known: Some(known),
            ..Samples::default()
        }
    }

    fn keys(side: &Option<Negatives>) -> Vec<Vec<u8>> {
        let side = side.as_ref().expect("a side");
        let mut keys: Vec<_> = side.keys.iter().map(<[u8]>::to_vec).collect();
        keys.sort();
        keys
    }

    #[test]
    fn every_key_is_on_one_side_with_its_cost_in_any_order() {
        let mut first = samples(0..10_000);
        first.hold_out(0.2, 7).expect("both sides");
        let (known, unseen) = (keys(&first.known), keys(&first.unseen));
        assert_eq!(known.len() + unseen.len(), 10_000);
        assert!(known.iter().all(|key| unseen.binary_search(key).is_err()));
        // Five standard deviations of 10,000 draws at 0.2.
        assert!(unseen.len().abs_diff(2000) < 5 * 40, "{}", unseen.len());
        for side in [&first.known, &first.unseen].into_iter().flatten() {
            for (key, cost) in side.keys.iter().zip(&side.costs) {
                assert_eq!(key, cost.to_string().as_bytes());
            }
        }
        let mut second = samples((0..10_000).rev());
        second.hold_out(0.2, 7).expect("both sides");
        assert_eq!(keys(&second.unseen), unseen);
        let mut third = samples(0..10_000);
        third.hold_out(0.2, 8).expect("both sides");
        assert_ne!(
            keys(&third.unseen),
            unseen,
            "another seed holds out other keys"
        );
    }

    #[test]
    fn empty_side_is_an_error_that_names_it() {
        for (count, share, side) in [(0, 0.5, "known"), (9, 1e-12, "unseen"), (9, 1.0, "known")] {
            let error = samples(0..count)
                .hold_out(share, 0)
                .expect_err("an empty side");
            assert!(error.to_string().contains(side), "{error}");
        }
    }

    #[test]
    fn unseen_keys_that_are_known_are_removed() {
        let mut both = samples(0..10);
        both.unseen = samples(5..20).known;
        assert_eq!(both.remove_known().expect("memory"), 5);
        assert_eq!(keys(&both.unseen), keys(&samples(10..20).known));
        assert_eq!(keys(&both.known), keys(&samples(0..10).known));
    }
}
