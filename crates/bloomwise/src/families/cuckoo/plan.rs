//! Sizes: how many bits a fingerprint gets, how many buckets there are, and how much room the exact table has.
//!
//! Buckets are planned for a load of 95 %. Each further bit of a fingerprint halves the false positive rate, on unseen keys and on known
//! negatives. Each known negative that is wrong takes an entry of the exact table, 160 bits at nine tenths of its room. The plan takes the
//! longest fingerprints that leave room for all mistakes. If no table has room for all, it takes the fingerprints with the lowest cost of
//! mistakes, where unseen keys have a share of the cost.

use super::options::Options;
use super::shape::{ENTRY_BITS, FINGERPRINT_BITS, SLOTS, Shape, rate};
use super::table::{most_entries, room_for};
use crate::error::{Error, Result};
use crate::filter::forecast::{DEFAULT_UNSEEN_SHARE, Forecast, Workload};
use crate::filter::info::Parameter;
use crate::filter::sizing::{MAX_BITS, Size, expect_bits};

/// The share of slots in use when the filter is at capacity. The shortest fingerprints cannot be packed as densely.
fn load(bits: u32) -> f64 {
    if bits == *FINGERPRINT_BITS.start() {
        0.93
    } else {
        0.95
    }
}

/// The keys of a segment.
const SEGMENT_KEYS: u64 = 1 << 16;

/// The share of the space for exceptions if there are no known negatives.
const DEFAULT_EXCEPTIONS: f64 = 1.0 / 32.0;

/// The table has room for this many standard deviations more mistakes than the mean.
const DEVIATIONS: f64 = 8.0;

/// The bits of the smallest filter.
const LEAST_BITS: u64 = 512;

/// What a filter is planned from.
pub(super) struct Plan<'a> {
    /// The size that was asked for.
    pub size: Size,
    /// The keys and known negatives.
    pub workload: &'a Workload,
    /// The options that the caller has set.
    pub options: &'a Options,
}

