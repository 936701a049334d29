//! What a command answers, in RESP2 and RESP3.
//!
//! Clients of RESP3 get booleans, maps and doubles; those of RESP2 get 1 and 0, flat arrays and strings. The server knows which
//! protocol the client speaks and writes most of it accordingly. [`Reply::Field`] is the exception.
//!
//! Errors quote what the client has sent, which may be any bytes. [`printable`] turns them into ASCII in one place.

use std::ffi::{CString, c_char, c_long};
use valkey_module::{Context, ContextFlags, ValkeyError, raw};

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `OK`.
    Done,
    /// Yes or no: a boolean in RESP3, 1 or 0 in RESP2.
    Bool(bool),
    /// A whole number.
    Whole(u64),
    /// A real number.
    Real(f64),
    /// Text or bytes.
    Bytes(Vec<u8>),
    /// Nothing.
    Null,
    /// An error, as the answer or as an element of an array.
    Error(String),
    /// A list.
    List(Vec<Reply>),
    /// Names and values, in this order: a map in RESP3, a flat array in RESP2.
    Map(Vec<(&'static str, Reply)>),
    /// One name and its value: a map in RESP3, an array of the value alone in RESP2.
    Field(&'static str, Box<Reply>),
}

impl Reply {
    /// Text.
    pub fn text(text: impl ToString) -> Self {
        Reply::Bytes(text.to_string().into_bytes())
    }

    /// The answer to a command that takes one or many: that for the one, or a list.
    pub fn one_or_many(one: bool, mut replies: Vec<Reply>) -> Self {
        match (one, replies.pop()) {
            (true, Some(only)) => only,
            (_, last) => {
                replies.extend(last);
                Reply::List(replies)
            }
        }
    }

    /// Sends the answer.
    pub fn send(self, context: &Context) {
        let to = context.ctx;
        match self {
            Reply::Done => _ = context.reply_simple_string("OK"),
            Reply::Bool(yes) => _ = raw::reply_with_bool(to, yes.into()),
            Reply::Whole(number) => {
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                raw::reply_with_long_long(to, number);
            }
            Reply::Real(number) => _ = raw::reply_with_double(to, number),
            Reply::Bytes(bytes) => {
                let start = bytes.as_ptr().cast::<c_char>();
                raw::reply_with_string_buffer(to, start, bytes.len());
            }
            Reply::Null => _ = raw::reply_with_null(to),
            Reply::Error(text) => _ = context.reply_error_string(&printable(&text)),
            Reply::List(replies) => {
                raw::reply_with_array(to, replies.len() as c_long);
                replies.into_iter().for_each(|reply| reply.send(context));
            }
            Reply::Map(fields) => {
                raw::reply_with_map(to, fields.len() as c_long);
                for (name, value) in fields {
                    send_name(context, name);
                    value.send(context);
                }
            }
            Reply::Field(name, value)
                if context.get_flags().contains(ContextFlags::FLAGS_RESP3) =>
            {
                Reply::Map(vec![(name, *value)]).send(context);
            }
            Reply::Field(_, value) => Reply::List(vec![*value]).send(context),
        }
    }
}

/// Sends the error of a command.
pub fn send_error(context: &Context, error: ValkeyError) {
    match error {
        ValkeyError::String(text) => Reply::Error(text).send(context),
        ValkeyError::Str(text) => Reply::Error(text.to_string()).send(context),
        // The server has its own words for the others.
        other => _ = context.reply(Err(other)),
    }
}

/// The text in printable ASCII, on one line: other characters are escaped. The server takes errors and log lines as C strings, in which a zero ends
/// the text.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' => printable.push(character),
            other => printable.extend(other.escape_default()),
        }
    }
    printable
}

/// Sends the name of a field, as a simple string.
fn send_name(context: &Context, name: &'static str) {
    if let Ok(name) = CString::new(name) {
        raw::reply_with_simple_string(context.ctx, name.as_ptr());
    }
}

impl From<bool> for Reply {
    fn from(yes: bool) -> Self {
        Reply::Bool(yes)
    }
}

impl From<u64> for Reply {
    fn from(number: u64) -> Self {
        Reply::Whole(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_printable_ascii() {
        let text = "it's \"4 \u{2212} 2\" \\ \u{4e00}\u{0}\r\n\u{7f}\u{fffd}";
        let printed = printable(text);
        assert_eq!(
            printed,
            "it's \"4 \\u{2212} 2\" \\ \\u{4e00}\\u{0}\\r\\n\\u{7f}\\u{fffd}"
        );
        assert_eq!(printable(&printed), printed);
    }

    #[test]
    fn one_item_gets_an_answer_and_many_get_a_list() {
        let (yes, no) = (Reply::Bool(true), Reply::Bool(false));
        assert_eq!(Reply::one_or_many(true, vec![yes.clone()]), yes);
        let both = Reply::List(vec![yes.clone(), no.clone()]);
        assert_eq!(Reply::one_or_many(false, vec![yes.clone(), no]), both);
        let list = Reply::List(vec![yes.clone()]);
        assert_eq!(Reply::one_or_many(false, vec![yes]), list);
        assert_eq!(
            Reply::one_or_many(false, Vec::new()),
            Reply::List(Vec::new())
        );
    }
}
