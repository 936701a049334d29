//! Splits CSV text into rows and fields.
//!
//! Commas separate fields. LF, CRLF or CR ends a row. Empty rows are skipped. A field that begins with a quote ends at the next
//! quote; commas and line ends in between belong to the field, and two quotes stand for one. Quotes elsewhere are literal. These
//! are the rules of RFC 4180, and those of spreadsheets where the RFC is silent.
//!
//! This is not the crate `csv`, for two reasons. Errors name the line on which a row begins, counted by LF as editors do; `csv`
//! counts lines differently. And a quote that is never closed is an error; `csv` accepts it and turns the rest of the file into
//! one field. The tests compare all other results with those of `csv`.

use super::origin::check_length;
use std::io::{self, BufRead};

/// The rows of a stream of bytes.
pub struct Rows<R> {
    /// The stream.
    bytes: R,
    /// The line of the next byte, from 1.
    next_line: u64,
    /// The line on which the current row begins.
    line: u64,
    /// The bytes of all fields of the current row, one after the other.
    text: Vec<u8>,
    /// Where in `text` each field ends.
    ends: Vec<usize>,
}

/// Why the next row cannot be read.
#[derive(Debug)]
pub enum RowError {
    /// Reading failed, memory ran out, or the row is too long.
    Unreadable(io::Error),
    /// The row has a quote that is never closed.
    UnclosedQuote,
}

impl From<io::Error> for RowError {
    fn from(error: io::Error) -> Self {
        RowError::Unreadable(error)
    }
}

/// What the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A row that has not begun; line ends are skipped.
    Between,
    /// A field that has not begun.
    Start,
    /// A field without quotes, or the rest of a field after its closing quote.
    Plain,
    /// A field inside its quotes.
    Quoted,
    /// After a quote inside a quoted field: another quote follows, or the field ends.
    Closed,
}

impl<R: BufRead> Rows<R> {
    /// The rows of `bytes`.
    pub fn new(bytes: R) -> Self {
        Rows {
            bytes,
            next_line: 1,
            line: 1,
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The line on which the current row begins; after an error, the line on which the invalid row begins.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The number of fields of the current row.
    pub fn fields(&self) -> usize {
        self.ends.len()
    }

    /// The field of the current row at `position`, from 0.
    pub fn field(&self, position: usize) -> Option<&[u8]> {
        let end = *self.ends.get(position)?;
        let start = position
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    /// Reads the next row. Returns whether there was one.
    pub fn advance(&mut self) -> Result<bool, RowError> {
        self.text.clear();
        self.ends.clear();
        self.line = self.next_line;
        let mut state = State::Between;
        loop {
            let part = self.bytes.fill_buf()?;
            if part.is_empty() {
                break;
            }
            check_length(self.text.len() + size_of_val(&self.ends[..]))?;
            // Reserves memory for everything in this part, so that nothing below allocates.
            let length = part.len();
            self.text.try_reserve(length).map_err(io::Error::from)?;
            self.ends.try_reserve(length + 1).map_err(io::Error::from)?;
            for (at, &byte) in part.iter().enumerate() {
                self.next_line += u64::from(byte == b'\n');
                state = match (state, byte) {
                    (State::Between, b'\n' | b'\r') => {
                        self.line = self.next_line;
                        State::Between
                    }
                    (State::Between | State::Start, b'"') => State::Quoted,
                    (State::Quoted, b'"') => State::Closed,
                    (State::Quoted, _) | (State::Closed, b'"') => {
                        self.text.push(byte);
                        State::Quoted
                    }
                    (_, b',') => {
                        self.ends.push(self.text.len());
                        State::Start
                    }
                    (_, b'\n' | b'\r') => {
                        self.ends.push(self.text.len());
                        self.bytes.consume(at + 1);
                        return Ok(true);
                    }
                    _ => {
                        self.text.push(byte);
                        State::Plain
                    }
                };
            }
            self.bytes.consume(length);
        }
        match state {
            State::Between => return Ok(false),
            State::Quoted => return Err(RowError::UnclosedQuote),
            State::Start | State::Plain | State::Closed => self.ends.push(self.text.len()),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv::{ByteRecord, ReaderBuilder};

    /// All rows with their line numbers; `None` if a quote is not closed.
    fn rows(text: &[u8]) -> Option<Vec<(u64, Vec<Vec<u8>>)>> {
        // A small buffer, so that it ends at every possible place.
        let mut rows = Rows::new(io::BufReader::with_capacity(3, text));
        let mut all = Vec::new();
        while rows.advance().ok()? {
            let field = |place| rows.field(place).expect("a field").to_vec();
            all.push((rows.line(), (0..rows.fields()).map(field).collect()));
        }
        Some(all)
    }

    #[test]
    fn rows_of_every_short_text_match_the_csv_crate() {
        const BYTES: &[u8; 5] = b"a,\"\n\r";
        let mut unclosed = 0;
        for number in 0..5usize.pow(7) {
            let digits = (0..7).map(|place| number / 5usize.pow(place) % 5);
            let text: Vec<u8> = digits.map(|digit| BYTES[digit]).collect();
            let Some(rows) = rows(&text) else {
                unclosed += 1;
                continue;
            };
            let mut reader = ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(&text[..]);
            let fields = |row: &ByteRecord| row.iter().map(<[u8]>::to_vec).collect();
            let other: Vec<Vec<Vec<u8>>> = reader
                .byte_records()
                .map(|row| fields(&row.expect("memory can be read")))
                .collect();
            let ours: Vec<_> = rows.into_iter().map(|(_, fields)| fields).collect();
            assert_eq!(ours, other, "{:?}", String::from_utf8_lossy(&text));
        }
        assert!(unclosed > 0);
    }

    #[test]
    fn lines_are_counted_by_lf() {
        let text = b"a\r\n\r\n\n\"b\r\n\n\"\r\nc\n\n\nd";
        let lines: Vec<_> = rows(text)
            .expect("closed quotes")
            .into_iter()
            .map(|row| row.0)
            .collect();
        assert_eq!(lines, [1, 4, 7, 10]);
    }

    #[test]
    fn unclosed_quote_is_reported_at_the_line_where_its_row_begins() {
        let mut rows = Rows::new(&b"a\r\n\r\nb,\"c\"\"\nd\n"[..]);
        assert!(rows.advance().expect("a row"));
        assert!(matches!(rows.advance(), Err(RowError::UnclosedQuote)));
        assert_eq!(rows.line(), 3);
    }
}
