//! A round: one random filter and random steps. Its seed determines everything.

use super::case::{Case, Start};
use super::fault::Fault;
use super::keys::Keys;
use super::random::Random;
use super::start::Beginning;
use super::step::{Step, Way};
use super::tally::Tallies;
use anyhow::Result;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The most steps of a round.
const MAX_STEPS: usize = 50;

/// What a round has done so far. It survives a panic.
#[derive(Debug, Default)]
struct Log {
    /// What the round is about.
    case: String,
    /// The steps, the last of which may have failed.
    steps: Vec<Step>,
    /// What was done.
    tallies: Tallies,
}

/// A broken promise.
#[derive(Debug)]
pub struct Finding {
    /// The seed of the round.
    pub seed: u64,
    /// What is broken.
    pub what: String,
    case: String,
    steps: Vec<Step>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "round {:#018x}: {}", self.seed, self.what)?;
        writeln!(f, "filter: {}", self.case)?;
        writeln!(f, "steps before and at the finding: {}", self.steps.len())?;
        for (number, step) in (1..).zip(&self.steps) {
            writeln!(f, "  {number}. {step:?}")?;
        }
        write!(
            f,
            "to repeat it: cargo run --release -p bloomwise-lab -- soak --round {:#018x}",
            self.seed
        )
    }
}

/// Runs the round of `seed`. Returns what it did, and the finding if there is one. Files go to `folder`.
pub fn run(seed: u64, fault: Option<Fault>, folder: &Path) -> (Tallies, Option<Finding>) {
    let mut log = Log::default();
    // The log is only added to, so a panic leaves it sound.
    let done = catch_unwind(AssertUnwindSafe(|| log.live(seed, fault, folder)));
    let what = match done {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            Some(format!("panic: {}", text.unwrap_or_default()))
        }
    };
    let finding = what.map(|what| Finding {
        seed,
        what,
        case: log.case,
        steps: log.steps,
    });
    (log.tallies, finding)
}

impl Log {
    /// Makes the filter of a seed and takes its steps.
    fn live(&mut self, seed: u64, fault: Option<Fault>, folder: &Path) -> Result<()> {
        let case = Case::of(seed);
        self.case = case.to_string();
        self.tallies.of(case.family).rounds += 1;
        let keys = Keys::new(case.keys(), case.form, case.hashing);
        // Other numbers than those of the case.
        let mut random = Random::new(!seed);
        let beginning = Beginning {
            case: &case,
            keys: &keys,
            random: Random::new(random.bits()),
            fault,
            tallies: &mut self.tallies,
            folder,
        };
        let Some(mut life) = beginning.start()? else {
            return Ok(());
        };
        let mut take = |step: Step| {
            self.steps.push(step);
            self.steps.last().map_or(Ok(()), |step| life.take(step))
        };
        if case.start == Start::Empty {
            let way = random.pick(&[Way::Single, Way::Batch, Way::Digests]);
            take(Step::Insert(0..case.positives, way))?;
        }
        for _ in 0..random.below(MAX_STEPS) {
            take(Step::draw(case.family, keys.len(), &mut random))?;
        }
        take(Step::Query(0..keys.len()))?;
        take(Step::Inspect)
    }
}
