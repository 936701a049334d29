//! How a filter looks up one key: a function for each placement, each usual number of functions, and each kernel. The function is
//! chosen when the filter is made.

use super::Bloom;
use crate::hash::Digest;
use crate::kernel::{QueryFn, SingleQuery, Vectors};
use crate::pairs::{PairWork, Positions};
use crate::probe::Placement;
use crate::processor::Kernel;
use crate::shape::ArrayShape;

/// How a filter of this shape looks up one key.
pub(super) fn query_fn(shape: ArrayShape<0>) -> QueryFn<Bloom> {
    match shape.placement {
        Placement::Pairs => shape.pairs.apply(ChooseForm),
        Placement::Walk => QueryFn::new::<Walk>(Kernel::current()),
    }
}

/// Chooses the form for the number of functions.
struct ChooseForm;

impl PairWork<0> for ChooseForm {
    type Output = QueryFn<Bloom>;

    fn run<const K: u32, const LARGE: bool>(self, _: Positions<K, LARGE, 0>) -> Self::Output {
        QueryFn::new::<Pairs<K, LARGE>>(Kernel::current())
    }
}

/// Looks up a key that has pairs of positions.
struct Pairs<const K: u32, const LARGE: bool>;

impl<const K: u32, const LARGE: bool> SingleQuery<Bloom> for Pairs<K, LARGE> {
    #[inline(always)]
    fn query<V: Vectors>(filter: &Bloom, digest: Digest) -> bool {
        let (bits, positions) = (
            filter.bits.view(),
            Positions::<K, LARGE, 0>::of(filter.shape.pairs),
        );
        positions.all_or_stop(digest, |position| bits.lowest(position))
    }
}

/// Looks up a key that walks.
struct Walk;

impl SingleQuery<Bloom> for Walk {
    #[inline(always)]
    fn query<V: Vectors>(filter: &Bloom, digest: Digest) -> bool {
        filter.bits_on_walk(digest).all(|bit| bit)
    }
}
