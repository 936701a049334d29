//! Balanced filters: Y. Kanizo, D. Hay, I. Keslassy, "Access-efficient balanced Bloom filters".
//!
//! Figures 2 and 3 show the model and are computed again (`figures.rs`). Figure 4 is computed, and measured on filters
//! that follow the paper to the letter (`figure_4.rs`, `textbook.rs`). The library's filters, whose overflow list
//! counts as size, are measured against the model (rates and block reads, `rates.rs`) and against `Blocked` (times,
//! `times.rs`).

mod count;
mod figure_4;
mod figures;
mod model;
mod rates;
mod textbook;
mod times;

pub use figure_4::figure_4;
pub use figures::{figure_2, figure_3};

use crate::options::Options;
use crate::output::Outcome;
use anyhow::Result;

/// Measures rates and block reads, and runs the races.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced filters of this library: rates and reads against its model, and times beside blocked filters. 64 million non-members at full size, 256 million from 28 bits per key on.",
    );
    let keys = options.scaled(1_000_000, 20_000);
    rates::rates(options, keys, &mut outcome)?;
    outcome.tables.push(rates::reads(keys)?);
    times::run(&mut outcome, options)?;
    Ok(outcome)
}
