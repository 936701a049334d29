//! Reads keys from Parquet tables.
//!
//! Only the columns of keys and costs are read, one row group at a time. Strings and byte arrays are keys as they are. The key
//! of an integer is its 8 little-endian bytes, as everywhere in this project. A null key is skipped and counted as empty.

use super::named::Bytes;
use super::source::{Compression, open_file};
use super::{Columns, Input, Role, Sink, column, cost, time};
use crate::host::{Host, Work};
use crate::{Error, Message, Result};
use parquet::basic::ConvertedType;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{Type, TypePtr};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

/// Whether the Parquet library is running. It panics on some damaged files; those panics are not printed.
static IN_LIBRARY: AtomicBool = AtomicBool::new(false);

/// Reads all rows and passes each key to `sink`.
pub fn read(
    input: Input<'_>,
    role: Role,
    columns: &Columns,
    host: &dyn Host,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let name = input.name;
    if input.compression != Compression::None {
        return Err(Error::invalid(format!(
            "{name}: compressed Parquet files are not supported; decompress the file first"
        )));
    }
    let Bytes::Path(path) = input.bytes else {
        return Err(Error::invalid(format!(
            "{name}: Parquet is not read from a stream; name a file"
        )));
    };
    let file = open_file(path)?;
    let bytes = file.metadata().ok().map(|file| file.len());
    let mut progress = host.begin(Work::Reading { name: &name, bytes });
    silence_panics();
    let table = catch_damage(&name, || SerializedFileReader::new(file))?;
    let schema = table.metadata().file_metadata().schema();
    let fields = schema.get_fields();
    let names: Vec<_> = fields.iter().map(|field| field.name()).collect();
    let positions = column::find(&name, &names, role, columns)?;
    let wanted = [Some(positions.key), positions.cost, positions.time];
    let wanted = wanted.into_iter().flatten();
    let wanted = wanted.map(|place| readable(&name, &fields[place]));
    let wanted = wanted.collect::<Result<_>>()?;
    // The projected schema must have the name of the full one.
    let wanted = Type::group_type_builder(schema.name()).with_fields(wanted);
    let wanted = catch_damage(&name, || wanted.build())?;

    let mut number = 0u64;
    for group in 0..table.num_row_groups() {
        let group = catch_damage(&name, || table.get_row_group(group))?;
        let mut rows = catch_damage(&name, || group.get_row_iter(Some(wanted.clone())))?;
        while let Some(row) = catch_damage(&name, || rows.next().transpose())? {
            number += 1;
            let mut fields = row.get_column_iter().map(|(_, field)| field);
            let key = fields.next().map_or(Ok(Vec::new()), key_of);
            let cost = match positions.cost {
                Some(_) => (fields.next()).map_or(Ok(cost::DEFAULT), |field| cost_of(field, role)),
                None => Ok(cost::DEFAULT),
            };
            let time = sink.check_time(fields.next().and_then(time_of));
            let valid = key.and_then(|key| Ok((key, cost?, time?)));
            match valid {
                Ok((key, cost, time)) => sink.take(&key, cost, time)?,
                Err(why) => sink.refuse(&name, &format!("row {number}"), why)?,
            }
        }
        progress.advance(u64::try_from(group.metadata().compressed_size()).unwrap_or(0));
        if host.is_cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(())
}

/// Stops panics inside the Parquet library from being printed.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !IN_LIBRARY.load(Ordering::Relaxed) {
                report(panicked);
            }
        }));
    });
}

/// Runs a function of the Parquet library. An error or a panic in it means that the file is damaged.
fn catch_damage<T>(name: &str, act: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    IN_LIBRARY.store(true, Ordering::Relaxed);
    // After a panic the reader is not used again, because the error ends the reading.
    let result = panic::catch_unwind(AssertUnwindSafe(act));
    IN_LIBRARY.store(false, Ordering::Relaxed);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(Error::invalid(format!(
            "{name}: not a valid Parquet file ({error}); get a new copy of the file"
        ))),
        Err(_) => Err(Error::invalid(format!(
            "{name}: not a valid Parquet file; get a new copy of the file"
        ))),
    }
}

/// Returns the column if its type can hold keys or costs.
fn readable(file: &str, field: &TypePtr) -> Result<TypePtr> {
    use ConvertedType as C;
    let info = field.get_basic_info();
    let plain = field.is_primitive()
        && !matches!(
            info.converted_type(),
            C::DECIMAL | C::INTERVAL | C::LIST | C::MAP
        );
    let single =
        !info.has_repetition() || info.repetition() != parquet::basic::Repetition::REPEATED;
    if plain && single {
        return Ok(Arc::clone(field));
    }
    Err(Error::invalid(format!(
        "{file}: the column {:?} holds neither strings, bytes nor numbers; name another column",
        field.name()
    )))
}

/// The bytes of a key.
fn key_of(field: &Field) -> Result<Vec<u8>, Message> {
    Ok(match field {
        Field::Null => Vec::new(),
        Field::Str(text) => text.as_bytes().to_vec(),
        Field::Bytes(bytes) => bytes.data().to_vec(),
        Field::ULong(number) => number.to_le_bytes().to_vec(),
        other => match integer(other) {
            Some(number) => number.to_le_bytes().to_vec(),
            None => {
                return Err(
                    "the key is neither a string, bytes nor an integer; name another column".into(),
                );
            }
        },
    })
}

/// The cost in a field of any numeric type or a string.
fn cost_of(field: &Field, role: Role) -> Result<f64, Message> {
    let parse = match role {
        Role::Events => cost::parse_event,
        Role::Keys | Role::Negatives => cost::parse,
    };
    let check = match role {
        Role::Events => cost::check_event,
        Role::Keys | Role::Negatives => cost::check,
    };
    let cost = match field {
        Field::Null => Ok(cost::DEFAULT),
        Field::Str(text) => parse(text.as_bytes()),
        Field::Double(number) => check(*number),
        Field::Float(number) => check(f64::from(*number)),
        Field::ULong(number) => check(*number as f64),
        other => match integer(other) {
            Some(number) => check(number as f64),
            None => return Err("the cost is not a number; name another column".into()),
        },
    };
    cost.map_err(|error| error.to_string().into())
}

/// The time in a field, in seconds: a timestamp, a number or text.
fn time_of(field: &Field) -> Option<f64> {
    match field {
        Field::TimestampMillis(millis) => Some(*millis as f64 / 1e3),
        Field::TimestampMicros(micros) => Some(*micros as f64 / 1e6),
        Field::Date(days) => Some(f64::from(*days) * 86_400.0),
        Field::Str(text) => time::parse(text.as_bytes()),
        Field::Double(number) => time::of_number(*number),
        other => time::of_number(integer(other)? as f64),
    }
}

/// The value of an integer field, unless it is an unsigned one of 64 bits.
fn integer(field: &Field) -> Option<i64> {
    Some(match *field {
        Field::Byte(number) => i64::from(number),
        Field::Short(number) => i64::from(number),
        Field::Int(number) => i64::from(number),
        Field::Long(number) => number,
        Field::UByte(number) => i64::from(number),
        Field::UShort(number) => i64::from(number),
        Field::UInt(number) => i64::from(number),
        _ => return None,
    })
}
