//! Keys in text, one a line.
//!
//! A line ends with LF or CRLF, the last one may end with neither. A byte order mark at the very start is no part of
//! the first key. There is no limit to the length of a line but memory.

use super::source::Source;
use super::{Role, Sink, cost};
use anyhow::{Result, anyhow};
use std::io::{BufRead, BufReader};

/// What some editors put before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads all lines.
pub fn read(source: Source, role: Role, sink: &mut Sink<'_>) -> Result<()> {
    let origin = source.origin;
    let mut bytes = BufReader::with_capacity(1 << 16, source.bytes);
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        let read = bytes.read_until(b'\n', &mut buffer);
        if read.map_err(|error| origin.unreadable(number, &error))? == 0 {
            break;
        }
        let line = buffer.strip_suffix(b"\n").unwrap_or(&buffer);
        let mut line = line.strip_suffix(b"\r").unwrap_or(line);
        if number == 1 {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
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

/// Key and cost of a line.
fn split(line: &[u8]) -> Result<(&[u8], f64), String> {
    let Some(tab) = line.iter().rposition(|&byte| byte == b'\t') else {
        return Ok((line, cost::DEFAULT));
    };
    match cost::parse(&line[tab + 1..]) {
        Ok(cost) => Ok((&line[..tab], cost)),
        Err(wrong) => Err(format!(
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
}
