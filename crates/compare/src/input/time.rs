//! Times and spans of time in text.
//!
//! A time is seconds since 1970, in one of the forms that logs have:
//!
//! - the Common Log Format: `10/Oct/2026:13:55:36 +0200`
//! - RFC 3339, also without a zone (UTC) and without a time: `2026-10-10T13:55:36.25Z`, `2026-10-10 13:55:36`, `2026-10-10`
//! - a number of seconds, milliseconds, microseconds or nanoseconds since 1970; which of them, its size says

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use std::str;

/// The form of the Common Log Format.
const COMMON_LOG: &str = "%d/%b/%Y:%H:%M:%S %z";

/// Numbers of seconds are below this until the year 5138, and milliseconds above it since 1973.
const LARGEST_SECOND: f64 = 1e11;

/// The time in a field; `None` if it has none of the forms.
pub fn parse(text: &[u8]) -> Option<f64> {
    let text = str::from_utf8(text).ok()?.trim();
    let text = text.trim_matches(['[', ']', '"']);
    if let Ok(number) = text.parse() {
        return of_number(number);
    }
    let utc = |time: DateTime| Some(time.to_zoned(TimeZone::UTC).ok()?.timestamp());
    let time = (text.parse::<Timestamp>().ok())
        .or_else(|| strtime::parse(COMMON_LOG, text).ok()?.to_timestamp().ok())
        .or_else(|| utc(text.parse::<DateTime>().ok()?))
        .or_else(|| {
            utc(text
                .parse::<Date>()
                .ok()?
                .to_datetime(jiff::civil::Time::midnight()))
        })?;
    Some(time.as_microsecond() as f64 / 1e6)
}

/// The time that a number stands for.
pub fn of_number(number: f64) -> Option<f64> {
    let mut seconds = Some(number).filter(|number| number.is_finite())?;
    while seconds.abs() > LARGEST_SECOND {
        seconds /= 1000.0;
    }
    Some(seconds)
}

/// The time in a line of the Common Log Format: what stands between the first brackets.
pub fn in_brackets(line: &[u8]) -> Option<f64> {
    let start = line.iter().position(|&byte| byte == b'[')? + 1;
    let length = line[start..].iter().position(|&byte| byte == b']')?;
    parse(&line[start..start + length])
}

/// The latest time that an event of a log can have: a day from now, since clocks differ and zones are missing. A later time is a mistake, and
/// costs that fade would all but vanish up to then.
///
/// Without a clock, as in a web page, every time is taken.
pub fn latest() -> f64 {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return f64::INFINITY;
    }
    Timestamp::now().as_microsecond() as f64 / 1e6 + 86_400.0
}

/// A time as text that [`parse`] reads.
pub fn shown(time: f64) -> String {
    let shown = Timestamp::from_microsecond((time * 1e6).round() as i64);
    shown.map_or_else(|_| time.to_string(), |time| time.to_string())
}

/// Parses a time that the user gives.
pub fn parse_argument(text: &str) -> Result<f64, String> {
    parse(text.as_bytes()).ok_or_else(|| {
        "expected a time, such as 2026-10-31, 2026-10-31T18:00:00Z or seconds since 1970"
            .to_string()
    })
}

/// Units of time, in seconds.
const UNITS: [(&str, f64); 5] = [
    ("s", 1.0),
    ("min", 60.0),
    ("h", 3600.0),
    ("d", 86_400.0),
    ("w", 604_800.0),
];

/// Parses a span of time in seconds: `90s`, `30min`, `12h`, `7d`, `2w`.
pub fn parse_span(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = &text[digits.len()..];
    let unit = UNITS.iter().find(|(name, _)| *name == unit);
    let number = digits.trim_end().parse::<f64>().ok();
    let span = number.zip(unit).map(|(number, (_, unit))| number * unit);
    let valid = span.filter(|span| *span > 0.0 && span.is_finite());
    valid.ok_or_else(|| "expected a span of time, such as 90s, 30min, 12h, 7d or 2w".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_all_forms_are_the_same() {
        let time = 1_791_640_536.0;
        for text in [
            "10/Oct/2026:15:55:36 +0200",
            "[10/Oct/2026:13:55:36 +0000]",
            "2026-10-10T13:55:36Z",
            "2026-10-10T15:55:36+02:00",
            "2026-10-10 13:55:36",
            "1791640536",
            "1791640536.0",
            "1791640536000",
            "1791640536000000000",
            " \"2026-10-10T13:55:36Z\" ",
        ] {
            assert_eq!(parse(text.as_bytes()), Some(time), "{text}");
        }
        assert_eq!(parse(b"2026-10-10"), Some(time - 50_136.0));
        let line = b"203.0.113.1 - - [10/Oct/2026:13:55:36 +0000] \"GET /a[1] HTTP/1.1\" 200 512";
        assert_eq!(in_brackets(line), Some(time));
        for text in ["", "yesterday", "10/Foo/2026:15:55:36 +0200", "inf", "NaN"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(in_brackets(b"no brackets"), None);
        assert_eq!(in_brackets(b"[open"), None);
        for time in [time, 0.0, -5.0, 1_791_640_536.25] {
            assert_eq!(parse(shown(time).as_bytes()), Some(time));
        }
        assert_eq!(shown(time), "2026-10-10T13:55:36Z");
    }

    #[test]
    fn spans_have_units() {
        for (text, seconds) in [
            ("90s", 90.0),
            ("1.5h", 5400.0),
            ("7 d", 604_800.0),
            ("2w", 1_209_600.0),
        ] {
            assert_eq!(parse_span(text), Ok(seconds), "{text}");
        }
        for text in ["", "7", "d", "-1d", "0s", "1y", "infs"] {
            assert!(parse_span(text).is_err(), "{text}");
        }
    }
}
