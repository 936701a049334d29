//! Files of keys and logs for the readers of the command line: any bytes under any name, and tables that a plain writer writes, which
//! must be read back the same.
//!
//! The first byte chooses. Below 128 it is the name of a file, the second byte says how it is read, and the rest is the file. From 128
//! on the rest is a table.

#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use bloomwise::learn::Learner;
use bloomwise_compare::input::log::Layout;
use bloomwise_compare::input::{Columns, Input, Role, read};
use bloomwise_compare::{Quiet, Result};
use bloomwise_fuzz::init;
use bloomwise_fuzz::key_file::{COLUMNS, Format, Packing, Row};
use bloomwise_fuzz::memory::within;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Where the files are.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// Names with every ending that matters.
const NAMES: [&str; 9] = [
    "keys",
    "keys.csv",
    "keys.gz",
    "keys.csv.gz",
    "keys.zst",
    "keys.csv.zst",
    "keys.parquet",
    "keys.tsv",
    "keys.parquet.gz",
];

/// The most memory of a reader, however far a small file expands.
const MEMORY: usize = 256 << 20;

/// A table and how it is written.
#[derive(Arbitrary, Debug)]
struct Table {
    format: Format,
    packing: Packing,
    /// Keys, and their costs in quarters.
    rows: Vec<(Vec<u8>, u16)>,
    /// Bytes of the file that are changed, and by what. If there are none, the rows must come back.
    damage: Vec<(u16, u8)>,
}

fn write(name: &str, file: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    fs::write(&path, file).expect("a file can be written");
    path
}

/// Reads a file that may hold anything.
fn read_anything(path: &Path, how: u8) {
    let role = if how & 1 == 0 {
        Role::Keys
    } else {
        Role::Negatives
    };
    let column = |bit: u8, name: &str| (how & bit == 0).then(|| name.to_string());
    let columns = Columns {
        key: column(2, COLUMNS[0]).into_iter().collect(),
        cost: column(4, COLUMNS[1]),
        ..Columns::default()
    };
    let mut keys = 0;
    let counts = within(MEMORY, || {
        read(
            Input::file(path),
            role,
            &columns,
            &Quiet,
            |key, cost| -> Result<()> {
                assert!(!key.is_empty(), "empty keys are skipped");
                assert!(cost.is_finite() && cost >= 0.0, "cost {cost}");
                keys += 1;
                Ok(())
            },
        )
    });
    match counts {
        Ok(counts) => assert_eq!(counts.keys, keys),
        // The command prints it on one line.
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Reads a file that may hold anything as a log.
fn read_log(path: &Path, how: u8) {
    let names = match how & 1 {
        0 => ["key", "cost", "time"],
        _ => ["1", "2", "3"],
    };
    let column = |bit: u8, at: usize| (how & bit == 0).then(|| names[at].to_string());
    let columns = Columns {
        key: column(2, 0).into_iter().collect(),
        cost: column(4, 1),
        time: column(16, 2),
    };
    let layout = match how >> 6 {
        0 | 1 => Layout::Columns(columns),
        2 => Layout::Json(columns),
        _ => Layout::regex(r"(?<cost>\S+) (?<time>\S+) (?<key>.*)").expect("a pattern"),
    };
    let (mut events, times) = (0, how & 32 == 0);
    let counts = within(MEMORY, || {
        layout.read(Input::file(path), times, &Quiet, |event| -> Result<()> {
            assert!(!event.key.is_empty(), "empty keys are skipped");
            let cost = event.cost;
            assert!((0.0..=Learner::MAX_COST).contains(&cost), "cost {cost}");
            assert!(event.time.is_none_or(|time| times && time.is_finite()));
            events += 1;
            Ok(())
        })
    });
    match counts {
        Ok(counts) => assert_eq!(counts.events, events),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Writes a table and reads it back.
fn read_table(table: Table) {
    let Table {
        format,
        packing,
        rows,
        damage,
    } = table;
    let packing = if matches!(format, Format::Parquet(_)) {
        Packing::None
    } else {
        packing
    };
    let cost = |quarters: u16| {
        if format.has_costs() {
            f64::from(quarters) / 4.0
        } else {
            1.0
        }
    };
    let rows = rows.into_iter().filter(|(key, _)| format.can_hold(key));
    let rows: Vec<Row> = rows.map(|(key, quarters)| (key, cost(quarters))).collect();
    let text = format.write(&rows);
    let mut file = packing.pack(&text);
    for &(place, change) in &damage {
        let length = file.len().max(1);
        if let Some(byte) = file.get_mut(usize::from(place) % length) {
            *byte ^= change;
        }
    }
    let name = format!("table.{}{}", format.ending(), packing.ending());
    let path = write(&name, &file);
    // A text may not begin like a compressed file or with a byte order mark.
    let looks_packed = matches!(
        text[..],
        [0x1f, 0x8b, ..] | [0x28, 0xb5, ..] | [0x50..=0x5f, 0x2a, ..] | [0xef, 0xbb, ..]
    );
    if looks_packed || !damage.is_empty() {
        return read_anything(&path, u8::from(format.has_costs()));
    }
    expect_rows(&path, format.has_costs(), rows);
}

/// Reads a file. Panics unless it holds exactly these rows.
fn expect_rows(path: &Path, has_costs: bool, rows: Vec<Row>) {
    let role = if has_costs {
        Role::Negatives
    } else {
        Role::Keys
    };
    let [key, cost] = COLUMNS.map(str::to_string);
    let columns = Columns {
        key: vec![key],
        cost: Some(cost),
        ..Columns::default()
    };
    let mut got: Vec<Row> = Vec::new();
    let counts = read(
        Input::file(path),
        role,
        &columns,
        &Quiet,
        |key, cost| -> Result<()> {
            got.push((key.to_vec(), cost));
            Ok(())
        },
    );
    let counts = counts.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
    let (full, empty): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|(key, _)| !key.is_empty());
    assert_eq!(got, full);
    assert_eq!(
        (counts.keys, counts.skipped),
        (full.len() as u64, empty.len() as u64)
    );
}

fuzz_target!(init: init(), |bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    if choice >= 128 {
        if let Ok(table) = Table::arbitrary_take_rest(Unstructured::new(rest)) {
            read_table(table);
        }
    } else if let Some((&how, file)) = rest.split_first() {
        let name = NAMES[usize::from(choice) % NAMES.len()];
        let path = write(name, file);
        match how & 8 {
            0 => read_anything(&path, how),
            _ => read_log(&path, how),
        }
    }
});
