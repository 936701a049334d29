//! Reads events from logs: a key that was looked up, what that cost, and when it was.
//!
//! [`Layout`] says where they are in a line: in columns, in a JSON object, or in the groups of a regular expression (`line`, `json`). Tables are
//! read like all tables.
//!
//! A line or a row that does not hold an event is skipped and counted: in a log of a million lines, some are broken. So is one with a time in
//! the future. If no line holds an event, that is an error ([`Counts::report_skipped`]). A file that ends inside of a quote or of
//! compressed data is an error, too.
//!
//! An event without a time has the time of the one before.

mod json;
mod line;

use super::source::Source;
use super::{Act, Columns, Format, Input, Role, Sink, finish, lines, read_table, stop};
use crate::host::Host;
use crate::keys::FirstKeys;
use crate::{Error, Message, Result, Setting};
use line::LineReader;
use regex_lite::Regex;

/// Where key, cost and time are in a line.
#[derive(Clone)]
pub enum Layout {
    /// In columns; without a column of the key, the whole line is the key.
    Columns(Columns),
    /// In fields of a JSON object.
    Json(Columns),
    /// In groups of a regular expression.
    Regex(Regex),
}

/// An event of a log.
pub struct Event<'a> {
    /// The key.
    pub key: &'a [u8],
    /// What the event cost.
    pub cost: f64,
    /// When it was, in seconds since 1970, if that is known and wanted: its own time, or that of the event before.
    pub time: Option<f64>,
}

/// What a log holds.
#[derive(Clone, Default)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Lines without an event.
    pub skipped: u64,
    /// Events without a time of their own.
    pub without_time: u64,
    /// Events with an earlier time than the event before.
    pub backwards: u64,
    /// The first keys.
    pub first: FirstKeys,
    /// The name of the log.
    name: String,
    /// The first line without an event, and why it has none.
    first_skipped: Option<Message>,
}

impl Layout {
    /// The layout of a regular expression, or what is wrong with it.
    pub fn regex(pattern: &str) -> Result<Self, String> {
        let regex = Regex::new(pattern).map_err(|error| error.to_string())?;
        if regex.captures_len() < 2 {
            return Err("there is no group for the key; put it in parentheses".to_string());
        }
        Ok(Layout::Regex(regex))
    }

    /// Reads a log and calls `act` with each event; with its time if `times` says so.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or `act` returns an error.
    pub fn read<E: From<Error>>(
        &self,
        input: Input<'_>,
        times: bool,
        host: &dyn Host,
        mut act: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<Counts, E> {
        let (mut counts, mut before, mut failed) = (Counts::default(), None, None);
        counts.name.clone_from(&input.name);
        let act: &mut Act<'_> = &mut |key, cost, time: Option<f64>| {
            counts.without_time += u64::from(time.is_none());
            counts.backwards +=
                u64::from(time.zip(before).is_some_and(|(time, before)| time < before));
            before = time.or(before);
            let time = before;
            act(Event { key, cost, time }).map_err(|error| stop(&mut failed, error))
        };
        let mut sink = Sink::for_log(act);
        let read = self.read_all(input, times, host, &mut sink);
        let read = finish(read.map(|()| sink.counts), failed)?;
        counts.events = read.keys;
        counts.skipped = read.skipped;
        counts.first = read.first;
        counts.first_skipped = read.first_invalid;
        Ok(counts)
    }

    /// Reads a log.
    fn read_all(
        &self,
        input: Input<'_>,
        times: bool,
        host: &dyn Host,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        match (self, input.format) {
            (Layout::Columns(columns), Format::Csv | Format::Parquet) => {
                let mut columns = columns.clone();
                columns.time = columns.time.filter(|_| times);
                read_table(input, Role::Events, &columns, host, sink)
            }
            (_, Format::Parquet) => Err(Error::Invalid(
                Message::from(format!("{}: ", input.name))
                    + Setting::named("regex")
                    + " and "
                    + Setting::named("json_field")
                    + " read text; name a column with "
                    + Setting::named("column"),
            )),
            _ => {
                let mut reader = LineReader::new(self, times);
                lines::each(Source::open(input, host)?, &mut |origin, number, line| {
                    let mut found = reader.read(line);
                    if let Ok(Some(event)) = &found
                        && let Err(why) = sink.check_time(event.time)
                    {
                        found = Err(why);
                    }
                    match found {
                        Ok(Some(event)) => sink.take(&event.key, event.cost, event.time),
                        Ok(None) => Ok(()),
                        Err(why) => sink.refuse(&origin.name, &format!("line {number}"), why),
                    }
                })
            }
        }
    }
}

impl Counts {
    /// Remarks how many lines of the log were skipped, and why the first was.
    ///
    /// # Errors
    ///
    /// All were.
    pub fn report_skipped(&self, host: &dyn Host) -> Result<()> {
        if self.skipped == 0 {
            return Ok(());
        }
        let (name, skipped) = (&self.name, self.skipped);
        let why = (self.first_skipped.clone()).unwrap_or_else(|| "the key is empty".into());
        if self.events == 0 {
            return Err(Error::Invalid(
                Message::from(format!("{name} holds no events; "))
                    + why
                    + "; say where the key is with "
                    + Setting::named("column")
                    + ", "
                    + Setting::named("regex")
                    + " or "
                    + Setting::named("json_field"),
            ));
        }
        host.remark(&(Message::from(format!("{name}: lines skipped: {skipped}; ")) + why));
        Ok(())
    }
}
