//! Looks up keys one by one and prints the answers of the filter.
//!
//! Keys are looked up in batches, which is several times faster on large filters. The answers keep the order of the keys. Only
//! one batch is in memory at a time. The exception is the JSON output, which holds all keys and answers until the end,
//! because their number comes first.

use crate::io::output::Output;
use anyhow::{Context, Result};
use bloomwise::{AnyFilter, Filter};
use bloomwise_compare::keys::KeyList;
use bloomwise_compare::keys::memory;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::io::{self, Write};

/// How many keys are looked up at a time.
const BATCH: usize = 4096;

/// What happens to the answer for each key.
pub enum Listing {
    /// It is only counted.
    None,
    /// It is printed on a line.
    Lines,
    /// It is kept for the JSON object.
    Json(AnswerList),
}

/// Keys and their answers.
#[derive(Default)]
pub struct AnswerList {
    /// The keys.
    keys: KeyList,
    /// Whether each key is present.
    present: Vec<bool>,
}

/// Looks up keys and prints the answers.
pub struct Answers<'a> {
    /// The filter.
    filter: &'a AnyFilter,
    /// What happens to each answer.
    listing: Listing,
    /// Where answers are printed.
    out: Output,
    /// Keys that were not looked up yet.
    batch: KeyList,
    /// The number of keys that are not in the filter.
    pub absent: u64,
    /// The number of keys that are in the filter, according to it.
    pub present: u64,
}

impl<'a> Answers<'a> {
    /// No answers yet.
    pub fn new(filter: &'a AnyFilter, listing: Listing) -> Self {
        Answers {
            filter,
            listing,
            out: Output::new(false),
            batch: KeyList::default(),
            absent: 0,
            present: 0,
        }
    }

    /// Adds a key; it is looked up with its batch.
    pub fn query(&mut self, key: &[u8]) -> Result<()> {
        self.batch.push(key)?;
        if self.batch.len() == BATCH {
            self.query_batch()?;
        }
        Ok(())
    }

    /// Looks up the keys of the batch.
    fn query_batch(&mut self) -> Result<()> {
        let answers = self.filter.contains_batch(self.batch.iter());
        for (key, present) in self.batch.iter().zip(answers) {
            if present {
                self.present += 1;
            } else {
                self.absent += 1;
            }
            match &mut self.listing {
                Listing::None => {}
                Listing::Lines => {
                    self.out
                        .write_all(if present { b"yes\t" } else { b"no\t" })?;
                    self.out.write_all(key)?;
                    self.out.write_all(b"\n")?;
                }
                Listing::Json(list) => list.push(key, present).context(
                    "the answers do not fit into memory; leave out --json or add --count",
                )?,
            }
        }
        self.batch.clear();
        Ok(())
    }

    /// Looks up the last keys and prints the counts or the JSON object.
    pub fn finish(&mut self, json: bool) -> Result<()> {
        self.query_batch()?;
        let (present, absent) = (self.present, self.absent);
        if json {
            self.out.json(&JsonAnswers {
                kind: self.filter.family().name(),
                keys: present + absent,
                present,
                absent,
                answers: match &self.listing {
                    Listing::Json(list) => Some(list),
                    Listing::None | Listing::Lines => None,
                },
            })?;
        } else if matches!(self.listing, Listing::None) {
            writeln!(self.out, "present\t{present}\nabsent\t{absent}")?;
        }
        Ok(self.out.flush()?)
    }
}

impl AnswerList {
    /// Appends a key and its answer. Returns an error if there is not enough memory.
    fn push(&mut self, key: &[u8], present: bool) -> io::Result<()> {
        self.keys.push(key)?;
        memory::try_push(&mut self.present, present)
    }
}

/// The JSON object of `query`.
#[derive(Serialize)]
struct JsonAnswers<'a> {
    /// The kind of the filter.
    kind: &'static str,
    /// The number of keys.
    keys: u64,
    /// How many of them are present.
    present: u64,
    /// How many of them are absent.
    absent: u64,
    /// The answer for each key, unless only the counts are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<&'a AnswerList>,
}

/// The JSON object of one key.
#[derive(Serialize)]
struct JsonAnswer<'a> {
    /// The key; invalid UTF-8 is replaced.
    key: Cow<'a, str>,
    /// The bytes of a key that is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_hex: Option<String>,
    /// Whether the key is present.
    present: bool,
}

impl Serialize for AnswerList {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let answers = self.keys.iter().zip(&self.present);
        serializer.collect_seq(answers.map(|(key, &present)| {
            let text = String::from_utf8_lossy(key);
            let is_text = matches!(text, Cow::Borrowed(_));
            let hex = || key.iter().map(|byte| format!("{byte:02x}")).collect();
            JsonAnswer {
                key: text,
                key_hex: (!is_text).then(hex),
                present,
            }
        }))
    }
}
