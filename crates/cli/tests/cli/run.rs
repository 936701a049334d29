//! Runs the program in a temporary folder.
//!
//! Arguments are written as one line, as in a shell, and split at spaces.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The path of the program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_bloomwise");

/// A folder in which the program runs. It is deleted after the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder with `keys.txt` and `f.bw`, a filter of these keys. It is so large that a few other keys are all absent.
    pub fn with_filter(kind: &str, keys: &str) -> Self {
        let folder = Folder::new();
        folder.write("keys.txt", keys);
        let line = format!("build {kind} --positives keys.txt --bytes 4096 -o f.bw");
        folder.run(&line).succeeds();
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

    /// The names of all files in the folder, including hidden files.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder can be read");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The content of a text file.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    pub fn run(&self, line: &str) -> Run {
        self.run_with_input(line, b"")
    }

    /// Runs the program with a line of arguments and more arguments that may contain spaces.
    pub fn run_with_args(&self, line: &str, more: &[&str]) -> Run {
        finish(self.command(line).args(more), b"")
    }

    /// Runs the program with `input` on its standard input.
    pub fn run_with_input(&self, line: &str, input: &[u8]) -> Run {
        finish(&mut self.command(line), input)
    }

    /// What `inspect` prints about `f.bw`.
    pub fn inspect(&self) -> Value {
        self.run("inspect f.bw --json").succeeds().json()
    }
}

/// The program in `folder`, started by a shell that first runs the commands in `shell`.
#[cfg(unix)]
pub fn after(folder: &Folder, shell: &str, line: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!(r#"{shell}; exec "$0" "$@""#), PROGRAM])
        .args(line.split_whitespace())
        .current_dir(folder.path(""));
    command
}

/// Prints which test was skipped. It writes to standard error directly, because the test runner hides the output of tests that
/// pass.
pub fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// Starts a command with piped standard output and standard error.
pub fn spawn(command: &mut Command) -> Child {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("the program starts")
}

/// Runs a command with `input` on its standard input.
pub fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = spawn(command.stdin(Stdio::piped()));
    let mut stdin = child.stdin.take().expect("a pipe");
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program that does not read its input closes it.
            let _ = stdin.write_all(input);
        });
        wait(child)
    })
}

/// The longest wait of a test. It is far more than a busy machine needs, and only turns a hang into a failure.
#[cfg(unix)]
pub const HANGS: Duration = Duration::from_secs(600);

/// Waits until the program ends, and kills it if it hangs.
#[cfg(unix)]
pub fn wait_not_for_ever(mut child: Child) -> Run {
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() && start.elapsed() < HANGS {
        thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    wait(child)
}

/// Waits until the program ends.
pub fn wait(child: Child) -> Run {
    let output = child.wait_with_output().expect("the program ends");
    Run {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).expect("remarks are UTF-8"),
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    /// Checks for exit code 0 and no remarks.
    pub fn succeeds(self) -> Self {
        let run = self.exits_with(0);
        assert_eq!(run.stderr, "", "no remarks");
        run
    }

    /// Checks the exit code.
    pub fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Checks for exit code 2, nothing on standard output, and one line on standard error that contains all `parts`.
    pub fn fails(self, parts: &[&str]) {
        let run = self.exits_with(2).remarks(parts);
        assert!(run.stdout.is_empty(), "{run:?}");
    }

    /// Checks for one line on standard error that contains all `parts`.
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

    /// The value in the row `name` on standard output.
    pub fn row(&self, name: &str) -> &str {
        let row = self.text().lines().find_map(|line| {
            let rest = line.strip_prefix(name)?;
            rest.starts_with("  ").then(|| rest.trim())
        });
        row.unwrap_or_else(|| panic!("no row {name:?} in: {}", self.text()))
    }

    /// The JSON object on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).expect("JSON")
    }

    /// Checks that standard output contains `part`.
    pub fn prints(&self, part: &str) {
        let text = self.text();
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

/// The names of the fields of an object, in order.
pub fn names(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

/// One line per number.
pub fn numbers(range: std::ops::Range<u64>) -> String {
    range.map(|number| format!("{number}\n")).collect()
}

/// The number in a JSON field.
pub fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}
