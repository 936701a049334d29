//! One builder for all families: [`Builder`].

use crate::error::{Error, Result};
use crate::filter::contract::Filter;
use crate::filter::contract::sealed::Checked;
use crate::filter::family::Family;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::insert::Insert;
use crate::filter::knob::{Knob, Preset};
use crate::filter::sizing::Size;
use crate::keys::hash::Hashing;
use crate::keys::key::Key;
use crate::keys::sets::KeySets;

/// Options for a filter of family `F`. All families share this builder.
///
/// `X::builder(size)` starts it, setters change options, and one of these ends it:
///
/// | method | gives |
/// |---|---|
/// | [`Builder::forecast`] | what the filter will do, without making it |
/// | [`Builder::create`] | an empty filter to insert into; most families need [`Builder::capacity`] |
/// | [`Builder::build`] | the filter of [`KeySets`] |
/// | [`Builder::build_from_keys`] | the filter of keys |
/// | [`Builder::build_from`] | the filter of keys and of known negatives with their costs |
/// | [`Builder::build_and_report`] | the filter of [`KeySets`], and what the build did |
///
/// Options are checked only by these methods. A builder can be used more than once.
///
/// ```
/// use bloomwise::{Bloom, Filter, Guarded, Insert, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// // An empty filter, for a million keys that come later.
/// let mut seen = Bloom::builder(Size::Rate(0.01)).capacity(1_000_000).create()?;
/// assert!(seen.insert("user4718"));
///
/// // A fixed set with known negatives: none of them is a false positive.
/// let blocked = (0..1000).map(|n| format!("bad{n}.example"));
/// let popular = (0..1000).map(|n| (format!("good{n}.example"), 1.0));
/// let filter = Guarded::builder(Size::BitsPerKey(10.0)).build_from(blocked, popular)?;
/// assert!(filter.contains("bad7.example") && !filter.contains("good7.example"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Builder<F: Buildable> {
    /// The size of the filter.
    pub(crate) size: Size,
    /// The number of keys to plan for, if given.
    pub(crate) capacity: Option<u64>,
    /// How keys are hashed, if given.
    pub(crate) hashing: Option<Hashing>,
    /// The options that only family `F` has.
    pub(crate) options: F::Options,
}

/// A family that a [`Builder`] can build. The trait is sealed.
pub trait Buildable: Filter + Sized + 'static {
    /// The options that only this family has.
    type Options: Clone + std::fmt::Debug + Default;

    /// The options that can be set by name.
    const SETTINGS: &'static [Knob<Self>];

    /// Named presets. Settings override them.
    const PRESETS: &'static [Preset<Self>] = &[];

    /// The builder of this kind, for types that have several kinds.
    fn of_kind(builder: Builder<Self>, _kind: Family) -> Builder<Self> {
        builder
    }

    /// See [`Builder::forecast`]. If a capacity was given, it is the workload's number of keys.
    fn forecast(builder: &Builder<Self>, workload: &Workload) -> Result<Forecast>;

    /// See [`Builder::build_and_report`].
    fn build(builder: &Builder<Self>, sets: &KeySets) -> Result<(Self, Report)>;
}

/// A family whose filters accept keys after they are built. The trait is sealed.
pub trait Growable: Buildable {
    /// An empty filter for `capacity` keys.
    fn create(builder: &Builder<Self>, capacity: u64, hashing: Hashing) -> Result<Self>;

    /// Whether the options determine a filter of a fixed size without a capacity.
    fn needs_no_capacity(builder: &Builder<Self>) -> bool;
}

impl<F: Buildable> Builder<F> {
    pub(crate) fn new(size: Size) -> Self {
        Builder {
            size,
            capacity: None,
            hashing: None,
            options: F::Options::default(),
        }
    }

    /// The number of keys that the size is planned for. By default it is the number of keys that the filter is built from.
    ///
    /// A filter that accepts insertions accepts more keys than that. Its false positive rate then rises, except for
    /// [`crate::Growing`], which takes more space instead.
    pub fn capacity(mut self, keys: u64) -> Self {
        self.capacity = Some(keys);
        self
    }

    /// How [`Builder::create`], [`Builder::build_from_keys`] and [`Builder::build_from`] hash keys; by default XXH3 with seed 0.
    /// [`Builder::build`] uses the hashing of its sets. It returns an error if another one is given here.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = Some(hashing);
        self
    }

    /// Predicts what the filter for a workload will do, without building it. The time does not depend on the number of keys.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these options.
    pub fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        let keys = self.capacity.unwrap_or(workload.keys);
        F::forecast(self, &workload.grown_to(keys))
    }

    /// The filter of these sets.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these options; there is not enough memory; the hashing of the sets is not the one given to
    /// [`Builder::hashing`]; there are no keys and no capacity, and the family accepts keys later ([`Error::NoCapacity`]).
    pub fn build(&self, sets: &KeySets) -> Result<F> {
        self.build_and_report(sets).map(|(filter, _)| filter)
    }

    /// The filter of these sets, and what the build did.
    ///
    /// # Errors
    ///
    /// Those of [`Builder::build`].
    pub fn build_and_report(&self, sets: &KeySets) -> Result<(F, Report)> {
        if let Some(hashing) = self.hashing {
            hashing.expect(sets.hashing())?;
        }
        F::build(self, sets)
    }

    /// The filter of these keys, without known negatives.
    ///
    /// # Errors
    ///
    /// Those of [`Builder::build`].
    pub fn build_from_keys<K: Key>(&self, keys: impl IntoIterator<Item = K>) -> Result<F> {
        self.build_from(keys, std::iter::empty::<(&[u8], f64)>())
    }

    /// The filter of these keys and known negatives, each with the cost of a false positive on it. Families that
    /// ignore negatives treat them as unseen keys.
    ///
    /// # Errors
    ///
    /// Those of [`Builder::build`]; or a cost is negative, infinite or not a number.
    pub fn build_from<K: Key, N: Key>(
        &self,
        keys: impl IntoIterator<Item = K>,
        negatives: impl IntoIterator<Item = (N, f64)>,
    ) -> Result<F> {
        let mut sets = KeySets::builder(self.hashing.unwrap_or_default());
        sets.positives(keys).negatives(negatives);
        self.build(&sets.build()?)
    }
}

impl<F: Growable> Builder<F> {
    /// The capacity, or the number of positives. Returns an error if there is neither.
    pub(crate) fn capacity_for(&self, sets: &KeySets) -> Result<u64> {
        match (self.capacity, sets.positives().len()) {
            (Some(capacity), _) => Ok(capacity),
            (None, 0) => Err(Error::NoCapacity),
            (None, keys) => Ok(keys as u64),
        }
    }

    /// The filter of the positives of these sets, for families that ignore negatives.
    pub(crate) fn fill(&self, sets: &KeySets) -> Result<F>
    where
        F: Insert,
    {
        let mut filter = F::create(self, self.capacity_for(sets)?, sets.hashing())?;
        filter.add_digests(sets.positives(), Checked(()));
        Ok(filter)
    }

    /// An empty filter to insert into.
    ///
    /// # Errors
    ///
    /// No filter can have this size or these options; there is not enough memory; or the size depends on the number of keys
    /// and no capacity was given.
    pub fn create(&self) -> Result<F> {
        let capacity = match self.capacity {
            Some(capacity) => capacity,
            None if F::needs_no_capacity(self) => 0,
            None => return Err(Error::NoCapacity),
        };
        F::create(self, capacity, self.hashing.unwrap_or_default())
    }
}
