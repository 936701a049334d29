//! Reads keys from text files, one key per line.
//!
//! A line ends with LF or CRLF; the last line may end with neither. A line has at most 256 MiB.

use super::cost::{self, CostError};
use super::origin::{Origin, check_length};
use super::source::Source;
use super::{Role, Sink};
use crate::{Error, Result};
use memchr::memchr_iter;
use std::io::{self, BufRead, ErrorKind, Read};

/// How many bytes of a line are allocated and read at a time.
const CHUNK: usize = 1 << 16;

/// Reads all lines and passes each key to `sink`.
pub fn read(source: Source<'_>, role: Role, sink: &mut Sink<'_>) -> Result<()> {
    each(source, &mut |origin, number, line| {
        let (key, cost) = match role {
            Role::Keys | Role::Events => (line, cost::DEFAULT),
            Role::Negatives => split(line)
                .map_err(|error| Error::invalid(format!("{}: {error}", origin.line(number))))?,
        };
        sink.take(key, cost, None)
    })
}

/// Called with the file, the number of a line from 1 on, and the line without its end.
type Act<'a> = dyn FnMut(&Origin, u64, &[u8]) -> Result<()> + 'a;

/// Calls `act` with each line. Only lines that end behind the bytes in memory are copied.
pub fn each(source: Source<'_>, act: &mut Act<'_>) -> Result<()> {
    let (origin, mut bytes) = (source.origin, source.bytes);
    let (mut number, mut buffer) = (1, Vec::new());
    loop {
        let ready = match bytes.fill_buf() {
            Ok(ready) => ready,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(origin.unreadable(number, &error)),
        };
        let mut start = 0;
        for end in memchr_iter(b'\n', ready) {
            act(&origin, number, without_return(&ready[start..end]))?;
            (start, number) = (end + 1, number + 1);
        }
        bytes.consume(start);
        buffer.clear();
        let read = read_line(&mut bytes, &mut buffer);
        read.map_err(|error| origin.unreadable(number, &error))?;
        if buffer.is_empty() {
            return Ok(());
        }
        let line = buffer.strip_suffix(b"\n").unwrap_or(&buffer);
        act(&origin, number, without_return(line))?;
        number += 1;
    }
}

/// A line without the CR at its end.
fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Appends the next line with its line end to `line`; appends nothing at the end of the file. Returns an error if memory runs
/// out or the line is too long.
fn read_line(bytes: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    loop {
        check_length(line.len())?;
        line.try_reserve(CHUNK)?;
        let read = bytes.take(CHUNK as u64).read_until(b'\n', line)?;
        if read < CHUNK || line.ends_with(b"\n") {
            return Ok(());
        }
    }
}

/// Splits a line into its key and its cost.
fn split(line: &[u8]) -> Result<(&[u8], f64), String> {
    let Some(tab) = line.iter().rposition(|&byte| byte == b'\t') else {
        return Ok((line, cost::DEFAULT));
    };
    match cost::parse(&line[tab + 1..]) {
        Ok(cost) => Ok((&line[..tab], cost)),
        Err(error @ (CostError::OutOfRange(_) | CostError::TooLarge(_))) => Err(error.to_string()),
        Err(error @ CostError::NotANumber(_)) => Err(format!(
            "{error}; write key, TAB, cost; if the key contains a TAB, add a TAB after it"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quiet;
    use crate::input::Input;
    use std::fs;

    #[test]
    fn the_last_tab_separates_key_and_cost() {
        let cases: [(&str, &str, f64); 5] = [
            ("ant", "ant", 1.0),
            ("ant\t", "ant", 1.0),
            ("ant\t2.5", "ant", 2.5),
            ("a\tb\t3", "a\tb", 3.0),
            ("\t3", "", 3.0),
        ];
        for (line, key, cost) in cases {
            assert_eq!(
                split(line.as_bytes()),
                Ok((key.as_bytes(), cost)),
                "{line:?}"
            );
        }
        assert!(split(b"a\tb").is_err());
    }

    #[test]
    fn lines_of_any_length_are_read_completely() {
        let lengths = [0, 1, 5, 0, CHUNK - 2, CHUNK - 1, 3, CHUNK, CHUNK + 1, 2, 0];
        let ends = ["\n", "\r\n"];
        for (shift, last) in (0..3 * lengths.len()).zip(["", "y", "y\n"].into_iter().cycle()) {
            let lengths = lengths.iter().cycle().skip(shift).take(2 * lengths.len());
            let lines: Vec<String> = lengths.map(|&length| "x".repeat(length)).collect();
            let text = lines.iter().zip(ends.into_iter().cycle());
            let text: String = text.flat_map(|(line, end)| [line, end]).collect();
            let file = tempfile::NamedTempFile::new().expect("a file");
            fs::write(file.path(), text + last).expect("written");
            let source = Source::open(Input::file(file.path()), &Quiet).expect("readable");
            let mut read = Vec::new();
            let all = each(source, &mut |_, number, line| {
                read.push(String::from_utf8_lossy(line).into_owned());
                assert_eq!(number, read.len() as u64);
                Ok(())
            });
            all.expect("readable");
            let last = (!last.is_empty()).then(|| "y".to_string());
            assert!(read.into_iter().eq(lines.into_iter().chain(last)));
        }
    }
}
