//! `BW.CREATE key kind [CAPACITY n] [BITSPERKEY b | ERROR p | BYTES n] [SET name value [name value ...]] [HASH hashing]`

use crate::arguments::{Cursor, is, natural, real, shown};
use crate::ffi::{Access, Call, Command, Meta};
use crate::hashing::Secret;
use crate::limits::Budget;
use crate::reply::Reply;
use crate::value::Value;
use bloomwise::sizing::NotOneSize;
use bloomwise::{AnyFilter, Error, Family, Operation, Size, Spec, Workload};
use valkey_module::ValkeyError;

/// Creates an empty filter of any kind that accepts items later.
pub struct Create;

impl Command for Create {
    const META: Meta = Meta {
        name: "bw.create",
        arity: -3,
        access: Access::Insert,
        fast: false,
        summary: "Creates an empty filter of any kind that accepts items later",
        complexity: "O(bytes)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let wanted = parse(call.rest())?;
        let secret = Secret::given(wanted.hashing)?;
        call.write_or(
            |budget| Ok(Value::new(Some(wanted.filter(&secret, budget)?), None)),
            |target| match target.is_new {
                true => Ok(()),
                false => Err(ValkeyError::Str("ERR item exists")),
            },
        )?;
        let mut arguments = call.rest().to_vec();
        if wanted.hashing.is_none() {
            arguments.extend([&b"HASH"[..], secret.text.as_bytes()]);
        }
        call.replicate_as("BW.CREATE", &arguments);
        call.notify("bw.create");
        Ok(Reply::Done)
    }
}

/// The false positive rate of a filter whose size was not given.
const DEFAULT_RATE: f64 = 0.01;

/// The first capacity of a filter that grows, if none was given.
const FIRST_CAPACITY: u64 = 1000;

/// What was asked for.
#[derive(Debug)]
struct Wanted<'a> {
    /// Everything but the hashing.
    spec: Spec,
    /// The capacity.
    capacity: Option<u64>,
    /// The bytes, if they were given.
    bytes: Option<u64>,
    /// The hashing, if it was given.
    hashing: Option<&'a [u8]>,
}

impl Wanted<'_> {
    /// The empty filter, if the budget allows.
    fn filter(&self, secret: &Secret, budget: &mut Budget) -> Result<AnyFilter, ValkeyError> {
        let capacity = match self.capacity {
            None if self.spec.family() == Family::Growing => Some(FIRST_CAPACITY),
            given => given,
        };
        let mut spec = self.spec.clone().hashing(secret.hashing);
        if let Some(capacity) = capacity {
            spec = spec.capacity(capacity);
        }
        let explained = |error| self.explained(error);
        let forecast = spec.forecast(&Workload::new(capacity.unwrap_or(0), 0));
        let bytes = forecast.map_err(explained)?.bits / 8;
        budget.take(bytes, bytes)?;
        spec.create().map_err(explained)
    }

    /// An error of the library, in the words of the command.
    fn explained(&self, error: Error) -> ValkeyError {
        match (error, self.bytes) {
            (Error::NoCapacity, _) => {
                ValkeyError::Str("ERR give CAPACITY, the number of items that the filter will hold")
            }
            (error, Some(bytes)) => {
                let bits = bytes.saturating_mul(8);
                ValkeyError::String(format!("ERR {error}; BYTES {bytes} are {bits} bits"))
            }
            (error, None) => error.into(),
        }
    }
}

/// The keywords after the kind.
const KEYWORDS: [&str; 6] = ["CAPACITY", "BITSPERKEY", "ERROR", "BYTES", "SET", "HASH"];

