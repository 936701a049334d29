//! Solving: from keys to rows that satisfy their equations.
//!
//! | file | contents |
//! |---|---|
//! | `system` | Gaussian elimination of equations whose coefficients lie in a window |
//! | `substitute` | back substitution: the bits of the rows |
//! | `elimination` | the equations of a part of a layer, and its thresholds |
//! | `layer` | a layer with thresholds, solved in parts that are independent of each other |
//! | `chain` | layer after layer, until all keys have a place |
//! | `attempt` | fingerprint, survivors and guard of a filter |

pub(super) mod attempt;
pub(super) mod chain;
mod elimination;
pub(super) mod layer;
mod substitute;
mod system;
