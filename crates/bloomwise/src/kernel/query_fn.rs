//! The function that looks up one key, chosen once per filter.
//!
//! A [`Kernel`](crate::machine::processor::Kernel) finds the code for its instructions at each call. For a query as short as the one of a
//! blocked filter, this takes longer than the vector code. A [`QueryFn`] is the address of the code for one kernel, one layout, and one
//! number of functions.

#![expect(
    unsafe_code,
    reason = "a call of vector code needs proof that the processor has it"
)]

use super::{Vectors, Work};
use crate::keys::hash::Digest;
use std::fmt;
use std::marker::PhantomData;

/// The address of the query of a filter of type `F`, compiled for one kernel. Only [`Vectors::query_fn`] creates one.
pub(crate) struct QueryFn<F>(pub(super) unsafe fn(&F, Digest) -> bool);

impl<F> QueryFn<F>
where
    for<'a> &'a F: Work<Argument = Digest, Output = bool>,
{
    /// Work that chooses the address. Run on a kernel in a shape, it returns the query for both.
    pub(crate) fn choose() -> impl Work<Argument = (), Output = Self> {
        Choose(PhantomData)
    }
}

impl<F> QueryFn<F> {
    /// Whether the key of `digest` may be in the set.
    #[inline(always)]
    pub(crate) fn call(&self, filter: &F, digest: Digest) -> bool {
        // SAFETY: a kernel gave the address while it ran on this processor, and a kernel runs only if the processor has its instructions.
        unsafe { (self.0)(filter, digest) }
    }
}

/// Chooses the address of a query.
struct Choose<F>(PhantomData<F>);

impl<F> Work for Choose<F>
where
    for<'a> &'a F: Work<Argument = Digest, Output = bool>,
{
    type Argument = ();
    type Output = QueryFn<F>;

    #[inline(always)]
    fn run<V: Vectors, const LAYOUT: usize, const K: usize>(self, (): ()) -> QueryFn<F> {
        V::query_fn::<F, LAYOUT, K>()
    }
}

impl<F> Clone for QueryFn<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for QueryFn<F> {}

/// All queries give the same answers, so they are equal.
impl<F> PartialEq for QueryFn<F> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<F> fmt::Debug for QueryFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QueryFn")
    }
}
