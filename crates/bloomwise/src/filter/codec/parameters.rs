//! Reads the parameters of a filter.

use crate::error::{Error, Result};
use crate::filter::sizing::{MAX_BITS, MAX_FUNCTIONS};
use std::ops::RangeInclusive;

/// Reads the parameters of a filter one after the other.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// The words that have not been read yet.
    words: &'a [u64],
}

impl<'a> Parameters<'a> {
    /// Starts reading these words.
    pub fn new(words: &'a [u64]) -> Self {
        Parameters { words }
    }

    /// The next word.
    pub fn word(&mut self, field: &'static str) -> Result<u64> {
        Ok(self.words(1, field)?[0])
    }

    /// The next word. Returns an error unless it is in `range`.
    pub fn word_in(&mut self, range: RangeInclusive<u64>, field: &'static str) -> Result<u64> {
        let word = self.word(field)?;
        if !range.contains(&word) {
            let (low, high) = (range.start(), range.end());
            let expected = if low == high {
                low.to_string()
            } else {
                format!("a number from {low} to {high}")
            };
            return Err(Error::field(field, word, expected));
        }
        Ok(word)
    }

    /// The next word. Returns an error unless it is a multiple of `step` above 0.
    pub fn multiple_of(&mut self, step: u64, field: &'static str) -> Result<u64> {
        let word = self.word(field)?;
        if word == 0 || word > MAX_BITS || !word.is_multiple_of(step) {
            let expected = format!("a multiple of {step} from {step} to {MAX_BITS}");
            return Err(Error::field(field, word, expected));
        }
        Ok(word)
    }

    /// The next word, which must be a valid number of hash functions.
    pub fn functions(&mut self) -> Result<u32> {
        let functions = self.word_in(1..=u64::from(MAX_FUNCTIONS), "the number of functions")?;
        Ok(functions as u32)
    }

    /// The next `count` words.
    pub fn words(&mut self, count: usize, field: &'static str) -> Result<&'a [u64]> {
        let split = self.words.split_at_checked(count);
        let (taken, rest) = split.ok_or(Error::Length {
            field,
            expected: 8 * count as u64,
            got: 8 * self.words.len() as u64,
        })?;
        self.words = rest;
        Ok(taken)
    }

    /// Returns an error if words are left over.
    pub fn finish(self) -> Result<()> {
        if self.words.is_empty() {
            return Ok(());
        }
        let got = format!("{} words too long", self.words.len());
        Err(Error::field("the list of parameters", got, "no more words"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_checked() {
        let mut parameters = Parameters::new(&[0, 7]);
        assert!(parameters.word_in(1..=5, "the functions").is_err());
        assert!(parameters.clone().finish().is_err());
        assert_eq!(parameters.word("another").expect("is there"), 7);
        assert!(parameters.word("a third").is_err());
        assert!(parameters.finish().is_ok());
    }
}
