//! Progress on standard error: only on a terminal, and only for work that takes longer than a second.
//!
//! [`Bar`] counts the bytes that were read. [`Steps`] counts pieces of work. [`during`] shows a spinner while some work runs.
//! Each clears its line before anything else is printed. [`hide`] turns them off while results are printed.

use crate::path::one_line;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long some work takes before it gets a bar.
const DELAY: Duration = Duration::from_secs(1);

/// The time between two steps of a spinner.
const SPINNER_STEP: Duration = Duration::from_millis(100);

/// Whether bars are turned off.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Turns bars off for the rest of the run.
pub fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// Shows how much of a file has been read.
pub struct Bar {
    /// The bar; hidden for the first second.
    bar: ProgressBar,
    /// Whether the bar may be shown and is not shown yet.
    waiting: bool,
}

impl Bar {
    /// A bar for a file of `total` bytes; a spinner if the size is unknown.
    pub fn new(name: String, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left",
            None => "{msg} {spinner} {bytes}",
        };
        Bar {
            bar: hidden_bar(total, template).with_message(name),
            waiting: may_show(),
        }
    }

    /// Records that `bytes` more bytes were read.
    pub fn advance(&mut self, bytes: u64) {
        self.bar.inc(bytes);
        if self.waiting && self.bar.elapsed() >= DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.waiting = false;
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how many pieces of work are done, and estimates the time left.
pub struct Steps {
    /// The bar; hidden for the first second.
    bar: ProgressBar,
}

impl Steps {
    /// A bar for `count` pieces of work. The bars of the pieces themselves are turned off.
    pub fn new(count: usize) -> Self {
        let bar = hidden_bar(Some(count as u64), "{wide_bar} {pos} of {len}{left}: {msg}");
        show_after_delay(&bar, DELAY);
        hide();
        Steps { bar }
    }

    /// Shows the name of the piece of work that begins.
    pub fn begin(&self, name: String) {
        self.bar.set_message(name);
    }

    /// Records that a piece of work is done.
    pub fn finish_one(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Runs `work` and shows a spinner in the meantime.
pub fn during<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = hidden_bar(None, "{msg} {spinner} {elapsed}").with_message(name);
    show_after_delay(&bar, SPINNER_STEP);
    let result = work();
    bar.finish_and_clear();
    result
}

/// Whether bars are on and standard error is a terminal.
fn may_show() -> bool {
    !HIDDEN.load(Ordering::Relaxed) && io::stderr().is_terminal()
}

/// A bar that nobody sees yet. If the template is invalid the bar keeps the default style: a bar is no reason to fail.
fn hidden_bar(total: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.with_key("left", time_left)),
        Err(_) => bar,
    }
}

/// Shows the bar after a second, unless the work is finished by then, and redraws it after each `step`.
fn show_after_delay(bar: &ProgressBar, step: Duration) {
    if !may_show() {
        return;
    }
    let bar = bar.clone();
    thread::spawn(move || {
        thread::sleep(DELAY);
        if !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(step);
        }
    });
}

/// Writes the estimated time left, once a piece of work is done.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // A bar is no reason to fail.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// Prints `text` to standard error, on one line.
pub fn remark(text: &str) {
    // If standard error is closed, there is no other place to report that.
    let _ = writeln!(io::stderr(), "bloomwise: {}", one_line(text));
}
