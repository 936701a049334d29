//! How long something takes: the median of some passes, and how far apart they were.
//!
//! One pass says little on a machine that does other things too. The median of a few is hardly moved by the one during
//! which something else ran, and the distance between the fastest and the slowest tells how much to believe.

use std::time::{Duration, Instant};

/// Passes, of which the median counts.
pub const PASSES: usize = 3;

/// Nanoseconds for each of some equal pieces of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// In the pass that the median stands for.
    pub median: f64,
    /// In the fastest pass.
    pub fastest: f64,
    /// In the slowest pass.
    pub slowest: f64,
}

impl Pace {
    /// The pace of passes that took so long, over so many pieces of work each; `None` if there were none of either.
    pub fn new(mut times: Vec<Duration>, pieces: u64) -> Option<Self> {
        times.sort_unstable();
        let each = |time: &Duration| time.as_nanos() as f64 / pieces as f64;
        let (fastest, slowest) = (times.first()?, times.last()?);
        (pieces > 0).then(|| Pace {
            median: each(&times[times.len() / 2]),
            fastest: each(fastest),
            slowest: each(slowest),
        })
    }

    /// Does some work over so many pieces, once for each pass.
    pub fn of(pieces: u64, mut pass: impl FnMut()) -> Option<Self> {
        let times = (0..PASSES).map(|_| {
            let start = Instant::now();
            pass();
            start.elapsed()
        });
        Pace::new(times.collect(), pieces)
    }

    /// How far apart the passes were, as a share of the median.
    pub fn spread(&self) -> f64 {
        match self.median > 0.0 {
            true => (self.slowest - self.fastest) / self.median,
            false => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_and_the_ends_are_kept() {
        let times = [30, 10, 20].map(Duration::from_micros).to_vec();
        let pace = Pace::new(times, 10).expect("passes");
        assert_eq!((pace.median, pace.fastest, pace.slowest), (2e3, 1e3, 3e3));
        assert_eq!(pace.spread(), 1.0);
        assert_eq!(Pace::new(vec![Duration::ZERO; 3], 0), None);
        assert_eq!(Pace::new(Vec::new(), 1), None);
    }
}
