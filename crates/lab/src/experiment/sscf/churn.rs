//! Figure 17: an adaptive seesaw filter that learns of its negatives when it is full already. In each round some keys go and as
//! many new ones come, and the rate on the guarded negatives' side falls.

use super::BITS_PER_KEY;
use crate::measure::{Answers, rates};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::Subject;
use crate::workload::zipf::Spread;
use crate::workload::{Set, Source, vulnerable, zipf};
use anyhow::{Result, ensure};
use bloomwise::hash::reduce;
use bloomwise::{Digest, Hashing};
use rayon::prelude::*;
use std::collections::HashSet;

const ROUNDS: u64 = 40;
const SKEW: f64 = 1.5;
const SHUFFLES: u64 = 3;

/// Rates are measured after every fifth round.
const STEP: u64 = 5;

/// Keys that change.
struct Churn {
    source: Source,
    /// The numbers of the keys in the set.
    members: Vec<u64>,
    /// The next number that was never a key.
    next: u64,
}

impl Churn {
    /// Takes some keys out and puts as many new ones in: what went, and what came.
    fn round(&mut self, share: f64, seed: u64) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let random = Digest {
            high: seed,
            low: !seed,
        };
        let count = (share * self.members.len() as f64) as u64;
        let mut gone = Vec::new();
        let mut came = Vec::new();
        for number in 0..count {
            let at = reduce(random.function(number), self.members.len() as u64) as usize;
            let old = std::mem::replace(&mut self.members[at], self.next + number);
            // A key that came in this round may go again in it; the order of both lists keeps that sound.
            gone.push(self.source.key(old, true));
            came.push(self.source.key(self.next + number, true));
        }
        self.next += count;
        (gone, came)
    }
}

/// What was measured after some rounds: rates on known negatives by cost, and on unseen keys.
type Course = Vec<(f64, f64)>;

/// Lets keys come and go, for one order of the costs.
fn course(source: Source, set: &Set, costs: &[f64], share: f64) -> Result<Course> {
    let mut set = set.clone();
    let keys = set.positives.len() as u64;
    let sets = set.with_costs(costs)?;
    let wanted: HashSet<Digest> = vulnerable(&sets, 0.05).into_iter().collect();
    let Some(spec) = Subject::kind("seesaw-adaptive").spec(budget(keys))? else {
        anyhow::bail!("there is no adaptive kind");
    };
    let mut filter = spec.capacity(keys).create()?;
    filter.insert_digests(&set.positives)?;
    for n in 0..set.negatives.len() as u64 {
        if wanted.contains(&set.negatives[n as usize]) {
            filter.guard(&source.key(keys + n, false))?;
        }
    }
    let mut churn = Churn {
        source,
        members: (0..keys).collect(),
        next: keys + (set.negatives.len() + set.unseen.len()) as u64,
    };
    let mut course = Course::new();
    for round in 0..=ROUNDS {
        if round > 0 {
            let (gone, came) = churn.round(share, round);
            for (old, new) in gone.iter().zip(&came) {
                ensure!(filter.remove(old)?, "a member could not be removed");
                filter.insert(new)?;
            }
        }
        if round % STEP == 0 {
            let digest = |&n: &u64| Hashing::default().digest(&source.key(n, true));
            set.positives = churn.members.par_iter().map(digest).collect();
            let answers = Answers::of(&filter, &set)?;
            course.push((answers.weighted(costs), answers.unseen));
        }
    }
    Ok(course)
}

fn budget(keys: u64) -> u64 {
    (BITS_PER_KEY * keys as f64) as u64
}

/// Runs it.
pub fn figure_17(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 17: an adaptive filter that is told of its negatives, 5 % as many as it has keys, when it holds all keys already; then {ROUNDS} rounds in which a share of the keys is replaced. {BITS_PER_KEY} bits per key, Zipf costs with skew {SKEW}, mean of {SHUFFLES} shuffles; the paper gives neither size nor skew. A fifth of the paper's sets at full size."
    ));
    for source in [Source::Urls, Source::Users] {
        let (positives, negatives) = source.published();
        let [positives, negatives] = [positives, negatives].map(|n| options.scaled(n / 5, 2000));
        let set = Set::sized(
            source,
            positives,
            negatives,
            options.scaled(400_000, 20_000),
        );
        let of_shuffle = |seed| zipf::costs(set.negatives.len(), SKEW, seed);
        let shuffles: Vec<Vec<f64>> = (0..SHUFFLES).map(of_shuffle).collect();
        let size = [BITS_PER_KEY];
        let counting = rates(&set, SKEW, SHUFFLES, &size, &[Subject::kind("counting")])?;
        let counting = counting[0][0].map_or(f64::NAN, |rates| rates.known.mean);
        let columns = [
            "replaced in a round",
            "round",
            "known, by cost",
            "±",
            "unseen",
        ];
        let title = format!("{positives} {}; counting: {counting:.2e}", source.name());
        let mut table = Table::new(title, columns);
        let title = format!("SSCF, Figure 17, {}", source.name());
        let y = Axis::log("known negatives, by cost");
        let mut chart = Chart::new(title, Axis::linear("round"), y);
        for share in [0.02, 0.05, 0.1] {
            let courses = shuffles
                .iter()
                .map(|costs| course(source, &set, costs, share));
            let courses = courses.collect::<Result<Vec<Course>>>()?;
            let name = format!("{:.0} % a round", 100.0 * share);
            let mut ends = (f64::NAN, f64::NAN);
            for (number, round) in (0..=ROUNDS).step_by(STEP as usize).enumerate() {
                let of = |part: fn(&(f64, f64)) -> f64| {
                    let values: Vec<f64> = courses.iter().map(|all| part(&all[number])).collect();
                    Spread::of(&values)
                };
                let (known, unseen) = (of(|pair| pair.0), of(|pair| pair.1));
                table.row([
                    Cell::number(share, 2),
                    Cell::whole(round),
                    Cell::rate(known.mean),
                    Cell::rate(known.deviation),
                    Cell::rate(unseen.mean),
                ]);
                chart.point(&name, round as f64, known.mean, known.deviation);
                ends = (if number == 0 { known.mean } else { ends.0 }, known.mean);
            }
            let (start, end) = ends;
            outcome.claims.push(Claim::holds(
                format!("{}, {name}: falls below a counting filter", source.name()),
                "yes",
                format!(
                    "{start:.2e} at first, {end:.2e} after {ROUNDS} rounds; counting {counting:.2e}"
                ),
                end < start && end < counting,
                "a negative is guarded once one of its counters was empty for a moment, which takes the longer the fewer keys go",
            ));
        }
        for round in (0..=ROUNDS).step_by(STEP as usize) {
            chart.point("counting", round as f64, counting, 0.0);
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    Ok(outcome)
}
