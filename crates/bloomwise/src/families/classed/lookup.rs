//! How classes answer.
//!
//! A digest has its class in its lowest byte of the upper half. The class says whether to read its layers, and whether their answer is inverted. All
//! classes are read by code for the widest one: reading a few columns too many costs less than a branch that the processor cannot predict.

use super::allotment::Form;
use super::solved::{Class, Division, Solved};
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::families::guarded::{Grouping, Place, View, run_with};
use crate::kernel::{QueryFn, Vectors, Work};
use crate::keys::hash::Digest;
use crate::keys::sets::KeySets;
use crate::machine::processor::Kernel;

/// How many keys of a batch are looked up together.
const GROUP: usize = 32;

/// A filter for each class of keys, over one array of bits. It answers digests that have a class.
#[derive(Debug)]
pub struct ClassFilters {
    /// The classes.
    classes: Vec<Class>,
    /// The bits of all classes.
    bytes: Storage,
    /// How the columns of all first layers are read.
    grouping: Grouping,
    /// How parities are computed.
    kernel: Kernel,
    /// The compiled query.
    query_fn: QueryFn<ClassFilters>,
}

impl ClassFilters {
    /// The filters of these sets, of `words` words in total, whose digests have classes below `classes`. No class has a rate above `cap`.
    /// Returns `None` if they cannot be right on all known negatives, or if nothing is known about unseen keys.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn build(sets: &KeySets, classes: usize, words: u64, cap: f64) -> Result<Option<Self>> {
        match Division::new(sets, classes) {
            Some(division) => Ok(division.solve(cap, words)?.map(Self::over)),
            None => Ok(None),
        }
    }

    /// The fewest words with which [`ClassFilters::build`] succeeds; `None` if nothing is known about unseen keys.
    pub fn least_words(sets: &KeySets, classes: usize, cap: f64) -> Option<u64> {
        Division::new(sets, classes).map(|division| division.least_words(cap))
    }

    fn over(solved: Solved) -> Self {
        let Solved { classes, bytes } = solved;
        let layers = classes.iter().filter_map(|class| class.layers.as_ref());
        let first = layers.filter_map(|layers| layers.fingerprint.first());
        let columns = first.map(|first| first.columns).max().unwrap_or(0);
        let (kernel, grouping) = (Kernel::current(), Grouping::new(columns));
        ClassFilters {
            query_fn: run_with(kernel, grouping, QueryFn::choose(), ()),
            classes,
            bytes,
            grouping,
            kernel,
        }
    }

    /// The rate of each class on unseen keys.
    pub fn rates(&self) -> Vec<f64> {
        self.classes.iter().map(|class| class.rate).collect()
    }

    /// The rate on unseen keys that is expected: that of held-out negatives.
    pub fn expected_rate(&self) -> f64 {
        let classes = self.classes.iter();
        classes.map(|class| class.share * class.rate).sum()
    }

    /// The number of known negatives that are false positives.
    pub fn wrong(&self) -> u64 {
        self.classes.iter().map(|class| class.wrong).sum()
    }

    /// Whether the key of a digest with a class may be in the set.
    #[inline(always)]
    pub fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    /// Writes the answer for digest `i` to `answers[i]`.
    pub fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let both = (digests, answers);
        run_with(self.kernel, self.grouping, Batch(self), both);
    }

    /// How the class of a digest answers. A digest may come from a forged file.
    #[inline(always)]
    fn class(&self, digest: Digest) -> Option<&Class> {
        self.classes.get(usize::from(digest.class()))
    }

    /// The layers of a class, and their bits.
    #[inline(always)]
    fn view<'a>(&'a self, class: &'a Class) -> Option<View<'a>> {
        let layers = class.layers.as_ref()?;
        let bytes = self.bytes.padded();
        Some(View { layers, bytes })
    }
}

/// The answer of a class, where `found` is that of its layers if it has some.
#[inline(always)]
fn answer(class: &Class, found: Option<bool>) -> bool {
    match found {
        Some(found) => found ^ (class.form == Form::Negatives),
        None => class.form == Form::Accepts,
    }
}

/// Looks up one key.
impl Work for &ClassFilters {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const GROUPS: usize, const SINGLES: usize>(self, digest: Digest) -> bool {
        let Some(class) = self.class(digest) else {
            return true;
        };
        let Some(view) = self.view(class) else {
            return answer(class, None);
        };
        answer(class, Some(view.contains::<V, GROUPS, SINGLES>(digest)))
    }
}

/// Looks up many keys. It prefetches the words of a whole group before it reads the first one.
struct Batch<'a>(&'a ClassFilters);

