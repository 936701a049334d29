//! Keys from CSV files.

use crate::input::{build, gzip, present};
use crate::run::Folder;

#[test]
fn csv_columns_are_found_by_name() {
    let folder = Folder::new();
    folder.write(
        "p.csv",
        b"\xef\xbb\xbfid,key\r\n1,ant\r\n2,\"bee, \"\"queen\"\"\"\r\n3,\xff\r\n4,\r\n",
    );
    folder.write("n.csv.gz", gzip(b"price,key\n2.5,cow\n,dog\n0,ant\n"));
    let columns = "--key-column key --cost-column price";
    let run = build(&folder, "p.csv", &format!("{columns} --negatives n.csv.gz"));
    let report = run.exits_with(0).remarks(&["p.csv", "skipped: 1"]).json();
    assert_eq!(report["keys"], 3);
    assert_eq!(report["known_negatives"], 2);
    assert_eq!(report["overlap"], 1);
    assert_eq!(
        present(&folder, &["ant", "bee, \"queen\"", "key", "1"]),
        [true, true, false, false]
    );
}

#[test]
fn csv_errors_name_file_line_and_columns() {
    let folder = Folder::new();
    folder.write("p.csv", "id,key\n1,ant\n");
    folder.write("bad.csv", "key,price\nant,1\nbee,much\n");
    folder.write("short.csv", "id,key\n1,ant\n2\n");
    folder.write("empty.csv", "");
    build(&folder, "p.csv", "").fails(&["p.csv", "--key-column", "id, key"]);
    build(&folder, "p.csv", "--key-column name").fails(&["p.csv", "\"name\"", "id, key"]);
    build(&folder, "short.csv", "--key-column key").fails(&["short.csv, line 3", "1 fields", "2"]);
    build(&folder, "empty.csv", "--key-column key").fails(&["empty.csv", "no header row"]);
    let columns = "--key-column key --cost-column price --negatives bad.csv";
    build(&folder, "p.csv", columns).fails(&["bad.csv, line 3", "\"much\""]);
    let columns = "--key-column key --cost-column cost --negatives bad.csv";
    build(&folder, "p.csv", columns).fails(&["bad.csv", "\"cost\"", "key, price"]);
}

#[test]
fn csv_errors_count_lines_correctly() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let columns = "--key-column key --cost-column price";
    let columns = format!("{columns} --negatives n.csv");
    for (text, line) in [
        ("key,price\r\nant,1\r\nbee,x\r\n", 3),
        ("\n\nkey,price\n\n\nbee,x\n", 6),
        ("key,price\r\n\r\n\r\nbee,x\r\n", 4),
        ("key,price\n\"a\nb\nc\",1\nbee,x\n", 5),
        ("key,price\n\n\"a\nb\nc\",x\n", 3),
    ] {
        folder.write("n.csv", text);
        let place = format!("n.csv, line {line}:");
        build(&folder, "p.txt", &columns).fails(&[&place, "\"x\""]);
        folder.write("n.csv", text.replace(",x", ""));
        build(&folder, "p.txt", &columns).fails(&[&place, "1 fields"]);
    }
}

#[test]
fn unclosed_csv_quote_is_an_error() {
    let folder = Folder::new();
    folder.write("p.csv", "id,key\r\n1,ant\r\n2,\"bee\r\n3,cow\r\n4,dog\r\n");
    build(&folder, "p.csv", "--key-column key")
        .fails(&["p.csv, line 3", "quote that is never closed"]);
    folder.write("p.csv", "\"id,key\n1,ant\n");
    build(&folder, "p.csv", "--key-column key").fails(&["p.csv, line 1", "never closed"]);
}

#[test]
fn column_options_without_a_table_are_an_error() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    folder.write("p.csv", "key\nant\n");
    let only = ".csv and .parquet files only";
    build(&folder, "p.txt", "--key-column key").fails(&["--key-column", only]);
    build(&folder, "p.csv", "--key-column key --cost-column c").fails(&["--cost-column", only]);
}

#[test]
fn each_file_may_have_its_own_key_column() {
    let folder = Folder::new();
    folder.write("p.csv", "host,id\nant,1\nbee,2\n");
    folder.write("n.csv", "site,visits\ncow,7\ndog,3\n");
    let args =
        "build guarded --positives p.csv --negatives n.csv --bits-per-key 20 -o f.bw --force";
    let columns = "--key-column host --key-column site --cost-column visits";
    let run = folder.run(&format!("{args} {columns}")).succeeds();
    assert_eq!(run.row("first keys"), "ant, bee");
    assert_eq!(run.row("first negatives"), "cow, dog");
    let run = folder.run(&format!("{args} --key-column host"));
    run.fails(&["n.csv has no column \"host\"", "site, visits"]);
    let run = folder.run(&format!("{args} {columns} --key-column id"));
    run.fails(&["--key-column is given 3 times"]);
}
