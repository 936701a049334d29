//! Costs decay over time.
//!
//! Decay does not touch the counters. Instead, the unit of the counters loses value, and costs of later events are divided by that value. Only when
//! the value is close to zero are all counters converted to a new unit.

use super::learner::Learner;
use crate::error::{Error, Result};

/// When the decay so far is this small, all counters are converted to a new unit.
const LEAST_DECAY: f64 = 1e-18;

impl Learner {
    /// Costs halve within `half_life`, in the unit of the times passed to [`Learner::advance`].
    ///
    /// # Errors
    ///
    /// The half-life is not a finite number above 0.
    pub fn with_half_life(mut self, half_life: f64) -> Result<Self> {
        if !(half_life > 0.0 && half_life.is_finite()) {
            let expected = "a number above 0";
            return Err(Error::parameter("the half-life", half_life, expected));
        }
        self.half_life = Some(half_life);
        Ok(self)
    }

    /// Sets the time to `time`: the costs of all events so far decay by the half-life. A time before the current one changes nothing.
    ///
    /// # Errors
    ///
    /// The time is not a finite number.
    pub fn advance(&mut self, time: f64) -> Result<()> {
        if !time.is_finite() {
            return Err(Error::parameter("the time", time, "a finite number"));
        }
        let before = self
            .clock
            .replace(self.clock.map_or(time, |now| now.max(time)));
        match (before, self.half_life) {
            (Some(before), Some(half_life)) if time > before => {
                self.decay(factor_after(time - before, half_life))
            }
            _ => Ok(()),
        }
    }

    /// What an event of cost 1 at `time` is worth now: 1, or less if `time` is before the learner's time and there is a half-life. Multiply
    /// the cost of a late event by it.
    pub fn weight_at(&self, time: f64) -> f64 {
        match (self.clock, self.half_life) {
            (Some(now), Some(half_life)) if time < now => factor_after(now - time, half_life),
            _ => 1.0,
        }
    }

    /// Multiplies the costs of all events so far by `factor`. For programs that measure time themselves.
    ///
    /// # Errors
    ///
    /// The factor is not above 0 and at most 1.
    pub fn decay(&mut self, factor: f64) -> Result<()> {
        if !(factor > 0.0 && factor <= 1.0) {
            let expected = "a number above 0 and up to 1";
            return Err(Error::parameter("the factor of decay", factor, expected));
        }
        self.decay *= factor;
        if self.decay < LEAST_DECAY {
            let factor = self.decay;
            self.counters.scale(factor);
            // Drop counters that have reached zero.
            self.counters.subtract(0.0);
            self.sums = self.sums.times(factor);
            self.decay = 1.0;
        }
        Ok(())
    }

    /// The latest time passed to [`Learner::advance`] or taken from a merged learner; `None` if there is none.
    pub fn time(&self) -> Option<f64> {
        self.clock
    }

    /// Advances to the time of another learner, if that is later. Returns the value of one unit of the other learner's costs in the unit of
    /// the counters.
    pub(super) fn meet(&mut self, time: Option<f64>) -> Result<f64> {
        let mut weight = 1.0;
        if let Some(time) = time {
            self.advance(time)?;
            weight = self.weight_at(time);
        }
        Ok(weight / self.decay)
    }
}

/// The share of a cost that is left after some time.
fn factor_after(time: f64, half_life: f64) -> f64 {
    // Very small, but not zero, which is not a valid factor.
    (-time / half_life).exp2().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    #[test]
    fn costs_halve_with_time_and_merged_learners_agree_on_it() {
        let new = || {
            let learner = Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
            learner.with_half_life(10.0).expect("a sound half-life")
        };
        let cost = |learner: &Learner, key| learner.bounds(key).0;
        let mut early = new();
        early.advance(100.0).expect("a time");
        early.record("ant");
        early.advance(110.0).expect("a time");
        early.advance(90.0).expect("a late time");
        early
            .record_cost("bee", early.weight_at(100.0))
            .expect("sound");
        assert_eq!((cost(&early, "ant"), cost(&early, "bee")), (0.5, 0.5));

        let mut late = new();
        late.advance(120.0).expect("a time");
        late.record("ant");
        let (mut one, mut other) = (early.clone(), late.clone());
        one.merge(&late).expect("one hashing");
        other.merge(&early).expect("one hashing");
        for merged in [&one, &other] {
            assert_eq!((cost(merged, "ant"), cost(merged, "bee")), (1.25, 0.25));
        }
        let read = Learner::from_bytes(&early.to_bytes(), Learner::MIN_MEMORY).expect("as written");
        late.merge(&read).expect("one hashing");
        assert_eq!(cost(&late, "ant"), 1.25, "a saved learner knows its time");
        late.advance(1e300).expect("a time");
        assert!(late.total() < 1e-300, "everything fades in the end");
    }
}
