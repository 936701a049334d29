//! Which columns of a table are meant, and what to say if they are not there.

use super::Role;
use crate::args::Columns;
use anyhow::{Result, bail};

/// The places of the columns that are read.
pub struct Chosen {
    /// That of the key.
    pub key: usize,
    /// That of the cost, where one was named and the file has negatives in it.
    pub cost: Option<usize>,
}

/// Finds the columns of a file among their names.
pub fn choose(file: &str, names: &[&str], role: Role, columns: &Columns) -> Result<Chosen> {
    let listed = match names {
        [] => "none, the file has no header row".to_string(),
        names => names.join(", "),
    };
    let find = |name: &str| match names.iter().position(|column| *column == name) {
        Some(place) => Ok(place),
        None => bail!("{file} has no column {name:?}; its columns are: {listed}"),
    };
    let Some(key) = &columns.key else {
        bail!("{file}: name the column of the keys with --key-column; its columns are: {listed}");
    };
    Ok(Chosen {
        key: find(key)?,
        cost: match (&columns.cost, role) {
            (Some(name), Role::Negatives) => Some(find(name)?),
            _ => None,
        },
    })
}