/// Reads the arguments after the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Wanted<'a>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let kind = String::from_utf8_lossy(cursor.expect()?).to_ascii_lowercase();
    let family: Family = kind.parse()?;
    if !family.can(Operation::Insert) {
        let text = format!(
            "ERR a {kind} filter has a fixed set; build it elsewhere and load it with BW.LOAD"
        );
        return Err(ValkeyError::String(text));
    }
    let mut spec = Spec::new(family);
    let (mut bits_per_key, mut rate, mut bytes) = (None, None, None);
    let (mut capacity, mut hashing) = (None, None);
    while let Some(keyword) = cursor.next() {
        if is(keyword, "CAPACITY") {
            let number = natural(cursor.expect()?);
            capacity = Some(number.ok_or_else(|| wrong(keyword, "a whole number"))?);
        } else if is(keyword, "BITSPERKEY") {
            let number = real(cursor.expect()?);
            let number = number.ok_or_else(|| wrong(keyword, "a number"))?;
            set_once(&mut bits_per_key, number)?;
        } else if is(keyword, "ERROR") {
            let number = real(cursor.expect()?);
            let number = number.ok_or_else(|| wrong(keyword, "a number between 0 and 1"))?;
            set_once(&mut rate, number)?;
        } else if is(keyword, "BYTES") {
            let number = natural(cursor.expect()?);
            let number = number.ok_or_else(|| wrong(keyword, "a whole number of bytes"))?;
            set_once(&mut bytes, number)?;
        } else if is(keyword, "HASH") {
            hashing = Some(cursor.expect()?);
        } else if is(keyword, "SET") {
            loop {
                let name = String::from_utf8_lossy(cursor.expect()?);
                let value = String::from_utf8_lossy(cursor.expect()?);
                let Ok(value) = value.parse::<bloomwise::info::Value>();
                spec = spec.set(&name, value)?;
                let next = cursor.peek();
                if next.is_none_or(|next| KEYWORDS.iter().any(|keyword| is(next, keyword))) {
                    break;
                }
            }
        } else {
            let (keyword, known) = (shown(keyword), KEYWORDS.join(", "));
            let text = format!("ERR unknown argument '{keyword}'; give one of {known}");
            return Err(ValkeyError::String(text));
        }
    }
    let size = match Size::one_of(bits_per_key, bytes, rate) {
        Ok(size) => size,
        Err(NotOneSize::None) => Size::Rate(DEFAULT_RATE),
        Err(NotOneSize::Several) => return Err(SEVERAL_SIZES),
    };
    Ok(Wanted {
        spec: spec.size(size),
        capacity,
        bytes,
        hashing,
    })
}

/// The error for several sizes.
const SEVERAL_SIZES: ValkeyError = ValkeyError::Str("ERR give one of BITSPERKEY, ERROR and BYTES");

/// Keeps a size, unless it was given before.
fn set_once<T>(size: &mut Option<T>, given: T) -> Result<(), ValkeyError> {
    match size.replace(given) {
        None => Ok(()),
        Some(_) => Err(SEVERAL_SIZES),
    }
}

/// The error for the value of a keyword.
fn wrong(keyword: &[u8], expected: &str) -> ValkeyError {
    ValkeyError::String(format!(
        "ERR {} needs {expected}",
        shown(keyword).to_ascii_uppercase()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Filter;

    fn made(text: &str) -> Result<AnyFilter, String> {
        let arguments: Vec<&[u8]> = text.split(' ').map(str::as_bytes).collect();
        let wanted = parse(&arguments).map_err(|error| error.to_string())?;
        let secret = Secret::given(wanted.hashing).map_err(|error| error.to_string())?;
        let filter = wanted.filter(&secret, &mut Budget::unlimited());
        filter.map_err(|error| error.to_string())
    }

    #[test]
    fn every_kind_that_accepts_items_can_be_created() {
        for family in Family::ALL
            .into_iter()
            .filter(|family| family.can(Operation::Insert))
        {
            let filter = made(&format!("{} CAPACITY 1000 BITSPERKEY 40", family.name()));
            let filter = filter.expect("sound");
            assert_eq!((filter.family(), filter.len()), (family, 0));
            assert!(filter.size_in_bits() <= 41_000, "{}", family.name());
        }
        let filter =
            made("CUCKOO capacity 1000 error 0.001 set exceptions 0.2 fingerprint 14 hash xxh3:7");
        assert!(filter.is_ok(), "{filter:?}");
        assert_eq!(
            made("growing").expect("has a default").capacity(),
            Some(1000)
        );
        assert_eq!(
            made("bloom BYTES 512 SET k 3")
                .expect("sound")
                .size_in_bits(),
            4096
        );
    }

    #[test]
    fn wrong_arguments_are_errors_that_say_what_to_do() {
        let cases = [
            ("blom CAPACITY 1", "did you mean bloom?"),
            ("guarded CAPACITY 1", "load it with BW.LOAD"),
            ("bloom", "give CAPACITY"),
            ("cuckoo CAPACITY 100000 BYTES 10", "BYTES 10 are 80 bits"),
            ("bloom CAPACITY -1", "CAPACITY needs a whole number"),
            ("bloom CAPACITY 1 ERROR x", "ERROR needs a number"),
            ("bloom CAPACITY 1 ERROR 2", "rate"),
            ("bloom BYTES 99999999999999999999", "BYTES needs"),
            (
                "bloom CAPACITY 1 ERROR 0.1 BYTES 5",
                "give one of BITSPERKEY, ERROR and BYTES",
            ),
            (
                "bloom CAPACITY 1 BYTES 5 BYTES 5",
                "give one of BITSPERKEY, ERROR and BYTES",
            ),
            ("bloom CAPACITY 1 SET x 1", "it has: k"),
            ("bloom CAPACITY 1 SET k", "Wrong Arity"),
            ("bloom CAPACITY 1 HASH x", "the hashing"),
            ("bloom CAPACITY 1 WHAT", "unknown argument 'WHAT'"),
        ];
        for (text, expected) in cases {
            let error = made(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
