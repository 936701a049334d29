//! The peak of the memory that some work allocates.
//!
//! The fuzzer itself limits the memory of the process, but a limit for the process is far above what a file of a few hundred bytes may
//! take. The allocator counts, so that each input has a limit of its own.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Runs `work`. Panics if the memory in use during `work` exceeds what was in use before by more than `limit` bytes.
pub fn within<T>(limit: usize, work: impl FnOnce() -> T) -> T {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    let used = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(
        used <= limit,
        "{used} bytes of memory, the limit is {limit}"
    );
    result
}
