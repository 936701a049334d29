//! Settings of the module: `CONFIG SET bloomwise.<name> <value>`, or `--loadmodule <file> <name> <value>` when the server starts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use valkey_module::configuration::{
    ConfigurationContext, ConfigurationFlags, ConfigurationValue, register_i64_configuration,
    register_string_configuration,
};
use valkey_module::{Context, ValkeyError, ValkeyString};

/// The most bytes of a key.
pub static MAX_BYTES: AtomicI64 = AtomicI64::new(DEFAULT_BYTES);

/// The most bytes that a command may allocate.
pub static MAX_COMMAND_BYTES: AtomicI64 = AtomicI64::new(DEFAULT_BYTES);

/// The capacity of a filter that `BF.ADD` creates.
pub static INITIAL_SIZE: AtomicI64 = AtomicI64::new(100);

/// How many times the capacity of a layer the next one has, in a filter that `BF.ADD` creates; 0 if the filter does not grow.
pub static EXPANSION: AtomicI64 = AtomicI64::new(2);

/// The false positive rate of a filter that `BF.ADD` creates.
pub static ERROR_RATE: ErrorRate = ErrorRate(Mutex::new(0.01));

/// The name of that setting.
const ERROR_RATE_NAME: &str = "bf-error-rate";

/// Both limits, unless they are set: 128 MiB.
const DEFAULT_BYTES: i64 = 1 << 27;

/// The capacities of `BF.RESERVE`.
pub const CAPACITIES: std::ops::RangeInclusive<i64> = 1..=1 << 30;

/// The expansions of `BF.RESERVE`.
pub const EXPANSIONS: std::ops::RangeInclusive<i64> = 0..=32768;

/// The highest rate of `BF.RESERVE`; higher ones become this one.
pub const MAX_ERROR_RATE: f64 = 0.25;

/// A rate above 0 and below 1.
pub struct ErrorRate(Mutex<f64>);

impl ErrorRate {
    /// The rate.
    pub fn get(&self) -> f64 {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Sets the rate, if it is one.
    fn set(&self, text: &str) -> Result<(), ValkeyError> {
        match text.parse() {
            Ok(rate) if rate > 0.0 && rate < 1.0 => {
                let mut held = self
                    .0
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                *held = f64::min(rate, MAX_ERROR_RATE);
                Ok(())
            }
            _ => Err(ValkeyError::Str("give a number between 0 and 1")),
        }
    }
}

impl ConfigurationValue<ValkeyString> for ErrorRate {
    fn get(&self, _: &ConfigurationContext) -> ValkeyString {
        ValkeyString::create(None, ErrorRate::get(self).to_string())
    }

    fn set(&self, _: &ConfigurationContext, value: ValkeyString) -> Result<(), ValkeyError> {
        ErrorRate::set(self, value.try_as_str()?)
    }
}

/// Registers all settings. `arguments` are those of `--loadmodule`.
///
/// # Errors
///
/// An argument is unknown or has an impossible value.
pub fn register(context: &Context, arguments: &[&[u8]]) -> Result<(), String> {
    let (pairs, rest) = arguments.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("give each setting a value".to_string());
    }
    let numbers = [
        (
            "max-bytes",
            &MAX_BYTES,
            0,
            i64::MAX,
            ConfigurationFlags::MEMORY,
        ),
        (
            "max-command-bytes",
            &MAX_COMMAND_BYTES,
            0,
            i64::MAX,
            ConfigurationFlags::MEMORY,
        ),
        (
            "bf-initial-size",
            &INITIAL_SIZE,
            *CAPACITIES.start(),
            *CAPACITIES.end(),
            ConfigurationFlags::DEFAULT,
        ),
        (
            "bf-expansion-factor",
            &EXPANSION,
            *EXPANSIONS.start(),
            *EXPANSIONS.end(),
            ConfigurationFlags::DEFAULT,
        ),
    ];
    for [name, value] in pairs {
        let (name, text) = (
            String::from_utf8_lossy(name),
            String::from_utf8_lossy(value),
        );
        let name = match name.to_ascii_lowercase().as_str() {
            // The names that RedisBloom had first.
            "initial_size" => "bf-initial-size".to_string(),
            "error_rate" => ERROR_RATE_NAME.to_string(),
            other => other.to_string(),
        };
        if name == ERROR_RATE_NAME {
            let set = ERROR_RATE.set(&text);
            set.map_err(|error| format!("{name} cannot be {text}; {error}"))?;
            continue;
        }
        let known = numbers.iter().find(|number| number.0 == name);
        let (_, setting, least, most, flags) = known.ok_or_else(|| {
            let names: Vec<&str> = numbers.iter().map(|number| number.0).collect();
            let names = names.join(", ");
            format!("there is no setting {name}; give one of {names}, {ERROR_RATE_NAME}")
        })?;
        let (number, example) = match flags.contains(ConfigurationFlags::MEMORY) {
            true => (bytes(&text), " of bytes, such as 256mb"),
            false => (text.parse().ok(), ""),
        };
        let number = number.filter(|number| (*least..=*most).contains(number));
        let number = number.ok_or_else(|| {
            format!("{name} cannot be {text}; give a number{example} from {least} to {most}")
        })?;
        setting.store(number, Ordering::Relaxed);
    }
    for (name, setting, least, most, flags) in numbers {
        let default = setting.load(Ordering::Relaxed);
        register_i64_configuration(
            context, name, setting, default, least, most, flags, None, None,
        );
    }
    let default = ERROR_RATE.get().to_string();
    let flags = ConfigurationFlags::DEFAULT;
    register_string_configuration(
        context,
        ERROR_RATE_NAME,
        &ERROR_RATE,
        &default,
        flags,
        None,
        None,
    );
    Ok(())
}

/// A number of bytes, with the units that `CONFIG SET` takes: `256mb` are 256 MiB, and `256m` are 256,000,000 bytes.
fn bytes(text: &str) -> Option<i64> {
    let text = text.to_ascii_lowercase();
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "b" => 1,
        "k" => 1000,
        "kb" => 1 << 10,
        "m" => 1_000_000,
        "mb" => 1 << 20,
        "g" => 1_000_000_000,
        "gb" => 1 << 30,
        _ => return None,
    };
    digits.parse::<i64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_units_of_the_server() {
        let cases = [
            ("0", 0),
            ("1000", 1000),
            ("7b", 7),
            ("2k", 2000),
            ("2kb", 2048),
            ("3M", 3_000_000),
            ("256mb", 1 << 28),
            ("1g", 1_000_000_000),
            ("4GB", 1 << 32),
        ];
        for (text, number) in cases {
            assert_eq!(bytes(text), Some(number), "{text}");
        }
        for text in [
            "",
            "mb",
            "1.5gb",
            "1 mb",
            "9223372036854775807kb",
            "1tb",
            "x",
        ] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