impl<'a> Work for Batch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const GROUPS: usize, const SINGLES: usize>(
        self,
        (digests, answers): Self::Argument,
    ) {
        let Batch(filters) = self;
        for (digests, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut places = [Place::NOWHERE; GROUP];
            for (place, &digest) in places.iter_mut().zip(digests) {
                if let Some(class) = filters.class(digest)
                    && let Some(view) = filters.view(class)
                    && let Some(first) = view.layers.fingerprint.first()
                {
                    *place = first.place(digest);
                    first.prefetch(view.bytes, place);
                }
            }
            for ((&digest, place), result) in digests.iter().zip(&places).zip(answers) {
                let Some(class) = filters.class(digest) else {
                    *result = true;
                    continue;
                };
                let Some(view) = filters.view(class) else {
                    *result = answer(class, None);
                    continue;
                };
                let found = match view.layers.fingerprint.first() {
                    Some(first) => first.quick::<V, GROUPS, SINGLES>(view.bytes, place),
                    None => None,
                };
                *result = answer(class, Some(view.finish::<V>(digest, found)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cap::Cap;
    use super::*;
    use crate::keys::classes::{Reads, Rule, Sample};
    use crate::keys::digests::Digests;
    use crate::keys::hash::Hashing;

    /// A key of one of two kinds that overlap: of six syllables, most have the vowel of the kind.
    fn key(n: u64, inside: bool) -> String {
        let bits = Hashing::default().digest(n).function(u64::from(inside));
        let syllable = |k: u64| {
            let part = bits >> (8 * k) & 0xFF;
            let vowel = if inside != part.is_multiple_of(4) {
                'a'
            } else {
                'o'
            };
            format!("{}{vowel}", char::from(b'a' + (part / 10) as u8))
        };
        (0..6).map(syllable).chain([format!("{n}")]).collect()
    }

    /// Keys as digests with classes.
    struct Case {
        /// The rule.
        rule: Rule,
        /// Keys and known negatives.
        sets: KeySets,
        /// Keys outside of the set that neither the rule nor the build saw.
        unseen: Vec<Digest>,
    }

    impl Case {
        fn new(
            keys: u64,
            negatives: u64,
            reads: Reads,
            order: impl Fn(Vec<u64>) -> Vec<u64>,
        ) -> Self {
            let hashing = Hashing::default();
            let (inside, outside) = (order((0..keys).collect()), order((0..negatives).collect()));
            let mut sample = Sample::new(hashing);
            inside.iter().for_each(|&n| sample.positive(key(n, true)));
            outside.iter().for_each(|&n| sample.negative(key(n, false)));
            let rule = Rule::learn(sample, reads, 8, 512).expect("two kinds of keys");
            let digest = |n: u64, inside| rule.digest(hashing, key(n, inside));
            let digests = |numbers: Vec<u64>, inside| -> Vec<Digest> {
                numbers.into_iter().map(|n| digest(n, inside)).collect()
            };
            let mut sets = KeySets::builder(hashing);
            let positives = Digests::from_raw(hashing, digests(inside, true));
            let negatives = Digests::from_raw(hashing, digests(outside, false));
            let costs = vec![1.0; negatives.len()];
            sets.positive_digests(positives).expect("one hashing");
            sets.negative_digests(&negatives, &costs)
                .expect("one hashing");
            let sets = sets.build().expect("sound costs");
            let unseen = digests((1 << 40..(1 << 40) + 20_000).collect(), false);
            Case { rule, sets, unseen }
        }

        fn learned(keys: u64, negatives: u64) -> Self {
            Self::new(keys, negatives, Reads::Learned, |numbers| numbers)
        }

        fn filters(&self, bits_per_key: f64, cap: Cap) -> Option<ClassFilters> {
            let keys = self.sets.positives().len() as f64;
            let words = (bits_per_key * keys / 64.0) as u64;
            let cap = cap.rate(bits_per_key);
            ClassFilters::build(&self.sets, self.rule.classes(), words, cap).expect("enough memory")
        }

        fn counted(&self, filters: &ClassFilters, digests: &[Digest]) -> f64 {
            let mut answers = vec![false; digests.len()];
            filters.query_batch(digests, &mut answers);
            let single = digests.iter().map(|&digest| filters.query(digest));
            assert!(single.eq(answers.iter().copied()));
            answers.iter().filter(|yes| **yes).count() as f64 / digests.len() as f64
        }

        /// Checks that no key is denied and no known negative accepted.
        fn check_exact(&self, filters: &ClassFilters) {
            let known: Vec<Digest> = self.sets.negatives().iter().map(|one| one.digest).collect();
            assert_eq!(self.counted(filters, self.sets.positives()), 1.0);
            assert_eq!(self.counted(filters, &known), 0.0);
            assert_eq!(filters.wrong(), 0);
        }
    }

    #[test]
    fn known_keys_are_answered_right_and_unseen_ones_as_expected() {
        let case = Case::learned(30_000, 30_000);
        for bits_per_key in [3.5, 6.0, 10.0] {
            let filters = case.filters(bits_per_key, Cap::Bloom).expect("enough bits");
            case.check_exact(&filters);
            let most = Cap::Bloom.rate(bits_per_key);
            assert!(filters.rates().iter().all(|&rate| rate <= most));
            let (expected, counted) = (
                filters.expected_rate(),
                case.counted(&filters, &case.unseen),
            );
            assert!(expected < 0.5 * 0.6f64.powf(bits_per_key), "{expected}");
            let deviation = (expected * 20_000.0).sqrt() / 20_000.0;
            assert!(
                (counted - expected).abs() < 5.0 * deviation + 0.1 * expected,
                "{counted} {expected}"
            );
        }
    }

    #[test]
    fn without_a_cap_few_bits_are_enough() {
        let case = Case::learned(30_000, 30_000);
        let classes = case.rule.classes();
        let least = ClassFilters::least_words(&case.sets, classes, 1.0).expect("some held out");
        let capped = ClassFilters::least_words(&case.sets, classes, 0.5).expect("some held out");
        let bits_per_key = 64.0 * least as f64 / 30_000.0;
        assert!(bits_per_key < 1.3 && least < capped, "{bits_per_key}");
        let build = |words| ClassFilters::build(&case.sets, classes, words, 1.0).expect("memory");
        assert!(build(least - 1).is_none());
        let filters = build(least).expect("enough words");
        let forms: Vec<Form> = filters.classes.iter().map(|class| class.form).collect();
        assert!(forms.contains(&Form::Negatives), "{forms:?}");
        case.check_exact(&filters);
    }

    #[test]
    fn rules_of_all_kinds_lose_no_key() {
        for reads in [
            Reads::Prefix(b'a'),
            Reads::Suffix(b'o'),
            Reads::Length,
            Reads::First,
        ] {
            let case = Case::new(5000, 9000, reads, |numbers| numbers);
            let filters = case.filters(8.0, Cap::Bloom).expect("enough bits");
            case.check_exact(&filters);
        }
    }

    #[test]
    fn order_of_the_keys_does_not_matter() {
        let build = |order: fn(Vec<u64>) -> Vec<u64>| {
            let case = Case::new(4000, 4000, Reads::Learned, order);
            let filters = case.filters(7.0, Cap::Bloom).expect("enough bits");
            (case.rule, filters.classes, filters.bytes)
        };
        let reversed = build(|mut numbers| {
            numbers.reverse();
            numbers
        });
        assert!(build(|numbers| numbers) == reversed);
    }

    #[test]
    fn few_keys_and_few_negatives_are_enough() {
        for (keys, negatives) in [(1, 1), (3, 400), (400, 30), (0, 50), (2000, 11)] {
            let hashing = Hashing::default();
            let classed = |n: u64, inside| {
                let digest = hashing.digest(key(n, inside));
                digest.with_class((n % 3) as u8)
            };
            let mut sets = KeySets::builder(hashing);
            let digests: Vec<Digest> = (0..keys).map(|n| classed(n, true)).collect();
            let others: Vec<Digest> = (0..negatives).map(|n| classed(n, false)).collect();
            let others = Digests::from_raw(hashing, others);
            sets.positive_digests(Digests::from_raw(hashing, digests))
                .expect("one hashing");
            sets.negative_digests(&others, &vec![1.0; negatives as usize])
                .expect("one hashing");
            let sets = sets.build().expect("sound costs");
            for cap in [1.0, 0.1] {
                let Some(least) = ClassFilters::least_words(&sets, 3, cap) else {
                    assert_eq!(keys, 1, "only so few negatives that none was held out");
                    continue;
                };
                let filters = ClassFilters::build(&sets, 3, least + 5, cap).expect("memory");
                let filters = filters.expect("enough words");
                assert!(sets.positives().iter().all(|&digest| filters.query(digest)));
                assert!(
                    !others
                        .as_slice()
                        .iter()
                        .any(|&digest| filters.query(digest))
                );
            }
        }
    }

    #[test]
    fn digest_of_an_unknown_class_is_accepted() {
        let case = Case::learned(1000, 1000);
        let filters = case.filters(10.0, Cap::Bloom).expect("enough bits");
        let digest = Hashing::default().digest("ant").with_class(200);
        assert_eq!(case.counted(&filters, &[digest]), 1.0);
    }
}
