//! A filter that several threads change and query at the same time.
//!
//! Each thread has keys of its own, so it knows at any time which of them are members. Keys whose number is a multiple of four are never removed: all threads
//! query them all the time, and snapshots must hold them too.
//!
//! Where threads insert, they also remove and guard keys of their own. Where they do not, all but the first try to remove keys that the filter
//! does not remove. That must change nothing, not even for a moment.
//!
//! The seed determines what each thread does, but not in which order the threads do it. A finding here may need several runs of its life to come back.

use super::draw::Draw;
use super::keys::Keys;
use super::life::Life;
use super::shared::{ForThreads, for_threads};
use super::tally::Tally;
use anyhow::{Result, ensure};
use bloomwise::Filter;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Barrier;
use std::thread::ScopedJoinHandle;

/// The most keys of a batch, and the most steady keys that a snapshot is asked for.
const BATCH: usize = 64;
const SNAPSHOT_KEYS: usize = 1000;

/// Whether a key is never removed.
fn is_steady(number: usize) -> bool {
    number.is_multiple_of(4)
}

/// One of the threads.
struct Worker<'a> {
    shared: &'a dyn ForThreads,
    keys: &'a Keys,
    /// The number of the first of its own keys.
    first: usize,
    /// How often each of its own keys is in the set.
    held: &'a mut [u32],
    /// Members that no thread removes.
    steady: &'a [usize],
    /// Keys that the filter does not remove, if threads change nothing.
    refused: Option<&'a [usize]>,
    draw: Draw<'static>,
    tally: Tally,
}

impl Life<'_> {
    /// Lets threads work on the filter, and continues with the result.
    pub fn share(&mut self, threads: usize, steps: usize, insert: bool, seed: u64) -> Result<()> {
        if !self.world.threads || self.keys.len() < threads {
            return Ok(());
        }
        let Ok(shared) = for_threads(&self.filter) else {
            return Ok(());
        };
        let members = (0..self.held.len()).filter(|&number| self.held[number] > 0);
        let steady: Vec<usize> = members.filter(|&number| is_steady(number)).collect();
        let refused = if insert { None } else { Some(self.refused()) };
        let own = self.keys.len().div_ceil(threads);
        let (keys, mut draw) = (self.keys, Draw::Seed(seed));
        let mut first = 0;
        let workers = self.held.chunks_mut(own).map(|held| {
            let worker = Worker {
                shared: &*shared,
                keys,
                first,
                steady: &steady,
                refused: refused.as_deref(),
                draw: Draw::Seed(draw.bits()),
                tally: Tally::default(),
                held,
            };
            first += worker.held.len();
            worker
        });
        let workers: Vec<Worker<'_>> = workers.collect();
        // All start at the same time. Otherwise one would be done before the next is there.
        let ready = &Barrier::new(workers.len());
        let done = std::thread::scope(|scope| {
            let running = workers.into_iter().map(|worker| {
                scope.spawn(move || {
                    ready.wait();
                    worker.run(steps)
                })
            });
            let running: Vec<_> = running.collect();
            let joined = running.into_iter().map(ScopedJoinHandle::join);
            joined.collect::<Vec<_>>()
        });
        self.shared.lives += 1;
        for outcome in done {
            *self.shared += outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
        }
        self.total = self.held.iter().map(|&times| u64::from(times)).sum();
        let len = shared.filter().len();
        ensure!(
            len == self.total,
            "the shared filter counts {len} keys, it holds {}",
            self.total
        );
        self.filter = shared.into_inner()?;
        self.removed = true;
        // It would have to take the same steps in the same order.
        self.naive = None;
        self.check(0..self.keys.len())
    }

    /// Some keys that are no members and that the filter does not remove. It may accept them: a key that needs a counter twice cannot be removed if that is 1.
    fn refused(&mut self) -> Vec<usize> {
        let end = self.keys.len();
        let drawn: Vec<usize> = (0..BATCH).map(|_| self.draw.below(end)).collect();
        let foreign = drawn.into_iter().filter(|&number| self.held[number] == 0);
        let refused = |&number: &usize| {
            let removed = self.filter.clone().remove(self.keys.key(number));
            matches!(removed, Ok(false))
        };
        foreign.filter(refused).collect()
    }
}

