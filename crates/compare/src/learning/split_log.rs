//! Keys for a comparison from a log: learned from its first part, measured on the rest.
//!
//! The honest question is whether yesterday's negatives help tomorrow. A list that is learned from a log and measured on the same log answers
//! another one. So the log is split by time: the costliest absent keys of the first part become the known negatives of all builds. The absent
//! look-ups of the rest are what the filters are measured on: those of keys on the list are `known`, all others `unseen`.
//!
//! The order of the lines is the order of time. The log is read twice: once to find out how long it is.

use super::{KeySet, Sieve, Watch, WatchOptions};
use crate::host::Host;
use crate::input::log::{Event, Layout};
use crate::input::{Input, name};
use crate::measure::{Events, Later, Lines, Negatives, Samples};
use crate::path::is_stream;
use crate::{Error, Message, Result, Setting};
use bloomwise::Hashing;
use bloomwise::keys::{CostSum, Digest};
use std::collections::HashMap;
use std::path::PathBuf;

/// The memory for learning, in bytes.
const MEMORY: u64 = 64 << 20;

/// Whether times are read. Both passes must say the same: a line without the column of the time is no event if times are read.
const TIMES: bool = true;

/// The error if memory runs out.
const TOO_MANY: &str = "the keys do not fit into memory; compare on a shorter log";

/// A log and how to split it.
pub struct SplitLog<'a> {
    /// The files, the oldest first.
    pub paths: &'a [PathBuf],
    /// Where key, cost and time are.
    pub layout: Layout,
    /// Events before this time are left out.
    pub since: Option<f64>,
    /// The share of the events that is learned from.
    pub split: f64,
    /// The most keys on the list.
    pub top: u64,
}

/// The lengths of lists whose part of the cost is reported.
const LENGTHS: [u64; 3] = [1_000, 10_000, 100_000];

impl SplitLog<'_> {
    /// Adds the list that builds get and the look-ups after the split to `samples`, which has the positives.
    pub fn add_to(&self, samples: &mut Samples, host: &dyn Host) -> Result<Later> {
        let set = KeySet::of(&samples.positives)?;
        let total = self.count(host)?;
        let before = (self.split * total as f64) as u64;
        let options = WatchOptions {
            memory: MEMORY,
            half_life: None,
            since: self.since,
        };
        let (mut watch, mut at) = (Watch::new(&options, &set)?, 0);
        let (mut sieve, mut rest) = (Sieve::new(&set), Lines::default());
        self.each(host, &mut |event| {
            at += 1;
            if at <= before {
                return watch.event(event);
            }
            if (sieve.push(event.key, event.cost)).map_err(Error::memory(TOO_MANY))? {
                move_absent(&mut sieve, &mut rest)?;
            }
            Ok(())
        })?;
        move_absent(&mut sieve, &mut rest)?;
        let before = before.min(at);
        let traffic = watch.finish()?;
        let mut list = Negatives::default();
        let most = usize::try_from(self.top).unwrap_or(usize::MAX);
        for learned in traffic.costliest(most) {
            list.push(learned.key, learned.cost, 1)
                .map_err(Error::memory(TOO_MANY))?;
        }
        let places = places(&list);
        let (known, unseen) = split(&rest.merge().map_err(Error::memory(TOO_MANY))?, &places)?;
        if list.costs.is_empty() || known.costs.is_empty() && unseen.costs.is_empty() {
            let part = if list.costs.is_empty() {
                "first"
            } else {
                "second"
            };
            return Err(Error::Invalid(
                Message::from(format!(
                    "the {part} part of the log has no absent look-ups; use a longer log or another "
                )) + Setting::named("split"),
            ));
        }
        let absent = known.total_cost() + unseen.total_cost();
        let later = Later {
            split: self.split,
            events: (before, at - before),
            absent: Events {
                count: known.lookups.iter().chain(&unseen.lookups).sum(),
                cost: absent.total(),
            },
            covered: covered(&known, &places, absent),
        };
        (samples.learned, samples.known, samples.unseen) = (Some(list), Some(known), Some(unseen));
        Ok(later)
    }

    /// The number of events. A remark says if they are not in the order of time.
    fn count(&self, host: &dyn Host) -> Result<u64> {
        let mut events = 0;
        for path in self.paths {
            let mut in_file = 0u64;
            let counts =
                (self.layout).read(Input::file(path), TIMES, host, |event| -> Result<()> {
                    in_file += u64::from(!self.is_before(event.time));
                    Ok(())
                })?;
            counts.report_skipped(host)?;
            if counts.backwards > in_file / 100 {
                let text = format!(
                    "{}: {} of {} events are earlier than the one before; the split takes the order of the lines for the order of time",
                    name(path),
                    counts.backwards,
                    counts.events
                );
                host.remark(&text.into());
            }
            events += in_file;
        }
        Ok(events)
    }

    /// Calls `act` with each event.
    fn each(&self, host: &dyn Host, act: &mut dyn FnMut(&Event<'_>) -> Result<()>) -> Result<()> {
        for path in self.paths {
            (self.layout).read(Input::file(path), TIMES, host, |event| {
                match self.is_before(event.time) {
                    true => Ok(()),
                    false => act(&event),
                }
            })?;
        }
        Ok(())
    }

    /// Whether a time is before those that are wanted.
    fn is_before(&self, time: Option<f64>) -> bool {
        self.since
            .zip(time)
            .is_some_and(|(since, time)| time < since)
    }
}

/// Moves the absent look-ups of a batch to the others.
fn move_absent(sieve: &mut Sieve<'_>, lines: &mut Lines) -> Result<()> {
    for (key, cost) in sieve.absent()? {
        lines
            .push(digest(key), key, cost)
            .map_err(Error::memory(TOO_MANY))?;
    }
    sieve.clear();
    Ok(())
}

/// Where each key is on a list.
fn places(list: &Negatives) -> HashMap<Digest, u64> {
    list.keys.iter().map(digest).zip(0..).collect()
}

/// The keys that are on a list, and the others.
fn split(all: &Negatives, places: &HashMap<Digest, u64>) -> Result<(Negatives, Negatives)> {
    let (mut known, mut unseen) = (Negatives::default(), Negatives::default());
    for (key, cost, lookups) in all.iter() {
        let side = match places.contains_key(&digest(key)) {
            true => &mut known,
            false => &mut unseen,
        };
        side.push(key, cost, lookups)
            .map_err(Error::memory(TOO_MANY))?;
    }
    Ok((known, unseen))
}

/// The share of the cost `absent` that keys on the first places of the list have, for some numbers of places, all of them last.
fn covered(known: &Negatives, places: &HashMap<Digest, u64>, absent: CostSum) -> Vec<(u64, f64)> {
    let listed = places.len() as u64;
    let lengths = LENGTHS.into_iter().filter(|&length| length < listed);
    let cost = |length: u64| {
        let first = |key: &[u8]| places.get(&digest(key)).is_some_and(|&at| at < length);
        let costs = known.iter().filter(|(key, ..)| first(key));
        let cost: CostSum = costs.map(|(_, cost, _)| cost).sum();
        Some((length, cost.share_of(absent)?))
    };
    lengths.chain([listed]).filter_map(cost).collect()
}

/// The digest that says which keys are equal.
fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

/// Returns an error if a log can be read only once.
pub fn check_readable_twice(paths: &[PathBuf]) -> Result<()> {
    if let Some(path) = paths.iter().find(|path| is_stream(path)) {
        let name = name(path);
        return Err(Error::invalid(format!(
            "{name} can be read only once, and the log is read twice; save it to a file"
        )));
    }
    Ok(())
}
