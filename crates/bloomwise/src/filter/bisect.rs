//! Bisection: finds where a test that holds for small values stops holding.

/// Narrows the interval from `low` to `high` around the point where `holds` changes from `true` to `false`.
///
/// `holds` must be `true` at `low` and `false` at `high`; neither end is tested. Each step replaces one end by
/// `middle(low, high)`, which must be between the ends. Bisection stops after `steps` steps, or earlier if the middle is
/// one of the ends, since no value is left between them.
///
/// Returns the ends. For integers and enough steps these are the last value for which `holds` is `true` and the first for
/// which it is `false`.
///
/// ```
/// use bloomwise::unstable::bisect;
///
/// assert_eq!(bisect((0, 100), 64, u64::midpoint, |n| n * n <= 50), (7, 8));
/// ```
pub fn bisect<T: Copy + PartialEq>(
    (mut low, mut high): (T, T),
    steps: u32,
    middle: impl Fn(T, T) -> T,
    holds: impl Fn(T) -> bool,
) -> (T, T) {
    for _ in 0..steps {
        let next = middle(low, high);
        if next == low || next == high {
            break;
        }
        if holds(next) {
            low = next;
        } else {
            high = next;
        }
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    proptest! {
        #[test]
        fn integers_end_beside_the_change(low in any::<u64>(), above in any::<u64>(), at in any::<u64>()) {
            let high = low.saturating_add(above);
            prop_assume!(low < high);
            let last = low + at % (high - low);
            let found = bisect((low, high), 64, u64::midpoint, |n| n <= last);
            prop_assert_eq!(found, (last, last + 1));
        }
    }

    #[test]
    fn floats_end_with_no_value_in_between() {
        let (low, high) = bisect((0.0, 2.0), 100, f64::midpoint, |x: f64| x * x <= 2.0);
        assert_eq!(low.next_up(), high);
        assert!(low * low <= 2.0 && high * high > 2.0);
    }

    #[test]
    fn the_number_of_steps_is_the_most_tests_that_are_made() {
        let tests = Cell::new(0);
        let count = |x: f64| {
            tests.set(tests.get() + 1);
            x < 0.3
        };
        assert_eq!(bisect((0.0, 1.0), 2, f64::midpoint, count), (0.25, 0.5));
        assert_eq!(tests.get(), 2);
    }

    #[test]
    fn ends_are_not_tested() {
        let inside = |n: u64| {
            assert!(n == 6, "{n} is an end");
            true
        };
        assert_eq!(bisect((5, 7), 64, u64::midpoint, inside), (6, 7));
        assert_eq!(bisect((7, 7), 64, u64::midpoint, inside), (7, 7));
    }
}
