//! Parts of messages.

/// The suggested name, as part of a message.
pub(super) fn hint(closest: &Option<&'static str>) -> String {
    closest.map_or_else(String::new, |name| format!(" (did you mean {name}?)"))
}

/// A cost without the zeros of large numbers.
pub(super) fn short(cost: &f64) -> String {
    match cost.abs() {
        1e15..f64::INFINITY => format!("{cost:e}"),
        _ => cost.to_string(),
    }
}

/// The costs up to `most`, as part of a message.
pub(super) fn valid_costs(most: f64) -> String {
    match most {
        f64::MAX => "finite cost of at least 0".to_string(),
        _ => format!("cost from 0 to {most:e}"),
    }
}
