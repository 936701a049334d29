//! Finds the columns of keys and costs in a table by name.

use super::Role;
use crate::args::Columns;
use anyhow::{Result, bail};

/// The positions of the columns to read, from 0.
pub struct Positions {
    /// The column of the keys.
    pub key: usize,
    /// The column of the costs, if the user named one and the file holds negatives.
    pub cost: Option<usize>,
}

/// Finds the columns that the user named among the column names of a file.
pub fn find(file: &str, names: &[&str], role: Role, columns: &Columns) -> Result<Positions> {
    let listed = match names {
        [] => "none, because the file has no header row".to_string(),
        names => names.join(", "),
    };
    let position = |name: &str| match names.iter().position(|column| *column == name) {
        Some(position) => Ok(position),
        None => bail!("{file} has no column {name:?}; choose one of its columns: {listed}"),
    };
    let (of_keys, of_negatives) = (columns.key.first(), columns.key.get(1));
    let key = match role {
        Role::Keys => of_keys,
        Role::Negatives => of_negatives.or(of_keys),
    };
    let Some(key) = key else {
        bail!("{file}: name the column of the keys with --key-column; the columns are: {listed}");
    };
    Ok(Positions {
        key: position(key)?,
        cost: match (&columns.cost, role) {
            (Some(name), Role::Negatives) => Some(position(name)?),
            _ => None,
        },
    })
}
