//! Results on standard output, remarks on standard error.
//!
//! Results are buffered, and a write that fails is an error with a name, never a panic. One failure is none: whoever
//! reads closes the pipe when it has seen enough (`bloomwise query … | head`).

use serde_json::Value;
use std::io::{self, BufWriter, Write};

/// Where results go.
pub struct Output {
    sink: BufWriter<Named>,
}

impl Output {
    /// Standard output; or standard error, where standard output carries a filter.
    pub fn new(carries_filter: bool) -> Self {
        let named = if carries_filter {
            Named {
                name: "standard error",
                sink: Box::new(io::stderr().lock()),
            }
        } else {
            Named {
                name: "standard output",
                sink: Box::new(io::stdout().lock()),
            }
        };
        Output {
            sink: BufWriter::with_capacity(1 << 16, named),
        }
    }

    /// Writes one object on one line.
    pub fn json(&mut self, object: &Value) -> io::Result<()> {
        writeln!(self, "{object}")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// A stream that says who it is when it fails.
struct Named {
    /// What errors call it.
    name: &'static str,
    /// The stream itself.
    sink: Box<dyn Write>,
}

impl Named {
    fn explain(&self, error: &io::Error) -> io::Error {
        let text = format!("{}: {error}; the output is not complete", self.name);
        io::Error::new(error.kind(), text)
    }
}

impl Write for Named {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes).map_err(|error| self.explain(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush().map_err(|error| self.explain(&error))
    }
}

/// One line on standard error, whatever the text holds.
pub fn remark(text: &str) {
    // There is nowhere left to complain to.
    let _ = writeln!(io::stderr(), "bloomwise: {}", one_line(text));
}

/// A text on one line: names of files may have line breaks in them.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character {
            '\n' | '\r' => line.push(' '),
            // Names of files and keys shall not steer the terminal.
            control if control.is_control() => line.extend(control.escape_default()),
            other => line.push(other),
        }
    }
    line
}

/// Whether this is the reader of the output having gone away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref())
        .any(broken)
}
