//! A whole life: one random filter and its steps. The choices determine everything but the order of threads.

use super::case::{Case, Scale, Start};
use super::draw::Draw;
use super::fault::Fault;
use super::keys::Keys;
use super::start::Beginning;
use super::step::{Step, Way};
use super::tally::Tallies;
use super::world::World;
use anyhow::Result;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most steps of a life.
const MAX_STEPS: usize = 50;

/// The most attempts to leave steps of a finding out.
const MAX_ATTEMPTS: usize = 300;

/// What a life has done so far. It survives a panic.
#[derive(Debug, Default)]
struct Log {
    /// The steps, the last of which may have failed.
    steps: Vec<Step>,
    /// What was done.
    tallies: Tallies,
}

/// A broken promise.
#[derive(Debug)]
pub struct Finding {
    /// What is broken.
    pub what: String,
    /// What the life is about.
    pub case: String,
    /// The steps that show it, with no step that can be left out.
    pub steps: Vec<Step>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.what)?;
        writeln!(f, "filter: {}", self.case)?;
        write!(f, "steps before and at the finding: {}", self.steps.len())?;
        for (number, step) in (1..).zip(&self.steps) {
            write!(f, "\n  {number}. {step:?}")?;
        }
        Ok(())
    }
}

/// Where steps come from.
enum Steps<'a, 'b> {
    /// They are drawn.
    Drawn(&'a mut Draw<'b>),
    /// They were taken before.
    Known(&'a [Step]),
}

/// Lives one life. Returns what it did, and the finding if there is one.
pub fn live(
    scale: Scale,
    draw: &mut Draw<'_>,
    world: World<'_>,
    fault: Option<Fault>,
) -> (Tallies, Option<Finding>) {
    let case = Case::draw(scale, draw);
    let mut log = Log::default();
    let what = log.run(&case, Steps::Drawn(draw), world, fault);
    let finding = what.map(|what| {
        let steps = fewest(&case, std::mem::take(&mut log.steps), world, fault);
        let case = case.to_string();
        Finding { what, case, steps }
    });
    (log.tallies, finding)
}

/// The steps without those that the finding does not need.
fn fewest(case: &Case, mut steps: Vec<Step>, world: World<'_>, fault: Option<Fault>) -> Vec<Step> {
    let mut attempts = 0;
    let mut length = steps.len().div_ceil(2);
    while length > 0 {
        let mut start = 0;
        while start < steps.len() && attempts < MAX_ATTEMPTS {
            let mut fewer = steps.clone();
            fewer.drain(start..steps.len().min(start + length));
            attempts += 1;
            match Log::default().run(case, Steps::Known(&fewer), world, fault) {
                Some(_) => steps = fewer,
                None => start += length,
            }
        }
        length /= 2;
    }
    steps
}

impl Log {
    /// Lives a life and returns what is broken, if anything is.
    fn run(
        &mut self,
        case: &Case,
        steps: Steps<'_, '_>,
        world: World<'_>,
        fault: Option<Fault>,
    ) -> Option<String> {
        // The log is only added to, so a panic leaves it sound.
        let lived = || self.live(case, steps, world, fault);
        match catch_unwind(AssertUnwindSafe(lived)) {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("{error:#}")),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
                Some(format!("panic: {}", text.unwrap_or_default()))
            }
        }
    }

    /// Makes the filter of a case and takes its steps.
    fn live(
        &mut self,
        case: &Case,
        steps: Steps<'_, '_>,
        world: World<'_>,
        fault: Option<Fault>,
    ) -> Result<()> {
        let keys = Keys::new(case.keys(), case.form, case.hashing);
        let (tally, shared) = self.tallies.of(case.family);
        tally.lives += 1;
        let beginning = Beginning {
            case,
            keys: &keys,
            draw: Draw::Seed(case.seed),
            fault,
            tally,
            shared,
            world,
        };
        let Some(mut life) = beginning.start()? else {
            return Ok(());
        };
        let mut log = |step: Step| {
            self.steps.push(step.clone());
            step
        };
        match steps {
            Steps::Known(steps) => {
                for step in steps {
                    life.take(&log(step.clone()))?;
                }
            }
            Steps::Drawn(draw) => {
                if case.start == Start::Empty {
                    let way = draw.pick(&[Way::Single, Way::Batch, Way::Digests]);
                    life.take(&log(Step::Insert(0..case.positives, way)))?;
                }
                for _ in 0..draw.below(MAX_STEPS) {
                    if draw.is_over() {
                        break;
                    }
                    if let Some(step) = Step::draw(&life.filter, keys.len(), draw) {
                        life.take(&log(step))?;
                    }
                }
            }
        }
        life.take(&log(Step::Query(0..keys.len())))?;
        life.take(&log(Step::Inspect))
    }
}
