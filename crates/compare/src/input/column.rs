//! Finds the columns of keys and costs in a table by name.

use super::Role;
use crate::input::Columns;
use crate::{Message, Setting};

/// The positions of the columns to read, from 0.
pub struct Positions {
    /// The column of the keys.
    pub key: usize,
    /// The column of the costs, if the user named one and the file holds negatives or events.
    pub cost: Option<usize>,
    /// The column of the times, if the user named one and the file holds events.
    pub time: Option<usize>,
}

/// Finds the columns that the user named among the column names of a file.
pub fn find(
    file: &str,
    names: &[&str],
    role: Role,
    columns: &Columns,
) -> Result<Positions, Message> {
    let listed = match names {
        [] => "none, because the file has no header row".to_string(),
        names => names.join(", "),
    };
    let position = |name: &str| {
        let found = names.iter().position(|column| *column == name);
        // A column of a log may be a number, as in text.
        let numbered = || number(name).filter(|&at| role == Role::Events && at < names.len());
        match found.or_else(numbered) {
            Some(position) => Ok(position),
            None => Err(Message::from(format!(
                "{file} has no column {name:?}; choose one of its columns: {listed}"
            ))),
        }
    };
    let (of_keys, of_negatives) = (columns.key.first(), columns.key.get(1));
    let key = match role {
        Role::Keys | Role::Events => of_keys,
        Role::Negatives => of_negatives.or(of_keys),
    };
    let Some(key) = key else {
        let setting = match role {
            Role::Events => "column",
            Role::Keys | Role::Negatives => "key_column",
        };
        return Err(
            Message::from(format!("{file}: name the column of the keys with "))
                + Setting::named(setting)
                + format!("; the columns are: {listed}"),
        );
    };
    let wanted = |name: &Option<String>, wanted: bool| {
        let name = name.as_deref().filter(|_| wanted);
        name.map(position).transpose()
    };
    Ok(Positions {
        key: position(key)?,
        cost: wanted(&columns.cost, role != Role::Keys)?,
        time: wanted(&columns.time, role == Role::Events)?,
    })
}

/// The position of the column with this number, which counts from 1.
pub fn number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1)
}
