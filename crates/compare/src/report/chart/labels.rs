//! Names at the ends of lines, moved apart so that they do not overlap.

/// The average width of a lower-case letter.
const LETTER: f64 = 6.6;

/// The approximate width of a name.
pub fn width_of(name: &str) -> f64 {
    LETTER * name.chars().count() as f64
}

/// Moves positions apart so that neighbours are at least `gap` apart. Keeps the order, and keeps all positions in `low..=high` if
/// there is room.
pub fn spread_out(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut positions = wanted.to_vec();
    // Moves positions up from the first one, then down from the last one if they went too far.
    let mut next = low;
    for &at in &order {
        positions[at] = positions[at].max(next);
        next = positions[at] + gap;
    }
    let mut last = high;
    for &at in order.iter().rev() {
        positions[at] = positions[at].min(last);
        last = positions[at] - gap;
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_their_order_and_a_minimum_distance() {
        let positions = spread_out(&[50.0, 49.0, 0.0, 100.0, 99.0], 10.0, 0.0, 100.0);
        assert_eq!(positions, [59.0, 49.0, 0.0, 100.0, 90.0]);
        assert_eq!(spread_out(&[], 10.0, 0.0, 1.0), Vec::<f64>::new());
    }
}
