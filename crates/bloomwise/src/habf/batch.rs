//! Many queries at a time.
//!
//! A group of keys goes through the stages of a query together: the first bits of all; the other bits of those that are
//! not denied yet; the chains of those that need a second round. Each stage asks for the memory of all its keys before
//! it reads, and lists who goes on without a question per key, so that the processor neither waits nor guesses.

use super::shape::Shape;
use super::tables::{FIRST, Tables};
use crate::hash::Digest;
use crate::prefetch::GROUP;

/// The answers for so many digests, added to a list.
pub(super) fn contains<const KIND: u8>(
    shape: &Shape,
    tables: &Tables,
    count: usize,
    digest: impl Fn(usize) -> Digest,
    answers: &mut Vec<bool>,
) {
    let k = shape.functions;
    let first = k.min(FIRST);
    for group in (0..count).step_by(GROUP) {
        let size = GROUP.min(count - group);
        let places = |at: usize| shape.places::<KIND>(digest(group + at));
        let mut first_bits = [[0; FIRST as usize]; GROUP];
        for (at, bits) in (0..size).zip(&mut first_bits) {
            let places = places(at);
            for (function, bit) in (0..first).zip(bits) {
                *bit = places.bit(function);
                tables.bits.prefetch(*bit);
            }
        }
        let mut zeros = [0; GROUP];
        let mut going_on = List::default();
        for (at, bits) in (0..size).zip(&first_bits) {
            zeros[at] = tables.zeros_at(bits[..first as usize].iter().copied());
            going_on.push_if(at, !shape.is_no(zeros[at]));
        }
        for &at in going_on.items() {
            places(at)
                .each_bit(first..k)
                .for_each(|bit| tables.bits.prefetch(bit));
        }
        let start = answers.len();
        answers.resize(start + size, false);
        let mut second_round = List::default();
        for &at in going_on.items() {
            let zeros = &mut zeros[at];
            *zeros |= tables.zeros(&places(at), first..k);
            answers[start + at] = *zeros == 0;
            second_round.push_if(at, *zeros != 0 && !shape.is_no(*zeros));
        }
        for &at in second_round.items() {
            tables.cells.prefetch(places(at).chain_start());
        }
        for &at in second_round.items() {
            let reason = tables.second_round(shape, &places(at), zeros[at]);
            answers[start + at] = reason.is_some();
        }
    }
}

/// Some keys of a group, by their place in it.
#[derive(Default)]
struct List {
    items: [usize; GROUP],
    len: usize,
}

impl List {
    /// Adds an item, or not, without a branch.
    #[inline]
    fn push_if(&mut self, item: usize, wanted: bool) {
        self.items[self.len] = item;
        self.len += usize::from(wanted);
    }

    fn items(&self) -> &[usize] {
        &self.items[..self.len]
    }
}
