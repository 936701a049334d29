//! Names of files that are long, or that contain characters which control a terminal.

use crate::run::{Folder, Run};

/// The longest name of a file on most systems, in bytes.
const LONGEST: usize = 255;

fn build(folder: &Folder, positives: &str, out: &str) -> Run {
    let line = "build bloom --bytes 64 --positives";
    folder.run_with_args(line, &[positives, "-o", out])
}

#[cfg(unix)]
#[test]
fn name_may_be_as_long_as_the_system_allows() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let names = ["x".repeat(LONGEST), "ä".repeat(LONGEST / 2) + "x"];
    for name in &names {
        assert_eq!(name.len(), LONGEST, "bytes count, not characters");
        build(&folder, "p.txt", name).succeeds();
        let line = "build bloom --bytes 128 --positives p.txt --force -o";
        folder.run_with_args(line, &[name]).succeeds();
        let update = ["--insert", "p.txt", "--", name];
        folder.run_with_args("update", &update).succeeds();
        folder.run_with_args("query", &[name, "ant"]).succeeds();
    }
    assert_eq!(folder.names().len(), names.len() + 1);
}

#[cfg(unix)]
#[test]
fn name_that_is_too_long_is_an_error_before_keys_are_read() {
    let folder = Folder::new();
    folder.write("f.bw", "not a filter");
    let longer = "x".repeat(LONGEST + 1);
    let names = [
        longer.clone(),
        "ä".repeat(LONGEST / 2 + 1),
        format!("{longer}/f.bw"),
        format!("{}f.bw", "./".repeat(3000)),
    ];
    for name in &names {
        build(&folder, "missing.txt", name).fails(&["cannot be written", "too long", "with -o"]);
        let update = ["--insert", "missing.txt", "-o", name];
        folder
            .run_with_args("update f.bw", &update)
            .fails(&["cannot be written", "too long"]);
        let line = "compare --positives missing.txt --negatives missing.txt --html";
        folder.run_with_args(line, &[name]).fails(&[
            "cannot be written",
            "too long",
            "with --html",
        ]);
    }
    build(&folder, "missing.txt", "f.bw/g.bw").fails(&["f.bw/g.bw cannot be written", "with -o"]);
    assert_eq!(folder.names(), ["f.bw"]);
}

/// A name that would clear the screen, change the title of the window, end the line and reverse what follows.
#[cfg(unix)]
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;x\u{7}\n\r\u{9b}b\u{202e}\u{7f}";

/// Checks that a text contains the escaped name and no control characters besides those that end lines and cells.
#[cfg(unix)]
fn is_harmless(text: &str) {
    assert!(text.contains(r"a\u{1b}[2J\u{1b}]0;x\u{7}"), "{text:?}");
    let reverses = text.contains('\u{202e}');
    let controls = text.chars().any(|c| c.is_control() && c != '\n');
    assert!(!reverses && !controls, "{text:?}");
}

#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped_on_success() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n\n");
    folder.write(HOSTILE, "bee\n\n");
    let filter = format!("{HOSTILE}.bw");
    let run = build(&folder, HOSTILE, &filter).exits_with(0);
    is_harmless(run.text());
    is_harmless(&run.stderr);
    assert_eq!(run.text().matches("written").count(), 1);
    assert!(run.row("written").ends_with(".bw"), "it is one line");
    let run = folder.run_with_args("update --insert", &[HOSTILE, "--", &filter]);
    is_harmless(run.exits_with(0).text());
    let page = format!("{HOSTILE}.html");
    let line = "compare --positives p.txt --kinds bloom --bits-per-key 8 --holdout 0.5";
    folder.write(HOSTILE, "bee\ncow\n");
    let run = folder.run_with_args(line, &["--negatives", HOSTILE, "--html", &page]);
    is_harmless(run.exits_with(0).text());
    is_harmless(&folder.text(&page));
}

#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped_in_errors() {
    let folder = Folder::with_filter("bloom", "ant\n");
    let fails = |line: &str| {
        let run = folder.run_with_args(line, &[HOSTILE]).exits_with(2);
        is_harmless(&run.stderr);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    };
    std::fs::create_dir(folder.path(HOSTILE)).expect("a folder");
    for line in [
        "verify",
        "query f.bw --keys",
        "update f.bw --insert keys.txt -o",
        "build bloom --bytes 64 --positives keys.txt -o",
        "demo --html",
    ] {
        fails(line);
    }
    std::fs::remove_dir(folder.path(HOSTILE)).expect("an empty folder");
    fails("verify");
    fails("eval f.bw --positives keys.txt --unseen");
    folder.write(HOSTILE, "rubbish");
    fails("verify");
    fails("build bloom --bytes 64 --positives keys.txt -o");
    fails("update f.bw --insert keys.txt -o");
}
