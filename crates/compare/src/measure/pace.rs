//! The time per piece of work: the median of several passes, and how much the passes differ.
//!
//! One pass is not reliable on a machine that also runs other programs. The median of several passes hardly changes if another
//! program slows one of them down. The difference between the fastest and the slowest pass shows how reliable the median is. Filters that
//! are compared take turns, so that a program that runs for a while slows all of them down.

use std::time::Duration;

/// The number of passes.
pub const PASSES: usize = 5;

/// Nanoseconds per piece of work, such as a query or a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The median of all passes.
    pub median: f64,
    /// The fastest pass.
    pub fastest: f64,
    /// The slowest pass.
    pub slowest: f64,
}

impl Pace {
    /// The pace of passes that took `times`, each over `pieces` pieces of work; `None` if there are no passes or no pieces.
    pub fn new(mut times: Vec<Duration>, pieces: u64) -> Option<Self> {
        times.sort_unstable();
        let per_piece = |time: &Duration| time.as_nanos() as f64 / pieces as f64;
        let (fastest, slowest) = (times.first()?, times.last()?);
        (pieces > 0).then(|| Pace {
            median: per_piece(&times[times.len() / 2]),
            fastest: per_piece(fastest),
            slowest: per_piece(slowest),
        })
    }

    /// The difference between the slowest and the fastest pass, as a share of the median.
    pub fn spread(&self) -> f64 {
        if self.median > 0.0 {
            (self.slowest - self.fastest) / self.median
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_has_the_median_and_both_extremes() {
        let times = [30, 10, 20].map(Duration::from_micros).to_vec();
        let pace = Pace::new(times, 10).expect("passes");
        assert_eq!((pace.median, pace.fastest, pace.slowest), (2e3, 1e3, 3e3));
        assert_eq!(pace.spread(), 1.0);
        assert_eq!(Pace::new(vec![Duration::ZERO; 3], 0), None);
        assert_eq!(Pace::new(Vec::new(), 1), None);
    }
}
