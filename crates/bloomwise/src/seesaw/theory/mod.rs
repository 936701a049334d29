//! How full things get and how often the filter errs, as functions of numbers.
//!
//! [`paper`] has the lemmas and theorems of the paper's section IV one by one, for its query. [`State`] puts the same
//! quantities together for the query that the filter really makes, which asks for the whole footprint of a key: from the
//! plan of a filter ([`Load::state`]), or measured on one. The plan of a filter
//! is looked for with it, and
//! [`Filter::info`](crate::Filter::info) predicts rates with it.
//!
//! | paper | here |
//! |---|---|
//! | `N_p`, `N_n` | keys, guarded keys; `N_n / N_p` is `guarded` |
//! | B, k | `counters` per key, `functions` |
//! | mu | `marked`, the share of counters that are marked |
//! | phi / `N_p` | [`paper::modulations`], the share of keys that meet a mark |
//! | s, n | cells per key that meets a mark, cells |
//! | L | `load`, the share of modulator cells in use |
//! | `P_ms` | [`paper::success`], how often a key that meets a mark gets around it |
//! | psi, lambda | `marked_fill`, `plain_fill`, the share of marked and of other counters in use |
//! | epsilon | `covered`, the share of the cost that the guarded keys have |
//! | `FP_V`, `FP_N`, CFPR | rates on guarded keys, on others, by cost |

pub mod paper;
mod state;

pub use state::{Load, State};
