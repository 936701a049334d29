//! What a filter is built from, and what building it produces.

use bloomwise::AnyFilter;
use bloomwise::info::Report;
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
    /// The filter.
    pub filter: AnyFilter,
    /// The report of the library.
    pub report: Report,
    /// The number of keys: distinct keys if the keys were in memory, all inserted keys if they were streamed.
    pub keys: u64,
    /// The number of duplicate keys, if the keys were in memory.
    pub duplicates: Option<u64>,
    /// The number of distinct negatives that are not positives, if there is a file of negatives.
    pub known_negatives: Option<u64>,
    /// The number of distinct negatives that were dropped because they are positives, if there is a file of negatives.
    pub overlap: Option<u64>,
    /// The first keys of the set.
    pub first: FirstKeys,
    /// The first known negatives.
    pub first_negatives: FirstKeys,
    /// The number of empty keys that were skipped in all files.
    pub skipped: u64,
    /// How long it took: without reading if the keys were in memory, with reading otherwise.
    pub time: Duration,
}
