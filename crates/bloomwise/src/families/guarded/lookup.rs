//! How a filter answers. Each way to ask is compiled for each kernel.
//!
//! 19 keys in 20 get their answer from the first layer of the fingerprint ([`Reader::quick`]). The others, those that were
//! bumped from it or whose guard bit is elsewhere, are looked up in [`AllLayers`], out of line.

use super::Guarded;
use super::layer::{Layer, Thresholds};
use super::reader::{Grouping, Place, Reader};
use crate::kernel::{self, QueryFn, Run, Vectors, Work};
use crate::keys::hash::Digest;
use crate::keys::sets::Costed;
use crate::machine::parallel;
use crate::machine::processor::Kernel;

/// How many keys of a batch are looked up together.
const GROUP: usize = 32;

/// The column of the guard in the first layer, as a mask.
const GUARD: u32 = 1;

/// The layers of fingerprint and guard, ready for queries.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::families) struct Layers {
    /// The layers of the fingerprint. The first one has the guard of its keys too, if it has two thresholds.
    pub fingerprint: Vec<Reader>,
    /// The layers of the guard, for keys that have no guard bit in the first layer.
    pub guard: Vec<Reader>,
    /// Keys whose thinning byte is below these have no guard bit in the first layer: in narrow blocks, and in wide ones.
    pub thinned: [u8; 2],
    /// Whether the first layer has guard bits.
    pub woven: bool,
    /// Whether the first layer has the last word on the keys that it holds.
    final_first: bool,
    /// How the columns of the first layer are read.
    pub grouping: Grouping,
}

impl Layers {
    /// The readers of these layers.
    pub fn new(fingerprint: &[Layer], guard: &[Layer], thinned: [u8; 2]) -> Self {
        let readers = |layers: &[Layer], first: [u8; 2]| {
            let thinned = std::iter::once(first).chain(std::iter::repeat([0; 2]));
            let readers = layers.iter().zip(thinned);
            readers
                .map(|(layer, thinned)| Reader::new(layer, thinned))
                .collect()
        };
        let fingerprint: Vec<Reader> = readers(fingerprint, thinned);
        let first = fingerprint.first();
        let woven = first.is_some_and(|first| first.layer.thresholds == Thresholds::Two);
        Layers {
            guard: readers(guard, [0; 2]),
            thinned,
            woven,
            final_first: woven || guard.is_empty(),
            grouping: first.map_or_else(Grouping::default, |first| first.grouping),
            fingerprint,
        }
    }

    /// The same layers in a larger array of bits, which has their bits `words` words later.
    pub fn moved(&self, words: u64) -> Self {
        let moved = |layers: &[Reader]| -> Vec<Layer> {
            let layers = layers.iter();
            layers.map(|reader| reader.layer.moved(words)).collect()
        };
        Layers::new(&moved(&self.fingerprint), &moved(&self.guard), self.thinned)
    }

    /// The columns of the first layer that belong to the fingerprint, as a mask.
    #[inline(always)]
    fn own_columns(&self) -> u32 {
        if self.woven { !GUARD } else { u32::MAX }
    }
}

/// How a filter with such a first layer looks up one key.
pub(super) fn query_fn(kernel: Kernel, grouping: Grouping) -> QueryFn<Guarded> {
    run_with(kernel, grouping, QueryFn::choose(), ())
}

/// Looks up many keys.
pub(super) fn contains_batch(filter: &Guarded, digests: &[Digest], answers: &mut [bool]) {
    let both = (digests, answers);
    run_with(filter.kernel, filter.layers.grouping, Batch(filter), both);
}

/// Does the work for at most this many groups and single columns of a first layer.
pub(in crate::families) fn run_with<W: Work>(
    kernel: Kernel,
    grouping: Grouping,
    work: W,
    argument: W::Argument,
) -> W::Output {
    // The most frequent numbers; the code for more handles the others as well.
    match (grouping.groups, grouping.singles) {
        (1, 0) => kernel.run::<W, 1, 0>(work, argument),
        (1, 1) => kernel.run::<W, 1, 1>(work, argument),
        (0 | 1, _) => kernel.run::<W, 1, 2>(work, argument),
        (2, _) => kernel.run::<W, 2, 2>(work, argument),
        _ => kernel.run::<W, 4, 0>(work, argument),
    }
}

/// The known negatives that match the fingerprint, whatever the guard says, in their order.
pub(super) fn survivors(
    kernel: Kernel,
    layers: &Layers,
    bytes: &[u8],
    negatives: &[Costed],
) -> Vec<Costed> {
    parallel::flat_map_chunks(negatives, |negatives| {
        kernel::run(kernel, Survivors(View { layers, bytes }), negatives)
    })
}

/// Whether a key is accepted by all layers.
pub(super) fn accepts_in_all(
    kernel: Kernel,
    layers: &Layers,
    bytes: &[u8],
    digest: Digest,
) -> bool {
    kernel::run(kernel, AllLayers(View { layers, bytes }), digest)
}

/// Looks up one key.
impl Work for &Guarded {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const GROUPS: usize, const SINGLES: usize>(self, digest: Digest) -> bool {
        View::of(self).contains::<V, GROUPS, SINGLES>(digest)
    }
}

/// Looks up many keys. It prefetches the words of a whole group before it reads the first one.
struct Batch<'a>(&'a Guarded);

