//! The sets that a filter is built from: [`KeySets`].

use crate::error::Result;
use crate::keys::cost::check_costs;
use crate::keys::cost_sum::CostSum;
use crate::keys::digests::Digests;
use crate::keys::hash::{Digest, Hashing};
use crate::keys::key::Key;
use crate::keys::sort;
use crate::machine::parallel;
use std::collections::TryReserveError;
use std::fmt;
use std::ops::Range;

/// A known negative and the cost of a false positive on it.
///
/// ```
/// use bloomwise::{Hashing, KeySets};
///
/// # fn main() -> bloomwise::Result<()> {
/// let sets = KeySets::new(["ant"], [("bee", 3.0), ("bee", 4.0)])?;
/// let negative = sets.negatives()[0];
/// assert_eq!((negative.digest, negative.cost), (Hashing::default().digest("bee"), 7.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costed {
    /// The digest of the key.
    pub digest: Digest,
    /// The cost, finite and at least 0. Use 1 if you know nothing about costs.
    pub cost: f64,
}

/// The sets that a filter is built from: positives, known negatives, and the cost of a false positive on each negative.
///
/// It stores a 16-byte digest per key and the hashing that produced it. Builders give the filter the same hashing. The
/// sets are already in the form that builders need:
///
/// - The positives are sorted and distinct. [`KeySets::duplicates`] counts the repetitions that were dropped.
/// - The negatives are sorted and distinct. The costs of a repeated negative are added up.
/// - A key in both sets is a positive. [`KeySets::overlap`] counts the negatives that were dropped for this reason.
///
/// Because of the sorting, a build does not depend on the order of its input.
///
/// ```
/// use bloomwise::{Hashing, KeySets};
///
/// # fn main() -> bloomwise::Result<()> {
/// let blocked = ["ads.example", "malware.example", "ads.example"];
/// let popular = [("bank.example", 900.0), ("news.example", 100.0)];
/// let sets = KeySets::new(blocked, popular)?;
/// assert_eq!((sets.positives().len(), sets.negatives().len(), sets.duplicates()), (2, 2, 1));
///
/// // Key by key, with a hashing of your choice.
/// let mut sets = KeySets::builder(Hashing::Xxh3 { seed: 7 });
/// sets.positive("ads.example");
/// sets.negative("bank.example", 900.0);
/// let sets = sets.build()?;
/// assert_eq!(sets.hashing(), Hashing::Xxh3 { seed: 7 });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct KeySets {
    /// The hashing that made the digests.
    hashing: Hashing,
    /// The positives, sorted and distinct.
    positives: Vec<Digest>,
    /// The negatives that are not positives, sorted and distinct.
    negatives: Vec<Costed>,
    /// The number of repeated positives; each repetition counts.
    duplicates: u64,
    /// The number of distinct negatives that were dropped because they are positives.
    overlap: u64,
}

/// One line: the numbers of keys instead of their digests.
impl fmt::Debug for KeySets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySets")
            .field("positives", &self.positives.len())
            .field("negatives", &self.negatives.len())
            .field("duplicates", &self.duplicates)
            .field("overlap", &self.overlap)
            .field("hashing", &self.hashing)
            .finish()
    }
}

/// Collects positives and negatives for [`KeySets`], in any order.
///
/// ```
/// use bloomwise::{Hashing, KeySets};
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut sets = KeySets::builder(Hashing::default());
/// sets.positive("ant").positives(["bee", "cow"]).negative("dog", 2.0);
/// let sets = sets.build()?;
/// assert_eq!((sets.positives().len(), sets.negatives().len()), (3, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KeySetsBuilder {
    /// The hashing that makes the digests.
    hashing: Hashing,
    /// The positives so far, in any order.
    positives: Vec<Digest>,
    /// The negatives so far, in any order.
    negatives: Vec<Costed>,
}

/// One line: the numbers of keys instead of their digests.
impl fmt::Debug for KeySetsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySetsBuilder")
            .field("positives", &self.positives.len())
            .field("negatives", &self.negatives.len())
            .field("hashing", &self.hashing)
            .finish()
    }
}

