//! The answers of a filter for keys that come one by one.
//!
//! Keys are asked for in groups, which is several times faster on large filters, and answered in the order they came.
//! Nothing is held but a group of keys; only for a JSON object all keys and answers are, since their number stands
//! before them.

use crate::key_list::KeyList;
use crate::memory;
use crate::output::Output;
use anyhow::{Context, Result};
use bloomwise::{AnyFilter, Filter};
use serde_json::json;
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
    Objects(Kept),
}

/// Keys and whether they are there.
#[derive(Default)]
pub struct Kept {
    /// The keys.
    keys: KeyList,
    /// The answer for each.
    present: Vec<bool>,
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
    pub fn ask(&mut self, key: &[u8]) -> Result<()> {
        self.waiting.push(key)?;
        if self.waiting.len() == GROUP {
            self.answer()?;
        }
        Ok(())
    }

    /// Answers for all keys that wait.
    fn answer(&mut self) -> Result<()> {
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
                Listing::Objects(kept) => kept.push(key, present).context(
                    "the answers do not fit into memory; leave out --json or add --count",
                )?,
            }
        }
        self.waiting.clear();
        Ok(())
    }

    /// Answers for the last keys and prints what stands at the end.
    pub fn finish(&mut self, json: bool) -> Result<()> {
        self.answer()?;
        let (present, absent) = (self.present, self.absent);
        if json {
            let (kind, keys) = (self.filter.family().name(), present + absent);
            let counts = json!({"kind": kind, "keys": keys, "present": present, "absent": absent});
            match &self.listing {
                Listing::Objects(kept) => {
                    let counts = counts.to_string();
                    // The object goes on where its last brace was.
                    let open = counts.strip_suffix('}').unwrap_or(&counts);
                    write!(self.out, "{open},\"answers\":[")?;
                    kept.write(&mut self.out)?;
                    writeln!(self.out, "]}}")?;
                }
                Listing::None | Listing::Lines => self.out.json(&counts)?,
            }
        } else if matches!(self.listing, Listing::None) {
            writeln!(self.out, "present\t{present}\nabsent\t{absent}")?;
        }
        Ok(self.out.flush()?)
    }
}

impl Kept {
    fn push(&mut self, key: &[u8], present: bool) -> io::Result<()> {
        self.keys.push(key)?;
        memory::push(&mut self.present, present)
    }

    /// Writes an object for each key, with commas in between. JSON is text; a key that is not has its bytes beside what
    /// can be shown of it.
    fn write(&self, out: &mut Output) -> io::Result<()> {
        for (number, (key, present)) in self.keys.iter().zip(&self.present).enumerate() {
            if number > 0 {
                out.write_all(b",")?;
            }
            out.write_all(b"{\"key\":")?;
            serde_json::to_writer(&mut *out, &String::from_utf8_lossy(key))?;
            if std::str::from_utf8(key).is_err() {
                out.write_all(b",\"key_hex\":\"")?;
                for byte in key {
                    write!(out, "{byte:02x}")?;
                }
                out.write_all(b"\"")?;
            }
            write!(out, ",\"present\":{present}}}")?;
        }
        Ok(())
    }
}
