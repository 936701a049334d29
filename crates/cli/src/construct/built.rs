//! What a filter is built from, and what building it produces.

use bloomwise::construction;
use bloomwise_compare::input::Columns;
use bloomwise_compare::keys::FirstKeys;
use std::path::Path;
use std::time::Duration;

/// The files that a filter is built from.
pub struct Sources<'a> {
    /// The keys of the set.
    pub positives: &'a Path,
    /// Known keys outside the set.
    pub negatives: Option<&'a Path>,
    /// The columns to read if a file is a table.
    pub columns: &'a Columns,
}

/// A filter and facts about how it was built.
pub struct Built {
    /// The filter, and what the library knows of its keys.
    pub made: construction::Built,
    /// The first keys of the set.
    pub first: FirstKeys,
    /// The first known negatives.
    pub first_negatives: FirstKeys,
    /// The number of empty keys that were skipped in all files.
    pub skipped: u64,
    /// How long it took: without reading if the keys were in memory, with reading otherwise.
    pub time: Duration,
}
