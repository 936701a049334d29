//! All cells of a filter: its own, or those of another owner that it reads in place.

use super::counters::{CounterStats, Groups};
use super::footprint::View;
use super::modulator::Modulator;
use super::shape::{ADAPTIVE_WORDS, PLAIN_WORDS, Shape};
use crate::cells::storage::Storage;
use crate::cells::words::{AtomicWords, Word, WordMut, Words};
use crate::error::Result;
use crate::keys::hash::Digest;
use crate::machine::prefetch;

/// The groups that [`Cells::marked_share`] reads at most. A share of 5 % then has a standard deviation of 3.4 % of itself.
const SAMPLE: usize = 256;

/// The counters and the modulator, and where the cells of a key are in them.
#[derive(Clone, Debug)]
pub struct Cells<S> {
    /// Where the cells of a key are.
    pub shape: Shape,
    /// Counts and marks: the groups of all segments, one after the other.
    pub counters: S,
    /// The words of the modulator; none if there is no modulator.
    pub modulator: S,
}

/// Numbers of cells in each state.
pub struct CellStats {
    /// Numbers of counters in each state.
    pub counters: CounterStats,
    /// The number of modulator cells in use, and of stuck ones among them, if there is a modulator.
    pub modulator: Option<(u64, u64)>,
}

/// Calls a method with the group size of the filter. This branches once per key, and always the same way.
macro_rules! with_group_size {
    ($cells:expr, $type:ident::new($from:expr).$method:ident($($argument:expr),*)) => {
        if $cells.shape.adaptive {
            $type::<_, ADAPTIVE_WORDS>::new($from).$method($($argument),*)
        } else {
            $type::<_, PLAIN_WORDS>::new($from).$method($($argument),*)
        }
    };
}

impl<S: Words> Cells<S> {
    /// Whether the key may be a member.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        with_group_size!(self, View::new(self).contains(digest))
    }

    /// Prefetches the cache lines of a key's home counters.
    #[inline]
    pub fn prefetch(&self, digest: Digest) {
        let shape = &self.shape;
        let (segment, words) = (shape.segment(digest), self.counters.as_words());
        let group_words = Shape::group_words(shape.adaptive) as usize;
        for function in 0..shape.functions {
            let counter = shape.counter(segment, digest, function);
            prefetch::fetch(words, counter / 64 * group_words + counter / 16 % 4);
        }
    }

    /// Reads all cells and returns their numbers by state.
    pub fn stats(&self) -> CellStats {
        let modulator = self.modulator();
        CellStats {
            counters: with_group_size!(self, Groups::new(self.counters.as_words()).stats()),
            modulator: modulator.map(|modulator| modulator.stats(&self.shape)),
        }
    }

    /// The share of counters that are marked, in a sample of a fixed size.
    pub fn marked_share(&self) -> f64 {
        with_group_size!(
            self,
            Groups::new(self.counters.as_words()).marked_share(SAMPLE)
        )
    }

    /// Whether a pending bit is set on a counter that is 0 or already marked. No filter leaves one there.
    pub fn has_invalid_pending(&self) -> bool {
        with_group_size!(
            self,
            Groups::new(self.counters.as_words()).has_invalid_pending()
        )
    }

    /// The modulator, if there is one.
    pub fn modulator(&self) -> Option<Modulator<'_, S::Word>> {
        let has_modulator = self.shape.modulator_words != 0;
        has_modulator.then(|| Modulator::new(self.modulator.as_words(), &self.shape))
    }

    /// All words in the order of the file.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let (counters, modulator) = (self.counters.as_words(), self.modulator.as_words());
        counters.iter().chain(modulator).map(Word::get)
    }
}

impl<S: Words, T: Words> PartialEq<Cells<T>> for Cells<S> {
    fn eq(&self, other: &Cells<T>) -> bool {
        self.shape == other.shape && self.words().eq(other.words())
    }
}

/// The cells are in atomic words, so a thread that holds the lock of a segment can change that segment of a shared filter.
impl Cells<AtomicWords> {
    /// Cells without keys or marks.
    pub fn new(shape: Shape) -> Result<Self> {
        Ok(Cells {
            shape,
            counters: AtomicWords::new(shape.counter_words())?,
            modulator: AtomicWords::new(shape.all_modulator_words())?,
        })
    }

    /// A copy of borrowed cells. Not inlined, because it happens at most once in the life of a filter.
    #[cold]
    #[inline(never)]
    fn copy_of(cells: &Cells<Storage>) -> Self {
        Cells {
            shape: cells.shape,
            counters: AtomicWords::copy_of(&cells.counters),
            modulator: AtomicWords::copy_of(&cells.modulator),
        }
    }

