//! Finds the key, the cost and the time in a line of text.
//!
//! Columns are separated by TABs, or else by spaces. If a column has a name instead of a number, the first line has the names.

use super::Layout;
use super::json;
use crate::input::Columns;
use crate::input::column::{self, Positions};
use crate::input::{Role, cost, time};
use crate::{Message, Setting};
use regex_lite::{Captures, Regex};
use std::borrow::Cow;
use std::str;

/// An event in a line.
#[derive(Debug, PartialEq)]
pub struct Found<'a> {
    /// The key.
    pub key: Cow<'a, [u8]>,
    /// What the event cost.
    pub cost: f64,
    /// When it was, if that is wanted and known.
    pub time: Option<f64>,
}

/// Reads the lines of a log, one after the other.
pub struct LineReader<'a> {
    /// Where things are.
    layout: &'a Layout,
    /// Whether times are wanted.
    times: bool,
    /// The positions of columns, once they are known.
    positions: Option<Positions>,
}

impl<'a> LineReader<'a> {
    /// A reader at the first line.
    pub fn new(layout: &'a Layout, times: bool) -> Self {
        let positions = match layout {
            Layout::Columns(columns) => numbered(columns),
            Layout::Json(_) | Layout::Regex(_) => None,
        };
        LineReader {
            layout,
            times,
            positions,
        }
    }

    /// The event in a line; `None` for the line with the names of columns. The error says why there is no event.
    pub fn read<'l>(&mut self, line: &'l [u8]) -> Result<Option<Found<'l>>, Message> {
        let mut found = match self.layout {
            Layout::Regex(regex) => of_groups(regex, line)?,
            Layout::Json(columns) => json::read(line, columns)?,
            Layout::Columns(columns) if columns.key.is_empty() && columns.cost.is_none() => Found {
                key: Cow::Borrowed(line),
                cost: cost::DEFAULT,
                time: self.times.then(|| time::in_brackets(line)).flatten(),
            },
            Layout::Columns(columns) => match &self.positions {
                Some(positions) => of_columns(line, positions, self.times)?,
                None => {
                    self.positions = Some(named(line, columns)?);
                    return Ok(None);
                }
            },
        };
        if found.key.is_empty() {
            return Err("the key is empty".into());
        }
        found.time = found.time.filter(|_| self.times);
        Ok(Some(found))
    }
}

/// The positions of columns that have numbers; `None` if one has a name.
fn numbered(columns: &Columns) -> Option<Positions> {
    let number = |name: &Option<String>| match name {
        Some(name) => column::number(name).map(Some),
        None => Some(None),
    };
    Some(Positions {
        key: number(&columns.key.first().cloned())??,
        cost: number(&columns.cost)?,
        time: number(&columns.time)?,
    })
}

/// The positions of columns that the first line names.
fn named(line: &[u8], columns: &Columns) -> Result<Positions, Message> {
    let names: Vec<_> = fields(line).map(String::from_utf8_lossy).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    column::find("the first line", &names, Role::Events, columns)
}

/// The columns of a line.
fn fields(line: &[u8]) -> Box<dyn Iterator<Item = &[u8]> + '_> {
    if line.contains(&b'\t') {
        return Box::new(line.split(|&byte| byte == b'\t'));
    }
    let words = line.split(u8::is_ascii_whitespace);
    Box::new(words.filter(|word| !word.is_empty()))
}

/// The event in the columns of a line.
fn of_columns<'a>(
    line: &'a [u8],
    positions: &Positions,
    times: bool,
) -> Result<Found<'a>, Message> {
    let field = |position: usize| {
        let field = fields(line).nth(position);
        field.ok_or_else(|| format!("there is no column {}", position + 1))
    };
    let cost = positions.cost.map(field).transpose()?;
    let time = match positions.time {
        Some(position) if times => time::parse(field(position)?),
        None if times => time::in_brackets(line),
        _ => None,
    };
    Ok(Found {
        key: Cow::Borrowed(field(positions.key)?),
        cost: cost.map_or(Ok(cost::DEFAULT), parse_cost)?,
        time,
    })
}

/// The event in the groups of a regular expression.
fn of_groups<'a>(regex: &Regex, line: &'a [u8]) -> Result<Found<'a>, Message> {
    let text = str::from_utf8(line).map_err(|_| "it is not UTF-8")?;
    let groups = regex.captures(text);
    let groups =
        groups.ok_or_else(|| Message::from(Setting::named("regex")) + " does not match")?;
    let bytes =
        |groups: &Captures<'a>, name| groups.name(name).map(|group| group.as_str().as_bytes());
    let key = groups.name("key").or_else(|| groups.get(1));
    let key =
        key.ok_or_else(|| Message::from(Setting::named("regex")) + " matches without a key")?;
    Ok(Found {
        key: Cow::Borrowed(key.as_str().as_bytes()),
        cost: bytes(&groups, "cost").map_or(Ok(cost::DEFAULT), parse_cost)?,
        time: bytes(&groups, "time").and_then(time::parse),
    })
}

