//! Hash adaptive Bloom filters: HABF, f-HABF and c-HABF, for sets whose costly negatives are known.
//!
//! # The idea
//!
//! A Bloom filter errs on a key because the bits of other keys happen to cover it. If such a key is known beforehand,
//! one of those other keys can be told to set another bit instead: it gives up one of its hash functions and takes
//! another one. Which keys have other functions than usual is kept in a small table beside the bits, the expressor.
//!
//! With 8 bits and 2 functions out of a pool of 3: "ant" has bits 1 and 6, "bee" bits 3 and 6. The known negative "dog"
//! has bits 1 and 3, and would be a false positive. Bit 3 has a single owner, "bee"; its third function leads to bit 1,
//! which is set already. So "bee" takes that one, and the expressor remembers it:
//!
//! ```text
//! position    0 1 2 3 4 5 6 7
//! before      . 1 . 1 . . 1 .      "dog" has 1 and 3: yes, and wrong
//! after       . 1 . . . . 1 .      "dog": bit 3 is 0, no.  "bee": bit 3 is 0, but its chain says 6 and 1: yes
//! ```
//!
//! A query takes two rounds. Bits of the initial functions all 1: yes. If not, the chain that the key reads in the
//! expressor may name other functions, and if their bits are all 1: yes.
//!
//! # Parts
//!
//! | file | what | paper |
//! |---|---|---|
//! | `shape` | where the bits and cells of a key are; the three kinds | `H`, `f`; c-HABF in the appendix |
//! | `expressor` | chains of functions in shared cells | `HashExpressor`, `C` |
//! | `tables`, `batch` | the two-round query | section III-E |
//! | `ledger` | owners and watchers of bits | `V`, `Gamma` |
//! | `segment`, `tpjo`, `tally` | the optimiser, and what came of it | TPJO, collision queue `CQ` |
//! | `tuning`, `plan` | parameters that follow the budget, the shape they give, forecasts | |
//! | [`theory`] | the formulas | section IV, appendix |
//!
//! # Invariants
//!
//! *No false negative.* `segment` proves it for what is built; insertions later only set bits, which takes no "yes"
//! away: in the first round more bits are 1; in the second round fewer of the initial bits are 0 than before, and if
//! none is, the first round has said yes.
//! The strict round asks that the chain names exactly the initial functions whose bits are 1 and one other: for an
//! adjusted key at most the bit of the function it gave up is 0, and the chain names all others.
//!
//! # Insertions
//!
//! Keys can be inserted after the build, with their initial functions. They may set bits that known negatives need to be
//! 0: known negatives are then no longer safer than others with the same number of bits at 0. How much that matters is
//! measured by `bloomwise eval` with the known negatives.
//!
//! # Costs
//!
//! At 8.44 bits per key and as many negatives as positives one known negative in 6,400 is a false positive, where a Bloom
//! filter errs on one in 58; the price is a rate on unseen keys of 2.9 % instead of 1.7 % (`docs/choosing.md`). Building
//! keeps the digests of both sets, 16 and 24 bytes a key, and little else. A query is a Bloom filter's with fewer
//! functions, and for one stranger in five or six a look at the chain.
//!
//! # Where we differ from the paper
//!
//! 1. The strict second round, and passes that look at it (`tables`, `tpjo`). [`HabfBuilder::paper`] turns them off.
//! 2. Parameters follow the budget and the negatives (`tuning`).
//! 3. Segments: all bits and cells of a key lie in one part of the filter, so that parts are built in cache and in
//!    parallel.
//! 4. A bit that has lost all of its owners but one has a single owner again; the paper's flag forgets who it is. And where
//!    no single owner helps, both owners of a bit may be changed, which repairs more than half of what would be left.
//! 5. Owners and watchers are kept only for bits that a pass can ask about.
//! 6. The first change onto a set bit that can be stored is taken, in the order that needs the fewest new cells; the
//!    paper compares the orders of all changes, which takes longer and repairs little more.
//! 7. Negatives that a change harms are queued in the next pass, not at the tail of this one.
//! 8. f-HABF accepts changes onto empty bits blindly. A rule that never sets an empty bit leaves four times as many false
//!    positives.
//! 9. In c-HABF any block of bits can use any line of cells; the paper's analysis gives each block its own.
//!
//! # Papers
//!
//! Xie, Li, Miao, Gu, Huang, Dai, Chen, "Hash Adaptive Bloom Filter", ICDE 2021: the structure, the optimiser, the bounds.
//! Its appendix: c-HABF.

mod batch;
mod builder;
mod expressor;
mod ledger;
mod plan;
mod segment;
mod shape;
mod tables;
mod tally;
pub mod theory;
mod tpjo;
mod tuning;

pub use builder::HabfBuilder;
pub(crate) use builder::{CELL_BITS, MAX_PASSES, SEGMENT_BITS};

use crate::codec::{Body, Head, Reader, Writer};
use crate::error::Result;
use crate::family::Family;
use crate::filter::{Filter, Info, Value, digest_groups};
use crate::hash::{Digest, Hashing};
use crate::prefetch;
use crate::sizing::Size;
use shape::{CACHE, FAST, FULL, Kind, Shape};
use std::io;
use tables::Tables;