impl KeySets {
    /// The sets of these keys and of these negatives with their costs, with the default hashing.
    ///
    /// # Errors
    ///
    /// A cost is negative, infinite or not a number; the error names its index.
    pub fn new<P: Key, N: Key>(
        positives: impl IntoIterator<Item = P>,
        negatives: impl IntoIterator<Item = (N, f64)>,
    ) -> Result<Self> {
        let mut sets = Self::builder(Hashing::default());
        sets.positives(positives).negatives(negatives);
        sets.build()
    }

    /// The set of these keys without known negatives, with the default hashing.
    pub fn of_positives<P: Key>(positives: impl IntoIterator<Item = P>) -> Self {
        let mut sets = Self::builder(Hashing::default());
        sets.positives(positives);
        sets.build_positives()
    }

    /// Empty sets.
    pub fn empty(hashing: Hashing) -> Self {
        Self::builder(hashing).build_positives()
    }

    /// Collects sets one key at a time. `hashing` makes the digests.
    pub fn builder(hashing: Hashing) -> KeySetsBuilder {
        KeySetsBuilder {
            hashing,
            positives: Vec::new(),
            negatives: Vec::new(),
        }
    }

    /// The hashing that made the digests.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// The positives, sorted and distinct.
    pub fn positives(&self) -> &[Digest] {
        &self.positives
    }

    /// The negatives that are not positives, sorted and distinct.
    pub fn negatives(&self) -> &[Costed] {
        &self.negatives
    }

    /// The cost of all negatives.
    pub(crate) fn total_cost(&self) -> CostSum {
        self.negatives.iter().map(|negative| negative.cost).sum()
    }

    /// Whether all keys belong to shard `shard` of `of` shards.
    pub(crate) fn are_of_shard(&self, of: u64, shard: u64) -> bool {
        let own = |digest: Digest| digest.shard(of) == shard;
        let negatives = self.negatives.iter();
        self.positives.iter().all(|&digest| own(digest)) && negatives.map(|n| n.digest).all(own)
    }

    /// The number of positives in each of `of` shards.
    pub(crate) fn count_shards(&self, of: u64) -> Vec<u64> {
        let mut counts = vec![0; of as usize];
        for digest in &self.positives {
            counts[digest.shard(of) as usize] += 1;
        }
        counts
    }

    /// The keys of some of `of` shards: one set for each shard in `range`.
    pub(crate) fn split(&self, of: u64, range: Range<u64>) -> Vec<KeySets> {
        let count = range.clone().count();
        self.parted(count, |digest| {
            let shard = digest.shard(of);
            range
                .contains(&shard)
                .then(|| (shard - range.start) as usize)
        })
    }

    /// The keys of each class: one set for each of `classes` classes. Keys of other classes are left out.
    pub(crate) fn by_class(&self, classes: usize) -> Vec<KeySets> {
        self.parted(classes, |digest| {
            Some(usize::from(digest.class())).filter(|&class| class < classes)
        })
    }

    /// The sets with their roles exchanged: the negatives as keys, and the keys as negatives of equal cost.
    pub(crate) fn inverted(&self) -> Self {
        let negatives = self
            .positives
            .iter()
            .map(|&digest| Costed { digest, cost: 1.0 });
        KeySets {
            positives: self
                .negatives
                .iter()
                .map(|negative| negative.digest)
                .collect(),
            negatives: negatives.collect(),
            ..Self::empty(self.hashing)
        }
    }

    /// The keys in `count` parts. `place` gives the part of a key, if it is in any.
    fn parted(&self, count: usize, place: impl Fn(Digest) -> Option<usize>) -> Vec<KeySets> {
        let mut sets = vec![Self::empty(self.hashing); count];
        // Both lists are sorted, so their parts are too.
        for &digest in &self.positives {
            if let Some(place) = place(digest) {
                sets[place].positives.push(digest);
            }
        }
        for &negative in &self.negatives {
            if let Some(place) = place(negative.digest) {
                sets[place].negatives.push(negative);
            }
        }
        sets
    }

    /// The number of repeated positives; each repetition counts.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// The number of distinct negatives that were dropped because they are positives.
    pub fn overlap(&self) -> u64 {
        self.overlap
    }
}

impl KeySetsBuilder {
    /// The hashing that makes the digests.
    pub fn hashing(&self) -> Hashing {
        self.hashing
    }

