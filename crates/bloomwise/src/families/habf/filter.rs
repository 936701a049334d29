//! The filter: insertions and queries.

use super::lookup::Batch;
use super::model::first_round_rate;
use super::shape::{CACHE, FAST, FULL, Kind, Shape};
use super::tables::Tables;
use crate::filter::builder::Builder;
use crate::filter::change::Change;
use crate::filter::contract::sealed::Checked;
use crate::filter::contract::{Filter, Lookup, sealed};
use crate::filter::debug::describe;
use crate::filter::family::Family;
use crate::filter::info::Info;
use crate::filter::insert::Insert;
use crate::filter::profile::Profile;
use crate::filter::sizing::Size;
use crate::kernel::{Narrow, QueryFn};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD_OF_LINES};
use crate::machine::processor::Kernel;
use std::fmt;

/// A set that answers correctly for most known negatives, giving priority to the costliest. Keys can be added later.
///
/// ```
/// use bloomwise::{Filter, Habf, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let blocked = (0..1000).map(|n| format!("bad{n}.example"));
/// let popular = (0..1000).map(|n| (format!("good{n}.example"), 1000.0 / f64::from(n + 1)));
/// let filter = Habf::builder(Size::BitsPerKey(12.0)).build_from(blocked, popular)?;
/// assert!(filter.contains("bad7.example"));
/// assert!(!filter.contains("good0.example"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
pub struct Habf {
    /// Where the bits and cells of each key are.
    pub(super) shape: Shape,
    /// The bits and cells.
    pub(super) tables: Tables,
    /// The vector instructions that queries and insertions use.
    kernel: Narrow,
    /// The compiled query.
    query_fn: QueryFn<Habf>,
    /// Its keys are the distinct positives of the build, plus later insertions.
    pub(super) profile: Profile,
}

impl Habf {
    /// Options for a filter of this size.
    pub fn builder(size: Size) -> Builder<Habf> {
        Builder::new(size)
    }

    /// The filter of these tables.
    pub(super) fn over(shape: Shape, tables: Tables, profile: Profile) -> Self {
        let kernel = Narrow(Kernel::current());
        Habf {
            kernel,
            query_fn: shape.run(kernel, QueryFn::choose(), ()),
            shape,
            tables,
            profile,
        }
    }

    /// Sets the bits of keys.
    fn set_bits<const KIND: usize>(&mut self, digests: &[Digest]) {
        let far = self.size_in_bits() > prefetch::NEAR;
        let ahead = |filter: &Habf, digest| {
            if far {
                filter.prefetch_kind::<KIND>(digest);
            }
        };
        let insert = |filter: &mut Habf, _, digest| {
            let places = filter.shape.places::<KIND>(digest);
            filter.tables.insert(&filter.shape, &places);
        };
        prefetch::rolling(self, digests, AHEAD_OF_LINES, ahead, insert);
    }

    #[inline]
    fn prefetch_kind<const KIND: usize>(&self, digest: Digest) {
        let (view, places) = (self.tables.bits.view(), self.shape.places::<KIND>(digest));
        let lines = places.each_line(0..self.shape.functions);
        lines.for_each(|bit| view.prefetch(bit));
    }
}

impl fmt::Debug for Habf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(self, "", f)
    }
}

impl sealed::Sealed for Habf {}

impl Lookup for Habf {
    #[inline]
    fn profile(&self) -> &Profile {
        &self.profile
    }

    #[inline(always)]
    fn query(&self, digest: Digest) -> bool {
        self.query_fn.call(self, digest)
    }

    fn query_batch(&self, digests: &[Digest], answers: &mut [bool]) {
        let work = Batch {
            shape: &self.shape,
            view: self.tables.view(),
            digests,
        };
        self.shape.run(self.kernel, work, answers);
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        match self.shape.kind {
            Kind::Full => self.prefetch_kind::<FULL>(digest),
            Kind::Fast => self.prefetch_kind::<FAST>(digest),
            Kind::Cache => self.prefetch_kind::<CACHE>(digest),
        }
    }
}

