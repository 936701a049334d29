//! Invalid arguments are one-line errors with exit code 2.

use crate::run::Folder;
#[cfg(target_os = "linux")]
use crate::run::{after, finish};

#[test]
fn invalid_options_are_one_line_errors() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    let build = |more: &str| {
        let args = "build bloom --positives p.txt -o f.bw";
        folder.run(&format!("{args} {more}"))
    };
    build("").fails(&["--bits-per-key", "--bytes", "--fpr"]);
    build("--fpr 0.1 --bytes 10").fails(&["--fpr", "--bytes"]);
    build("--fpr ten").fails(&["ten", "--fpr"]);
    for threads in ["0", "1025", "4000000000"] {
        build(&format!("--fpr 0.1 --threads {threads}")).fails(&["--threads", threads, "1..=1024"]);
    }
    build("--fpr 0.1 --seed abc").fails(&["--seed", "decimal", "0x"]);
    build("--fpr 0.1 --set k").fails(&["--set", "NAME=VALUE"]);
    build("--fpr 0.1 --hash md5").fails(&["md5", "xxh3", "siphash"]);
    for (option, valid) in [
        ("--bytes", "a number of bytes, such as"),
        ("--capacity", "whole number from 0"),
        ("--seed", "decimal or 0x"),
        ("--threads", "1.."),
    ] {
        let size = "--fpr 0.1";
        let size = if option == "--bytes" { "" } else { size };
        build(&format!("{size} {option} -1")).fails(&[option, "-1", valid]);
    }
    build("--fpr 0.1 --threads 2").succeeds();
}

#[test]
fn errors_name_unknown_commands_and_options() {
    let folder = Folder::new();
    folder.run("bild").fails(&["'bild'", "'build'", "--help"]);
    folder.run("verify").fails(&["<FILTER>"]);
    folder
        .run("verify f.bw --jsn")
        .fails(&["'--jsn'", "'--json'"]);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = Folder::new();
    let run = folder.run("--version").succeeds();
    assert_eq!(
        run.text(),
        format!("bloomwise {}\n", env!("CARGO_PKG_VERSION"))
    );
    let run = folder.run("--help").succeeds();
    for command in ["build", "query", "inspect", "verify", "eval", "update"] {
        assert!(run.text().contains(&format!("\n  {command} ")), "{command}");
        assert!(
            folder
                .run(&format!("{command} --help"))
                .succeeds()
                .text()
                .contains("--json"),
            "{command}"
        );
    }
}

#[test]
fn no_arguments_print_help_with_exit_code_2() {
    let run = Folder::new().run("").exits_with(2);
    assert!(run.stderr.contains("Usage: bloomwise <COMMAND>"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn missing_threads_are_one_line_errors() {
    let folder = Folder::new();
    folder.write("p.txt", "ant\n");
    folder.write("n.txt", "bee\ncow\n");
    for line in [
        "build bloom --positives p.txt --bytes 64 -o f.bw",
        "compare --positives p.txt --negatives n.txt --kinds bloom",
        "plan --positives 10 --costs n.txt --bits-per-key 8",
        "demo",
    ] {
        // Each thread has a stack of 100 MB, so four fit. What is left is enough for everything else.
        let mut command = after(&folder, "ulimit -v 500000", line);
        command.envs([
            ("RAYON_NUM_THREADS", "1000"),
            ("RUST_MIN_STACK", "100000000"),
            ("MALLOC_ARENA_MAX", "1"),
        ]);
        finish(&mut command, b"").fails(&["cannot start a thread per core", "raise the limit"]);
    }
    assert_eq!(folder.names(), ["n.txt", "p.txt"]);
}

#[cfg(unix)]
#[test]
fn errors_stay_on_one_line_for_any_file_name() {
    let folder = Folder::new();
    folder
        .run_with_args("verify", &["two\nlines.bw"])
        .fails(&["two lines.bw"]);
    folder
        .run("verify \u{1b}[31mred.bw")
        .fails(&["\\u{1b}[31mred.bw"]);
}

#[test]
fn completions_and_the_manual_page_name_every_command() {
    let folder = Folder::new();
    for to in ["bash", "elvish", "fish", "powershell", "zsh", "man"] {
        let run = folder.run(&format!("completions {to}")).succeeds();
        for command in ["build", "plan", "query", "compare", "update"] {
            assert!(run.text().contains(command), "{to}: {command}");
        }
    }
    folder.run("completions tcsh").fails(&["tcsh", "bash"]);
}
