//! Receives the keys of an input, whatever its format.

use super::time;
use crate::keys::FirstKeys;
use crate::{Message, Result};

/// How many keys a file has, and the first of them.
#[derive(Clone, Default)]
pub struct Counts {
    /// Keys that are not empty.
    pub keys: u64,
    /// Empty keys, which were skipped.
    pub skipped: u64,
    /// The first keys.
    pub first: FirstKeys,
    /// The first line or row of a log that was skipped because it is invalid, and why it is.
    pub first_invalid: Option<Message>,
}

/// Called with a key, its cost, and the time of the event in seconds if it is known.
pub type Act<'a> = dyn FnMut(&[u8], f64, Option<f64>) -> Result<()> + 'a;

/// Receives the keys of a file, whatever its format.
pub struct Sink<'a> {
    /// Called with each key.
    act: &'a mut Act<'a>,
    /// The keys so far.
    pub counts: Counts,
    /// The latest time of an event, if this is a log.
    latest: Option<f64>,
}

impl<'a> Sink<'a> {
    /// A sink that has received nothing. An invalid line is an error.
    pub fn new(act: &'a mut Act<'a>) -> Self {
        Sink {
            act,
            counts: Counts::default(),
            latest: None,
        }
    }

    /// A sink for a log. Invalid lines are skipped and counted.
    pub fn for_log(act: &'a mut Act<'a>) -> Self {
        Sink {
            latest: Some(time::latest()),
            ..Sink::new(act)
        }
    }

    /// Passes a key on, or counts it as skipped if it is empty.
    pub fn take(&mut self, key: &[u8], cost: f64, time: Option<f64>) -> Result<()> {
        if key.is_empty() {
            self.skip();
            return Ok(());
        }
        self.counts.keys += 1;
        self.counts.first.see(key);
        (self.act)(key, cost, time)
    }

    /// Counts a line without a key.
    pub fn skip(&mut self) {
        self.counts.skipped += 1;
    }

    /// The time of an event, or why no event can have it.
    pub fn check_time(&self, time: Option<f64>) -> Result<Option<f64>, Message> {
        match (time, self.latest) {
            (Some(time), Some(latest)) if time > latest => {
                let time = time::shown(time);
                Err(format!("the time {time} is in the future").into())
            }
            _ => Ok(time),
        }
    }

    /// Handles an invalid line or row. `file` and `place` say where it is.
    ///
    /// # Errors
    ///
    /// The file is not a log.
    pub fn refuse(&mut self, file: &str, place: &str, why: Message) -> Result<()> {
        if self.latest.is_none() {
            return Err((Message::from(format!("{file}, {place}: ")) + why).into());
        }
        let first = &mut self.counts.first_invalid;
        first.get_or_insert_with(|| Message::from(format!("{place}: ")) + why);
        self.skip();
        Ok(())
    }
}
