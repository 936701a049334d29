//! Runs the command line as a user would.

mod outcome;

use bloomwise_lab::catalogue::EXPERIMENTS;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn lab(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_bloomwise-lab"))
        .args(arguments)
        .output();
    command.expect("runs")
}

/// Asserts that the command rejects `arguments` with exit code 2, one line on standard error and no output. Returns the
/// message.
fn rejected(arguments: &[&str]) -> String {
    let output = lab(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.strip_suffix('\n').expect("ends with a newline");
    assert!(!line.contains('\n'), "{text}");
    let line = line.strip_prefix("bloomwise-lab: ");
    line.expect("starts with the program's name").to_string()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("exists");
    let names = entries.map(|entry| entry.expect("exists").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("is text"))
        .collect();
    names.sort();
    names
}

#[test]
fn help_lists_every_experiment() {
    let help = lab(&["--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    for experiment in &EXPERIMENTS {
        let found = text.lines().find(|line| {
            let mut words = line.split_whitespace();
            words.next().map(|name| name.trim_end_matches('*')) == Some(experiment.name)
        });
        let line = found.unwrap_or_else(|| panic!("{} is not listed", experiment.name));
        assert!(line.ends_with(experiment.about));
        assert_eq!(line.contains('*'), experiment.accepts_data);
    }
}

#[test]
fn wrong_name_or_number_is_a_one_line_error() {
    assert_eq!(
        rejected(&["habf-fig7"]),
        "unknown experiment 'habf-fig7'; see --help for the list"
    );
    for scale in ["0", "-1", "NaN", "11", "inf", "much"] {
        let line = rejected(&["balanced-fig2", "--scale", scale]);
        let end = "give a number above 0 and at most 10";
        assert!(line.contains(scale) && line.ends_with(end), "{line}");
    }
}

#[test]
fn wrong_option_of_the_soak_is_a_one_line_error() {
    for (option, value, end) in [
        ("--minutes", "0", "give a number above 0 and at most 525600"),
        (
            "--minutes",
            "NaN",
            "give a number above 0 and at most 525600",
        ),
        ("--threads", "0", "give a number from 1 to 1024"),
        (
            "--seed",
            "0xfg",
            "give a number below 2^64, or 0x and up to 16 digits",
        ),
        (
            "--life",
            "-1",
            "give a number below 2^64, or 0x and up to 16 digits",
        ),
    ] {
        let option = format!("{option}={value}");
        let line = rejected(&["soak", &option]);
        assert!(line.contains(value) && line.ends_with(end), "{line}");
    }
    let line = rejected(&["soak", "--minutes", "1", "--operations", "1"]);
    assert!(
        line.contains("--minutes") && line.contains("--operations"),
        "{line}"
    );
}

#[test]
fn data_is_rejected_where_it_would_be_ignored() {
    let line = rejected(&["balanced-fig2", "--data", "."]);
    assert!(line.starts_with("balanced-fig2 generates its keys"));
    let empty = tempfile::tempdir().expect("creates a folder");
    let empty = empty.path().display().to_string();
    for experiment in EXPERIMENTS
        .iter()
        .filter(|experiment| experiment.accepts_data)
    {
        let line = rejected(&[experiment.name, "--scale", "0.001", "--data", &empty]);
        assert!(line.contains(&format!("{empty}/positives.txt")), "{line}");
    }
    for name in ["all", "data"] {
        let line = rejected(&[name, "--data", "/no/folder"]);
        assert!(
            line.starts_with("--data /no/folder is not a folder"),
            "{line}"
        );
    }
    let line = rejected(&["report", "--data", &empty]);
    assert_eq!(line, "report reads recorded results; leave out --data");
}

#[test]
fn impossible_output_folder_is_reported_before_the_run() {
    let folder = tempfile::tempdir().expect("creates a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writes");
    let file = file.display().to_string();
    // The full-size run would take minutes.
    let line = rejected(&["peers", "--out", &file]);
    assert!(
        line.starts_with(&format!("cannot create the folder {file}")),
        "{line}"
    );
}

#[test]
fn report_without_results_is_an_error() {
    let empty = tempfile::tempdir().expect("creates a folder");
    let empty = empty.path().display().to_string();
    for folder in [empty.as_str(), "/no/folder"] {
        let line = rejected(&["report", "--out", folder]);
        assert!(
            line.starts_with(&format!("no results in {folder}")),
            "{line}"
        );
    }
}

#[test]
fn results_are_printed_and_written() {
    let folder = tempfile::tempdir().expect("creates a folder");
    let out = folder.path().join("new");
    let text = out.display().to_string();
    let done = lab(&["balanced-fig2", "--scale", "0.01", "--out", &text]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(String::from_utf8_lossy(&done.stdout).contains("| load |"));
    let expected = ["json", "md", "svg"].map(|end| format!("balanced-fig2.{end}"));
    assert_eq!(names(&out), expected);
}

/// `all` with an empty data folder: experiments that read files fail, the others run, and all failures are listed.
#[test]
fn one_failure_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("creates a folder");
    let out = folder.path().display().to_string();
    let empty = tempfile::tempdir().expect("creates a folder");
    let empty = empty.path().display().to_string();
    let arguments = ["--scale", "0.001", "--data", &empty, "--out", &out];
    let done = lab(&[&["all"], &arguments[..]].concat());
    assert_eq!(done.status.code(), Some(2));
    let text = String::from_utf8_lossy(&done.stderr);
    let (failed, count) = (
        EXPERIMENTS.iter().filter(|one| one.accepts_data).count(),
        EXPERIMENTS.len(),
    );
    let (progress, list) = text
        .split_once(&format!("{failed} of {count} experiments failed:\n"))
        .unwrap_or_else(|| panic!("{text}"));
    assert_eq!(list.lines().count(), failed);
    let written = names(folder.path());
    for (number, experiment) in (1..).zip(&EXPERIMENTS) {
        let name = experiment.name;
        let line = format!("[{number}/{count}] {name} ... ");
        assert!(progress.contains(&line), "{line}");
        assert_eq!(
            list.contains(&format!("  {name} failed: ")),
            experiment.accepts_data
        );
        match experiment.accepts_data {
            true => assert!(!written.contains(&format!("{name}.json"))),
            false => outcome::check(folder.path(), experiment),
        }
    }
    // An experiment on generated keys does not name the data folder.
    let path = folder.path().join("balanced-fig2.json");
    let text = fs::read_to_string(path).expect("exists");
    assert!(!text.contains("--data"));
}