    /// Copies a segment from `other`, which has the same shape. No thread may change that segment of `other` meanwhile.
    pub fn copy_segment(&self, other: &Self, segment: usize) {
        for (to, from) in [
            (&self.counters, &other.counters),
            (&self.modulator, &other.modulator),
        ] {
            let (to, from) = (to.as_words(), from.as_words());
            let size = to.len() / self.shape.segments as usize;
            let part = segment * size..(segment + 1) * size;
            for (to, from) in to[part.clone()].iter().zip(&from[part]) {
                to.set(from.get());
            }
        }
    }

    /// Inserts a key.
    #[inline]
    pub fn insert(&self, digest: Digest) {
        with_group_size!(self, View::new(self).insert(digest));
    }

    /// Removes a key. Returns `false` and changes nothing if its footprint shows that it is not a member.
    #[inline]
    pub fn remove(&self, digest: Digest) -> bool {
        with_group_size!(self, View::new(self).remove(digest))
    }

    /// Marks the home counters of a key that are 0. If the filter is adaptive, marks the others as soon as they become 0.
    pub fn guard(&self, digest: Digest) {
        with_group_size!(self, View::new(self).guard(digest));
    }
}

/// The cells of a filter that is not shared.
#[derive(Clone, Debug)]
pub enum AnyCells {
    /// Cells that can be changed.
    Owned(Cells<AtomicWords>),
    /// Cells of another owner. The first change copies them. In a box, because borrowed bytes have an atomic pointer: inside
    /// the filter it would make the compiler reload constants in each step of a loop of queries.
    Borrowed(Box<Cells<Storage>>),
}

impl AnyCells {
    /// Where the cells of a key are.
    #[inline]
    pub fn shape(&self) -> &Shape {
        match self {
            AnyCells::Owned(cells) => &cells.shape,
            AnyCells::Borrowed(cells) => &cells.shape,
        }
    }

    /// Whether the key may be a member.
    #[inline]
    pub fn contains(&self, digest: Digest) -> bool {
        match self {
            AnyCells::Owned(cells) => cells.contains(digest),
            AnyCells::Borrowed(cells) => contains_in_borrowed(cells, digest),
        }
    }

    /// Prefetches the cache lines of a key's home counters.
    #[inline]
    pub fn prefetch(&self, digest: Digest) {
        match self {
            AnyCells::Owned(cells) => cells.prefetch(digest),
            AnyCells::Borrowed(cells) => cells.prefetch(digest),
        }
    }

    /// Reads all cells and returns their numbers by state.
    pub fn stats(&self) -> CellStats {
        match self {
            AnyCells::Owned(cells) => cells.stats(),
            AnyCells::Borrowed(cells) => cells.stats(),
        }
    }

    /// The share of counters that are marked, in a sample of a fixed size.
    pub fn marked_share(&self) -> f64 {
        match self {
            AnyCells::Owned(cells) => cells.marked_share(),
            AnyCells::Borrowed(cells) => cells.marked_share(),
        }
    }

    /// Runs `work`, which changes the cells. Borrowed cells are copied first.
    #[inline]
    pub fn change<T>(&mut self, work: impl FnOnce(&Cells<AtomicWords>) -> T) -> T {
        match self {
            AnyCells::Owned(cells) => work(cells),
            AnyCells::Borrowed(cells) => {
                let owned = Cells::copy_of(cells);
                let result = work(&owned);
                *self = AnyCells::Owned(owned);
                result
            }
        }
    }

    /// Removes a key. Returns `false` and changes nothing if its footprint shows that it is not a member. Borrowed cells that deny the key
    /// are not copied.
    #[inline]
    pub fn remove(&mut self, digest: Digest) -> bool {
        if let AnyCells::Borrowed(cells) = self
            && !contains_in_borrowed(cells, digest)
        {
            return false;
        }
        self.change(|cells| cells.remove(digest))
    }

    /// The cells as they can be changed; a copy if they are borrowed.
    pub fn into_owned(self) -> Cells<AtomicWords> {
        match self {
            AnyCells::Owned(cells) => cells,
            AnyCells::Borrowed(cells) => Cells::copy_of(&cells),
        }
    }
}

impl PartialEq for AnyCells {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (AnyCells::Owned(cells), AnyCells::Owned(others)) => cells == others,
            (AnyCells::Owned(cells), AnyCells::Borrowed(others)) => *cells == **others,
            (AnyCells::Borrowed(cells), AnyCells::Owned(others)) => **cells == *others,
            (AnyCells::Borrowed(cells), AnyCells::Borrowed(others)) => cells == others,
        }
    }
}

/// Not inlined, so that a query of owned cells stays as small as if there were no others.
#[inline(never)]
fn contains_in_borrowed(cells: &Cells<Storage>, digest: Digest) -> bool {
    cells.contains(digest)
}