impl<'a> Work for Batch<'a> {
    type Argument = (&'a [Digest], &'a mut [bool]);
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const GROUPS: usize, const SINGLES: usize>(
        self,
        (digests, answers): Self::Argument,
    ) {
        let view = View::of(self.0);
        let Some(first) = view.layers.fingerprint.first() else {
            for (&digest, answer) in digests.iter().zip(answers) {
                *answer = V::aside::<_, 0, 0>(AllLayers(view), digest);
            }
            return;
        };
        for (digests, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut places = [Place::NOWHERE; GROUP];
            for (place, &digest) in places.iter_mut().zip(digests) {
                *place = first.place(digest);
                first.prefetch(view.bytes, place);
            }
            for ((&digest, place), answer) in digests.iter().zip(&places).zip(answers) {
                let found = first.quick::<V, GROUPS, SINGLES>(view.bytes, place);
                *answer = view.finish::<V>(digest, found);
            }
        }
    }
}

/// Layers and their bits.
#[derive(Clone, Copy)]
pub(in crate::families) struct View<'a> {
    /// Fingerprint and guard.
    pub layers: &'a Layers,
    /// Rows and thresholds of all layers, padded.
    pub bytes: &'a [u8],
}

impl<'a> View<'a> {
    #[inline(always)]
    fn of(filter: &'a Guarded) -> Self {
        View {
            layers: &filter.layers,
            bytes: filter.bytes.padded(),
        }
    }

    /// Whether the key of `digest` may be in the set. The constants are those of [`Grouping`], or of a wider one.
    #[inline(always)]
    pub fn contains<V: Vectors, const GROUPS: usize, const SINGLES: usize>(
        self,
        digest: Digest,
    ) -> bool {
        let found = match self.layers.fingerprint.first() {
            Some(first) => first.quick::<V, GROUPS, SINGLES>(self.bytes, &first.place(digest)),
            None => None,
        };
        self.finish::<V>(digest, found)
    }

    /// The answer. `found` is the answer of the first layer.
    #[inline(always)]
    pub fn finish<V: Vectors>(self, digest: Digest, found: Option<bool>) -> bool {
        match found {
            // No branch on the answer: the processor cannot predict it.
            Some(found) if self.layers.final_first => found,
            Some(false) => false,
            Some(true) | None => V::aside::<_, 0, 0>(AllLayers(self), digest),
        }
    }
}

/// Looks up a key in all layers.
struct AllLayers<'a>(View<'a>);

impl Work for AllLayers<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let AllLayers(View { layers, bytes }) = self;
        let Some((first, later)) = layers.fingerprint.split_first() else {
            return accepts::<V>(&layers.guard, bytes, digest);
        };
        let place = first.place(digest);
        let (bumped, guard_bumped) = first.layer.bumped(bytes, place.start);
        let matches = match bumped {
            true => walk::<V>(later, bytes, place.digest),
            false => first.satisfies::<V>(bytes, &place, layers.own_columns()),
        };
        if !matches {
            return false;
        }
        if !layers.woven {
            return accepts::<V>(&layers.guard, bytes, digest);
        }
        match guard_bumped || first.thinned(&place) {
            true => accepts::<V>(&layers.guard, bytes, place.digest),
            false => first.satisfies::<V>(bytes, &place, GUARD),
        }
    }
}

/// Looks for known negatives that match the fingerprint.
struct Survivors<'a>(View<'a>);

impl<'a> Work for Survivors<'a> {
    type Argument = &'a [Costed];
    type Output = Vec<Costed>;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        negatives: &[Costed],
    ) -> Vec<Costed> {
        let Survivors(View { layers, bytes }) = self;
        let Some((first, later)) = layers.fingerprint.split_first() else {
            return negatives.to_vec();
        };
        let mut survivors = Vec::new();
        for negative in negatives {
            let place = first.place(negative.digest);
            let matches = match first.layer.bumped(bytes, place.start).0 {
                true => accepts::<V>(later, bytes, place.digest),
                false => first.satisfies::<V>(bytes, &place, layers.own_columns()),
            };
            if matches {
                survivors.push(*negative);
            }
        }
        survivors
    }
}

/// Whether a chain of layers accepts a key, see [`walk`].
#[inline(always)]
fn accepts<V: Vectors>(layers: &[Reader], bytes: &[u8], digest: Digest) -> bool {
    V::aside::<_, 0, 0>(Accepts { layers, bytes }, digest)
}

/// Looks up a key in a chain of layers.
struct Accepts<'a> {
    /// The layers of the chain.
    layers: &'a [Reader],
    /// Rows and thresholds of all layers, padded.
    bytes: &'a [u8],
}

impl Work for Accepts<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        walk::<V>(self.layers, self.bytes, digest)
    }
}

/// Whether a chain of layers accepts a key: whether it satisfies its equation in the first layer that holds it. A chain
/// without layers accepts every key.
#[inline(always)]
fn walk<V: Vectors>(layers: &[Reader], bytes: &[u8], mut digest: Digest) -> bool {
    for reader in layers {
        let place = reader.place(digest);
        if !reader.layer.bumped(bytes, place.start).0 {
            return reader.satisfies::<V>(bytes, &place, u32::MAX);
        }
        digest = place.digest;
    }
    true
}
