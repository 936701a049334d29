//! Peak memory of a piece of work, counted by the global allocator.

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Runs `work`. Returns its result and the peak number of bytes allocated during it, beyond what was allocated before.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = work();
    (result, MEMORY.peak_usage().saturating_sub(before) as u64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn peak_counts_bytes_allocated_at_the_same_time() {
        let (sum, bytes) = super::peak(|| {
            let one = vec![1u8; 1 << 24]
                .iter()
                .map(|&n| u64::from(n))
                .sum::<u64>();
            one + vec![1u8; 1 << 23].len() as u64
        });
        assert_eq!(sum, (1 << 24) + (1 << 23));
        // Other tests run at the same time, but none of them allocates this much.
        assert!((1 << 24..3 << 23).contains(&bytes), "{bytes}");
    }
}
