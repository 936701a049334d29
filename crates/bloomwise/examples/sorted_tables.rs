//! How a store learns which missing keys cost reads, for authors of stores like LevelDB and RocksDB: sorted tables in files, each with a
//! filter at its end. A look-up reads only tables whose filter says "maybe". A key that no table had goes to the learner. A
//! compaction builds the filter of its table with the learned keys of the table's range as known negatives.
//!
//! `cargo run --release -p bloomwise --example sorted_tables`

use bloomwise::format::Check;
use bloomwise::learn::Learner;
use bloomwise::{AnyFilter, Family, Filter, Hashing, KeySets, Persist, Size, Spec};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

type Result<T> = std::result::Result<T, Box<dyn Error>>;
type Entries = BTreeMap<String, String>;

/// A file with lines of key, TAB and value, and the filter behind them, which stays in memory.
struct Table {
    path: PathBuf,
    /// Bytes of the lines.
    lines: usize,
    filter: AnyFilter,
}

/// Tables, the newest last, and what was learned from reading them.
struct Store {
    folder: PathBuf,
    tables: Vec<Table>,
    learner: Learner,
    /// Tables that were read for nothing.
    wasted: u64,
}

impl Table {
    fn entries(&self) -> Result<Entries> {
        let mut bytes = fs::read(&self.path)?;
        bytes.truncate(self.lines);
        let text = String::from_utf8(bytes)?;
        let pairs = text.lines().filter_map(|line| line.split_once('\t'));
        Ok(pairs.map(|(k, v)| (k.into(), v.into())).collect())
    }
}

impl Store {
    /// Writes a table. Its filter denies the costliest missing keys of its range, as many as it has keys.
    fn write(&self, name: &str, entries: &Entries) -> Result<Table> {
        let mut sets = KeySets::builder(Hashing::default());
        sets.positives(entries.keys());
        // A key that the table has after all is no negative; the sets see to that.
        let first = entries.keys().next().map(String::as_bytes);
        let last = entries.keys().next_back().map(String::as_bytes);
        for missing in self.learner.top(entries.len()) {
            if (first..=last).contains(&Some(missing.key)) {
                sets.negative(missing.key, missing.cost);
            }
        }
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(8.0));
        let filter = spec.build(&sets.build()?)?.to_short_bytes();
        let lines: String = entries.iter().map(|(k, v)| format!("{k}\t{v}\n")).collect();
        let path = self.folder.join(name);
        fs::write(&path, [lines.as_bytes(), &filter].concat())?;
        Ok(Table {
            path,
            lines: lines.len(),
            filter: AnyFilter::from_owner(filter, Check::Whole)?,
        })
    }

    /// The value of a key. It is hashed once for all filters.
    fn get(&mut self, key: &str) -> Result<Option<String>> {
        let hashed = Hashing::default().hash(key);
        for table in self.tables.iter().rev() {
            if table.filter.contains_hashed(hashed)? {
                if let Some(value) = table.entries()?.remove(key) {
                    return Ok(Some(value));
                }
                self.wasted += 1;
            }
        }
        self.learner.record(key);
        Ok(None)
    }

    /// Merges all tables into one.
    fn compact(&mut self) -> Result<()> {
        let mut merged = Entries::new();
        for table in &self.tables {
            merged.extend(table.entries()?);
        }
        self.tables = vec![self.write("merged", &merged)?];
        Ok(())
    }

    /// Looks up every key of the store and as many missing ones. Returns how many tables were read for nothing.
    fn look_up(&mut self, missing: &str) -> Result<u64> {
        let before = self.wasted;
        for n in 0..2000 {
            assert!(self.get(&format!("key{n:04}"))?.is_some());
            assert!(self.get(&format!("key{n:04}{missing}"))?.is_none());
        }
        Ok(self.wasted - before)
    }
}

/// Writes four tables, looks up missing keys, compacts, and looks them up again.
pub fn main() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("sorted-tables-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut store = Store {
        folder,
        tables: Vec::new(),
        learner: Learner::new(Hashing::default(), 1 << 20)?,
        wasted: 0,
    };
    for number in 0..4 {
        let keys = (0..500).map(|n| format!("key{:04}", 4 * n + number));
        let entries = keys.map(|key| (key, "value".into())).collect();
        store
            .tables
            .push(store.write(&number.to_string(), &entries)?);
    }
    let before = store.look_up("-gone")?;
    store.compact()?;
    let (after, other) = (store.look_up("-gone")?, store.look_up("-other")?);
    fs::remove_dir_all(&store.folder)?;
    println!(
        "tables read for nothing: {before}; after the compaction {after}, and {other} for keys that are new"
    );
    assert!(before > 0 && after == 0, "learned keys cost nothing");
    Ok(())
}
