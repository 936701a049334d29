//! Sends the events of absent keys to a learner. Costs fade in steps of a small part of their half-life, between batches of events.

use super::{KeySet, Sieve, Traffic};
use crate::input::log::Event;
use crate::measure::Events;
use crate::{Error, Result};
use bloomwise::Hashing;
use bloomwise::learn::{Distinct, Learner};
use std::io::{Read, Seek};

/// In how many steps a cost halves. A step changes it by 0.3 %.
const STEPS: f64 = 256.0;

/// How to watch.
pub struct WatchOptions {
    /// The memory of the learner in bytes.
    pub memory: u64,
    /// The time in which costs halve, in seconds.
    pub half_life: Option<f64>,
    /// Events before this time are left out.
    pub since: Option<f64>,
}

/// Watches events.
pub struct Watch<'a> {
    options: &'a WatchOptions,
    sieve: Sieve<'a>,
    learner: Learner,
    /// From this time on, the costs so far have to fade.
    next_step: f64,
    /// All events.
    all: Events,
    /// Their distinct keys.
    distinct: Distinct,
    /// The events of absent keys.
    absent: Events,
    /// Those of them whose keys are too long to be listed.
    too_long: u64,
    /// The latest time of an event.
    latest: Option<f64>,
}

impl<'a> Watch<'a> {
    /// Starts without events.
    pub fn new(options: &'a WatchOptions, set: &'a KeySet) -> Result<Self> {
        Ok(Watch {
            learner: options.learner()?,
            options,
            sieve: Sieve::new(set),
            next_step: f64::NEG_INFINITY,
            all: Events::default(),
            distinct: Distinct::new(),
            absent: Events::default(),
            too_long: 0,
            latest: None,
        })
    }

    /// Takes an event.
    pub fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let mut cost = event.cost;
        if let Some(time) = event.time {
            if self.options.since.is_some_and(|since| time < since) {
                return Ok(());
            }
            self.latest = Some(self.latest.map_or(time, |latest| latest.max(time)));
            if let Some(half_life) = self.options.half_life {
                if time >= self.next_step {
                    self.flush()?;
                    self.learner.advance(time)?;
                    self.next_step = time + half_life / STEPS;
                }
                cost *= self.learner.weight_at(time);
            }
        }
        self.all.add(cost);
        let full = self.sieve.push(event.key, cost);
        if full.map_err(Error::memory("not enough memory to learn"))? {
            self.flush()?;
        }
        Ok(())
    }

    /// Adds events that were saved before, and returns their time, if it was saved too.
    pub fn merge(&mut self, saved: impl Read + Seek) -> Result<Option<f64>> {
        self.flush()?;
        Ok(self.learner.merge_from(saved)?)
    }

    /// What was learned.
    pub fn finish(mut self) -> Result<Traffic<'a>> {
        self.flush()?;
        // The costs may have to fade one day, when they are saved and merged.
        if let (Some(latest), None) = (self.latest, self.options.half_life) {
            self.learner.advance(latest)?;
        }
        Ok(Traffic {
            set: self.sieve.set(),
            learner: self.learner,
            all: self.all,
            distinct: self.distinct.estimate().round() as u64,
            absent: self.absent,
            too_long: self.too_long,
        })
    }

    /// Handles the events of the batch.
    fn flush(&mut self) -> Result<()> {
        for &digest in self.sieve.digests() {
            self.distinct.insert(digest);
        }
        let absent = self.sieve.absent()?;
        for (key, cost) in &absent {
            self.absent.add(*cost);
            self.too_long += u64::from(key.len() > Learner::MAX_KEY);
        }
        self.learner.record_batch(&absent)?;
        self.sieve.clear();
        Ok(())
    }
}

impl WatchOptions {
    /// An empty learner.
    pub fn learner(&self) -> Result<Learner> {
        let memory = usize::try_from(self.memory).unwrap_or(usize::MAX);
        let learner = Learner::new(Hashing::default(), memory).map_err(Error::refused("memory"))?;
        Ok(match self.half_life {
            Some(half_life) => {
                (learner.with_half_life(half_life)).map_err(Error::refused("half_life"))?
            }
            None => learner,
        })
    }
}
