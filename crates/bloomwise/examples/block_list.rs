//! A block list that is replaced while requests come in: readers hold the filter they started with, the next ones get the
//! new list, and nobody waits. The list is mapped, so that a new one is in force at once, whatever its size. The popular hosts are known
//! negatives, so none of them is ever blocked by mistake.
//!
//! `cargo run -p bloomwise --example block_list`

use arc_swap::ArcSwap;
use bloomwise::format::{Check, MapFile};
use bloomwise::{Filter, Guarded, Persist, Result, Size};
use std::path::Path;
use std::sync::Arc;

/// The list that is in force.
struct BlockList {
    filter: ArcSwap<Guarded>,
}

impl BlockList {
    fn open(path: &Path) -> Result<Self> {
        let filter = map(path)?;
        Ok(BlockList {
            filter: ArcSwap::from_pointee(filter),
        })
    }

    /// Maps a new list. If it is damaged, the old one stays in force.
    fn reload(&self, path: &Path) -> Result<()> {
        let new = map(path)?;
        self.filter.store(Arc::new(new));
        Ok(())
    }

    fn blocks(&self, host: &str) -> bool {
        self.filter.load().contains(host)
    }
}

/// Maps a list.
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
fn map(path: &Path) -> Result<Guarded> {
    // SAFETY: the publisher replaces the file and never changes it in place.
    unsafe { Guarded::open(path, Check::Whole) }
}

/// What a publisher does each day.
fn publish(path: &Path, days: u32) -> Result<()> {
    let blocked = (0..1000 * days).map(|n| format!("tracker{n}.example"));
    let popular = (0..5000).map(|n| (format!("site{n}.example"), 1e6 / f64::from(n + 1)));
    let filter = Guarded::builder(Size::BitsPerKey(12.0)).build_from(blocked, popular)?;
    filter.save(path)
}

/// Publishes a list, serves it, publishes the next, and reloads.
pub fn main() -> Result<()> {
    let path = std::env::temp_dir().join(format!("block-list-{}.bw", std::process::id()));
    publish(&path, 1)?;
    let list = BlockList::open(&path)?;
    assert!(list.blocks("tracker7.example") && !list.blocks("site0.example"));

    publish(&path, 2)?;
    list.reload(&path)?;
    let _ = std::fs::remove_file(&path);
    let missed = (0..2000).filter(|n| !list.blocks(&format!("tracker{n}.example")));
    let wrong = (0..5000).filter(|n| list.blocks(&format!("site{n}.example")));
    let (missed, wrong) = (missed.count(), wrong.count());
    println!("{missed} trackers missed, {wrong} popular sites blocked");
    assert_eq!((missed, wrong), (0, 0));
    Ok(())
}