/// The cost in a field.
pub fn parse_cost(field: &[u8]) -> Result<f64, Message> {
    cost::parse_event(field).map_err(|error| error.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        r#"203.0.113.1 - - [10/Oct/2026:13:55:36 +0000] "GET /old/1 HTTP/1.1" 404 512"#;

    fn columns(key: &[&str], cost: Option<&str>, time: Option<&str>) -> Columns {
        Columns {
            key: key.iter().map(ToString::to_string).collect(),
            cost: cost.map(String::from),
            time: time.map(String::from),
        }
    }

    /// Key, cost and time of an event, or the reason why there is none.
    type Event = Result<(String, f64, Option<f64>), String>;

    /// The events in these lines.
    fn read(layout: &Layout, lines: &[&str]) -> Vec<Event> {
        let mut reader = LineReader::new(layout, true);
        let found = lines.iter().map(|line| {
            let found = reader.read(line.as_bytes()).transpose()?;
            Some(found.map_err(|why| why.to_string()).map(|found| {
                let key = String::from_utf8_lossy(&found.key).into_owned();
                (key, found.cost, found.time)
            }))
        });
        found.flatten().collect()
    }

    fn event(key: &str, cost: f64, time: Option<f64>) -> Event {
        Ok((key.to_string(), cost, time))
    }

    #[test]
    fn common_log_format_has_columns() {
        let layout = Layout::Columns(columns(&["7"], Some("10"), None));
        let time = Some(1_791_640_536.0);
        assert_eq!(read(&layout, &[LINE]), [event("/old/1", 512.0, time)]);
        let nothing = LINE.replace("512", "-");
        assert_eq!(read(&layout, &[&nothing]), [event("/old/1", 0.0, time)]);
        let short = read(&layout, &["a b"]);
        assert_eq!(short, [Err("there is no column 10".to_string())]);
    }

    #[test]
    fn tabs_separate_columns_that_contain_spaces_and_the_first_line_may_name_them() {
        let layout = Layout::Columns(columns(&["2"], None, Some("1")));
        assert_eq!(
            read(&layout, &["5\ta b\tc"]),
            [event("a b", 1.0, Some(5.0))]
        );
        let layout = Layout::Columns(columns(&["path"], Some("ms"), None));
        let lines = ["ms\tpath", "2.5\t/a", "x\t/b"];
        let wrong = Err("the cost \"x\" is not a number".to_string());
        assert_eq!(read(&layout, &lines), [event("/a", 2.5, None), wrong]);
        let missing = read(&layout, &["time\tpath"]);
        assert!(matches!(&missing[..], [Err(why)] if why.contains("no column \"ms\"")));
    }

    #[test]
    fn whole_line_is_the_key_without_a_column() {
        let layout = Layout::Columns(Columns::default());
        assert_eq!(read(&layout, &["a b\tc"]), [event("a b\tc", 1.0, None)]);
    }

    #[test]
    fn groups_of_a_regular_expression_are_key_cost_and_time() {
        let layout = Layout::regex(r#""GET (\S+)"#).expect("a pattern");
        assert_eq!(read(&layout, &[LINE]), [event("/old/1", 1.0, None)]);
        let layout = Layout::regex(r"(?<cost>\d+)ms (?<key>\w+) (?<time>\d+)").expect("a pattern");
        assert_eq!(
            read(&layout, &["12ms ant 7"]),
            [event("ant", 12.0, Some(7.0))]
        );
        assert!(read(&layout, &["nothing"])[0].is_err());
        assert!(Layout::regex("no group").is_err());
        assert!(Layout::regex("(").is_err());
    }

    #[test]
    fn json_objects_have_fields() {
        let layout = Layout::Json(columns(&["request.path"], Some("ms"), Some("at")));
        let line = r#"{"at":"2026-10-10T13:55:36Z","ms":2.5,"request":{"path":"/a\u00e4"}}"#;
        assert_eq!(
            read(&layout, &[line]),
            [event("/a\u{e4}", 2.5, Some(1_791_640_536.0))]
        );
        let lines = [
            r#"{"request":{"path":7},"ms":"3"}"#,
            r#"{"request":1}"#,
            "{",
        ];
        let found = read(&layout, &lines);
        assert_eq!(found[0], event("7", 3.0, None));
        assert_eq!(
            found[1],
            Err("there is no field \"request.path\"".to_string())
        );
        assert!(found[2].is_err());
    }
}
