//! Figure 17: an adaptive seesaw filter that learns of its negatives when it is full already. In each round some keys go and as
//! many new ones come, and the rate on the guarded negatives' side falls.

use super::BITS_PER_KEY;
use crate::measure::Answers;
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::subject::{Subject, vulnerable};
use crate::workload::{Set, Source, zipf};
use anyhow::{Result, ensure};
use bloomwise::hash::reduce;
use bloomwise::{Digest, Hashing};

const ROUNDS: u64 = 40;
const SKEW: f64 = 1.5;

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

/// Runs it.
pub fn figure_17(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 17: an adaptive filter that is told of its negatives, 5 % as many as it has keys, when it holds all keys already; then {ROUNDS} rounds in which a share of the keys is replaced. {BITS_PER_KEY} bits per key, Zipf costs with skew {SKEW}; the paper gives neither. A fifth of the paper's sets at full size."
    ));
    for source in [Source::Urls, Source::Users] {
        let (positives, negatives) = source.published();
        let mut set = Set::sized(
            source,
            options.scaled(positives / 5, 2000),
            options.scaled(negatives / 5, 2000),
            options.scaled(400_000, 20_000),
        );
        let keys = set.positives.len() as u64;
        let first_new = keys + (set.negatives.len() + set.unseen.len()) as u64;
        let costs = zipf::costs(set.negatives.len(), SKEW, 0);
        let sets = set.with_costs(&costs)?;
        let budget = (BITS_PER_KEY * keys as f64) as u64;
        let counting = Subject::kind("counting").build(&sets, budget)?;
        let counting = Answers::of(counting.as_ref(), &set)?.weighted(&costs);
        let wanted: std::collections::HashSet<Digest> =
            vulnerable(&sets, 0.05).into_iter().collect();
        let columns = ["replaced in a round", "round", "known, by cost", "unseen"];
        let mut table = Table::new(
            format!(
                "{keys} {}; a counting filter has {:.2e}",
                source.name(),
                counting
            ),
            columns,
        );
        let title = format!("SSCF, Figure 17, {}", source.name());
        let mut chart = Chart::new(
            title,
            Axis::linear("round"),
            Axis::log("known negatives, by cost"),
        );
        let originals = set.positives.clone();
        for share in [0.02, 0.05, 0.1] {
            set.positives.clone_from(&originals);
            let Some(spec) = Subject::kind("seesaw-adaptive").spec(budget)? else {
                anyhow::bail!("there is no adaptive kind");
            };
            let mut filter = spec.capacity(keys).create()?;
            filter.insert_digests(&set.positives)?;
            for n in 0..set.negatives.len() as u64 {
                let key = source.key(keys + n, false);
                if wanted.contains(&Hashing::default().digest(&key)) {
                    filter.guard(&key)?;
                }
            }
            let mut churn = Churn {
                source,
                members: (0..keys).collect(),
                next: first_new,
            };
            let mut rates = Vec::new();
            for round in 0..=ROUNDS {
                if round > 0 {
                    let (gone, came) = churn.round(share, round);
                    for (old, new) in gone.iter().zip(&came) {
                        ensure!(filter.remove(old)?, "a member could not be removed");
                        filter.insert(new)?;
                    }
                }
                if round % 5 == 0 {
                    let digest = |&n: &u64| Hashing::default().digest(&source.key(n, true));
                    set.positives = churn.members.iter().map(digest).collect();
                    let answers = Answers::of(&filter, &set)?;
                    let rate = answers.weighted(&costs);
                    let cells = [Cell::number(share, 2), Cell::whole(round)];
                    table.row(
                        cells
                            .into_iter()
                            .chain([rate, answers.unseen].map(Cell::rate)),
                    );
                    chart.point(
                        &format!("{:.0} % a round", 100.0 * share),
                        round as f64,
                        rate,
                        0.0,
                    );
                    chart.point("counting", round as f64, counting, 0.0);
                    rates.push(rate);
                }
            }
            let (start, end) = (rates[0], rates[rates.len() - 1]);
            outcome.claims.push(Claim::holds(
                format!(
                    "{}, {:.0} % a round: the rate falls below that of a counting filter",
                    source.name(),
                    100.0 * share
                ),
                "yes",
                format!(
                    "{start:.2e} at first, {end:.2e} after {ROUNDS} rounds; counting {counting:.2e}"
                ),
                end < start && end < counting,
                "",
            ));
        }
        outcome.tables.push(table);
        outcome.charts.push(chart);
    }
    Ok(outcome)
}
