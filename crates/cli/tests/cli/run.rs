//! Running the program in a temporary folder.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use tempfile::TempDir;

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_bloomwise");

/// A folder in which the program runs, gone after the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with `f.bw`: a filter of this kind, large enough that a few keys outside of it are denied.
    pub fn with_filter(kind: &str, keys: &str) -> Self {
        let folder = Folder::new();
        folder.write("keys.txt", keys);
        folder
            .run(&[
                "build",
                kind,
                "--positives",
                "keys.txt",
                "--bytes",
                "4096",
                "-o",
                "f.bw",
            ])
            .fine();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).expect("the folder can be written");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    /// The names of all files in it, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder can be read");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(self.0.path());
        command
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, b"")
    }

    /// Runs the program with this on its standard input.
    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Run {
        finish(&mut self.command(args), input)
    }
}

/// The program in this folder, after a shell has run some commands of its own.
#[cfg(unix)]
pub fn after(folder: &Folder, shell: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!(r#"{shell}; exec "$0" "$@""#), PROGRAM])
        .args(args)
        .current_dir(folder.path(""));
    command
}

/// Says loudly which test did not run: past the test runner, which shows nothing of tests that pass.
pub fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// Runs a command with this on its standard input.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("is piped");
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input closes it.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the program ends")
    });
    Run {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("remarks are UTF-8"),
    }
}

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    /// Exit code 0 and no remarks.
    pub fn fine(self) -> Self {
        let run = self.coded(0);
        assert_eq!(run.stderr, "", "no remarks");
        run
    }

    pub fn coded(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Exit code 2, nothing on standard output, and one line on standard error that has all of this in it.
    pub fn wrong(self, parts: &[&str]) {
        let run = self.coded(2).remarks(parts);
        assert!(run.stdout.is_empty(), "{run:?}");
    }

    /// One line on standard error that has all of this in it.
    pub fn remarks(self, parts: &[&str]) -> Self {
        let line = self.stderr.strip_suffix('\n').expect("a line ends");
        assert!(line.starts_with("bloomwise: "), "{line}");
        assert!(!line.contains('\n'), "{line}");
        for part in parts {
            assert!(line.contains(part), "{part:?} is not in: {line}");
        }
        self
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8")
    }

    /// What stands in the row of this name on standard output.
    pub fn row(&self, name: &str) -> &str {
        let row = self.text().lines().find_map(|line| {
            let rest = line.strip_prefix(name)?;
            rest.starts_with("  ").then(|| rest.trim())
        });
        row.unwrap_or_else(|| panic!("no row {name:?} in: {}", self.text()))
    }

    /// The one object on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).expect("JSON")
    }
}

/// The names in an object, in order.
pub fn names(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// Lines `from..to`.
pub fn numbers(range: std::ops::Range<u64>) -> String {
    range.map(|number| format!("{number}\n")).collect()
}