impl Filter for Habf {
    fn family(&self) -> Family {
        self.shape.kind.family()
    }

    /// The rate of the first round, as in a forecast without negatives: it ignores repairs, because counting adjusted keys would take a scan. At 6
    /// bits per key and more, with the default options, repairs change the rate by at most a tenth. [`Filter::info`] scans the filter.
    fn rate(&self) -> f64 {
        let Shape {
            kind,
            functions,
            segments,
            bits,
            ..
        } = self.shape;
        first_round_rate(kind, segments * bits, self.profile.keys, functions)
    }

    fn size_in_bits(&self) -> u64 {
        self.shape.size_in_bits()
    }

    fn info(&self) -> Info {
        self.inspect()
    }
}

/// A key that is inserted later uses the initial functions. Known negatives may then become false positives.
impl Insert for Habf {
    fn add_digests(&mut self, digests: &[Digest], _: Checked) {
        match self.shape.kind {
            Kind::Full => self.set_bits::<FULL>(digests),
            Kind::Fast => self.set_bits::<FAST>(digests),
            Kind::Cache => self.set_bits::<CACHE>(digests),
        }
        self.profile.add_keys(digests.len());
    }
}

impl Change for Habf {
    fn as_insert(&mut self) -> Option<&mut dyn Insert> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::forecast::Workload;
    use crate::keys::digests::Digests;
    use crate::keys::hash::Hashing;
    use crate::keys::sets::KeySets;

    #[test]
    fn insert_says_whether_the_key_is_new() {
        let negatives = (2000..4000).map(|key| (key, 1.0));
        let builder = Habf::builder(Size::BitsPerKey(6.0)).capacity(2000);
        let mut filter = builder.build_from(0..1000, negatives).expect("sound");
        assert!(!filter.insert(7), "it is in the set");
        for key in 1000..2000 {
            let new = !filter.contains(key);
            assert_eq!(filter.insert(key), new);
            assert!(!filter.insert(key));
        }
        assert_eq!((filter.len(), filter.load_factor()), (3001, Some(1.5005)));
    }

    #[test]
    fn digests_of_another_hashing_are_errors() {
        let builder = Habf::builder(Size::BitsPerKey(10.0));
        let mut filter = builder.build_from_keys(0..100).expect("sound");
        let before = filter.clone();
        let other = Digests::of(Hashing::Xxh3 { seed: 1 }, [200]);
        assert!(filter.insert_digests(&other).is_err());
        assert_eq!(filter, before);
        let same = Digests::of(Hashing::default(), [200]);
        filter.insert_digests(&same).expect("one hashing");
        assert!(filter.contains(200));
    }

    #[test]
    fn rate_without_a_scan_follows_the_keys_beyond_capacity() {
        let negatives = (1_000_000..1_050_000).map(|key| (key, 1.0));
        let sets = KeySets::new(0..50_000, negatives).expect("sound costs");
        for bits_per_key in [6.0, 8.0, 12.0] {
            let builder = Habf::builder(Size::BitsPerKey(bits_per_key));
            for builder in [builder.clone(), builder.clone().fast(), builder.cache()] {
                let mut filter = builder.build(&sets).expect("sound");
                for keys in [50_000, 150_000] {
                    filter.extend(filter.len()..keys);
                    let (rate, scanned) = (filter.rate(), filter.info().predicted_fpr);
                    assert!((rate / scanned - 1.0).abs() < 0.1, "{rate} and {scanned}");
                }
            }
        }
    }

    #[test]
    fn rate_without_negatives_is_the_forecast() {
        let builder = Habf::builder(Size::Rate(0.01)).capacity(100_000);
        for builder in [builder.clone(), builder.clone().fast(), builder.cache()] {
            let mut filter = builder.create().expect("sound");
            assert_eq!(filter.rate(), 0.0);
            filter.extend(0..100_000);
            let forecast = builder.forecast(&Workload::new(0, 0)).expect("sound");
            assert!((filter.rate() / forecast.unseen - 1.0).abs() < 1e-3);
        }
    }
}
