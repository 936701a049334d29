//! The filters that race, behind one trait; those of other crates are in [`crate::baseline::crates`].
//!
//! Each is used as its documentation says, at 10 bits per key where it lets one choose. A counting filter has as many counters as
//! the others have bits, so that it errs as often; a guarded one, which has no use for more, is as large as the binary fuse filter
//! that it is compared with. It could be built on all cores; here it gets one, as everyone else.

use crate::workload::Key;
use anyhow::Result;
use bloomwise::{
    Balanced, Blocked, Bloom, Costed, Counting, Digest, Filter, Guarded, Hashing, KeySets, Size,
};

/// Bits per key for all that take a size. A binary fuse filter of 8-bit fingerprints has 9.
pub const BITS_PER_KEY: u64 = 10;

/// A filter that can be built from keys and asked.
pub trait Contender<K: Key>: Sized {
    /// The filter of these keys.
    fn build(keys: &[K]) -> Result<Self>;

    /// Whether the key may be among them.
    fn contains(&self, key: &K) -> bool;

    /// The bits it takes.
    fn bits(&self) -> u64;
}

/// One of bloomwise's filters that grow.
pub trait Ours: Filter + Sized {
    /// An empty filter for so many keys, as large as the others.
    fn empty(keys: u64) -> bloomwise::Result<Self>;

    /// Adds keys.
    fn add<K: AsRef<[u8]>>(&mut self, keys: impl Iterator<Item = K>);
}

impl Ours for Bloom {
    fn empty(keys: u64) -> bloomwise::Result<Self> {
        Bloom::builder(keys, Size::BitsPerKey(BITS_PER_KEY as f64)).build()
    }

    fn add<K: AsRef<[u8]>>(&mut self, keys: impl Iterator<Item = K>) {
        self.extend(keys);
    }
}

impl Ours for Blocked {
    fn empty(keys: u64) -> bloomwise::Result<Self> {
        Blocked::builder(keys, Size::BitsPerKey(BITS_PER_KEY as f64)).build()
    }

    fn add<K: AsRef<[u8]>>(&mut self, keys: impl Iterator<Item = K>) {
        self.extend(keys);
    }
}

impl Ours for Balanced {
    fn empty(keys: u64) -> bloomwise::Result<Self> {
        Balanced::builder(keys, Size::BitsPerKey(BITS_PER_KEY as f64)).build()
    }

    fn add<K: AsRef<[u8]>>(&mut self, keys: impl Iterator<Item = K>) {
        self.extend(keys);
    }
}

/// As many counters as the others have bits.
impl Ours for Counting {
    fn empty(keys: u64) -> bloomwise::Result<Self> {
        Counting::builder(keys, Size::BitsPerKey(4.0 * BITS_PER_KEY as f64)).build()
    }

    fn add<K: AsRef<[u8]>>(&mut self, keys: impl Iterator<Item = K>) {
        self.extend(keys);
    }
}

impl<K: Key, F: Ours> Contender<K> for F {
    fn build(keys: &[K]) -> Result<Self> {
        let mut filter = F::empty(keys.len() as u64)?;
        filter.add(keys.iter().map(K::bytes));
        Ok(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(self, key.bytes().as_ref())
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// The digests of some keys.
fn digests<K: Key>(keys: impl Iterator<Item = K>) -> impl Iterator<Item = Digest> {
    keys.map(|key| Hashing::default().digest(key.bytes().as_ref()))
}

/// Does some work with so many threads for what the library does in parallel.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool?.install(work))
}

/// A guarded filter of sets, built on one core.
fn guarded(positives: Vec<Digest>, negatives: Vec<Costed>, arity: u32) -> Result<Guarded> {
    on_threads(1, || {
        let sets = KeySets::new(positives, negatives)?;
        let builder = Guarded::builder(Size::BitsPerKey(FUSE_BITS)).arity(arity);
        Ok(builder.build(&sets)?)
    })?
}

/// The bits per key of a binary fuse filter with fingerprints of 8 bits, for a million keys.
const FUSE_BITS: f64 = 9.04;

/// As large as the binary fuse filter, and without negatives.
impl<K: Key> Contender<K> for Guarded {
    fn build(keys: &[K]) -> Result<Self> {
        let positives = digests(keys.iter().cloned()).collect();
        guarded(positives, Vec::new(), 4)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(self, key.bytes().as_ref())
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// A guarded filter of so many slots for a key, with as many known negatives as keys; what it takes to hash and to sort
/// those is part of its building. Strangers of a race are none of them.
pub struct WithNegatives<const ARITY: u32>(Guarded);

impl<K: Key, const ARITY: u32> Contender<K> for WithNegatives<ARITY> {
    fn build(keys: &[K]) -> Result<Self> {
        let positives = digests(keys.iter().cloned()).collect();
        let outside = (0..keys.len() as u64).map(|n| K::number(n + (1 << 40)));
        let negatives = digests(outside).map(|digest| Costed { digest, cost: 1.0 });
        let built = guarded(positives, negatives.collect(), ARITY);
        built.map(WithNegatives)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(&self.0, key.bytes().as_ref())
    }

    fn bits(&self) -> u64 {
        self.0.size_in_bits()
    }
}
