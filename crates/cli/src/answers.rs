//! The answers of a filter for keys that come one by one.
//!
//! Keys are asked for in groups, which is several times faster on large filters, and answered in the order they came.
//! Nothing is held but a group of keys; only the answers of a JSON object are, since their number stands before them.

use crate::key_list::KeyList;
use crate::output::Output;
use bloomwise::{AnyFilter, Filter};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Keys that are asked for at a time.
const GROUP: usize = 4096;

/// What becomes of the answer for each key.
pub enum Listing {
    /// It is counted and forgotten.
    None,
    /// It is a line of the output.
    Lines,
    /// It is an object, kept until the end.
    Objects(Vec<Value>),
}

/// Answers as they come.
pub struct Answers<'a> {
    /// The filter that gives them.
    filter: &'a AnyFilter,
    /// What becomes of each.
    listing: Listing,
    /// Where they go.
    out: Output,
    /// Keys that were not yet asked for.
    waiting: KeyList,
    /// Keys the filter does not hold.
    pub absent: u64,
    /// Keys it says it holds.
    pub present: u64,
}

impl<'a> Answers<'a> {
    /// No answers yet.
    pub fn new(filter: &'a AnyFilter, listing: Listing) -> Self {
        Answers {
            filter,
            listing,
            out: Output::new(false),
            waiting: KeyList::default(),
            absent: 0,
            present: 0,
        }
    }

    /// Asks for a key; the answer may come later.
    pub fn ask(&mut self, key: &[u8]) -> io::Result<()> {
        self.waiting.push(key);
        if self.waiting.len() == GROUP {
            self.answer()?;
        }
        Ok(())
    }

    /// Answers for all keys that wait.
    fn answer(&mut self) -> io::Result<()> {
        let hashing = self.filter.hashing();
        let digests: Vec<_> = self.waiting.iter().map(|key| hashing.digest(key)).collect();
        let mut answers = Vec::with_capacity(digests.len());
        self.filter.contains_digests(&digests, &mut answers);
        for (key, present) in self.waiting.iter().zip(answers) {
            *(if present {
                &mut self.present
            } else {
                &mut self.absent
            }) += 1;
            match &mut self.listing {
                Listing::None => {}
                Listing::Lines => {
                    self.out
                        .write_all(if present { b"yes\t" } else { b"no\t" })?;
                    self.out.write_all(key)?;
                    self.out.write_all(b"\n")?;
                }
                Listing::Objects(list) => {
                    list.push(json!({"key": String::from_utf8_lossy(key), "present": present}));
                }
            }
        }
        self.waiting.clear();
        Ok(())
    }

    /// Answers for the last keys and prints what stands at the end.
    pub fn finish(&mut self, json: bool) -> io::Result<()> {
        self.answer()?;
        let (present, absent) = (self.present, self.absent);
        if json {
            let kind = self.filter.family().name();
            let mut object = json!({"kind": kind, "keys": present + absent, "present": present, "absent": absent});
            if let Listing::Objects(list) = &mut self.listing {
                object["answers"] = Value::Array(std::mem::take(list));
            }
            self.out.json(&object)?;
        } else if matches!(self.listing, Listing::None) {
            writeln!(self.out, "present\t{present}\nabsent\t{absent}")?;
        }
        self.out.flush()
    }
}
