//! The crate `clubcard`: exact on a known universe. Firefox uses it for revoked certificates (`CRLite`).
//!
//! It solves the problem of [`bloomwise::Guarded`] with two ribbons: the first holds the positives and leaves as many
//! negatives as there are positives; the second tells these apart, one bit each. Its size follows from the two numbers; it
//! cannot be chosen. Here all keys are in one block. `CRLite` has a block per issuer, which helps if issuers differ.
//!
//! *No false negatives*: positives are inserted first, so the few keys that the second ribbon cannot hold are negatives.
//! The filter keeps a list of those.

use crate::prelude::*;
use ::clubcard::builder::{ApproximateRibbon, ClubcardBuilder, ExactRibbon};
use ::clubcard::{AsQuery, Equation, Filterable, Queryable};

/// Words of an equation, as in `CRLite`.
const WORDS: usize = 4;

/// A clubcard without blocks.
pub struct Clubcard(::clubcard::Clubcard<WORDS, (), ()>);

/// A key, and whether it is in the set.
struct Item {
    words: [u64; WORDS],
    name: [u8; 16],
    inside: bool,
}

impl Item {
    fn new(digest: Digest, inside: bool) -> Self {
        let mut words = [0, 1, 2, 3].map(|function| digest.function(function));
        // The crate wants equations that start with a one.
        words[0] |= 1;
        Item {
            words,
            name: digest.to_bytes(),
            inside,
        }
    }
}

impl AsQuery<WORDS> for Item {
    fn as_query(&self, m: usize) -> Equation<WORDS> {
        // As in the crate's example.
        let start = self.words[WORDS - 1] % m.max(1) as u64;
        Equation::inhomogeneous(start as usize, self.words, u8::from(!self.inside))
    }

    fn block(&self) -> &[u8] {
        &[]
    }

    fn discriminant(&self) -> &[u8] {
        &self.name
    }
}

impl Filterable<WORDS> for Item {
    fn included(&self) -> bool {
        self.inside
    }
}

impl Queryable<WORDS> for Item {
    type UniverseMetadata = ();
    type PartitionMetadata = ();

    fn in_universe(&self, (): &()) -> bool {
        true
    }
}

impl Clubcard {
    /// The clubcard of `sets`.
    pub fn build(sets: &KeySets) -> Result<Self> {
        let (positives, negatives) = (sets.positives(), sets.negatives());
        ensure!(
            !positives.is_empty() && negatives.len() >= positives.len(),
            "a clubcard needs keys, and at least as many negatives"
        );
        let mut builder = ClubcardBuilder::new();
        let mut first = builder.new_approx_builder(&[]);
        for &digest in positives {
            first.insert(Item::new(digest, true));
        }
        first.set_universe_size(positives.len() + negatives.len());
        builder.collect_approx_ribbons(vec![ApproximateRibbon::from(first)]);
        let mut second = builder.new_exact_builder(&[]);
        for &digest in positives {
            second.insert(Item::new(digest, true));
        }
        for negative in negatives {
            second.insert(Item::new(negative.digest, false));
        }
        let second = ExactRibbon::from(second);
        builder.collect_exact_ribbons(vec![second]);
        Ok(Clubcard(builder.build::<Item>((), ())))
    }
}

impl DigestFilter for Clubcard {
    fn may_contain(&self, digest: Digest) -> bool {
        self.0.unchecked_contains(&Item::new(digest, false))
    }

    fn bits(&self) -> u64 {
        let words = self.0.approx_filter.iter().map(Vec::len).sum::<usize>();
        let words = words + self.0.exact_filter.len();
        let exceptions = self.0.index.values().flat_map(|entry| &entry.exceptions);
        let bytes = 8 * words + exceptions.map(Vec::len).sum::<usize>();
        8 * bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Hashing;
    use proptest::prelude::*;

    fn sets(positives: u64, negatives: u64, seed: u64) -> KeySets {
        let mut sets = KeySets::builder(Hashing::Xxh3 { seed });
        sets.positives(0..positives);
        sets.negatives((1 << 32..(1 << 32) + negatives).map(|key| (key, 1.0)));
        sets.build().expect("sound costs")
    }

    proptest! {
        #[test]
        fn clubcard_is_exact_on_its_universe(
            positives in 1u64..200, more in 0u64..2000, seed in any::<u64>(),
        ) {
            let sets = sets(positives, positives + more, seed);
            let filter = Clubcard::build(&sets).expect("enough negatives");
            prop_assert!(sets.positives().iter().all(|&digest| filter.may_contain(digest)));
            prop_assert!(!sets.negatives().iter().any(|key| filter.may_contain(key.digest)));
        }
    }

    #[test]
    fn size_is_that_of_the_two_ribbons() {
        // With eight negatives per key the first ribbon has 3 columns and leaves one negative per key.
        let filter = Clubcard::build(&sets(10_000, 80_000, 1)).expect("enough negatives");
        let per_key = filter.bits() as f64 / 10_000.0;
        assert!((5.0..5.6).contains(&per_key), "{per_key}");
        assert!(Clubcard::build(&sets(10, 5, 1)).is_err());
    }
}