impl Worker<'_> {
    /// Takes random steps.
    fn run(mut self, steps: usize) -> Result<Tally> {
        for step in 0..steps {
            match (self.draw.below(8), self.refused) {
                (0..=5, Some(refused)) if self.first > 0 => self.remove_refused(refused)?,
                (0..=5, Some(_)) => self.query_steady()?,
                (0 | 1, None) => self.insert()?,
                (2, None) => self.insert_batch()?,
                (3 | 4, None) => self.remove()?,
                (5, None) => self.guard()?,
                (6, _) => self.query_own()?,
                _ => self.query_steady()?,
            }
            if self.first == 0 && step.is_multiple_of(steps / 4 + 1) {
                self.check_snapshot()?;
            }
        }
        Ok(self.tally)
    }

    /// The place of one of its own keys in `held`.
    fn own(&mut self) -> usize {
        self.draw.below(self.held.len())
    }

    /// A few of its own keys, as places in `held`.
    fn own_range(&mut self) -> Range<usize> {
        let range = self.draw.range(self.held.len());
        range.start..range.end.min(range.start + BATCH)
    }

    fn insert(&mut self) -> Result<()> {
        let at = self.own();
        let number = self.first + at;
        let Some(new) = self.shared.insert(self.keys.key(number))? else {
            return Ok(());
        };
        ensure!(!new || self.held[at] == 0, "key {number} was denied");
        self.held[at] += 1;
        self.tally.inserted += 1;
        Ok(())
    }

    fn insert_batch(&mut self) -> Result<()> {
        let range = self.own_range();
        let numbers = self.first + range.start..self.first + range.end;
        let digests = self.keys.digests(numbers);
        if self.shared.insert_digests(&digests)?.is_none() {
            return Ok(());
        }
        self.tally.inserted += range.len() as u64;
        self.held[range].iter_mut().for_each(|times| *times += 1);
        Ok(())
    }

    fn remove(&mut self) -> Result<()> {
        let at = self.own();
        let number = self.first + at;
        if self.held[at] == 0 || is_steady(number) {
            return Ok(());
        }
        let Some(removed) = self.shared.remove(self.keys.key(number)) else {
            return Ok(());
        };
        ensure!(
            removed,
            "key {number} is in the shared filter and cannot be removed"
        );
        self.held[at] -= 1;
        self.tally.removed += 1;
        Ok(())
    }

    /// Tries to remove a key that the filter does not remove.
    fn remove_refused(&mut self, refused: &[usize]) -> Result<()> {
        if refused.is_empty() {
            return Ok(());
        }
        let number = self.draw.pick(refused);
        let removed = self.shared.remove(self.keys.key(number));
        ensure!(
            removed != Some(true),
            "key {number} was removed from the shared filter, which does not have it"
        );
        Ok(())
    }

    /// Guards one of its own keys, if the filter can.
    fn guard(&mut self) -> Result<()> {
        let at = self.own();
        let key = self.keys.key(self.first + at);
        let guarded = self.shared.guard(key, self.held[at] > 0)?;
        self.tally.guarded += u64::from(guarded.is_some());
        Ok(())
    }

    fn query_own(&mut self) -> Result<()> {
        let range = self.own_range();
        let numbers = self.first + range.start..self.first + range.end;
        let filter = self.shared.filter();
        let answers = filter.contains_digests(&self.keys.digests(numbers.clone()))?;
        self.tally.queried += range.len() as u64;
        for ((number, accepted), &times) in numbers.zip(answers).zip(&self.held[range]) {
            ensure!(
                accepted || times == 0,
                "false negative: the shared filter denies key {number}, which its thread holds {times} times"
            );
        }
        Ok(())
    }

    fn query_steady(&mut self) -> Result<()> {
        for _ in 0..BATCH.min(self.steady.len()) {
            let number = self.draw.pick(self.steady);
            let digests = self.keys.digests_of(&[number]);
            ensure!(
                self.shared.filter().contains_digests(&digests)? == [true],
                "false negative: the shared filter denies key {number}, which no thread removes"
            );
            self.tally.queried += 1;
        }
        Ok(())
    }

    fn check_snapshot(&mut self) -> Result<()> {
        let snapshot = self.shared.snapshot()?;
        let asked = &self.steady[..self.steady.len().min(SNAPSHOT_KEYS)];
        let answers = snapshot.contains_digests(&self.keys.digests_of(asked))?;
        let denied = answers.iter().filter(|&&accepted| !accepted).count();
        ensure!(
            denied == 0,
            "false negative: a snapshot denies {denied} keys that no thread removes"
        );
        self.tally.queried += asked.len() as u64;
        Ok(())
    }
}
