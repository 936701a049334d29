//! Balanced filters: the figures of Y. Kanizo, D. Hay, I. Keslassy, "Access-efficient balanced Bloom filters", from theory
//! (`figures.rs`), and what the filters do: rates and reads against the model, and times beside `Blocked` (`rates.rs`).

mod figures;
mod rates;

pub use figures::{figure_2, figure_3, figure_4};
pub use rates::run;
