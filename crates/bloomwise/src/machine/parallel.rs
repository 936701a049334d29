//! Runs work on several cores if the feature `rayon` is on, and on one if it is off.
//!
//! The threads come from rayon's current pool. Results are in the order of the input, so they do not depend on the
//! number of threads. Each thread takes the next item until none is left. Only [`on_threads`] calls rayon, and it is not generic: rayon's
//! iterators would be compiled again for each kind of work.

use std::sync::{Mutex, PoisonError};

/// The number of items of a part.
const PART: usize = 1 << 12;

/// Runs both closures, in parallel if possible.
pub(crate) fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    let both: [Box<dyn FnOnce() + Send + '_>; 2] = [Box::new(first), Box::new(second)];
    for_each_with(both, || (), |(), work| work());
}

/// The results of `work` for the numbers `0..count`, in order.
pub(crate) fn map_numbers<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    let numbered = results.iter_mut().enumerate();
    for_each_with(
        numbered,
        || (),
        |(), (number, result)| *result = Some(work(number)),
    );
    results.into_iter().flatten().collect()
}

/// The results of `work` that are `Some`, in order.
pub(crate) fn filter_map<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Option<R> + Sync,
) -> Vec<R> {
    flat_map_chunks(items, |part| part.iter().filter_map(&work).collect())
}

/// Splits the items into parts and returns the results of `work` for all parts, in order.
pub(crate) fn flat_map_chunks<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&[T]) -> Vec<R> + Sync,
) -> Vec<R> {
    let parts = map_numbers(items.len().div_ceil(PART), |number| {
        let rest = &items[number * PART..];
        work(&rest[..rest.len().min(PART)])
    });
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|mut part| all.append(&mut part));
    all
}

/// Changes each item.
pub(crate) fn change<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync) {
    for_each_with(
        items.chunks_mut(PART),
        || (),
        |(), part| part.iter_mut().for_each(&work),
    );
}

/// Calls `work` with each item and with a state that calls on the same thread share.
pub(crate) fn for_each_with<T, S>(
    items: impl IntoIterator<IntoIter: ExactSizeIterator<Item = T> + Send>,
    shared: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) + Sync,
) {
    let items = items.into_iter();
    let count = items.len();
    let items = Mutex::new(items);
    let next = || {
        let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
        items.next()
    };
    on_threads(count, &|| {
        let Some(first) = next() else { return };
        let mut shared = shared();
        work(&mut shared, first);
        while let Some(item) = next() {
            work(&mut shared, item);
        }
    });
}

/// Runs the work on all threads at the same time, but on at most `most`.
fn on_threads(most: usize, work: &(dyn Fn() + Sync)) {
    #[cfg(feature = "rayon")]
    rayon::scope(|scope| {
        let threads = most.min(rayon::current_num_threads());
        (1..threads).for_each(|_| scope.spawn(move |_| work()));
        work();
    });
    #[cfg(not(feature = "rayon"))]
    if most > 0 {
        work();
    }
}
