//! The columns that hold the keys, the costs and the times.

/// The names of the columns of a table, or of a log.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The column that holds the key; if there are two, the second is that of negatives.
    pub key: Vec<String>,
    /// The column that holds the cost; without it, every cost is 1.
    pub cost: Option<String>,
    /// The column that holds the time of an event in a log.
    pub time: Option<String>,
}
