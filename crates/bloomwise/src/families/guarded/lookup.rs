//! How a filter answers. Each way to ask is compiled for each kernel.
//!
//! 19 keys in 20 get their answer from the first layer of the fingerprint ([`Reader::quick`]). The others, those that were
//! bumped from it or whose guard bit lies elsewhere, are looked up in [`AllLayers`], out of line.

use super::Guarded;
use super::query::reader::{Grouping, Place, Reader};
use crate::kernel::{QueryFn, Run, Vectors, Work};
use crate::keys::hash::Digest;
use crate::keys::sets::Costed;
use crate::machine::processor::Kernel;

/// How many keys of a batch are looked up together.
const GROUP: usize = 32;

/// The column of the guard in the first layer, as a mask.
const GUARD: u32 = 1;

/// How a filter with such a first layer looks up one key.
pub(super) fn query_fn(kernel: Kernel, grouping: Grouping) -> QueryFn<Guarded> {
    run_with(kernel, grouping, QueryFn::choose(), ())
}

/// Looks up many keys.
pub(super) fn contains_batch(filter: &Guarded, digests: &[Digest], answers: &mut [bool]) {
    let both = (digests, answers);
    run_with(filter.kernel, filter.grouping, Batch(filter), both);
}

/// Does the work for at most this many groups and single columns of a first layer.
fn run_with<W: Work>(
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

/// Looks up one key.
impl Work for &Guarded {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const GROUPS: usize, const SINGLES: usize>(self, digest: Digest) -> bool {
        let bytes = self.bytes.padded();
        let found = match self.fingerprint.first() {
            Some(first) => first.quick::<V, GROUPS, SINGLES>(bytes, &first.place(digest)),
            None => None,
        };
        finish::<V>(self, digest, found)
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
        let Batch(filter) = self;
        let bytes = filter.bytes.padded();
        let Some(first) = filter.fingerprint.first() else {
            for (&digest, answer) in digests.iter().zip(answers) {
                *answer = V::aside::<_, 0, 0>(AllLayers(filter), digest);
            }
            return;
        };
        for (digests, answers) in digests.chunks(GROUP).zip(answers.chunks_mut(GROUP)) {
            let mut places = [Place::NOWHERE; GROUP];
            for (place, &digest) in places.iter_mut().zip(digests) {
                *place = first.place(digest);
                first.prefetch(bytes, place);
            }
            for ((&digest, place), answer) in digests.iter().zip(&places).zip(answers) {
                let found = first.quick::<V, GROUPS, SINGLES>(bytes, place);
                *answer = finish::<V>(filter, digest, found);
            }
        }
    }
}

/// The answer, where `found` is that of the first layer.
#[inline(always)]
fn finish<V: Vectors>(filter: &Guarded, digest: Digest, found: Option<bool>) -> bool {
    match found {
        // No branch on the answer: the processor cannot predict it.
        Some(found) if filter.final_first => found,
        Some(false) => false,
        Some(true) | None => V::aside::<_, 0, 0>(AllLayers(filter), digest),
    }
}

/// Looks up a key in all layers.
struct AllLayers<'a>(&'a Guarded);

impl Work for AllLayers<'_> {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, digest: Digest) -> bool {
        let AllLayers(filter) = self;
        let bytes = filter.bytes.padded();
        let Some((first, later)) = filter.fingerprint.split_first() else {
            return accepts::<V>(&filter.guard, bytes, digest);
        };
        let place = first.place(digest);
        let (bumped, guard_bumped) = first.layer.bumped(bytes, place.start);
        let matches = match bumped {
            true => accepts::<V>(later, bytes, place.digest),
            false => first.satisfies::<V>(bytes, &place, own_columns(filter)),
        };
        if !matches {
            return false;
        }
        if !filter.woven {
            return accepts::<V>(&filter.guard, bytes, digest);
        }
        match guard_bumped || first.thinned(&place) {
            true => accepts::<V>(&filter.guard, bytes, place.digest),
            false => first.satisfies::<V>(bytes, &place, GUARD),
        }
    }
}

/// Looks for known negatives that match the fingerprint, whatever the guard says.
pub(super) struct Survivors<'a>(pub &'a Guarded);

impl<'a> Work for Survivors<'a> {
    type Argument = &'a [Costed];
    type Output = Vec<Costed>;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(
        self,
        negatives: &[Costed],
    ) -> Vec<Costed> {
        let Survivors(filter) = self;
        let bytes = filter.bytes.padded();
        let Some((first, later)) = filter.fingerprint.split_first() else {
            return negatives.to_vec();
        };
        let mut survivors = Vec::new();
        for negative in negatives {
            let place = first.place(negative.digest);
            let matches = match first.layer.bumped(bytes, place.start).0 {
                true => accepts::<V>(later, bytes, place.digest),
                false => first.satisfies::<V>(bytes, &place, own_columns(filter)),
            };
            if matches {
                survivors.push(*negative);
            }
        }
        survivors
    }
}

/// The columns of the first layer that belong to the fingerprint, as a mask.
#[inline(always)]
fn own_columns(filter: &Guarded) -> u32 {
    if filter.woven { !GUARD } else { u32::MAX }
}

/// Whether a chain of layers accepts a key: whether it satisfies its equation in the first layer that holds it. A chain
/// without layers accepts every key.
#[inline(always)]
fn accepts<V: Vectors>(layers: &[Reader], bytes: &[u8], mut digest: Digest) -> bool {
    for reader in layers {
        let place = reader.place(digest);
        if !reader.layer.bumped(bytes, place.start).0 {
            return reader.satisfies::<V>(bytes, &place, u32::MAX);
        }
        digest = place.digest;
    }
    true
}