/// A set that is answered right on most of its known negatives, the costliest first.
///
/// ```
/// use bloomwise::{Costed, Filter, Habf, Hashing, KeySets, Size};
///
/// # fn main() -> bloomwise::Result<()> {
/// let hashing = Hashing::default();
/// let blocked = (0..1000).map(|n| hashing.digest(format!("bad{n}.example").as_bytes()));
/// let popular = (0..1000).map(|n| Costed {
///     digest: hashing.digest(format!("good{n}.example").as_bytes()),
///     cost: 1000.0 / f64::from(n + 1),
/// });
/// let sets = KeySets::new(blocked.collect(), popular.collect())?;
/// let filter = Habf::builder(Size::BitsPerKey(12.0)).hashing(hashing).build(&sets)?;
/// assert!(filter.contains(b"bad7.example"));
/// assert!(!filter.contains(b"good0.example"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Habf {
    shape: Shape,
    tables: Tables,
    /// Family, hashing, and as keys: positives of the build and insertions since.
    head: Head,
}

impl Habf {
    /// The wishes for a filter of this size.
    pub fn builder(size: Size) -> HabfBuilder {
        HabfBuilder::new(size)
    }

    /// Adds a key, with its initial functions. Known negatives may become false positives by it.
    pub fn insert(&mut self, key: impl AsRef<[u8]>) {
        self.insert_digests(&[self.head.hashing.digest(key.as_ref())]);
    }

    /// Adds the keys of many digests, which must come from this filter's hashing.
    pub fn insert_digests(&mut self, digests: &[Digest]) {
        let far = self.size_in_bits() > prefetch::NEAR;
        let ask = |filter: &Habf, digest| {
            if far {
                filter.prefetch(digest);
            }
        };
        match self.shape.kind {
            Kind::Full => prefetch::in_groups(self, digests, ask, Habf::set_all::<FULL>),
            Kind::Fast => prefetch::in_groups(self, digests, ask, Habf::set_all::<FAST>),
            Kind::Cache => prefetch::in_groups(self, digests, ask, Habf::set_all::<CACHE>),
        }
        self.head.add_keys(digests.len());
    }

    #[inline]
    fn set_all<const KIND: u8>(&mut self, digest: Digest) {
        let places = self.shape.places::<KIND>(digest);
        self.tables.insert(&self.shape, &places);
    }

    #[inline]
    fn ask<const KIND: u8>(&self, digest: Digest) -> bool {
        let places = self.shape.places::<KIND>(digest);
        self.tables.reason(&self.shape, &places).is_some()
    }

    /// The number of keys: distinct positives of the build, and insertions since.
    pub fn len(&self) -> u64 {
        self.head.keys
    }

    /// Whether it holds no key.
    pub fn is_empty(&self) -> bool {
        self.head.keys == 0
    }
}

impl<K: AsRef<[u8]>> Extend<K> for Habf {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        digest_groups(self.head.hashing, keys, |digests| {
            self.insert_digests(digests);
        });
    }
}

impl Filter for Habf {
    fn hashing(&self) -> Hashing {
        self.head.hashing
    }

    #[inline]
    fn contains_digest(&self, digest: Digest) -> bool {
        match self.shape.kind {
            Kind::Full => self.ask::<FULL>(digest),
            Kind::Fast => self.ask::<FAST>(digest),
            Kind::Cache => self.ask::<CACHE>(digest),
        }
    }

    fn contains_digests(&self, digests: &[Digest], answers: &mut Vec<bool>) {
        let (shape, tables) = (&self.shape, &self.tables);
        let (count, digest) = (digests.len(), |at: usize| digests[at]);
        match shape.kind {
            Kind::Full => batch::contains::<FULL>(shape, tables, count, digest, answers),
            Kind::Fast => batch::contains::<FAST>(shape, tables, count, digest, answers),
            Kind::Cache => batch::contains::<CACHE>(shape, tables, count, digest, answers),
        }
    }

    #[inline]
    fn prefetch(&self, digest: Digest) {
        let k = self.shape.functions;
        let ask = |bit| self.tables.bits.prefetch(bit);
        match self.shape.kind {
            Kind::Full => self
                .shape
                .places::<FULL>(digest)
                .each_bit(0..k)
                .for_each(ask),
            Kind::Fast => self
                .shape
                .places::<FAST>(digest)
                .each_bit(0..k)
                .for_each(ask),
            // All bits of a key are on one line.
            Kind::Cache => ask(self.shape.places::<CACHE>(digest).bit(0)),
        }
    }

    fn size_in_bits(&self) -> u64 {
        self.shape.size_in_bits()
    }

    fn info(&self) -> Info {
        let (bits, cells) = (&self.tables.bits, &self.tables.cells);
        let used = cells.count(|cell| cell != 0);
        let mut parameters = self.shape.told();
        parameters.push(("cells_used", Value::Whole(used)));
        Info {
            family: self.head.family,
            keys: self.head.keys,
            parameters,
            fill: bits.ones() as f64 / bits.len() as f64,
            predicted_fpr: self.tables.predicted_rate(&self.shape),
        }
    }
}

impl Body for Habf {
    fn head(&self) -> Head {
        self.head
    }

    fn parameters(&self) -> Vec<u64> {
        let shape = &self.shape;
        vec![
            u64::from(shape.functions),
            shape.bits,
            shape.segments,
            shape.cells,
            u64::from(shape.cell_bits),
            u64::from(shape.strict),
        ]
    }

    fn write_payload(&self, writer: &mut Writer<'_>) -> io::Result<()> {
        writer.words(self.tables.bits.words())?;
        writer.words(self.tables.cells.words())
    }

    fn read(head: &Head, parameters: &mut Reader<'_>, payload: &mut Reader<'_>) -> Result<Self> {
        head.expect(&[Family::Habf, Family::HabfFast, Family::HabfCache])?;
        let shape = Shape::read(Kind::of(head.family), parameters)?;
        let tables = Tables::read(&shape, payload)?;
        Ok(Habf {
            shape,
            tables,
            head: *head,
        })
    }
}
