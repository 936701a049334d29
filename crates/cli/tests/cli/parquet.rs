//! Keys from Parquet files.

use crate::run::{Folder, Run};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

const SCHEMA: &str = "message arrow_schema {
    optional binary name (UTF8);
    required binary raw;
    required int64 id;
    optional double price;
    required boolean flag;
}";

/// A row group, by columns. `named` and `priced` say which rows have a name and a price; the others have a null.
struct Rows {
    names: &'static [&'static str],
    named: &'static [i16],
    raws: &'static [&'static [u8]],
    ids: &'static [i64],
    prices: &'static [f64],
    priced: &'static [i16],
}

const GROUPS: [Rows; 2] = [
    Rows {
        names: &["ant", ""],
        named: &[1, 0, 1],
        raws: &[b"\xff", b"r2", b"r3"],
        ids: &[7, -1, 1 << 40],
        prices: &[2.5, 0.0],
        priced: &[1, 0, 1],
    },
    Rows {
        names: &["bee"],
        named: &[1],
        raws: &[b"r4"],
        ids: &[8],
        prices: &[-1.0],
        priced: &[1],
    },
];

/// Writes a Parquet file.
fn write(folder: &Folder, name: &str) {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("a schema"));
    let file = File::create(folder.path(name)).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).expect("a writer");
    for rows in GROUPS {
        let mut group = writer.next_row_group().expect("a group");
        let names: Vec<_> = rows
            .names
            .iter()
            .map(|&name| ByteArray::from(name))
            .collect();
        let raws: Vec<_> = rows
            .raws
            .iter()
            .map(|raw| ByteArray::from(raw.to_vec()))
            .collect();
        let flags = vec![true; rows.ids.len()];
        for column in 0..5 {
            let mut writer = group
                .next_column()
                .expect("a column")
                .expect("another column");
            let written = match column {
                0 => writer
                    .typed::<ByteArrayType>()
                    .write_batch(&names, Some(rows.named), None),
                1 => writer
                    .typed::<ByteArrayType>()
                    .write_batch(&raws, None, None),
                2 => writer
                    .typed::<Int64Type>()
                    .write_batch(rows.ids, None, None),
                3 => writer
                    .typed::<DoubleType>()
                    .write_batch(rows.prices, Some(rows.priced), None),
                _ => writer.typed::<BoolType>().write_batch(&flags, None, None),
            };
            written.expect("values");
            writer.close().expect("a column ends");
        }
        group.close().expect("a group ends");
    }
    writer.close().expect("a file ends");
}

fn build(folder: &Folder, more: &str) -> Run {
    let args = "build bloom --bytes 4096 -o f.bw --force --json";
    folder.run(&format!("{args} {more}"))
}

#[test]
fn strings_bytes_and_integers_are_keys() {
    let folder = Folder::new();
    write(&folder, "t.parquet");
    let table = |column| format!("--positives t.parquet --key-column {column}");
    let run = build(&folder, &table("name"))
        .exits_with(0)
        .remarks(&["t.parquet", "skipped: 2"]);
    assert_eq!(run.json()["keys"], 2, "one is null and one is empty");
    folder.run("query f.bw ant bee").succeeds();

    assert_eq!(build(&folder, &table("raw")).succeeds().json()["keys"], 4);
    folder.write("q.txt", b"\xff\nr2\nr3\nr4\n");
    folder.run("query f.bw --keys q.txt").succeeds();

    assert_eq!(build(&folder, &table("id")).succeeds().json()["keys"], 4);
    let ids: Vec<_> = [7i64, -1, 1 << 40, 8]
        .iter()
        .flat_map(|id| [&id.to_le_bytes()[..], b"\n"].concat())
        .collect();
    folder.write("q.txt", ids);
    folder.run("query f.bw --keys q.txt").succeeds();
}

#[test]
fn costs_are_read_and_checked() {
    let folder = Folder::new();
    write(&folder, "t.parquet");
    folder.write("p.txt", "ant\n");
    let args = "--positives p.txt --negatives t.parquet --key-column raw";
    let report = build(&folder, args).succeeds().json();
    assert_eq!(
        report["known_negatives"], 4,
        "without a column, each costs 1"
    );
    build(&folder, &format!("{args} --cost-column price")).fails(&["t.parquet, row 4", "-1"]);
    build(&folder, &format!("{args} --cost-column flag"))
        .fails(&["t.parquet, row 1", "not a number"]);
}

#[test]
fn columns_may_have_any_order() {
    let folder = Folder::new();
    write(&folder, "t.parquet");
    folder.write("p.txt", "ant\n");
    let negatives = |key, cost| {
        let args = format!(
            "--positives p.txt --negatives t.parquet --key-column {key} --cost-column {cost}"
        );
        build(&folder, &args)
    };
    negatives("raw", "name").fails(&["t.parquet, row 1", "the cost \"ant\" is not a number"]);
    negatives("id", "id").fails(&["t.parquet, row 2", "the cost is -1"]);
}

#[test]
fn unreadable_files_are_one_line_errors() {
    let folder = Folder::new();
    write(&folder, "t.parquet");
    let bytes = folder.read("t.parquet");
    folder.write("cut.parquet", &bytes[..bytes.len() / 2]);
    folder.write("t.parquet.gz", &bytes);
    let file = |name, column| format!("--positives {name} --key-column {column}");
    build(&folder, &file("t.parquet", "flag")).fails(&["t.parquet, row 1", "another column"]);
    build(&folder, &file("t.parquet", "nix")).fails(&["\"nix\"", "name, raw, id, price, flag"]);
    build(&folder, "--positives t.parquet").fails(&["--key-column", "name, raw, id, price, flag"]);
    build(&folder, &file("cut.parquet", "name"))
        .fails(&["cut.parquet", "not a valid Parquet file"]);
    build(&folder, &file("t.parquet.gz", "name")).fails(&["t.parquet.gz", "decompress the file"]);
    build(&folder, &file("missing.parquet", "name")).fails(&["missing.parquet", "No such file"]);
}

#[test]
fn damaged_file_is_a_one_line_error_or_gives_other_keys() {
    let folder = Folder::new();
    write(&folder, "t.parquet");
    let valid = folder.read("t.parquet");
    let mut found = 0;
    for position in 0..valid.len() {
        let mut bytes = valid.clone();
        bytes[position] ^= 0xff;
        folder.write("x.parquet", &bytes);
        let run = build(&folder, "--positives x.parquet --key-column name");
        assert!(run.stderr.lines().count() <= 1, "byte {position}: {run:?}");
        if run.code != Some(0) {
            found += 1;
            run.fails(&["x.parquet"]);
        }
    }
    assert!(found > valid.len() / 4, "{found} of {}", valid.len());
}
