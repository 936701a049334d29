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
use super::{Act, FirstKeys, Format, Role, Sink, lines, name, read_table};
use crate::input::Columns;
use crate::progress::remark;
use anyhow::{Result, bail};
use line::LineReader;
use regex_lite::Regex;
use std::path::Path;

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
    /// The first line without an event, and why it has none.
    first_skipped: Option<String>,
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
    pub fn read(
        &self,
        path: &Path,
        times: bool,
        act: &mut dyn FnMut(Event<'_>) -> Result<()>,
    ) -> Result<Counts> {
        let (mut counts, mut before) = (Counts::default(), None);
        let act: &mut Act<'_> = &mut |key, cost, time: Option<f64>| {
            counts.without_time += u64::from(time.is_none());
            counts.backwards +=
                u64::from(time.zip(before).is_some_and(|(time, before)| time < before));
            before = time.or(before);
            let time = before;
            act(Event { key, cost, time })
        };
        let mut sink = Sink::for_log(act);
        match (self, Format::of(path)) {
            (Layout::Columns(columns), (_, Format::Csv | Format::Parquet)) => {
                let mut columns = columns.clone();
                columns.time = columns.time.filter(|_| times);
                read_table(path, Role::Events, &columns, &mut sink)?;
            }
            (_, (_, Format::Parquet)) => bail!(
                "{}: --regex and --json-field read text; name a column with --column",
                name(path)
            ),
            (_, (compression, _)) => {
                let mut reader = LineReader::new(self, times);
                lines::each(
                    Source::open(path, compression)?,
                    &mut |origin, number, line| {
                        let mut found = reader.read(line);
                        if let Ok(Some(event)) = &found
                            && let Err(why) = sink.check_time(event.time)
                        {
                            found = Err(why);
                        }
                        match found {
                            Ok(Some(event)) => sink.take(&event.key, event.cost, event.time),
                            Ok(None) => Ok(()),
                            Err(why) => sink.refuse(origin.name(), &format!("line {number}"), &why),
                        }
                    },
                )?;
            }
        }
        let read = sink.counts;
        counts.events = read.keys;
        counts.skipped = read.skipped;
        counts.first = read.first;
        counts.first_skipped = read.first_invalid;
        Ok(counts)
    }
}

impl Counts {
    /// Says how many lines of the log were skipped, and why the first was.
    ///
    /// # Errors
    ///
    /// All were.
    pub fn report_skipped(&self, path: &Path) -> Result<()> {
        if self.skipped == 0 {
            return Ok(());
        }
        let (name, skipped) = (name(path), self.skipped);
        let why = self.first_skipped.as_deref().unwrap_or("the key is empty");
        if self.events == 0 {
            bail!(
                "{name} holds no events; {why}; say where the key is with --column, --regex or --json-field"
            );
        }
        remark(&format!("{name}: lines skipped: {skipped}; {why}"));
        Ok(())
    }
}
