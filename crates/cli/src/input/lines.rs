//! Keys in text, one a line.
//!
//! A line ends with LF or CRLF, the last one may end with neither. There is no limit to the length of a line but
//! memory.

use super::cost::{self, Wrong};
use super::source::Source;
use super::{Role, Sink};
use anyhow::{Result, anyhow};
use std::io::{self, BufRead, Read};

/// Bytes of a line that memory is asked for at a time.
const PART: usize = 1 << 16;

/// Reads all lines.
pub fn read(source: Source, role: Role, sink: &mut Sink<'_>) -> Result<()> {
    let (origin, mut bytes) = (source.origin, source.bytes);
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        let read = read_line(&mut bytes, &mut buffer);
        read.map_err(|error| origin.unreadable(number, &error))?;
        if buffer.is_empty() {
            break;
        }
        let line = buffer.strip_suffix(b"\n").unwrap_or(&buffer);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (key, cost) = match role {
            Role::Members => (line, cost::DEFAULT),
            Role::Negatives => {
                split(line).map_err(|wrong| anyhow!("{}: {wrong}", origin.line(number)))?
            }
        };
        sink.take(key, cost)?;
    }
    Ok(())
}

/// Appends a line with its end, or nothing where there is none left. Memory that is not to be had is an error.
fn read_line(bytes: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    loop {
        line.try_reserve(PART)?;
        let read = bytes.take(PART as u64).read_until(b'\n', line)?;
        if read < PART || line.ends_with(b"\n") {
            return Ok(());
        }
    }
}

/// Key and cost of a line.
fn split(line: &[u8]) -> Result<(&[u8], f64), String> {
    let Some(tab) = line.iter().rposition(|&byte| byte == b'\t') else {
        return Ok((line, cost::DEFAULT));
    };
    match cost::parse(&line[tab + 1..]) {
        Ok(cost) => Ok((&line[..tab], cost)),
        Err(wrong @ Wrong::Impossible(_)) => Err(wrong.to_string()),
        Err(wrong @ Wrong::NoNumber(_)) => Err(format!(
            "{wrong}; write key, TAB, cost, or end a key that has a TAB in it with another"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_tab_parts_key_and_cost() {
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
    fn lines_of_any_length_are_whole() {
        let lengths = [0, 1, PART - 2, PART - 1, PART, PART + 1, 2 * PART - 1, 5];
        let text: Vec<_> = lengths
            .iter()
            .map(|&length| "x".repeat(length) + "\n")
            .collect();
        let text = text.concat() + &"y".repeat(PART);
        let (mut bytes, mut lines, mut line) = (text.as_bytes(), Vec::new(), Vec::new());
        loop {
            line.clear();
            read_line(&mut bytes, &mut line).expect("memory");
            if line.is_empty() {
                break;
            }
            lines.extend_from_slice(&line);
            assert!(line.ends_with(b"\n") || bytes.is_empty());
        }
        assert_eq!(lines, text.as_bytes());
    }
}
