//! Progress on standard error: on a terminal, and for what takes longer than a second.
//!
//! [`Bar`] is for reading, where the bytes read so far are known; [`Steps`] for work in pieces; [`during`] for work that only
//! ends. All clear their line before anything else is printed; where results are printed all the while, [`hide`] keeps them away.

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long something takes before it is worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a spinner turns.
const TURN: Duration = Duration::from_millis(100);

/// Whether there are to be no bars.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no bars from now on.
pub fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// The bytes of a file that have been read.
pub struct Bar {
    /// What is being read.
    name: String,
    /// The bytes there are, where that is known.
    total: Option<u64>,
    /// The bytes read so far.
    done: u64,
    /// When reading began.
    since: Instant,
    /// The bar, once it took a second.
    shown: Option<ProgressBar>,
}

impl Bar {
    /// A bar for a file of so many bytes; a spinner where nobody knows.
    pub fn new(name: String, total: Option<u64>) -> Self {
        Bar {
            name,
            total,
            done: 0,
            since: Instant::now(),
            shown: None,
        }
    }

    /// Tells that so many bytes more were read.
    pub fn advance(&mut self, bytes: u64) {
        self.done += bytes;
        let waits = self.shown.is_none() && !HIDDEN.load(Ordering::Relaxed);
        if waits && self.since.elapsed() >= PATIENCE {
            let (bar, template) = match self.total {
                Some(total) => (
                    ProgressBar::new(total),
                    "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left",
                ),
                None => (ProgressBar::new_spinner(), "{msg} {spinner} {bytes}"),
            };
            self.shown = Some(styled(bar, template).with_message(self.name.clone()));
        }
        if let Some(bar) = &self.shown {
            bar.set_position(self.done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// Pieces of work, one after the other, with an estimate of the time that is left.
pub struct Steps {
    /// The bar; hidden off a terminal.
    bar: ProgressBar,
}

impl Steps {
    /// A bar for so many pieces of work. It stands alone: what they would show themselves is hidden.
    pub fn new(count: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::hidden());
        let bar = styled(bar, "{wide_bar} {pos} of {len}{left}: {msg}");
        if !HIDDEN.swap(true, Ordering::Relaxed) {
            let shown = bar.clone();
            thread::spawn(move || {
                thread::sleep(PATIENCE);
                if !shown.is_finished() {
                    shown.set_draw_target(ProgressDrawTarget::stderr());
                    shown.enable_steady_tick(PATIENCE);
                }
            });
        }
        Steps { bar }
    }

    /// Tells what is being done now.
    pub fn begin(&self, name: String) {
        self.bar.set_message(name);
    }

    /// Tells that it is done.
    pub fn finish_one(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Does some work, with a spinner beside it.
pub fn during<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    if HIDDEN.load(Ordering::Relaxed) || !io::stderr().is_terminal() {
        return work();
    }
    let (finished, wait) = mpsc::channel::<()>();
    let lasts = move |time| wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    thread::scope(|scope| {
        scope.spawn(move || {
            if lasts(PATIENCE) {
                let bar = styled(ProgressBar::new_spinner(), "{msg} {spinner} {elapsed}")
                    .with_message(name);
                while lasts(TURN) {
                    bar.tick();
                }
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(finished);
        result
    })
}

/// The bar in this style. A template that cannot be read leaves it as it is: a bar is no reason to fail.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style.with_key("left", left)),
        Err(_) => bar,
    }
}

/// The time that is left, once there is anything to tell it from.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        // A bar is no reason to fail.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}
