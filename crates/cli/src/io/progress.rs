//! Progress on standard error: only on a terminal, and only for work that takes longer than a second.
//!
//! [`Terminal`] shows the progress of work in the crate `bloomwise_compare`: bytes that were read ([`Reading`]), or pieces of work. [`during`] shows
//! a spinner while some work runs. Each [`Line`] is cleared before anything else is printed. [`hide`] turns them off while results are printed.

use super::output::{option, remark};
use bloomwise_compare::{Host, Message, Progress, Work};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
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

/// The terminal, as the crate `bloomwise_compare` sees it.
pub struct Terminal;

impl Host for Terminal {
    fn begin<'a>(&'a self, work: Work<'_>) -> Box<dyn Progress + 'a> {
        match work {
            Work::Reading { name, bytes } => Box::new(Reading::new(name.to_string(), bytes)),
            Work::Steps(count) => Box::new(Line::of_steps(count)),
            Work::Whole(name) => Box::new(Line::spinner(name)),
        }
    }

    fn remark(&self, message: &Message) {
        remark(&message.shown(&option));
    }
}

/// A line with a bar or a spinner, which is hidden for the first second.
struct Line {
    /// What the line shows.
    bar: ProgressBar,
}

impl Line {
    /// A bar for `count` pieces of work, with the time left. The bars of the pieces themselves are turned off.
    fn of_steps(count: u64) -> Self {
        let bar = hidden_bar(Some(count), "{wide_bar} {pos} of {len}{left}: {msg}");
        show_after_delay(&bar, DELAY);
        hide();
        Line { bar }
    }

    /// A spinner with this name, and for how long it has been there.
    fn spinner(name: &'static str) -> Self {
        let bar = hidden_bar(None, "{msg} {spinner} {elapsed}").with_message(name);
        show_after_delay(&bar, SPINNER_STEP);
        Line { bar }
    }
}

impl Progress for Line {
    fn advance(&mut self, steps: u64) {
        self.bar.inc(steps);
    }

    fn step(&mut self, name: &str) {
        self.bar.set_message(name.to_string());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how much of a file has been read.
struct Reading {
    /// The line of the file.
    line: Line,
    /// Whether the line may be shown and is not shown yet.
    waiting: bool,
}

impl Reading {
    /// A bar for a file of `total` bytes; a spinner if the size is unknown.
    fn new(name: String, total: Option<u64>) -> Self {
        let template = match total {
            Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left",
            None => "{msg} {spinner} {bytes}",
        };
        let bar = hidden_bar(total, template).with_message(name);
        Reading {
            line: Line { bar },
            waiting: may_show(),
        }
    }
}

impl Progress for Reading {
    fn advance(&mut self, bytes: u64) {
        let bar = &self.line.bar;
        bar.inc(bytes);
        if self.waiting && bar.elapsed() >= DELAY {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            self.waiting = false;
        }
    }
}

/// Runs `work` and shows a spinner in the meantime.
pub fn during<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _spinner = Line::spinner(name);
    work()
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
