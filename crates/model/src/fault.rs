//! Faults that a test can inject, to prove that lives notice them.
//!
//! Each makes the filter differ from what the exact sets say, as a bug in the library would. The command never injects
//! one.

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The filter lacks a key that was inserted.
    ForgetsKey,
    /// The filter accepts a known negative, though its report says that it accepts none.
    AcceptsNegative,
    /// The filter takes more bits than were asked for.
    OvershootsBudget,
    /// The library panics.
    Panics,
}
