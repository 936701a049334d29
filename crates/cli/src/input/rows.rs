//! The rows of a table of text, field by field.
//!
//! Commas part fields, LF, CRLF or CR ends a row, and rows without anything in them do not count. A field that begins
//! with a quote ends with the next one; in between, commas and line ends are part of it, and two quotes are one. Quotes
//! elsewhere are quotes. These are the rules of RFC 4180, and of spreadsheets where that is silent.
//!
//! A row knows the line it begins on, counted as editors count: by LF. A quote that is never closed would make one
//! field of all that follows, so it is an error. For these two the splitter is our own: the crate `csv`, with which the
//! tests compare it, lets such a quote pass, and counts lines otherwise.

use std::io::{self, BufRead};

/// The rows that a stream of bytes holds.
pub struct Rows<R> {
    /// Where they come from.
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

/// Why there is no next row.
#[derive(Debug)]
pub enum Wrong {
    /// It cannot be read, or there is no memory for it.
    Unreadable(io::Error),
    /// A quote in it is never closed.
    Unclosed,
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Wrong::Unreadable(error)
    }
}

/// What the next byte belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A row that has not begun: line ends are no rows.
    Between,
    /// A field that has not begun.
    Start,
    /// A field without quotes, or behind them.
    Plain,
    /// A field inside of its quotes.
    Quoted,
    /// What follows a quote inside of quotes: another quote, or the end of the field.
    Closed,
}

impl<R: BufRead> Rows<R> {
    /// The rows of these bytes.
    pub fn new(bytes: R) -> Self {
        Rows {
            bytes,
            next_line: 1,
            line: 1,
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The line on which the current row begins; that of an error is the row that could not be read.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The number of fields of the current row.
    pub fn fields(&self) -> usize {
        self.ends.len()
    }

    /// A field of the current row, by its place from 0.
    pub fn field(&self, place: usize) -> Option<&[u8]> {
        let end = *self.ends.get(place)?;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    /// Reads the next row, and tells whether there was one.
    pub fn advance(&mut self) -> Result<bool, Wrong> {
        self.text.clear();
        self.ends.clear();
        self.line = self.next_line;
        let mut state = State::Between;
        loop {
            let part = self.bytes.fill_buf()?;
            if part.is_empty() {
                break;
            }
            // Room for whatever this part holds, so that nothing below has to ask for memory.
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
            State::Quoted => return Err(Wrong::Unclosed),
            State::Start | State::Plain | State::Closed => self.ends.push(self.text.len()),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use csv::{ByteRecord, ReaderBuilder};

    /// All rows with their lines, if every quote is closed.
    fn rows(text: &[u8]) -> Option<Vec<(u64, Vec<Vec<u8>>)>> {
        // A small buffer, so that its end comes everywhere.
        let mut rows = Rows::new(io::BufReader::with_capacity(3, text));
        let mut all = Vec::new();
        while rows.advance().ok()? {
            let field = |place| rows.field(place).expect("a field").to_vec();
            all.push((rows.line(), (0..rows.fields()).map(field).collect()));
        }
        Some(all)
    }

    #[test]
    fn every_short_text_has_the_rows_of_another_reader() {
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
    fn lines_are_counted_as_editors_count_them() {
        let text = b"a\r\n\r\n\n\"b\r\n\n\"\r\nc\n\n\nd";
        let lines: Vec<_> = rows(text)
            .expect("closed quotes")
            .into_iter()
            .map(|row| row.0)
            .collect();
        assert_eq!(lines, [1, 4, 7, 10]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_found_where_its_row_begins() {
        let mut rows = Rows::new(&b"a\r\n\r\nb,\"c\"\"\nd\n"[..]);
        assert!(rows.advance().expect("a row"));
        assert!(matches!(rows.advance(), Err(Wrong::Unclosed)));
        assert_eq!(rows.line(), 3);
    }
}
