//! A learner whose reports lose half of their weight in every half-life, and which knows when a list made of it is out of date.

use crate::list::List;
use bloomwise::learn::Learner;
use std::time::{Duration, Instant};

/// A list is out of date when the reports since it was made weigh more than this share of those before.
const NEWS: f64 = 1.0 / 16.0;

/// Reports fade in this many steps per half-life, so that few reports pay for a power of two.
const STEPS: u32 = 64;

/// The shortest half-life.
const SHORTEST: Duration = Duration::from_millis(1);

pub(crate) struct Fading {
    learner: Learner,
    half_life: Duration,
    /// The moment up to which the reports have faded.
    faded: Instant,
    /// The weight of all reports when the last list was made, faded since then.
    listed: f64,
}

impl Fading {
    pub fn new(learner: Learner, half_life: Duration, now: Instant) -> Self {
        Fading {
            learner,
            half_life: half_life.max(SHORTEST),
            faded: now,
            listed: 0.0,
        }
    }

    /// Counts a report. A cost that is not a cost counts for nothing.
    pub fn record(&mut self, key: &[u8], cost: f64, now: Instant) {
        self.fade(now);
        // The only error is a cost that is negative, infinite or not a number.
        let _ = self.learner.record_cost(key, cost);
    }

    /// The costliest keys, if there is enough news since the last list.
    pub fn list_if_stale(&mut self, now: Instant) -> Option<List> {
        self.fade(now);
        let total = self.learner.total();
        if total <= self.listed * (1.0 + NEWS) {
            return None;
        }
        self.listed = total;
        let learned = self.learner.keys().map(|miss| (miss.key, miss.cost));
        Some(List::new(learned))
    }

    /// Goes on with another learner. The next build makes a list of it.
    pub fn restore(&mut self, learner: Learner, now: Instant) {
        *self = Fading::new(learner, self.half_life, now);
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.learner.to_bytes()
    }

    fn fade(&mut self, now: Instant) {
        let since = now.saturating_duration_since(self.faded);
        if since < self.half_life / STEPS {
            return;
        }
        let factor = (-since.div_duration_f64(self.half_life)).exp2();
        // A factor that is too small to be a number forgets everything, which is what it means.
        if self.learner.decay(factor.max(f64::MIN_POSITIVE)).is_ok() {
            self.listed *= factor;
            self.faded = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Hashing;

    const HOUR: Duration = Duration::from_secs(3600);

    fn fading(now: Instant) -> Fading {
        let learner = Learner::new(Hashing::default(), 1 << 20).expect("memory");
        Fading::new(learner, HOUR, now)
    }

    /// All keys of a list and their costs.
    fn all(list: &List) -> Vec<(&[u8], f64)> {
        list.costliest(b"", &[0xFF], usize::MAX)
    }

    #[test]
    fn report_loses_half_of_its_weight_in_a_half_life() {
        let start = Instant::now();
        let mut fading = fading(start);
        fading.record(b"old", 8.0, start);
        fading.record(b"new", 3.0, start + 2 * HOUR);
        let list = fading.list_if_stale(start + 2 * HOUR).expect("two reports");
        let costs: Vec<f64> = all(&list).iter().map(|(_, cost)| *cost).collect();
        assert!((costs[0] - 3.0).abs() < 1e-9 && (costs[1] - 2.0).abs() < 1e-9);
        assert_eq!(all(&list)[0].0, b"new");
    }

    #[test]
    fn list_is_made_again_when_a_sixteenth_is_new() {
        let now = Instant::now();
        let mut fading = fading(now);
        assert!(fading.list_if_stale(now).is_none(), "nothing was reported");
        for _ in 0..160 {
            fading.record(b"ant", 1.0, now);
        }
        assert!(fading.list_if_stale(now).is_some());
        for _ in 0..10 {
            fading.record(b"bee", 1.0, now);
        }
        assert!(fading.list_if_stale(now).is_none());
        fading.record(b"bee", 1.0, now);
        let list = fading.list_if_stale(now).expect("11 of 160 are new");
        assert_eq!(all(&list).len(), 2);
    }

    #[test]
    fn list_stays_if_time_passes_without_reports() {
        let start = Instant::now();
        let mut fading = fading(start);
        fading.record(b"ant", 1.0, start);
        assert!(fading.list_if_stale(start).is_some());
        for hours in 1..50 {
            assert!(fading.list_if_stale(start + hours * HOUR).is_none());
        }
    }

    #[test]
    fn years_without_a_report_and_impossible_costs_do_no_harm() {
        let start = Instant::now();
        let mut fading = fading(start);
        fading.record(b"ant", 1.0, start);
        let later = start + 1_000_000 * HOUR;
        for cost in [f64::NAN, f64::INFINITY, -1.0] {
            fading.record(b"cow", cost, later);
        }
        fading.record(b"bee", 1.0, later);
        let list = fading.list_if_stale(later).expect("a report");
        let costliest = list.costliest(b"", &[0xFF], 1);
        assert_eq!(costliest, [(&b"bee"[..], 1.0)]);
        assert!(all(&list).iter().all(|(key, _)| *key != b"cow"));
    }
}
