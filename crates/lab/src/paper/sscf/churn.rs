//! Figure 17: an adaptive filter that learns its negatives when it is already full. In each round some keys are replaced, and the rate on the
//! guarded negatives falls. The paper's own filter, ours with its parameters and a counting filter go through the same rounds.

use super::{ALPHA, BITS_PER_KEY, GUARD, PAPER_ADAPTIVE, adaptive_shape, paper_with};
use crate::filter::changing::Start;
use crate::prelude::*;
use crate::rates::ORDERS;
use crate::rates::churn::{Churn, Rates};

const SKEW: f64 = 1.5;

/// Rates are measured after every fifth of the 40 rounds.
const SHOWN: [u64; 9] = [0, 5, 10, 15, 20, 25, 30, 35, 40];

/// The shares of the keys that are replaced in a round, and the paper's rate by cost after 40 rounds for each set.
const SHARES: [f64; 3] = [0.02, 0.05, 0.1];
const PUBLISHED: [(Source, [Option<f64>; 3]); 2] = [
    (Source::Urls, [Some(0.0008), None, Some(0.000_019)]),
    (Source::Users, [Some(0.0002), None, Some(0.000_003_8)]),
];

const UNKNOWN: &str = "the paper gives neither size nor skew";

/// The claims on one share, from the rates of the paper's filter and of a counting filter after the last round.
fn claims(
    name: &str,
    share: f64,
    published: Option<f64>,
    seesaw: Rates,
    counting: Rates,
) -> Vec<Claim> {
    let per_round = format!("{name}, {:.0} % per round", 100.0 * share);
    let mut claims = Vec::new();
    if let Some(published) = published {
        let measured = Spread {
            mean: seesaw.orders.trimmed,
            deviation: seesaw.known.deviation * (2.0 / ORDERS as f64).sqrt(),
        };
        let what = format!("{PAPER_ADAPTIVE}: by cost after 40 rounds, {per_round}");
        let claim = Claim::rate(what, published, measured).because(UNKNOWN);
        claims.push(claim.rests_on("ten orders without lowest and highest"));
    }
    let what = format!("{PAPER_ADAPTIVE}: becomes better than a counting filter, {per_round}");
    let [own, other] = [seesaw, counting].map(|rates| percent(rates.guarded.mean));
    let verdict = lower(seesaw.guarded, counting.guarded);
    let claim = Claim::new(what, "yes", format!("{own}; counting {other}"), verdict);
    let claim = claim.rests_on("guarded negatives").because("a mark waits until the last old key has left its counter; after 40 rounds of 2 %, 45 in 100 of the first keys are still there");
    let main = name == Source::Urls.name();
    claims.push(if main { claim.headline() } else { claim });
    if share == SHARES[2] {
        let gain = counting.known.mean / seesaw.known.mean;
        let measured = Spread {
            mean: gain,
            deviation: gain * seesaw.guarded.deviation / seesaw.guarded.mean,
        };
        let what =
            format!("{PAPER_ADAPTIVE}: times better than a counting filter by cost, {per_round}");
        let claim = Claim::ratio(what, Says::AtLeast, 100.0, measured).because(UNKNOWN);
        claims.push(claim.rests_on("mean over all orders").headline());
    }
    claims
}

/// Runs the experiment.
pub fn figure_17(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 17: adaptive filters, the paper's and ours with its parameters, that learn their negatives, 5 % as many as they have keys, when they already hold all keys; then 40 rounds in which a share of the keys is replaced. {BITS_PER_KEY} bits per key, Zipf costs with skew {SKEW}, one order of which decides what is guarded; the paper gives neither size nor skew. A counting filter of the same size sees the same rounds. Rates by cost are means over all orders of the costs within the guarded negatives and within the others."
    ));
    let starts = [
        Start::Paper(PAPER_ADAPTIVE, adaptive_shape(BITS_PER_KEY)),
        paper_with(Family::SeesawAdaptive, BITS_PER_KEY, ALPHA, GUARD).into(),
        Subject::kind(Family::Counting).into(),
    ];
    for (source, published) in PUBLISHED {
        let [positives, negatives] = source.scaled_sizes(options);
        let unseen = options.scaled(400_000, 20_000);
        let set = Set::sized(source, positives, negatives, unseen);
        let shuffles = zipf::shuffles(set.negatives.len(), SKEW, 1);
        let columns = "replaced in a round {%} | round | filter | known, by cost {%} | guarded {%} | unseen {%}";
        let mut table = Table::new(format!("{positives} {}", source.name()), columns);
        let chart = |what: &str| {
            let title = format!("SSCF, Figure 17, {}: {what}", source.name());
            Chart::rates(title, "round")
        };
        let mut charts = ["guarded negatives", "unseen keys"].map(chart);
        for (number, (share, published)) in SHARES.into_iter().zip(published).enumerate() {
            let churn = Churn {
                source,
                set: &set,
                bits_per_key: BITS_PER_KEY,
                guard: GUARD,
                share,
                measured_after: &SHOWN,
            };
            let courses = starts.par_iter();
            let courses = courses.map(|start| churn.rates_by_round(start, &shuffles));
            let courses: Vec<Vec<Rates>> = courses.collect::<Result<_>>()?;
            for (start, course) in starts.iter().zip(&courses) {
                // All counting filters are alike; a chart shows one of them.
                let line = match start {
                    Start::Paper(name, _) => format!("{name}, {:.0} %", 100.0 * share),
                    Start::Kind(_) if start.ignores_costs() => start.name().to_string(),
                    Start::Kind(_) => format!("ours, {:.0} %", 100.0 * share),
                };
                for (&round, rates) in SHOWN.iter().zip(course) {
                    let shown = [rates.guarded.mean, rates.unseen];
                    table.row((share, round, start.name(), rates.known.mean, shown));
                    for (chart, value) in charts.iter_mut().zip(shown) {
                        if number == 0 || !start.ignores_costs() {
                            chart.point(&line, round as f64, value, 0.0);
                        }
                    }
                }
            }
            let last = |start: usize| courses[start].last().copied();
            if let (Some(seesaw), Some(counting)) = (last(0), last(2)) {
                let claims = claims(source.name(), share, published, seesaw, counting);
                outcome.claims.extend(claims);
            }
        }
        outcome.tables.push(table);
        outcome.charts.extend(charts);
    }
    Ok(outcome)
}
