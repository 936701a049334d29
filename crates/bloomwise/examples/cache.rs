//! A cache in front of a slow store: the filter knows what the cache holds, and forgets what leaves it.
//!
//! `cargo run -p bloomwise --example cache`

use bloomwise::{Counting, Filter, Size};
use std::collections::VecDeque;

fn main() -> bloomwise::Result<()> {
    let room = 1000;
    let mut cache = VecDeque::new();
    let mut held = Counting::builder(room, Size::Rate(0.01)).build()?;
    let (mut hits, mut in_vain) = (0, 0);
    for step in 0..50_000u64 {
        // A walk over 2000 keys that often comes back to the last few.
        let key = (step / 7 + step * step % 97) % 2000;
        if held.contains(&key.to_le_bytes()) {
            if cache.contains(&key) {
                hits += 1;
                continue;
            }
            in_vain += 1;
        }
        cache.push_back(key);
        held.insert(key.to_le_bytes());
        if cache.len() as u64 > room
            && let Some(oldest) = cache.pop_front()
        {
            held.remove(oldest.to_le_bytes());
        }
    }
    println!("{hits} hits; {in_vain} look-ups in vain, which the filter did not spare us");
    Ok(())
}