impl Plan<'_> {
    /// The shape with the lowest predicted cost.
    pub fn shape(&self) -> Result<Shape> {
        self.check()?;
        match (self.size.budget(self.workload.keys)?, self.size) {
            (None, Size::Rate(rate)) => self.for_rate(rate),
            (budget, _) => self.within(budget.unwrap_or(0)),
        }
    }

    /// What a filter of the planned shape will do.
    pub fn forecast(&self) -> Result<Forecast> {
        let shape = self.shape()?;
        let unseen = shape.rate(self.workload.keys);
        let known = self.known(&shape, unseen);
        let negatives = self.workload.negatives as f64;
        let wrong = if negatives == 0.0 {
            None
        } else if self.entries_for(unseen) <= most_entries(shape.entries) {
            Some(0)
        } else {
            let room = most_entries(shape.entries) as f64;
            Some((unseen * negatives - room).max(1.0).round() as u64)
        };
        let room = most_entries(shape.entries);
        Ok(Forecast {
            bits: 64 * shape.words(),
            parameters: vec![
                Parameter::setting("fingerprint", u64::from(shape.bits)),
                Parameter::total("buckets", shape.segments * shape.buckets),
                Parameter::measure("segments", shape.segments),
                Parameter::measure("room", room),
            ],
            unseen,
            known,
            wrong,
            lines: 2.0,
        })
    }

    /// The number of keys, at least 1.
    fn keys(&self) -> u64 {
        self.workload.keys.max(1)
    }

    /// Returns an error if no filter can have these options.
    fn check(&self) -> Result<()> {
        // Each key has a slot of at least four bits, so all sums below fit.
        let most = MAX_BITS / 8;
        if self.keys() > most {
            let expected = format!("at most {most}");
            return Err(Error::parameter("the capacity", self.keys(), expected));
        }
        self.options.check()
    }

    /// The numbers of bits that a fingerprint may have.
    fn choices(&self) -> impl DoubleEndedIterator<Item = u32> + use<> {
        match self.options.bits {
            Some(bits) => bits..=bits,
            None => FINGERPRINT_BITS,
        }
    }

    /// A shape with fingerprints of `bits` bits at the planned load, and `entries` entries.
    fn of(&self, bits: u32, entries: u64) -> Shape {
        let keys = self.keys();
        let segments = (keys / SEGMENT_KEYS).max(1);
        // A filter with few buckets needs spare ones: it is more likely to be full too early.
        let buckets = (keys as f64 / (SLOTS as f64 * load(bits))).ceil();
        let buckets = (buckets + 1.0 + 0.5 * buckets.sqrt()) as u64;
        Shape::new(bits, segments, buckets.div_ceil(segments), entries)
    }

    /// The fewest entries: room for keys that find no room in the buckets.
    fn least_entries(&self) -> u64 {
        1 + self.keys() / 4096
    }

    /// The entries that the mistakes among the known negatives need at this rate, with a margin for chance.
    fn entries_for(&self, rate: f64) -> u64 {
        let negatives = self.workload.negatives as f64;
        let wrong = rate * negatives;
        (wrong + DEVIATIONS * wrong.sqrt() + DEVIATIONS)
            .min(negatives)
            .ceil() as u64
    }

    /// The share of the cost of known negatives that false positives lose at this rate. The costliest mistakes have exceptions.
    fn known(&self, shape: &Shape, rate: f64) -> f64 {
        let negatives = self.workload.negatives as f64;
        if negatives == 0.0 {
            return rate;
        }
        let covered = most_entries(shape.entries) as f64 / (rate * negatives).max(1.0);
        rate * self.workload.costs.of_cheapest((1.0 - covered).max(0.0))
    }

    /// The smallest shape of this rate.
    fn for_rate(&self, wanted: f64) -> Result<Shape> {
        let rate_of = |bits| self.of(bits, 0).rate(self.keys());
        let enough = |&bits: &u32| rate_of(bits) <= wanted;
        // Longer fingerprints make fewer mistakes, and may save more exceptions than they cost.
        let shapes = self.choices().filter(enough).map(|bits| {
            let buckets = 64 * self.of(bits, 0).bucket_words();
            let share = self.options.exceptions.unwrap_or(DEFAULT_EXCEPTIONS);
            let spare = (share / (1.0 - share) * buckets as f64) as u64 / ENTRY_BITS;
            let entries = match (self.options.exceptions, self.workload.negatives) {
                (Some(_), _) | (None, 0) => spare,
                (None, _) => room_for(self.entries_for(rate_of(bits))),
            };
            self.of(bits, entries.max(self.least_entries()))
        });
        let Some(shape) = shapes.min_by_key(Shape::words) else {
            let least = rate(*FINGERPRINT_BITS.end(), 0.95);
            let expected = format!(
                "at least {least:.1e}, the rate of the longest fingerprints; use bloom for less"
            );
            return Err(Error::parameter(
                "the false positive rate",
                wanted,
                expected,
            ));
        };
        expect_bits(shape.words().saturating_mul(64))?;
        Ok(shape)
    }

    /// The best shape of at most this many bits, or the smallest one.
    fn within(&self, bits: u64) -> Result<Shape> {
        let best = self.best_within(bits.max(LEAST_BITS)).ok_or_else(|| {
            let fewest = *FINGERPRINT_BITS.start();
            let smallest = self.of(self.options.bits.unwrap_or(fewest), self.least_entries());
            let (needed, keys) = (64 * smallest.words(), self.keys());
            let expected = format!("at least {needed}, for {keys} keys");
            Error::parameter("the number of bits", bits, expected)
        })?;
        match 64 * best.words() > bits {
            true => Ok(self.best_within(bits).unwrap_or(best)),
            false => Ok(best),
        }
    }

    /// The best shape of at most this many bits, if there is one.
    fn best_within(&self, bits: u64) -> Option<Shape> {
        let words = bits / 64;
        let share = self.options.exceptions;
        let least =
            |share: f64| ((share * bits as f64) as u64 / ENTRY_BITS).max(self.least_entries());
        let reserved = least(share.unwrap_or(match self.workload.negatives {
            0 => DEFAULT_EXCEPTIONS,
            _ => 0.0,
        }));
        let fitting = |bits: u32| {
            let shape = self.of(bits, reserved);
            let rest = words.checked_sub(shape.bucket_words())?;
            if shape.words() > words {
                return None;
            }
            // Spare words are for exceptions, or for more buckets if the share of exceptions is given.
            Some(match share {
                None => self.of(bits, Shape::entries_in(rest)),
                Some(_) => self.with_buckets(shape, words - shape.table_words()),
            })
        };
        let cost = |shape: &Shape| {
            let unseen = shape.rate(self.keys());
            let share = match self.workload.negatives {
                0 => 1.0,
                _ => DEFAULT_UNSEEN_SHARE,
            };
            share * unseen + (1.0 - share) * self.known(shape, unseen)
        };
        // The longest fingerprints that leave room for all mistakes; else the lowest cost.
        let exact = |shape: &Shape| {
            let needed = self.entries_for(shape.rate(self.keys()));
            self.workload.negatives > 0 && needed <= most_entries(shape.entries)
        };
        let exact = (self.choices().rev().filter_map(fitting)).find(exact);
        let shapes = self.choices().filter_map(fitting);
        exact.or_else(|| shapes.min_by(|one, other| cost(one).total_cmp(&cost(other))))
    }

    /// The shape with as many buckets as fit into this many words.
    fn with_buckets(&self, shape: Shape, words: u64) -> Shape {
        let segment_bits = words / shape.segments * 64;
        let buckets = segment_bits / (SLOTS * u64::from(shape.bits));
        let buckets = buckets.max(shape.buckets);
        Shape::new(shape.bits, shape.segments, buckets, shape.entries)
    }
}
