//! Reads events from logs: a key that was looked up, what that cost, and when it was.
//!
//! [`Layout`] says where they are in a line: in columns, in a JSON object, or in the groups of a regular expression (`line`, `json`). Tables are
//! read like all tables.
//!
//! A line that does not hold an event is skipped and counted: in a log of a million lines, some are broken. If no line holds an event, that
//! is an error ([`Counts::report_skipped`]).

mod json;
mod line;

use super::source::Source;
use super::{Act, FirstKeys, Format, Role, Sink, lines, name, read_table};
use crate::args::Columns;
use crate::io::output::remark;
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
    /// When it was, in seconds since 1970, if that is known and wanted.
    pub time: Option<f64>,
}

/// What a log holds.
#[derive(Clone, Default)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// Lines without an event.
    pub skipped: u64,
    /// Events without a time.
    pub without_time: u64,
    /// Events with an earlier time than the event before.
    pub backwards: u64,
    /// The first keys.
    pub first: FirstKeys,
    /// The number of the first line without an event, and why it has none.
    first_skipped: Option<(u64, String)>,
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
        let (mut counts, mut latest) = (Counts::default(), f64::NEG_INFINITY);
        let act: &mut Act<'_> = &mut |key, cost, time| {
            counts.without_time += u64::from(time.is_none());
            counts.backwards += u64::from(time.is_some_and(|time| time < latest));
            latest = time.unwrap_or(latest);
            act(Event { key, cost, time })
        };
        let mut sink = Sink::new(act);
        let mut first_skipped = None;
        match (self, Format::of(path)) {
            (Layout::Columns(columns), (_, Format::Csv | Format::Parquet)) => {
                read_table(path, Role::Events, columns, &mut sink)?;
            }
            (_, (_, Format::Parquet)) => bail!(
                "{}: --regex and --json-field read text; name a column with --column",
                name(path)
            ),
            (_, (compression, _)) => {
                let mut reader = LineReader::new(self, times);
                lines::each(
                    Source::open(path, compression)?,
                    &mut |_, number, line| match reader.read(line) {
                        Ok(Some(event)) => sink.take(&event.key, event.cost, event.time),
                        Ok(None) => Ok(()),
                        Err(why) => {
                            first_skipped.get_or_insert((number, why));
                            sink.skip();
                            Ok(())
                        }
                    },
                )?;
            }
        }
        let read = sink.counts;
        counts.events = read.keys;
        counts.skipped = read.skipped;
        counts.first = read.first;
        counts.first_skipped = first_skipped;
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
        let why = match &self.first_skipped {
            Some((number, why)) => format!("line {number}: {why}"),
            None => "the key is empty".to_string(),
        };
        if self.events == 0 {
            bail!(
                "{name} holds no events; {why}; say where the key is with --column, --regex or --json-field"
            );
        }
        remark(&format!("{name}: lines skipped: {skipped}; {why}"));
        Ok(())
    }
}
