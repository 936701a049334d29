//! A filter that several threads change and query at the same time.
//!
//! Each thread inserts and removes keys of its own, so it knows at any time which of them are members. Keys whose number
//! is a multiple of four are never removed: all threads query them all the time. In the middle of its work the first
//! thread takes a snapshot, which must hold those keys too.
//!
//! The seed determines what each thread does, but not in which order the threads do it. A finding here may need several
//! runs of its round to come back.

use super::keys::Keys;
use super::life::Life;
use super::random::Random;
use super::shared::Shared;
use super::tally::Tally;
use anyhow::{Result, ensure};
use bloomwise::Filter;
use std::ops::Range;
use std::panic::resume_unwind;
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
    shared: &'a Shared,
    keys: &'a Keys,
    /// The number of the first of its own keys.
    first: usize,
    /// How often each of its own keys is in the set.
    held: &'a mut [u32],
    /// Members that no thread removes.
    steady: &'a [usize],
    random: Random,
    tally: Tally,
}

impl Life<'_> {
    /// Lets threads work on the filter, and continues with the result.
    pub fn share(&mut self, threads: usize, steps: usize, seed: u64) -> Result<()> {
        let shared = Shared::new(&self.filter)?;
        let members = (0..self.held.len()).filter(|&number| self.held[number] > 0);
        let steady: Vec<usize> = members.filter(|&number| is_steady(number)).collect();
        let own = self.keys.len().div_ceil(threads);
        let (keys, mut random) = (self.keys, Random::new(seed));
        let mut first = 0;
        let workers = self.held.chunks_mut(own).map(|held| {
            let worker = Worker {
                shared: &shared,
                keys,
                first,
                steady: &steady,
                random: Random::new(random.bits()),
                tally: Tally::default(),
                held,
            };
            first += worker.held.len();
            worker
        });
        let workers: Vec<Worker<'_>> = workers.collect();
        let done = std::thread::scope(|scope| {
            let running = workers
                .into_iter()
                .map(|worker| scope.spawn(move || worker.run(steps)));
            let running: Vec<_> = running.collect();
            let joined = running.into_iter().map(ScopedJoinHandle::join);
            joined.collect::<Vec<_>>()
        });
        let tally = self.tallies.shared();
        tally.rounds += 1;
        for outcome in done {
            *tally += outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
        }
        self.total = self.held.iter().map(|&times| u64::from(times)).sum();
        let len = shared.filter().len();
        ensure!(
            len == self.total,
            "the shared filter counts {len} keys, it holds {}",
            self.total
        );
        self.filter = shared.into_inner()?;
        self.check(0..self.keys.len())
    }
}

impl Worker<'_> {
    /// Takes random steps.
    fn run(mut self, steps: usize) -> Result<Tally> {
        for step in 0..steps {
            match self.random.below(8) {
                0 | 1 => self.insert()?,
                2 => self.insert_batch()?,
                3 | 4 => self.remove()?,
                5 => self.guard()?,
                6 => self.query_own()?,
                _ => self.query_steady()?,
            }
            if self.first == 0 && step == steps / 2 {
                self.check_snapshot()?;
            }
        }
        Ok(self.tally)
    }

    /// The place of one of its own keys in `held`.
    fn own(&mut self) -> usize {
        self.random.below(self.held.len())
    }

    /// A few of its own keys, as places in `held`.
    fn own_range(&mut self) -> Range<usize> {
        let range = self.random.range(self.held.len());
        range.start..range.end.min(range.start + BATCH)
    }

    fn insert(&mut self) -> Result<()> {
        let at = self.own();
        let Some(new) = self.shared.insert(self.keys, self.first + at)? else {
            return Ok(());
        };
        ensure!(
            !new || self.held[at] == 0,
            "key {} was denied",
            self.first + at
        );
        self.held[at] += 1;
        self.tally.inserted += 1;
        Ok(())
    }

    fn insert_batch(&mut self) -> Result<()> {
        let range = self.own_range();
        let numbers = self.first + range.start..self.first + range.end;
        if !self.shared.insert_digests(&self.keys.digests(numbers))? {
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
        let removed = self.shared.remove(self.keys, number);
        ensure!(
            removed,
            "key {number} is in the shared filter and cannot be removed"
        );
        self.held[at] -= 1;
        self.tally.removed += 1;
        Ok(())
    }

    /// Guards one of its own keys, if the filter can.
    fn guard(&mut self) -> Result<()> {
        let at = self.own();
        let is_member = self.held[at] > 0;
        let guarded = self.shared.guard(self.keys, self.first + at, is_member)?;
        self.tally.guarded += u64::from(guarded);
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
            let number = self.random.pick(self.steady);
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
