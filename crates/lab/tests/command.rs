//! The command line, as a user would run it.

use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_bloomwise-lab"))
        .args(arguments)
        .output();
    command.expect("runs")
}

#[test]
fn help_lists_the_experiments_and_unknown_ones_get_a_line() {
    let help = lab(&["--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    for (name, about, _) in bloomwise_lab::catalogue::EXPERIMENTS {
        assert!(text.contains(name) && text.contains(about), "{name}");
    }
    let unknown = lab(&["habf-fig7"]);
    assert_eq!(unknown.status.code(), Some(2));
    let error = String::from_utf8_lossy(&unknown.stderr);
    assert_eq!(
        error,
        "bloomwise-lab: there is no experiment 'habf-fig7'; --help lists them\n"
    );
    assert_eq!(
        lab(&["balanced-fig2", "--scale", "0"]).status.code(),
        Some(2)
    );
}

#[test]
fn results_are_printed_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new").display().to_string();
    let done = lab(&["balanced-fig2", "--scale", "0.01", "--out", &out]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(String::from_utf8_lossy(&done.stdout).contains("| load |"));
    let mut names: Vec<_> = std::fs::read_dir(&out)
        .expect("is there")
        .map(|entry| {
            entry
                .expect("is there")
                .file_name()
                .into_string()
                .expect("is text")
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "balanced-fig2.json",
            "balanced-fig2.md",
            "balanced-fig2.svg"
        ]
    );
}
