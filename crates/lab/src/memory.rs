//! How much memory work takes at its peak, counted where it is allocated.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What some work returns, and the most bytes that were allocated during it beyond those that were before.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before) as u64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_peak_is_what_was_there_at_once() {
        let (sum, bytes) = super::peak(|| {
            let one = vec![1u8; 1 << 24]
                .iter()
                .map(|&n| u64::from(n))
                .sum::<u64>();
            one + vec![1u8; 1 << 23].len() as u64
        });
        assert_eq!(sum, (1 << 24) + (1 << 23));
        // Other tests run at the same time, but none of them has this much.
        assert!((1 << 24..3 << 23).contains(&bytes), "{bytes}");
    }
}
