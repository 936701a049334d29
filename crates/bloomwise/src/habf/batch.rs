//! Batch queries.
//!
//! A group of keys goes through the stages of a query together: the first bits of all keys; the remaining bits of the
//! keys that are not rejected yet; the chains of the keys that need a second round. Each stage prefetches the memory of
//! all its keys before it reads any, and collects the keys for the next stage without a branch per key. This avoids
//! both memory stalls and branch mispredictions.

use super::shape::Shape;
use super::tables::{FIRST, Tables};
use crate::hash::Digest;
use crate::prefetch::GROUP;

/// Writes one answer per key to `answers`. `digest` gives the digest of a key by its index.
pub(super) fn query<const KIND: u8>(
    shape: &Shape,
    tables: &Tables,
    digest: impl Fn(usize) -> Digest,
    answers: &mut [bool],
) {
    let k = shape.functions;
    let first = k.min(FIRST);
    let tables = tables.view();
    for (group, answers) in answers.chunks_mut(GROUP).enumerate() {
        let size = answers.len();
        let places = |at: usize| shape.places::<KIND>(digest(GROUP * group + at));
        let mut first_bits = [[0; FIRST as usize]; GROUP];
        for (at, bits) in (0..size).zip(&mut first_bits) {
            let places = places(at);
            for (function, bit) in (0..first).zip(bits) {
                *bit = places.bit(function);
                tables.bits.prefetch(*bit);
            }
        }
        let mut zeros = [0; GROUP];
        let mut undecided = IndexList::default();
        for (at, bits) in (0..size).zip(&first_bits) {
            zeros[at] = tables.zeros_at(bits[..first as usize].iter().copied());
            undecided.push_if(at, !shape.is_no(zeros[at]));
        }
        for &at in undecided.items() {
            places(at)
                .each_bit(first..k)
                .for_each(|bit| tables.bits.prefetch(bit));
        }
        answers.fill(false);
        let mut second_round = IndexList::default();
        for &at in undecided.items() {
            let zeros = &mut zeros[at];
            *zeros |= tables.zeros(&places(at), first..k);
            answers[at] = *zeros == 0;
            second_round.push_if(at, *zeros != 0 && !shape.is_no(*zeros));
        }
        for &at in second_round.items() {
            tables.cells.prefetch(places(at).chain_start());
        }
        for &at in second_round.items() {
            let functions = tables.second_round(shape, &places(at), zeros[at]);
            answers[at] = functions.is_some();
        }
    }
}

/// Some keys of a group, by their index in the group.
#[derive(Default)]
struct IndexList {
    items: [usize; GROUP],
    len: usize,
}

impl IndexList {
    /// Appends `item` if `wanted`, without a branch.
    #[inline]
    fn push_if(&mut self, item: usize, wanted: bool) {
        self.items[self.len] = item;
        self.len += usize::from(wanted);
    }

    fn items(&self) -> &[usize] {
        &self.items[..self.len]
    }
}