    /// Reserves memory for more positives and more negatives. Call it before adding keys if the program must not abort when memory runs
    /// out. Calling it for one key at a time is as fast as for many.
    ///
    /// # Errors
    ///
    /// There is not enough memory. The keys added so far are kept.
    #[inline]
    pub fn try_reserve(
        &mut self,
        positives: usize,
        negatives: usize,
    ) -> std::result::Result<(), TryReserveError> {
        self.positives.try_reserve(positives)?;
        self.negatives.try_reserve(negatives)
    }

    /// Adds a key of the set.
    #[inline]
    pub fn positive(&mut self, key: impl Key) -> &mut Self {
        self.positives.push(self.hashing.digest(key));
        self
    }

    /// Adds keys of the set.
    pub fn positives<K: Key>(&mut self, keys: impl IntoIterator<Item = K>) -> &mut Self {
        let hashing = self.hashing;
        let digests = keys.into_iter().map(|key| hashing.digest(key));
        self.positives.extend(digests);
        self
    }

    /// Adds a known negative and the cost of a false positive on it.
    #[inline]
    pub fn negative(&mut self, key: impl Key, cost: f64) -> &mut Self {
        let digest = self.hashing.digest(key);
        self.negatives.push(Costed { digest, cost });
        self
    }

    /// Adds known negatives with their costs.
    pub fn negatives<K: Key>(&mut self, keys: impl IntoIterator<Item = (K, f64)>) -> &mut Self {
        let hashing = self.hashing;
        let costed = keys.into_iter().map(|(key, cost)| {
            let digest = hashing.digest(key);
            Costed { digest, cost }
        });
        self.negatives.extend(costed);
        self
    }

    /// Adds keys of the set by digests. This hashing must have made them.
    #[cfg(feature = "mmap")]
    pub(crate) fn add_positives(&mut self, digests: impl Iterator<Item = Digest>) {
        self.positives.extend(digests);
    }

    /// Adds known negatives by digests. This hashing must have made them.
    #[cfg(feature = "mmap")]
    pub(crate) fn add_negatives(&mut self, negatives: impl Iterator<Item = Costed>) {
        self.negatives.extend(negatives);
    }

    /// Adds keys of the set by their digests.
    ///
    /// # Errors
    ///
    /// The digests have another hashing.
    pub fn positive_digests(&mut self, digests: Digests<'_>) -> Result<&mut Self> {
        self.hashing.expect(digests.hashing())?;
        if self.positives.is_empty() {
            self.positives = digests.into_vec();
        } else {
            self.positives.extend_from_slice(digests.as_slice());
        }
        Ok(self)
    }

    /// Adds known negatives by their digests, each with its cost.
    ///
    /// # Errors
    ///
    /// The digests have another hashing, or the numbers of costs and digests differ.
    pub fn negative_digests(&mut self, digests: &Digests<'_>, costs: &[f64]) -> Result<&mut Self> {
        let pairs = digests.with_costs(self.hashing, costs)?;
        self.negatives
            .extend(pairs.map(|(digest, cost)| Costed { digest, cost }));
        Ok(self)
    }

    /// Checks costs, sorts both sets, and merges duplicates.
    ///
    /// # Errors
    ///
    /// A cost is negative, infinite or not a number; the error names its index among the negatives.
    pub fn build(self) -> Result<KeySets> {
        check_costs(self.negatives.iter().map(|negative| negative.cost))?;
        Ok(self.build_positives())
    }

    /// The sets. All costs must be valid.
    fn build_positives(self) -> KeySets {
        let (mut positives, mut negatives) = (self.positives, self.negatives);
        let given = positives.len();
        parallel::join(
            || {
                sort::digests(&mut positives);
                positives.dedup();
            },
            || {
                // -0.0 is the same cost as 0.0, so store it as 0.0.
                negatives
                    .iter_mut()
                    .for_each(|negative| negative.cost += 0.0);
                sort::by_digest(&mut negatives, |negative| negative.digest);
                if negatives
                    .windows(2)
                    .any(|pair| pair[0].digest == pair[1].digest)
                {
                    add_up(&mut negatives);
                }
            },
        );
        let duplicates = (given - positives.len()) as u64;
        let distinct = negatives.len();
        // Both are sorted, so one pass through both finds the common keys.
        let mut rest = positives.as_slice();
        negatives.retain(|negative| {
            while let [first, others @ ..] = rest
                && *first < negative.digest
            {
                rest = others;
            }
            rest.first() != Some(&negative.digest)
        });
        KeySets {
            hashing: self.hashing,
            overlap: (distinct - negatives.len()) as u64,
            positives,
            negatives,
            duplicates,
        }
    }
}

