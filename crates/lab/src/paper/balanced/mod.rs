//! Balanced filters: Y. Kanizo, D. Hay, I. Keslassy, "Access-efficient balanced Bloom filters".
//!
//! Figures 2 and 3 show the model and are computed again (`figures.rs`). Figure 4 is computed, and measured on filters
//! that follow the paper to the letter (`figure_4.rs`, `textbook.rs`). The library's filters, whose overflow list
//! counts as size, are measured against the model (rates and block reads, `rates.rs`) and against `Blocked` (times,
//! `times.rs`).

mod figure_4;
mod figures;
mod model;
mod textbook;
mod theory;

pub use figure_4::figure_4;
pub use figures::{figure_2, figure_3};
