//! Errors and remarks: what is wrong, where, and what to do, in one line.
//!
//! They name settings, such as `bits_per_key`. Every front end writes a setting in its own way: `--bits-per-key 10` on the command line,
//! `bits_per_key=10` in Python. So a [`Message`] keeps settings apart from the words around them.

use std::error::Error as StdError;
use std::fmt::{self, Display};
use std::ops::Add;

/// The result of what can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A setting in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name, with underscores between words.
    pub name: &'static str,
    /// The value, if the message is about one.
    pub value: Option<String>,
}

impl Setting {
    /// A setting of any value.
    pub fn named(name: &'static str) -> Self {
        Setting { name, value: None }
    }

    /// A setting that has this value.
    pub fn with(name: &'static str, value: impl Display) -> Self {
        let value = Some(value.to_string());
        Setting { name, value }
    }
}

impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={value}", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// A line for people, which may name settings.
///
/// ```
/// use bloomwise_compare::{Message, Setting};
///
/// let message = Message::from("use more ") + Setting::named("bits_per_key");
/// assert_eq!(message.to_string(), "use more bits_per_key");
/// let command = message.shown(&|setting| format!("--{}", setting.name.replace('_', "-")));
/// assert_eq!(command, "use more --bits-per-key");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Words and settings, in order.
    parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Words.
    Words(String),
    /// A setting.
    Setting(Setting),
}

impl Message {
    /// The message, with settings as `name` writes them.
    pub fn shown(&self, name: &dyn Fn(&Setting) -> String) -> String {
        let part = |part: &Part| match part {
            Part::Words(words) => words.clone(),
            Part::Setting(setting) => name(setting),
        };
        self.parts.iter().map(part).collect()
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(&Setting::to_string))
    }
}

impl From<&str> for Message {
    fn from(words: &str) -> Self {
        Message::from(words.to_string())
    }
}

impl From<String> for Message {
    fn from(words: String) -> Self {
        let parts = vec![Part::Words(words)];
        Message { parts }
    }
}

impl From<Setting> for Message {
    fn from(setting: Setting) -> Self {
        let parts = vec![Part::Setting(setting)];
        Message { parts }
    }
}

impl<M: Into<Message>> Add<M> for Message {
    type Output = Message;

    fn add(mut self, more: M) -> Message {
        self.parts.extend(more.into().parts);
        self
    }
}

/// Why something failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file, a key or a setting is not what it should be.
    Invalid(Message),
    /// Memory ran out.
    Memory {
        /// What to do.
        advice: Message,
        /// What did not fit.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The library refuses the value of a setting.
    Refused {
        /// The setting.
        setting: Setting,
        /// Why it is refused.
        source: Box<bloomwise::Error>,
    },
    /// The library failed.
    Library(bloomwise::Error),
    /// The front end ended the work ([`Host::is_cancelled`](crate::Host::is_cancelled)).
    Cancelled,
}

impl Error {
    /// An error with this message.
    pub fn invalid(message: impl Into<Message>) -> Self {
        Error::Invalid(message.into())
    }

    /// Turns the reason why memory ran out into an error with this advice.
    pub(crate) fn memory<E: Into<Box<dyn StdError + Send + Sync>>>(
        advice: impl Into<Message>,
    ) -> impl FnOnce(E) -> Error {
        |source| Error::Memory {
            advice: advice.into(),
            source: source.into(),
        }
    }

    /// Turns the reason why a setting is refused into an error.
    #[cfg(feature = "input")]
    pub(crate) fn refused(name: &'static str) -> impl FnOnce(bloomwise::Error) -> Error {
        move |source| Error::Refused {
            setting: Setting::named(name),
            source: Box::new(source),
        }
    }

    /// The error on one line, with settings as `name` writes them.
    pub fn shown(&self, name: &dyn Fn(&Setting) -> String) -> String {
        match self {
            Error::Invalid(message) => message.shown(name),
            Error::Memory { advice, source } => format!("{}: {source}", advice.shown(name)),
            Error::Refused { setting, source } => format!("{}: {source}", name(setting)),
            Error::Library(source) => source.to_string(),
            Error::Cancelled => "cancelled".to_string(),
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(&Setting::to_string))
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Error::Invalid(_) | Error::Cancelled => None,
            Error::Memory { source, .. } => Some(&**source),
            Error::Refused { source, .. } => Some(source),
            Error::Library(source) => Some(source),
        }
    }
}

impl From<Message> for Error {
    fn from(message: Message) -> Self {
        Error::Invalid(message)
    }
}

impl From<bloomwise::Error> for Error {
    fn from(error: bloomwise::Error) -> Self {
        Error::Library(error)
    }
}
