//! Keys in a Parquet table.
//!
//! Only the columns that are asked for are read, a group of rows at a time. Strings and byte arrays are keys as they
//! are; integers are keys as their 8 little-endian bytes, as everywhere in this project; a key that is null is skipped
//! and counted as empty.

use super::source::{Packing, open_file};
use super::{Role, Sink, column, cost};
use crate::args::Columns;
use crate::progress::Bar;
use anyhow::{Result, anyhow, bail};
use parquet::basic::ConvertedType;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{Type, TypePtr};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

/// Set while the reader of the format is at work: it panics on some damaged files, and nobody wants to read how.
static INSIDE: AtomicBool = AtomicBool::new(false);

/// Reads all rows.
pub fn read(
    path: &Path,
    packing: Packing,
    role: Role,
    columns: &Columns,
    sink: &mut Sink<'_>,
) -> Result<()> {
    let name = path.display().to_string();
    if packing != Packing::None {
        bail!("{name}: a Parquet file is compressed inside; unpack it first");
    }
    let file = open_file(path)?;
    let mut bar = Bar::new(name.clone(), file.metadata().ok().map(|file| file.len()));
    silence_panics();
    let table = soundly(&name, || SerializedFileReader::new(file))?;
    let schema = table.metadata().file_metadata().schema();
    let fields = schema.get_fields();
    let names: Vec<_> = fields.iter().map(|field| field.name()).collect();
    let chosen = column::choose(&name, &names, role, columns)?;
    let wanted = [Some(chosen.key), chosen.cost].into_iter().flatten();
    let wanted = wanted.map(|place| readable(&name, &fields[place]));
    let wanted = wanted.collect::<Result<_>>()?;
    // A selection of columns has to have the name of the whole.
    let wanted = Type::group_type_builder(schema.name()).with_fields(wanted);
    let wanted = wanted.build()?;

    let mut number = 0u64;
    for group in 0..table.num_row_groups() {
        let group = soundly(&name, || table.get_row_group(group))?;
        let mut rows = soundly(&name, || group.get_row_iter(Some(wanted.clone())))?;
        while let Some(row) = soundly(&name, || rows.next().transpose())? {
            number += 1;
            let mut fields = row.get_column_iter().map(|(_, field)| field);
            let key = fields.next().map_or(Ok(Vec::new()), key_of);
            let cost = fields.next().map_or(Ok(cost::DEFAULT), cost_of);
            let place = |wrong| anyhow!("{name}, row {number}: {wrong}");
            sink.take(&key.map_err(place)?, cost.map_err(place)?)?;
        }
        bar.advance(u64::try_from(group.metadata().compressed_size()).unwrap_or(0));
    }
    Ok(())
}

/// Lets panics inside of the reader pass without a report.
fn silence_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !INSIDE.load(Ordering::Relaxed) {
                report(panicked);
            }
        }));
    });
}

/// Lets the reader do something; whatever goes wrong there is wrong with the file.
fn soundly<T>(name: &str, act: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
    INSIDE.store(true, Ordering::Relaxed);
    // What a panic leaves behind is not looked at again: the error ends the reading.
    let result = panic::catch_unwind(AssertUnwindSafe(act));
    INSIDE.store(false, Ordering::Relaxed);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => bail!("{name}: not a sound Parquet file ({error}); get it again"),
        Err(_) => bail!("{name}: not a sound Parquet file; get it again"),
    }
}

/// The column, if it is of a type whose values can be read as keys or costs.
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
    bail!(
        "{file}: the column {:?} holds neither strings, bytes nor numbers; name another one",
        field.name()
    )
}

/// The bytes of a key.
fn key_of(field: &Field) -> Result<Vec<u8>, String> {
    Ok(match field {
        Field::Null => Vec::new(),
        Field::Str(text) => text.as_bytes().to_vec(),
        Field::Bytes(bytes) => bytes.data().to_vec(),
        Field::ULong(number) => number.to_le_bytes().to_vec(),
        other => match integer(other) {
            Some(number) => number.to_le_bytes().to_vec(),
            None => {
                return Err(
                    "the key is neither a string, bytes nor an integer; name another column"
                        .to_string(),
                );
            }
        },
    })
}

/// A cost in whatever type a column has it.
fn cost_of(field: &Field) -> Result<f64, String> {
    let cost = match field {
        Field::Null => Ok(cost::DEFAULT),
        Field::Str(text) => cost::parse(text.as_bytes()),
        Field::Double(number) => cost::check(*number),
        Field::Float(number) => cost::check(f64::from(*number)),
        Field::ULong(number) => cost::check(*number as f64),
        other => match integer(other) {
            Some(number) => cost::check(number as f64),
            None => return Err("the cost is no number; name another column".to_string()),
        },
    };
    cost.map_err(|wrong| wrong.to_string())
}

/// An integer of any width that fits.
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
