//! The fill of a filter and its false positive rates, as functions of numbers.
//!
//! [`paper`] has the lemmas of the paper's section IV one by one. [`State`] computes the rates of
//! this library's query, which checks the whole footprint of a key. A state is predicted for a planned filter ([`Setup::state`]) or
//! measured on a built one ([`Seesaw::state`](crate::Seesaw::state)). The search for a plan uses it, and so does
//! [`Filter::info`](crate::Filter::info).
//!
//! | paper | here |
//! |---|---|
//! | `N_p`, `N_n` | keys, guarded keys; `N_n / N_p` is `guarded` |
//! | B, k | `counters`, per key; `functions` |
//! | mu | `marked`, the share of counters that are marked |
//! | phi / `N_p` | [`paper::modulations`], the share of keys with a marked counter |
//! | s, n | modulator cells per key with a marked counter; modulator cells |
//! | L | `load`, the share of modulator cells in use |
//! | `P_ms` | [`paper::success`], the chance that a key with a marked counter has a stand-in |
//! | psi, lambda | `marked_fill`, `plain_fill`, the shares of marked and of unmarked counters that are in use |
//! | epsilon | `covered`, the share of the cost that the guarded keys have |
//! | `FP_V`, `FP_N`, CFPR | the rates on guarded keys and on others, the cost-weighted rate |

pub mod paper;
mod state;

pub use state::{Setup, State};