/// Merges repeated negatives and adds up their costs.
fn add_up(negatives: &mut Vec<Costed>) {
    // Sort by cost before adding, or rounding would depend on the order of the input.
    for same in negatives.chunk_by_mut(|a, b| a.digest == b.digest) {
        same.sort_unstable_by(|a, b| a.cost.total_cmp(&b.cost));
    }
    negatives.dedup_by(|next, kept| {
        let same = next.digest == kept.digest;
        if same {
            // The sum stays finite, however many costs are added.
            kept.cost = (kept.cost + next.cost).min(f64::MAX);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(key: u64) -> Digest {
        Hashing::default().digest(key)
    }

    #[test]
    fn duplicates_count_once_and_costs_add_up() {
        let sets = KeySets::new([3, 1, 3], [(2, 0.5), (1, 9.0), (2, 1.0)]).expect("sound costs");
        let mut expected = [digest(1), digest(3)];
        expected.sort();
        assert_eq!(sets.positives(), expected);
        let two = digest(2);
        assert_eq!(
            sets.negatives(),
            [Costed {
                digest: two,
                cost: 1.5
            }]
        );
        assert_eq!((sets.duplicates(), sets.overlap()), (1, 1));
    }

    #[test]
    fn order_of_the_input_does_not_matter() {
        let mut costs: Vec<(u64, f64)> = (0..50).map(|n| (n % 5, 0.1 * n as f64)).collect();
        let positives: [u64; 0] = [];
        let sorted = KeySets::new(positives, costs.clone()).expect("sound costs");
        costs.reverse();
        costs.rotate_left(17);
        assert_eq!(KeySets::new(positives, costs).expect("sound costs"), sorted);
    }

    #[test]
    fn impossible_costs_are_errors_that_name_the_index() {
        let none: [u64; 0] = [];
        for cost in [-1.0, f64::NAN, f64::INFINITY] {
            let error = KeySets::new(none, [(0, 1.0), (1, cost)]);
            let text = error.expect_err("no cost").to_string();
            assert!(text.contains("negative 1 "), "{text}");
        }
        let sets = KeySets::new(none, [(0, -0.0)]).expect("a sound cost");
        assert!(sets.negatives()[0].cost.is_sign_positive());
        let sets = KeySets::new(none, [(0, f64::MAX), (0, f64::MAX)]).expect("sound costs");
        assert_eq!(sets.negatives()[0].cost, f64::MAX);
    }

    #[test]
    fn keys_and_their_digests_give_the_same_sets() {
        let hashing = Hashing::SipHash { key: 9 };
        let mut keys = KeySets::builder(hashing);
        keys.positives(0..5)
            .negatives((5..8).map(|key| (key, f64::from(key))));
        let mut digests = KeySets::builder(hashing);
        digests
            .positive_digests(Digests::of(hashing, 0..5))
            .expect("one hashing");
        let negatives = Digests::of(hashing, 5..8);
        digests
            .negative_digests(&negatives, &[5.0, 6.0, 7.0])
            .expect("one hashing");
        assert!(digests.negative_digests(&negatives, &[5.0]).is_err());
        assert_eq!(
            digests.build().expect("sound costs"),
            keys.build().expect("sound costs")
        );
    }

    #[test]
    fn impossible_reservation_is_an_error_that_keeps_the_keys() {
        let mut sets = KeySets::builder(Hashing::default());
        sets.positive("ant");
        assert!(sets.try_reserve(usize::MAX, 0).is_err());
        assert!(sets.try_reserve(0, usize::MAX).is_err());
        assert!(sets.try_reserve(1, 1).is_ok());
        assert_eq!(
            sets.build().expect("no costs"),
            KeySets::of_positives(["ant"])
        );
    }

    #[test]
    fn digests_of_another_hashing_are_errors() {
        let mut sets = KeySets::builder(Hashing::default());
        let foreign = Digests::of(Hashing::Xxh3 { seed: 1 }, [1]);
        assert!(sets.negative_digests(&foreign, &[1.0]).is_err());
        assert!(sets.positive_digests(foreign).is_err());
        assert_eq!(
            sets.build().expect("nothing"),
            KeySets::empty(Hashing::default())
        );
    }
}
