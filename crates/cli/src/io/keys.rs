//! Reads files of keys, with progress and remarks on the terminal.

use super::progress::Terminal;
use anyhow::Result;
use bloomwise_compare::input::{Columns, Counts, Input, Role, read};
use std::path::Path;

/// Reads a file and calls `act` with each key and its cost.
pub fn read_keys(
    path: &Path,
    role: Role,
    columns: &Columns,
    act: impl FnMut(&[u8], f64) -> Result<()>,
) -> Result<Counts> {
    read(Input::file(path), role, columns, &Terminal, act)
}
