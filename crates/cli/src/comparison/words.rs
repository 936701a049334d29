//! What the numbers mean, in a few sentences: who is best on known keys, on unseen ones, and in speed.
//!
//! `bloom` is the yardstick where it was compared: when nothing beats it, the sentence says so. Kinds that cannot be told
//! apart are named together: mistakes are counts of chance events, so two of them differ only if they are
//! more than two standard deviations apart, and two times only if the passes of one were all faster than those of the
//! other. Where passes differ a lot the machine was busy, perhaps during one kind and not during another: then no kind is called the
//! fastest. Filters beyond their budget take no part.

use super::{Comparison, Measured, Row, known};
use crate::pace::{PASSES, Pace};
use crate::text;
use bloomwise::Family;

/// The spread of passes, as a share of the median in half of the measurements, from which times are rough.
const ROUGH: f64 = 0.25;

/// What is said in place of who is fastest then.
const ROUGH_WORDS: &str =
    "Speed: the machine was too busy to tell who is fastest; run this again when it is not.";

impl Comparison {
    /// The sentences, about the budget in the middle.
    pub fn words(&self) -> Vec<String> {
        let Some(budget) = self.budget() else {
            return Vec::new();
        };
        let built: Vec<Built<'_>> = (self.at(budget))
            .filter_map(|row| Some((row, row.comparable()?)))
            .collect();
        let rates = [
            known::sentence(self, &built),
            self.on_unseen(&built, budget),
        ];
        let speeds = match self.is_rough() {
            true => [Some(ROUGH_WORDS.to_string()), None],
            false => [
                fastest("ask", &built, asking),
                fastest("build", &built, |measured| measured.build),
            ],
        };
        rates.into_iter().chain(speeds).flatten().collect()
    }

    /// Whether the passes of measurements differ so much that times of different kinds cannot be compared.
    fn is_rough(&self) -> bool {
        self.noise().is_some_and(|(median, _)| median > ROUGH)
    }

    /// How far the times can be believed.
    pub fn noise_in_words(&self) -> Option<String> {
        let (median, most) = self.noise()?;
        let [median, most] = [median, most].map(|spread| 100.0 * spread);
        Some(format!(
            "Times are medians of {PASSES} passes; from the fastest to the slowest lay {median:.0} % in half of the \
             measurements, {most:.0} % in the worst."
        ))
    }

    fn on_unseen(&self, built: &[Built<'_>], budget: f64) -> Option<String> {
        let count = |built: &Built<'_>| Some(built.1.evaluation.unseen.as_ref()?.false_positives);
        let best = built.iter().filter_map(count).min()?;
        let near = |row: &&Built<'_>| count(row).is_some_and(|count| !differ(best, count));
        let winners = names(built.iter().filter(near));
        let share = |count: u64| text::percent(text::per(count as f64, self.unseen));
        let bloom = yardstick(built).and_then(count);
        let mut sentence = match bloom {
            Some(bloom) if !differ(best, bloom) => format!(
                "Unseen keys: no kind is surely better than the plain bloom, which is wrong on {}",
                share(bloom)
            ),
            _ => format!(
                "Unseen keys: fewest mistakes with {winners}, {}",
                share(best)
            ),
        };
        if let Some(bloom) = bloom.filter(|&bloom| differ(best, bloom)) {
            sentence.push_str(&format!("; bloom has {}", share(bloom)));
        }
        let limit = self
            .limits
            .iter()
            .find(|limit| limit.bits_per_key == budget);
        if let Some(rate) = limit.and_then(|limit| limit.rate) {
            let rate = text::percent(Some(rate));
            sentence.push_str(&format!(
                ". No filter of this size that is right on all known negatives gets below {rate} on average"
            ));
        }
        sentence.push('.');
        Some(sentence)
    }
}

/// A row, and what was measured for it.
pub(super) type Built<'a> = (&'a Row, &'a Measured);

/// The plain filter that others are compared with.
pub(super) fn yardstick<'a, 'b>(built: &'b [Built<'a>]) -> Option<&'b Built<'a>> {
    built.iter().find(|(row, _)| row.kind == Family::Bloom)
}

/// Names of kinds in a row: `a`, `a and b`, `a, b and c`.
pub(super) fn names<'a>(built: impl Iterator<Item = &'a Built<'a>>) -> String {
    let mut names: Vec<&str> = built.map(|(row, _)| row.kind.name()).collect();
    let last = names.pop().unwrap_or_default();
    match names.is_empty() {
        true => last.to_string(),
        false => format!("{} and {last}", names.join(", ")),
    }
}

/// Whether a count is smaller than another by more than chance gives.
pub(super) fn surely_fewer(one: u64, other: u64) -> bool {
    one < other && differ(one, other)
}

/// Whether chance alone hardly gives two counts this far apart.
fn differ(one: u64, other: u64) -> bool {
    one.abs_diff(other) as f64 > 2.0 * ((one + other) as f64).sqrt()
}

/// The time of a question, as often for a member as for another key.
pub(super) fn asking(measured: &Measured) -> Option<Pace> {
    let (one, other) = (
        measured.evaluation.members.pace?,
        measured.evaluation.strangers()?,
    );
    let mean = |time: fn(&Pace) -> f64| (time(&one) + time(&other)) / 2.0;
    Some(Pace {
        median: mean(|pace| pace.median),
        fastest: mean(|pace| pace.fastest),
        slowest: mean(|pace| pace.slowest),
    })
}

fn fastest(verb: &str, built: &[Built<'_>], pace: fn(&Measured) -> Option<Pace>) -> Option<String> {
    let time = |built: &Built<'_>| pace(built.1);
    let best = built
        .iter()
        .filter_map(time)
        .min_by(|one, other| one.median.total_cmp(&other.median))?;
    let near = |row: &&Built<'_>| time(row).is_some_and(|pace| pace.fastest <= best.slowest);
    let winners: Vec<&Built<'_>> = built.iter().filter(near).collect();
    let unit = if verb == "build" { " per key" } else { "" };
    let beside = yardstick(built)
        .and_then(time)
        .map_or(String::new(), |bloom| {
            match winners.iter().any(|(row, _)| row.kind == Family::Bloom) {
                true => String::new(),
                false => format!("; bloom takes {:.0} ns", bloom.median),
            }
        });
    let told = if winners.len() > 1 {
        ", which the noise does not tell apart"
    } else {
        ""
    };
    Some(format!(
        "Fastest to {verb}: {}{told}, {:.0} ns{unit}{beside}.",
        names(winners.into_iter()),
        best.median
    ))
}
