//! How a filter looks up one key: a function for each placement, each usual number of functions, and each kernel. The function is
//! chosen when the filter is made.

use super::ArrayShape;
use super::pairs::{PairWork, Positions};
use crate::cells::access::UsedCells;
use crate::families::probe::Placement;
use crate::kernel::{QueryFn, SingleQuery, Vectors};
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use std::marker::PhantomData;

/// A filter that is an array of cells of `2^LOG` bits.
pub(crate) trait ArrayFilter<const LOG: u32> {
    /// Where keys are.
    fn shape(&self) -> ArrayShape<LOG>;

    /// The cells.
    fn cells(&self) -> impl UsedCells;
}

/// How a filter of this shape looks up one key.
pub(crate) fn query_fn<F: ArrayFilter<LOG>, const LOG: u32>(shape: ArrayShape<LOG>) -> QueryFn<F> {
    match shape.placement {
        Placement::Pairs => shape.pairs.apply(ChooseForm(PhantomData)),
        Placement::Walk => QueryFn::new::<Walk<LOG>>(Kernel::current()),
    }
}

/// Chooses the form for the number of functions.
struct ChooseForm<F>(PhantomData<F>);

impl<F: ArrayFilter<LOG>, const LOG: u32> PairWork<LOG> for ChooseForm<F> {
    type Output = QueryFn<F>;

    fn run<const K: u32, const LARGE: bool>(self, _: Positions<K, LARGE, LOG>) -> Self::Output {
        QueryFn::new::<Pairs<K, LARGE, LOG>>(Kernel::current())
    }
}

/// Looks up a key that has pairs of positions.
struct Pairs<const K: u32, const LARGE: bool, const LOG: u32>;

impl<F: ArrayFilter<LOG>, const K: u32, const LARGE: bool, const LOG: u32> SingleQuery<F>
    for Pairs<K, LARGE, LOG>
{
    #[inline(always)]
    fn query<V: Vectors>(filter: &F, digest: Digest) -> bool {
        let (cells, pairs) = (filter.cells(), filter.shape().pairs);
        Positions::<K, LARGE, LOG>::of(pairs).all_or_stop(
            digest,
            #[inline(always)]
            |position| cells.used(position),
        )
    }
}

/// Looks up a key that walks.
struct Walk<const LOG: u32>;

impl<F: ArrayFilter<LOG>, const LOG: u32> SingleQuery<F> for Walk<LOG> {
    #[inline(always)]
    fn query<V: Vectors>(filter: &F, digest: Digest) -> bool {
        filter.shape().query_walk(filter.cells(), digest)
    }
}
