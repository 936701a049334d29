//! The read path of a key-value store with several sorted runs. A filter for each run says whether the run must be read. A key
//! is hashed once for all runs, and each filter answers from the bytes of its run without a copy.
//!
//! `cargo run -p bloomwise --example read_path`

use bloomwise::format::Check;
use bloomwise::{AnyFilter, Family, Filter, Hashing, Persist, Result, Size, Spec};
use std::collections::BTreeMap;

/// A run: its entries, which would be on disk, and its filter.
struct Run {
    entries: BTreeMap<u64, String>,
    filter: AnyFilter,
}

impl Run {
    fn new(entries: BTreeMap<u64, String>) -> Result<Self> {
        let spec = Spec::new(Family::Blocked).size(Size::BitsPerKey(10.0));
        // The block of the filter in the file of the run.
        let block = spec.build_from_keys(entries.keys())?.to_short_bytes();
        let filter = AnyFilter::from_owner(block, Check::Whole)?;
        Ok(Run { entries, filter })
    }
}

/// The value of a key, and how many runs were read for it.
fn get(runs: &[Run], key: u64) -> Result<(Option<&String>, u32)> {
    let hashed = Hashing::default().hash(key);
    let mut reads = 0;
    for run in runs.iter().rev() {
        if run.filter.contains_hashed(hashed)? {
            reads += 1;
            if let Some(value) = run.entries.get(&key) {
                return Ok((Some(value), reads));
            }
        }
    }
    Ok((None, reads))
}

/// Fills eight runs and looks up every key.
pub fn main() -> Result<()> {
    let run = |number: u64| {
        let entries = (0..10_000).map(|n| (n * 10 + number, format!("value of run {number}")));
        Run::new(entries.collect())
    };
    let runs = (0..8).map(run).collect::<Result<Vec<Run>>>()?;
    let (mut found, mut reads) = (0, 0);
    for key in 0..100_000 {
        let (value, more) = get(&runs, key)?;
        found += u32::from(value.is_some());
        reads += more;
    }
    assert_eq!(found, 80_000);
    println!(
        "{found} keys found; {reads} reads instead of up to {}",
        8 * 100_000
    );
    Ok(())
}
