//! A block list that is replaced while requests come in: readers hold the filter they started with, the next ones get the
//! new list. The popular hosts are known negatives, so none of them is ever blocked by mistake.
//!
//! `cargo run -p bloomwise --example block_list`

use bloomwise::{Filter, Guarded, Persist, Result, Size};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// The list that is in force.
struct BlockList {
    filter: RwLock<Arc<Guarded>>,
}

impl BlockList {
    fn open(path: &Path) -> Result<Self> {
        let filter = RwLock::new(Arc::new(Guarded::load(path)?));
        Ok(BlockList { filter })
    }

    /// Loads a new list. If that fails, the old one stays in force.
    fn reload(&self, path: &Path) -> Result<()> {
        let new = Arc::new(Guarded::load(path)?);
        *self.filter.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    fn blocks(&self, host: &str) -> bool {
        let filter = self.filter.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&filter).contains(host)
    }
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
