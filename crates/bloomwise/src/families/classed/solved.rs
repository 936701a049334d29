//! From sets and a size to classes with their bits.
//!
//! 1. Divide the keys by class, and find what each class gets ([`super::allotment`]).
//! 2. Build a guarded filter for each class, and put their bits side by side.
//! 3. Chance decides a little about the rate of a filter. If a class has a higher rate than the cap, plan all classes for a slightly lower one.

use super::allotment::{Allotment, Demand, Form, allot, least_words};
use super::shares::shares;
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::families::guarded::{Guarded, Layers};
use crate::filter::Filter;
use crate::filter::builder::Builder;
use crate::filter::sizing::Size;
use crate::keys::sets::KeySets;
use crate::machine::parallel;

/// How many caps to plan for are tried.
const MOST_TRIES: u32 = 20;

/// The next cap to plan for is at most this share of the one before.
const LOWER: f64 = 0.999;

/// A class that was built.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    /// Its keys.
    pub keys: u64,
    /// Its known negatives.
    pub negatives: u64,
    /// How many of them are false positives.
    pub wrong: u64,
    /// The share of the cost of false positives on unseen keys that is expected to fall on it.
    pub share: f64,
    /// Its rate on unseen keys.
    pub rate: f64,
    /// Its words.
    pub words: u64,
    /// How it answers.
    pub form: Form,
    /// The layers of its filter, if it has one.
    pub layers: Option<Layers>,
}

/// Classes that were built, and their bits.
#[derive(Debug)]
pub(super) struct Solved {
    /// The classes.
    pub classes: Vec<Class>,
    /// The bits of all classes.
    pub bytes: Storage,
}

/// What is known about the classes of sets before they are built.
#[derive(Debug)]
pub(super) struct Division {
    /// The keys of each class.
    sets: Vec<KeySets>,
    /// What each class demands.
    demands: Vec<Demand>,
    /// The share of each class.
    shares: Vec<f64>,
}

impl Division {
    /// The classes of these sets, whose digests have classes below `classes`; `None` if nothing is known about unseen keys.
    pub fn new(sets: &KeySets, classes: usize) -> Option<Self> {
        let sets = sets.by_class(classes);
        let shares = shares(&sets)?;
        let demands =
            parallel::map_numbers(classes, |class| Demand::new(&sets[class], shares[class]));
        Some(Division {
            demands,
            shares,
            sets,
        })
    }

    /// The fewest words of classes that are right on all known negatives, with rates of at most `cap`.
    pub fn least_words(&self, cap: f64) -> u64 {
        least_words(&self.demands, cap)
    }

    /// The classes, of `words` words, with rates of at most `cap`; `None` if they cannot be right on all known negatives.
    pub fn solve(&self, cap: f64, words: u64) -> Result<Option<Solved>> {
        let mut planned = cap;
        for _ in 0..MOST_TRIES {
            let Some(allotted) = allot(&self.demands, planned, words) else {
                return Ok(None);
            };
            let solved = self.solve_as(&allotted, words)?;
            let rates = solved.classes.iter().map(|class| class.rate);
            let worst = rates.fold(0.0, f64::max);
            if worst <= cap || cap >= 1.0 {
                return Ok(Some(solved));
            }
            planned *= f64::min(cap / worst, LOWER);
        }
        Ok(None)
    }

    /// Builds the classes with what they get.
    fn solve_as(&self, allotted: &[Allotment], words: u64) -> Result<Solved> {
        let filters = parallel::map_numbers(allotted.len(), |class| {
            filter(&self.sets[class], &allotted[class])
        });
        let mut bytes = Storage::new(words * 8)?;
        let (mut classes, mut start) = (Vec::new(), 0);
        for (number, filter) in filters.into_iter().enumerate() {
            let (sets, allotted) = (&self.sets[number], &allotted[number]);
            let filter = filter?;
            let (mut form, negatives) = (allotted.form, sets.negatives().len() as u64);
            let mut class = Class {
                keys: sets.positives().len() as u64,
                negatives,
                wrong: 0,
                share: self.shares[number],
                rate: 0.0,
                words: 0,
                form,
                layers: None,
            };
            if form == Form::Negatives && filter.as_ref().is_none_or(|filter| filter.wrong() > 0) {
                // It would deny keys. Only someone who knows the seed can choose keys for which that happens.
                form = Form::Accepts;
            }
            match (form, filter) {
                (Form::Keys | Form::Negatives, Some(filter)) => {
                    let inverted = form == Form::Negatives;
                    class.rate = match inverted {
                        true => 1.0 - filter.rate(),
                        false => filter.rate(),
                    };
                    class.wrong = if inverted { 0 } else { filter.wrong() };
                    bytes.copy_from(start as usize * 8, &filter.bytes);
                    class.layers = Some(filter.layers.moved(start));
                    class.words = filter.bytes.len() as u64 / 8;
                    start += class.words;
                }
                (Form::Accepts, _) => (class.rate, class.wrong) = (1.0, negatives),
                _ => {}
            }
            class.form = form;
            classes.push(class);
        }
        Ok(Solved { classes, bytes })
    }
}

/// The filter of a class, if it has one.
fn filter(sets: &KeySets, allotted: &Allotment) -> Result<Option<Guarded>> {
    let builder = Builder::<Guarded>::new(Size::Bits(64 * allotted.words));
    match allotted.form {
        Form::Keys => builder.build(sets).map(Some),
        Form::Negatives => builder.build(&sets.inverted()).map(Some),
        Form::Denies | Form::Accepts => Ok(None),
    }
}
