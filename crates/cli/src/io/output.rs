//! Results on standard output, remarks on standard error.
//!
//! Results are buffered. A write that fails is an error that names the stream, never a panic. A closed pipe is not an error:
//! the reader has seen enough (`bloomwise query … | head`). For a filter on standard output it is one, see [`super::target`].

use bloomwise_compare::path::one_line;
use bloomwise_compare::{Error, Setting};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// The stream that results are printed to.
pub struct Output {
    /// The stream, buffered.
    sink: BufWriter<NamedStream>,
}

impl Output {
    /// Standard output, or standard error if `filter_on_stdout` says that the filter itself goes to standard output.
    pub fn new(filter_on_stdout: bool) -> Self {
        let stream = if filter_on_stdout {
            NamedStream {
                name: "standard error",
                sink: Box::new(io::stderr().lock()),
            }
        } else {
            NamedStream {
                name: "standard output",
                sink: Box::new(io::stdout().lock()),
            }
        };
        Output {
            sink: BufWriter::with_capacity(1 << 16, stream),
        }
    }

    /// Writes `object` as JSON on one line.
    pub fn json(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self, object)?;
        writeln!(self)
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

/// A stream whose errors name it.
struct NamedStream {
    /// The name in errors.
    name: &'static str,
    /// The stream.
    sink: Box<dyn Write>,
}

impl NamedStream {
    /// Adds the name of the stream to an error.
    fn explain(&self, error: &io::Error) -> io::Error {
        let text = format!("{}: {error}; the output is incomplete", self.name);
        io::Error::new(error.kind(), text)
    }
}

impl Write for NamedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes).map_err(|error| self.explain(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush().map_err(|error| self.explain(&error))
    }
}

/// Prints `text` to standard error, on one line.
pub fn remark(text: &str) {
    // If standard error is closed, there is no other place to report that.
    let _ = writeln!(io::stderr(), "bloomwise: {}", one_line(text));
}

/// A setting as the option that has its value: `--bits-per-key 10`.
pub fn option(setting: &Setting) -> String {
    let name = match setting.name {
        "settings" => "set".to_string(),
        name => name.replace('_', "-"),
    };
    match &setting.value {
        Some(value) => format!("--{name} {value}"),
        None => format!("--{name}"),
    }
}

/// The message of an error and of its causes. An error of a library already contains the text of its cause.
pub fn message(error: &anyhow::Error) -> String {
    let mut texts = Vec::new();
    for cause in error.chain() {
        if let Some(error) = cause.downcast_ref::<Error>() {
            texts.push(error.shown(&option));
            break;
        }
        texts.push(cause.to_string());
        if cause.is::<bloomwise::Error>() {
            break;
        }
    }
    texts.join(": ")
}

/// Whether the cause of an error is that the reader of the output closed the pipe.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref())
        .any(broken)
}
