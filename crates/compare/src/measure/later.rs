//! What filters are measured on after the known negatives were learned from the first part of a log.

/// What came after the split.
pub struct Later {
    /// The share of the events that was learned from.
    pub split: f64,
    /// The number of events before and after the split.
    pub events: (u64, u64),
    /// The absent look-ups after the split.
    pub absent: Events,
    /// The share of their cost that the first keys of the list have: the number of keys and the share, the whole list last. Empty if there is no
    /// cost.
    pub covered: Vec<(u64, f64)>,
}

/// A number of events and their cost.
#[derive(Clone, Copy, Default)]
pub struct Events {
    /// The number.
    pub count: u64,
    /// The cost.
    pub cost: f64,
}

impl Events {
    /// Adds an event.
    pub fn add(&mut self, cost: f64) {
        self.count += 1;
        self.cost += cost;
    }
}
