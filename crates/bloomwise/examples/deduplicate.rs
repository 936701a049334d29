//! Drops lines of a stream that came before, in bounded memory: two filters take turns, so that old lines are forgotten. A
//! few new lines are dropped too, at the false positive rate.
//!
//! `cargo run -p bloomwise --example deduplicate < README.md`

use bloomwise::{Bloom, Filter, Insert, Result, Size};
use std::io::{self, BufRead, Write};

/// Remembers at least the last `window` distinct lines and at most twice as many.
struct Window {
    current: Bloom,
    previous: Bloom,
    empty: Bloom,
}

impl Window {
    fn new(window: u64) -> Result<Self> {
        let builder = Bloom::builder(Size::Rate(0.0001)).capacity(window);
        Ok(Window {
            current: builder.create()?,
            previous: builder.create()?,
            empty: builder.create()?,
        })
    }

    /// Whether the line is new; it is remembered from now on.
    fn is_new(&mut self, line: &str) -> bool {
        if self.previous.contains(line) || !self.current.insert(line) {
            return false;
        }
        if Some(self.current.len()) >= self.current.capacity() {
            self.previous = std::mem::replace(&mut self.current, self.empty.clone());
        }
        true
    }
}

/// Copies the lines that are new, and returns how many came and how many were dropped.
pub fn deduplicate(input: impl BufRead, mut output: impl Write) -> io::Result<(u64, u64)> {
    let mut seen = Window::new(100_000).map_err(io::Error::other)?;
    let (mut lines, mut dropped) = (0, 0);
    for line in input.lines() {
        let line = line?;
        lines += 1;
        if seen.is_new(&line) {
            writeln!(output, "{line}")?;
        } else {
            dropped += 1;
        }
    }
    Ok((lines, dropped))
}

/// Copies the standard input.
pub fn main() -> io::Result<()> {
    let (lines, dropped) = deduplicate(io::stdin().lock(), io::stdout().lock())?;
    eprintln!("{lines} lines, {dropped} of them dropped");
    Ok(())
}
