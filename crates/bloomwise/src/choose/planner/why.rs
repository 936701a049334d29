//! The reasons for a recommendation, as text.

use super::{Planner, Row, WORTH};
use crate::filter::family::Family;
use crate::filter::forecast::Forecast;
use crate::filter::limit::Limit;
use crate::filter::sizing::Size;

/// Why the planner recommends the family of `best`.
pub(super) fn why(
    planner: &Planner<'_>,
    share: f64,
    best: (Family, &Forecast),
    rows: &[Row],
    limit: &Limit,
) -> String {
    let (family, forecast) = best;
    let plain = rows.iter().find(|row| row.family == Family::Bloom);
    let plain = plain.and_then(|row| row.forecast.as_ref().ok());
    let mut text = match plain {
        Some(plain) if family == Family::Bloom => format!(
            "No kind that fits is better by a tenth than the plain Bloom filter, which errs on {}.",
            rates(planner, plain)
        ),
        Some(plain) if matches!(planner.size, Size::Rate(_)) => format!(
            "With {:.2} bits per key it errs on {}; a plain Bloom filter takes {:.2}.",
            bits_per_key(planner, forecast),
            rates(planner, forecast),
            bits_per_key(planner, plain)
        ),
        Some(plain) => format!(
            "It errs on {}; a plain Bloom filter of this size errs on {}.",
            rates(planner, forecast),
            rates(planner, plain)
        ),
        None => format!("It errs on {}.", rates(planner, forecast)),
    };
    if planner.workload.keys() > 0 && limit.unseen >= SMALLEST {
        text += &limit_sentence(planner, forecast, limit);
    }
    if let Some(better) = better_but_unfit(planner, share, forecast, rows) {
        text += &better;
    }
    text
}

/// A sentence about the information limit.
fn limit_sentence(planner: &Planner<'_>, forecast: &Forecast, limit: &Limit) -> String {
    let bits = bits_per_key(planner, forecast);
    let unseen = percent(limit.unseen);
    match (planner.workload.negatives(), limit.known) {
        (0, _) => format!(" No filter of {bits:.2} bits per key errs on less than {unseen}."),
        (_, 0.0) => format!(
            " No filter of {bits:.2} bits per key that is right on all known negatives errs on less than {unseen} of unseen keys."
        ),
        (_, known) => format!(
            " With {bits:.2} bits per key, the lowest possible cost is errors on {} of the cost of known negatives and {unseen} of unseen keys.",
            percent(known)
        ),
    }
}

/// A sentence about the best family that does not fit, if it is better than the recommended one.
fn better_but_unfit(
    planner: &Planner<'_>,
    share: f64,
    than: &Forecast,
    rows: &[Row],
) -> Option<String> {
    let unfit = rows.iter().filter_map(|row| {
        let reason = row.unfit.as_ref()?;
        let forecast = row.forecast.as_ref().ok()?;
        Some((row.family, forecast, reason))
    });
    let price = |forecast: &Forecast| planner.price(forecast, share);
    let best = unfit.min_by(|a, b| price(a.1).total_cmp(&price(b.1)))?;
    let (family, forecast, reason) = best;
    (price(forecast) < WORTH * price(than)).then(|| {
        format!(
            " {} would err on {} with {:.2} bits per key, but {reason}.",
            family.name(),
            rates(planner, forecast),
            bits_per_key(planner, forecast)
        )
    })
}

/// The bits per key of a forecast.
fn bits_per_key(planner: &Planner<'_>, forecast: &Forecast) -> f64 {
    planner.workload.per_key(forecast.bits)
}

/// The rates on known negatives and on unseen keys. Without known negatives, only the latter.
fn rates(planner: &Planner<'_>, forecast: &Forecast) -> String {
    let unseen = percent(forecast.unseen);
    match (planner.workload.negatives(), forecast.known) {
        (0, _) => format!("{unseen} of unseen keys"),
        (_, 0.0) => format!("no known negative and {unseen} of unseen keys"),
        (_, known) if known == forecast.unseen => {
            format!("{unseen} of known negatives and of unseen keys")
        }
        (_, known) => format!(
            "{} of the cost of known negatives and {unseen} of unseen keys",
            percent(known)
        ),
    }
}

/// The smallest share that is printed as a number.
const SMALLEST: f64 = 1e-11;

/// A share as a percentage with three significant digits, or two if it is small.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && share < SMALLEST {
        return "less than 0.000000001 %".to_string();
    }
    let digits = if percent < 0.001 { 1 } else { 2 };
    let decimals = match percent > 0.0 {
        true => (digits - percent.log10().floor() as i32).max(0) as usize,
        false => 0,
    };
    let text = format!("{percent:.decimals$}");
    let short = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{short} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_have_three_significant_digits() {
        let shares = [0.0, 1.0, 0.0174, 0.004531, 0.000_012_3, 1.6e-7, 1e-300];
        assert_eq!(
            shares.map(percent),
            [
                "0 %",
                "100 %",
                "1.74 %",
                "0.453 %",
                "0.00123 %",
                "0.000016 %",
                "less than 0.000000001 %"
            ]
        );
    }
}
