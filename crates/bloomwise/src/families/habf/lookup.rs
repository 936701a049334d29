//! Queries. Each is a piece of [`Work`], compiled for each kind and each common number of functions.
//!
//! A batch reads the bits of one key after the other, without a branch on the result. These bits decide most keys. The others are
//! collected. When there are enough of them, the batch prefetches what the rest of their queries will read, and then makes these queries.

use super::Habf;
use super::shape::Shape;
use super::tables::TableView;
use crate::kernel::key_list::KeyList;
use crate::kernel::{Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::prefetch::{self, AHEAD, AHEAD_OF_LINES, NEAR};

/// A batch reads at most this many bits of a key before it tests them.
const FIRST: u32 = 8;

/// Looks up one key.
impl Work for &Habf {
    type Argument = Digest;
    type Output = bool;

    #[inline(always)]
    fn run<V: Vectors, const KIND: usize, const K: usize>(self, digest: Digest) -> bool {
        let places = self.shape.places::<KIND>(digest);
        let view = self.tables.view();
        view.query::<KIND, K>(&self.shape, &places).is_some()
    }
}

/// Looks up many keys.
#[derive(Clone, Copy)]
pub(super) struct Batch<'a> {
    /// The shape of the filter.
    pub shape: &'a Shape,
    /// The bits and cells of the filter.
    pub view: TableView<'a>,
    /// The keys.
    pub digests: &'a [Digest],
}

impl<'a> Work for Batch<'a> {
    /// One answer for each key.
    type Argument = &'a mut [bool];
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors, const KIND: usize, const K: usize>(self, answers: &mut [bool]) {
        let Batch {
            shape,
            view,
            digests,
        } = self;
        let functions = shape.functions::<K>();
        let first = functions.min(FIRST);
        let is_far = shape.size_in_bits() > NEAR;
        let mut open = KeyList::<AHEAD>::new();
        prefetch::rolling(
            &mut (&mut *answers, &mut open),
            digests,
            AHEAD_OF_LINES,
            #[inline(always)]
            |_, digest| {
                if is_far {
                    let places = shape.places::<KIND>(digest);
                    places
                        .each_line(0..first)
                        .for_each(|bit| view.bits.prefetch(bit));
                }
            },
            #[inline(always)]
            |(answers, open), at, digest| {
                let places = shape.places::<KIND>(digest);
                let zeros = view.zeros(&places, 0..first);
                let yes = (first == functions) & (zeros == 0);
                answers[at] = yes;
                open.push_if(at, !yes & !shape.is_no(zeros));
                if open.is_full() {
                    self.query_open::<KIND, K>(open, answers);
                }
            },
        );
        self.query_open::<KIND, K>(&mut open, answers);
    }
}

impl Batch<'_> {
    /// Completes the queries that the first bits have not decided. No key is left after it.
    fn query_open<const KIND: usize, const K: usize>(
        self,
        open: &mut KeyList<AHEAD>,
        answers: &mut [bool],
    ) {
        let (shape, view) = (self.shape, self.view);
        let places = |at: usize| shape.places::<KIND>(self.digests[at]);
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
