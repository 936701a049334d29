//! Runs work on several cores if the feature `rayon` is on, and on one if it is off.
//!
//! The threads come from rayon's current pool. Results are in the order of the input, so they do not depend on the
//! number of threads.

#[cfg(feature = "rayon")]
use rayon::prelude::*;

/// Runs both closures, in parallel if possible.
pub(crate) fn join<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "rayon")]
    return rayon::join(first, second);
    #[cfg(not(feature = "rayon"))]
    (first(), second())
}

/// The results of `work` for the numbers `0..count`, in order.
pub(crate) fn map_numbers<R: Send>(
    count: usize,
    work: impl Fn(usize) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return (0..count).into_par_iter().map(work).collect();
    #[cfg(not(feature = "rayon"))]
    (0..count).map(work).collect()
}

/// The results of `work` that are `Some`, in order.
pub(crate) fn filter_map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Option<R> + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter().filter_map(work).collect();
    #[cfg(not(feature = "rayon"))]
    items.iter().filter_map(work).collect()
}

/// Splits the items into parts and returns the results of `work` for all parts, in order.
pub(crate) fn flat_map_chunks<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&[T]) -> Vec<R> + Send + Sync,
) -> Vec<R> {
    /// The number of items of a part.
    const PART: usize = 1 << 15;
    #[cfg(feature = "rayon")]
    return items.par_chunks(PART).flat_map_iter(work).collect();
    #[cfg(not(feature = "rayon"))]
    items.chunks(PART).flat_map(work).collect()
}

/// The results of `work`, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    #[cfg(feature = "rayon")]
    return items.par_iter().map(work).collect();
    #[cfg(not(feature = "rayon"))]
    items.iter().map(work).collect()
}

/// Calls `work` with each item and with a state that calls on the same thread share.
pub(crate) fn for_each_with<T: Send, S>(
    items: Vec<T>,
    shared: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, T) + Send + Sync,
) {
    #[cfg(feature = "rayon")]
    items.into_par_iter().for_each_init(shared, work);
    #[cfg(not(feature = "rayon"))]
    {
        let mut shared = shared();
        items.into_iter().for_each(|item| work(&mut shared, item));
    }
}
