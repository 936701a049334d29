//! The command line, as a user would run it.

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

/// What is said of arguments that are wrong, which is one line, with exit code 2 and nothing measured.
fn refused(arguments: &[&str]) -> String {
    let output = lab(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.strip_suffix('\n').expect("ends");
    assert!(!line.contains('\n'), "{text}");
    let line = line.strip_prefix("bloomwise-lab: ");
    line.expect("says who speaks").to_string()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("is there");
    let names = entries.map(|entry| entry.expect("is there").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.into_string().expect("is text"))
        .collect();
    names.sort();
    names
}

#[test]
fn help_lists_the_experiments() {
    let help = lab(&["--help"]);
    let text = String::from_utf8_lossy(&help.stdout);
    for experiment in &EXPERIMENTS {
        let found = text.lines().find(|line| {
            let mut words = line.split_whitespace();
            words.next().map(|name| name.trim_end_matches('*')) == Some(experiment.name)
        });
        let line = found.unwrap_or_else(|| panic!("{} is not there", experiment.name));
        assert!(line.ends_with(experiment.about));
        assert_eq!(line.contains('*'), experiment.files);
    }
}

#[test]
fn wrong_names_and_numbers_get_a_line() {
    assert_eq!(
        refused(&["habf-fig7"]),
        "there is no experiment 'habf-fig7'; --help lists them"
    );
    for scale in ["0", "-1", "NaN", "11", "inf", "much"] {
        let line = refused(&["balanced-fig2", "--scale", scale]);
        let end = "it must be a number above 0, up to 10";
        assert!(line.contains(scale) && line.ends_with(end), "{line}");
    }
}

#[test]
fn files_are_refused_where_they_would_be_ignored() {
    let line = refused(&["balanced-fig2", "--data", "."]);
    assert!(line.starts_with("balanced-fig2 makes its own keys"));
    let empty = tempfile::tempdir().expect("a folder");
    let empty = empty.path().display().to_string();
    for experiment in EXPERIMENTS.iter().filter(|experiment| experiment.files) {
        let line = refused(&[experiment.name, "--scale", "0.001", "--data", &empty]);
        assert!(line.contains(&format!("{empty}/positives.txt")), "{line}");
    }
    for name in ["all", "data"] {
        let line = refused(&[name, "--data", "/no/folder"]);
        assert!(line.starts_with("/no/folder is no folder"), "{line}");
    }
    let line = refused(&["report", "--data", &empty]);
    assert_eq!(line, "report runs nothing and takes no --data");
}

#[test]
fn a_folder_that_cannot_be_is_told_of_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writes");
    let file = file.display().to_string();
    // At full size this would take minutes.
    let line = refused(&["peers", "--out", &file]);
    assert!(
        line.starts_with(&format!("cannot make the folder {file}")),
        "{line}"
    );
}

#[test]
fn a_report_of_nothing_is_refused() {
    let empty = tempfile::tempdir().expect("a folder");
    let empty = empty.path().display().to_string();
    for folder in [empty.as_str(), "/no/folder"] {
        let line = refused(&["report", "--out", folder]);
        assert!(
            line.starts_with(&format!("there are no results in {folder}")),
            "{line}"
        );
    }
}

#[test]
fn results_are_printed_and_written() {
    let folder = tempfile::tempdir().expect("a folder");
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

/// `all` on a folder without files: those that need them fail, the others run, and all failures are listed.
#[test]
fn one_failure_does_not_stop_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().display().to_string();
    let empty = tempfile::tempdir().expect("a folder");
    let empty = empty.path().display().to_string();
    let arguments = ["--scale", "0.001", "--data", &empty, "--out", &out];
    let done = lab(&[&["all"], &arguments[..]].concat());
    assert_eq!(done.status.code(), Some(2));
    let text = String::from_utf8_lossy(&done.stderr);
    let (failed, count) = (
        EXPERIMENTS.iter().filter(|one| one.files).count(),
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
            experiment.files
        );
        assert_eq!(written.contains(&format!("{name}.json")), !experiment.files);
    }
    // What ran on made keys does not name the files.
    let path = folder.path().join("balanced-fig2.json");
    let text = fs::read_to_string(path).expect("is there");
    assert!(!text.contains("--data"));
}
