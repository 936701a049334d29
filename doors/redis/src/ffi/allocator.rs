//! Rust allocates from the server's memory, so that `used_memory`, `maxmemory` and `MEMORY USAGE` know about filters.
//!
//! The server's allocator gives 8 bytes of alignment, and some builds no more: those that put the size of a block in front of it. Cells start on a
//! cache line of 64 bytes. Such a block is allocated larger, and the word before it says where it starts:
//!
//! ```text
//! server's block   [ .. | start | cells, aligned ..... ]
//!                  ^start        ^what Rust gets
//! ```
//!
//! The server ends when it has no memory. So memory is asked for with `TryAlloc`, which returns null instead. There is no such call
//! for zeros in all servers: a large block of zeros is allocated and freed once before, to see whether there is room.

use std::alloc::{GlobalAlloc, Layout};
use valkey_module::raw;

/// The alignment of every block of the server.
const SERVER_ALIGNMENT: usize = 8;

/// The bytes of zeros from which on it is tried first.
const LARGE: usize = 1 << 20;

/// The allocator.
pub struct ServerAllocator;

/// The module's memory. Tests run without a server.
#[cfg(not(test))]
#[global_allocator]
static ALLOCATOR: ServerAllocator = ServerAllocator;

/// The bytes to ask the server for: those of the layout and, if it is aligned more than the server aligns, room to move.
fn block_size(layout: Layout) -> Option<usize> {
    match layout.align() {
        ..=SERVER_ALIGNMENT => Some(layout.size().max(1)),
        align => layout
            .size()
            .checked_add(align)?
            .checked_add(size_of::<usize>()),
    }
}

/// What Rust gets of a block of the server.
///
/// # Safety
///
/// `block` is null or has [`block_size`] bytes.
unsafe fn place(block: *mut u8, layout: Layout) -> *mut u8 {
    if block.is_null() || layout.align() <= SERVER_ALIGNMENT {
        return block;
    }
    let first = block as usize + size_of::<usize>();
    let moved = first.next_multiple_of(layout.align()) - block as usize;
    // SAFETY: the block has room for the word, for the alignment and for the layout. The word is aligned, as its end is.
    unsafe {
        let placed = block.add(moved);
        placed.cast::<usize>().sub(1).write(block as usize);
        placed
    }
}

/// Asks the server for memory.
///
/// # Safety
///
/// The module was initialized.
unsafe fn try_allocate(bytes: usize) -> *mut u8 {
    // SAFETY: the function pointers were set when the module was initialized, and not changed since.
    unsafe {
        match (raw::RedisModule_TryAlloc, raw::RedisModule_Alloc) {
            (Some(try_alloc), _) => try_alloc(bytes).cast(),
            (None, Some(alloc)) => alloc(bytes).cast(),
            (None, None) => std::ptr::null_mut(),
        }
    }
}

/// Returns memory to the server.
///
/// # Safety
///
/// `block` is a block of the server.
unsafe fn free(block: *mut u8) {
    // SAFETY: as above.
    if let Some(free) = unsafe { raw::RedisModule_Free } {
        // SAFETY: the caller says so.
        unsafe { free(block.cast()) };
    }
}

// SAFETY: blocks have the size and alignment that was asked for, and belong to one owner until they are freed.
unsafe impl GlobalAlloc for ServerAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(bytes) = block_size(layout) else {
            return std::ptr::null_mut();
        };
        // SAFETY: Rust code runs after the module was initialized. The block has this size.
        unsafe { place(try_allocate(bytes), layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(bytes) = block_size(layout) else {
            return std::ptr::null_mut();
        };
        // SAFETY: as above. The block that is tried is freed before another is asked for.
        unsafe {
            if bytes >= LARGE {
                let tried = try_allocate(bytes);
                if tried.is_null() {
                    return tried;
                }
                free(tried);
            }
            match raw::RedisModule_Calloc {
                Some(calloc) => place(calloc(1, bytes).cast(), layout),
                None => std::ptr::null_mut(),
            }
        }
    }

    unsafe fn dealloc(&self, placed: *mut u8, layout: Layout) {
        let block = match layout.align() {
            ..=SERVER_ALIGNMENT => placed,
            // SAFETY: `place` has written the start of the block before it.
            _ => unsafe { placed.cast::<usize>().sub(1).read() as *mut u8 },
        };
        // SAFETY: it is a block of the server.
        unsafe { free(block) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_place_fits_into_its_block_and_knows_its_start() {
        for align in [1, 8, 16, 32, 64, 4096] {
            for size in [1, 64, 1000] {
                let layout = Layout::from_size_align(size, align).expect("a layout");
                let bytes = block_size(layout).expect("fits");
                // As a server gives it that puts 8 bytes in front of a block.
                let mut memory = vec![0u128; bytes / 16 + 2];
                let block = memory.as_mut_ptr().cast::<u8>().wrapping_add(8);
                // SAFETY: the block has room for as many bytes.
                let placed = unsafe { place(block, layout) };
                assert_eq!(placed as usize % align, 0);
                let moved = placed as usize - block as usize;
                assert!(moved + size <= bytes, "{layout:?}");
                if align > SERVER_ALIGNMENT {
                    // SAFETY: `place` has written it.
                    let start = unsafe { placed.cast::<usize>().sub(1).read() };
                    assert_eq!(start, block as usize);
                }
            }
        }
    }
}
