//! Reading arguments.
//!
//! Numbers are read as strictly as the server reads them: `7` is a whole number, and `+7`, `07` and ` 7` are not.

use valkey_module::ValkeyError;

/// A whole number.
pub fn whole(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// A whole number of at least 0.
pub fn natural(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// A real number; infinities are some.
pub fn real(text: &[u8]) -> Option<f64> {
    let number: f64 = std::str::from_utf8(text).ok()?.parse().ok()?;
    (!number.is_nan()).then_some(number)
}

/// Whether an argument is this keyword, in capitals or not.
pub fn is(argument: &[u8], keyword: &str) -> bool {
    argument.eq_ignore_ascii_case(keyword.as_bytes())
}

/// The start of an argument as printable text for an error.
pub fn shown(argument: &[u8]) -> String {
    let start = &argument[..argument.len().min(64)];
    start.escape_ascii().to_string()
}

/// Arguments that are read one by one.
pub struct Cursor<'a> {
    rest: &'a [&'a [u8]],
}

impl<'a> Cursor<'a> {
    /// Starts with the first of these.
    pub fn new(arguments: &'a [&'a [u8]]) -> Self {
        Cursor { rest: arguments }
    }

    /// The next argument.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// The next argument, which has to be there.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn expect(&mut self) -> Result<&'a [u8], ValkeyError> {
        self.next().ok_or(ValkeyError::WrongArity)
    }

    /// The next argument, which stays.
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.rest.first().copied()
    }

    /// Skips the next argument if it is this keyword, and returns whether it was.
    pub fn skip(&mut self, keyword: &str) -> bool {
        let found = self.peek().is_some_and(|next| is(next, keyword));
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// All that was not read.
    pub fn rest(self) -> &'a [&'a [u8]] {
        self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_strictly() {
        assert_eq!(
            (whole(b"0"), whole(b"-12"), natural(b"7")),
            (Some(0), Some(-12), Some(7))
        );
        for text in [
            "",
            "+7",
            "07",
            " 7",
            "7 ",
            "-0",
            "1e3",
            "0.5",
            "9223372036854775808",
            "\u{664}",
        ] {
            assert_eq!(whole(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(
            (natural(b"-1"), natural(b"007"), whole(&[0xff])),
            (None, None, None)
        );
        assert_eq!(
            (real(b"0.01"), real(b"1e-3"), real(b".5")),
            (Some(0.01), Some(0.001), Some(0.5))
        );
        assert_eq!(
            (real(b"nan"), real(b""), real(b"0.1x"), real(b" 1")),
            (None, None, None, None)
        );
    }

    #[test]
    fn shown_argument_is_short_and_printable() {
        assert_eq!(shown(b"WHAT"), "WHAT");
        assert_eq!(shown("\u{4e00}\0".as_bytes()), r"\xe4\xb8\x80\x00");
        assert_eq!(shown(&[b'x'; 1000]).len(), 64);
    }

    #[test]
    fn cursor_reads_in_order() {
        let arguments: [&[u8]; 3] = [b"a", b"Items", b"b"];
        let mut cursor = Cursor::new(&arguments);
        assert!(!cursor.skip("ITEMS"));
        assert_eq!(cursor.next(), Some(&b"a"[..]));
        assert!(cursor.skip("ITEMS"));
        assert_eq!(cursor.rest(), [b"b"]);
        assert!(Cursor::new(&[]).expect().is_err());
    }
}
