//! The filters that are measured, behind one trait. Each is used as its documentation says, at 10 bits per key where
//! it lets one choose.

use crate::workload::Key;
use bloomwise::{
    Balanced, Blocked, Bloom, Costed, Counting, Digest, Filter, Guarded, Hashing, KeySets, Size,
};
use fastbloom::BloomFilter;
use xxhash_rust::xxh3::xxh3_64;

/// Bits per key for all that take a size. A binary fuse filter of 8-bit fingerprints has 9.
pub const BITS_PER_KEY: u64 = 10;

/// A filter that can be built from keys and asked.
pub trait Contender<K: Key> {
    /// The filter of these keys.
    fn build(keys: &[K]) -> Self;

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
    fn build(keys: &[K]) -> Self {
        let mut filter = F::empty(keys.len() as u64).expect("a sound size");
        filter.add(keys.iter().map(K::bytes));
        filter
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(self, key.bytes().as_ref())
    }

    fn bits(&self) -> u64 {
        self.size_in_bits()
    }
}

/// `fastbloom` with its default hasher, SipHash-1-3.
pub struct FastbloomDefault(BloomFilter);

impl<K: Key> Contender<K> for FastbloomDefault {
    fn build(keys: &[K]) -> Self {
        let bits = keys.len() * BITS_PER_KEY as usize;
        FastbloomDefault(BloomFilter::with_num_bits(bits).seed(&0).items(keys))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.num_bits() as u64
    }
}

/// `fastbloom` with foldhash.
pub struct FastbloomFoldhash(BloomFilter<foldhash::fast::FixedState>);

impl<K: Key> Contender<K> for FastbloomFoldhash {
    fn build(keys: &[K]) -> Self {
        let bits = keys.len() * BITS_PER_KEY as usize;
        let hasher = foldhash::fast::FixedState::default();
        FastbloomFoldhash(BloomFilter::with_num_bits(bits).hasher(hasher).items(keys))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains(key)
    }

    fn bits(&self) -> u64 {
        self.0.num_bits() as u64
    }
}

/// `sbbf-rs-safe`, the split block filter of Parquet with vector instructions. It takes hashes; XXH3 makes them, as
/// Parquet uses its forerunner.
pub struct Sbbf(sbbf_rs_safe::Filter);

impl<K: Key> Contender<K> for Sbbf {
    fn build(keys: &[K]) -> Self {
        let mut filter = sbbf_rs_safe::Filter::new(BITS_PER_KEY as usize, keys.len());
        for key in keys {
            filter.insert_hash(xxh3_64(key.bytes().as_ref()));
        }
        Sbbf(filter)
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        self.0.contains_hash(xxh3_64(key.bytes().as_ref()))
    }

    fn bits(&self) -> u64 {
        self.0.as_bytes().len() as u64 * 8
    }
}

/// `xorf`'s binary fuse filter of 8 bits, for fixed sets. It takes 64-bit hashes.
pub struct Fuse(xorf::BinaryFuse8);

impl<K: Key> Contender<K> for Fuse {
    fn build(keys: &[K]) -> Self {
        let hashes: Vec<u64> = keys
            .iter()
            .map(|key| xxh3_64(key.bytes().as_ref()))
            .collect();
        Fuse(xorf::BinaryFuse8::try_from(hashes.as_slice()).expect("distinct hashes"))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        xorf::Filter::contains(&self.0, &xxh3_64(key.bytes().as_ref()))
    }

    fn bits(&self) -> u64 {
        xorf::Filter::<u64>::len(&self.0) as u64 * 8
    }
}

/// The digests of some keys.
fn digests<K: Key>(keys: impl Iterator<Item = K>) -> impl Iterator<Item = Digest> {
    keys.map(|key| Hashing::default().digest(key.bytes().as_ref()))
}

/// As large as the binary fuse filter, and without negatives.
impl<K: Key> Contender<K> for Guarded {
    fn build(keys: &[K]) -> Self {
        let positives = digests(keys.iter().cloned()).collect();
        let sets = KeySets::new(positives, Vec::new()).expect("no costs");
        let built = Guarded::builder(Size::BitsPerKey(9.04)).build(&sets);
        built.expect("a sound size")
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
    fn build(keys: &[K]) -> Self {
        let positives = digests(keys.iter().cloned()).collect();
        let outside = (0..keys.len() as u64).map(|n| K::number(n + (1 << 40)));
        let negatives = digests(outside).map(|digest| Costed { digest, cost: 1.0 });
        let sets = KeySets::new(positives, negatives.collect()).expect("sound costs");
        let builder = Guarded::builder(Size::BitsPerKey(9.04)).arity(ARITY);
        WithNegatives(builder.build(&sets).expect("a sound size"))
    }

    #[inline]
    fn contains(&self, key: &K) -> bool {
        Filter::contains(&self.0, key.bytes().as_ref())
    }

    fn bits(&self) -> u64 {
        self.0.size_in_bits()
    }
}
