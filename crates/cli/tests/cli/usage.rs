//! Arguments that make no sense: one line, exit code 2.

use crate::run::Folder;

#[test]
fn a_size_is_needed_and_one_is_enough() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let build = |more: &[&str]| {
        let args = ["build", "bloom", "--positives", "p.txt", "-o", "f.bw"];
        folder.run(&[&args[..], more].concat())
    };
    build(&[]).wrong(&["--bits-per-key", "--bytes", "--fpr"]);
    build(&["--fpr", "0.1", "--bytes", "10"]).wrong(&["--fpr", "--bytes"]);
    build(&["--fpr", "ten"]).wrong(&["ten", "--fpr"]);
    for threads in ["0", "1025", "4000000000"] {
        build(&["--fpr", "0.1", "--threads", threads]).wrong(&["--threads", threads, "1..=1024"]);
    }
    build(&["--fpr", "0.1", "--seed", "abc"]).wrong(&["--seed", "decimal", "0x"]);
    build(&["--fpr", "0.1", "--set", "k"]).wrong(&["--set", "NAME=VALUE"]);
    build(&["--fpr", "0.1", "--hash", "md5"]).wrong(&["md5", "xxh3", "siphash"]);
    for (option, valid) in [
        ("--bytes", "whole number from 0"),
        ("--capacity", "whole number from 0"),
        ("--seed", "decimal or 0x"),
        ("--threads", "1.."),
    ] {
        let size = ["--fpr", "0.1"];
        let size = if option == "--bytes" { &[] } else { &size[..] };
        build(&[size, &[option, "-1"]].concat()).wrong(&[option, "-1", valid]);
    }
    build(&["--fpr", "0.1", "--threads", "2"]).fine();
}

#[test]
fn unknown_words_are_named() {
    let folder = Folder::new();
    folder
        .run(&["bild"])
        .wrong(&["'bild'", "'build'", "--help"]);
    folder.run(&["verify"]).wrong(&["<FILTER>"]);
    folder
        .run(&["verify", "f.bw", "--jsn"])
        .wrong(&["'--jsn'", "'--json'"]);
}

#[test]
fn help_and_version_are_results() {
    let folder = Folder::new();
    let run = folder.run(&["--version"]).fine();
    assert_eq!(
        run.text(),
        format!("bloomwise {}\n", env!("CARGO_PKG_VERSION"))
    );
    let run = folder.run(&["--help"]).fine();
    for command in ["build", "query", "inspect", "verify", "eval", "update"] {
        assert!(run.text().contains(&format!("\n  {command} ")), "{command}");
        assert!(
            folder
                .run(&[command, "--help"])
                .fine()
                .text()
                .contains("--json"),
            "{command}"
        );
    }
}

#[test]
fn no_word_at_all_gets_the_help_and_exit_code_2() {
    let run = Folder::new().run(&[]).coded(2);
    assert!(run.stderr.contains("Usage: bloomwise <COMMAND>"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn errors_stay_on_one_line_whatever_a_file_is_called() {
    let folder = Folder::new();
    folder
        .run(&["verify", "two\nlines.bw"])
        .wrong(&["two lines.bw"]);
    folder
        .run(&["verify", "\u{1b}[31mred.bw"])
        .wrong(&["\\u{1b}[31mred.bw"]);
}
