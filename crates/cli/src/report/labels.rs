//! Names at the ends of lines, moved apart where they would lie on each other.

/// The width of a letter, on average; names of kinds are lower case.
const LETTER: f64 = 6.6;

/// The width of a name, about.
pub fn width_of(name: &str) -> f64 {
    LETTER * name.chars().count() as f64
}

/// Moves places apart so that neighbours are at least `gap` from each other and all lie in `low..=high` as far as there
/// is room; their order stays.
pub fn apart(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut places = wanted.to_vec();
    // Down from the first, then up again from the last where that went too far.
    let mut next = low;
    for &at in &order {
        places[at] = places[at].max(next);
        next = places[at] + gap;
    }
    let mut last = high;
    for &at in order.iter().rev() {
        places[at] = places[at].min(last);
        last = places[at] - gap;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_their_order_and_their_distance() {
        let places = apart(&[50.0, 49.0, 0.0, 100.0, 99.0], 10.0, 0.0, 100.0);
        assert_eq!(places, [59.0, 49.0, 0.0, 100.0, 90.0]);
        assert_eq!(apart(&[], 10.0, 0.0, 1.0), Vec::<f64>::new());
    }
}
