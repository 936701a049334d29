//! The library's balanced filters, whose overflow list counts as size: rates and block reads against the model (`rates.rs`), times against
//! `Blocked` (`times.rs`).

mod rates;
mod times;

use crate::prelude::*;

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
