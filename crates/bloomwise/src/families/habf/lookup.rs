//! How a filter looks up keys, in a form for each kind and each usual number of functions.
//!
//! A batch reads the bits of one key after the other, without a branch on what it finds. Most keys are decided by that. The others are
//! collected. When there are enough of them, it prefetches what the rest of their queries will read, and then makes these queries.

use super::Habf;
use super::shape::{CACHE, FAST, FULL, Kind, Shape, with_functions, with_kind};
use super::tables::{TableView, Tables};
use crate::kernel::key_list::KeyList;
use crate::kernel::{QueryFn, SingleQuery, Vectors};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD, AHEAD_OF_LINES, NEAR};
use crate::machine::processor::Kernel;

/// A batch reads at most this many bits of a key before it looks at them.
const FIRST: u32 = 8;

/// How a filter of this shape looks up one key.
pub(super) fn query_fn(shape: &Shape) -> QueryFn<Habf> {
    let kernel = Kernel::current();
    with_kind!(shape.kind, |KIND| with_functions!(shape, |K| {
        QueryFn::new::<Query<KIND, K>>(kernel)
    }))
}

/// Looks up one key.
struct Query<const KIND: u8, const K: u32>;

impl<const KIND: u8, const K: u32> SingleQuery<Habf> for Query<KIND, K> {
    #[inline(always)]
    fn query<V: Vectors>(filter: &Habf, digest: Digest) -> bool {
        let places = filter.shape.places::<KIND>(digest);
        let view = filter.tables.view();
        view.query::<KIND, K>(&filter.shape, &places).is_some()
    }
}

/// Writes one answer per key to `answers`.
pub(super) fn query_batch<const KIND: u8, T: Copy>(
    shape: &Shape,
    tables: &Tables,
    keys: &[T],
    digest: impl Fn(T) -> Digest + Copy,
    answers: &mut [bool],
) {
    let view = tables.view();
    with_functions!(shape, |K| {
        let batch = Batch::<KIND, K> { shape, view };
        batch.query(keys, digest, answers);
    });
}

/// Looks up many keys.
struct Batch<'a, const KIND: u8, const K: u32> {
    shape: &'a Shape,
    view: TableView<'a>,
}

impl<const KIND: u8, const K: u32> Batch<'_, KIND, K> {
    /// Writes one answer per key to `answers`.
    fn query<T: Copy>(
        &self,
        keys: &[T],
        digest: impl Fn(T) -> Digest + Copy,
        answers: &mut [bool],
    ) {
        let (shape, view) = (self.shape, self.view);
        let functions = shape.functions::<K>();
        let first = functions.min(FIRST);
        let is_far = shape.size_in_bits() > NEAR;
        let mut open = KeyList::<AHEAD>::new();
        prefetch::rolling(
            &mut (&mut *answers, &mut open),
            keys,
            AHEAD_OF_LINES,
            |_, key| {
                if is_far {
                    let places = shape.places::<KIND>(digest(key));
                    places
                        .each_line(0..first)
                        .for_each(|bit| view.bits.prefetch(bit));
                }
            },
            |(answers, open), at, key| {
                let places = shape.places::<KIND>(digest(key));
                let zeros = view.zeros(&places, 0..first);
                let yes = (first == functions) & (zeros == 0);
                answers[at] = yes;
                open.push_if(at, !yes & !shape.is_no(zeros));
                if open.is_full() {
                    self.query_open(open, keys, digest, answers);
                }
            },
        );
        self.query_open(&mut open, keys, digest, answers);
    }

    /// Answers the keys that their first bits do not decide. No key is left.
    fn query_open<T: Copy, const N: usize>(
        &self,
        open: &mut KeyList<N>,
        keys: &[T],
        digest: impl Fn(T) -> Digest,
        answers: &mut [bool],
    ) {
        let (shape, view) = (self.shape, self.view);
        let places = |at: usize| shape.places::<KIND>(digest(keys[at]));
        let functions = shape.functions::<K>();
        for &at in open.keys() {
            let rest = places(at).each_line(FIRST.min(functions)..functions);
            rest.for_each(|bit| view.bits.prefetch(bit));
            view.cells.prefetch(places(at).chain_start());
        }
        open.retain(|at| {
            answers[at] = view.query::<KIND, K>(shape, &places(at)).is_some();
            false
        });
    }
}
