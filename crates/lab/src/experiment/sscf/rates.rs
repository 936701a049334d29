//! Figures 11 and 13 to 15: rates while the skew of the costs or the space varies; and what all figures on rates have in common.

use super::{ALPHA, BITS_PER_KEY, PROGRAM_GUARD, functions, paper_with};
use crate::baseline::seesaw::{PaperSeesaw, Shape};
use crate::experiment::figure::{self, Stated, Statement, Sweep, X};
use crate::measure::statistics::geometric_mean;
use crate::measure::{Grid, Place, Rates, Spread};
use crate::options::Options;
use crate::output::verdict::{Says, at_most, falls};
use crate::output::{Claim, Outcome};
use crate::subject::{Costs, Subject};
use crate::workload::Source;
use anyhow::Result;
use bloomwise::Family;

/// The paper's filter.
pub(super) const LETTER: &str = "paper's SSCF";

/// The filters that the paper compares with.
const OTHERS: &[&str] = &[
    "counting",
    "weighted counting",
    "stacked counting",
    "stacked counting, paper",
];
const STACKED: &[&str] = &["stacked counting, paper"];

const SKEWS: [f64; 4] = [1.0, 1.5, 2.0, 2.5];

const UNGUARDED: &str = "the unguarded negatives have a sixth to a fifth of the cost at this skew, and pass at the rate of unseen keys, whatever the guards do";

/// Algorithms 1 to 3 with this shape.
pub(super) fn letter(shape: Shape, guard: f64) -> Subject {
    Subject::baseline(LETTER, Costs::Ranks(guard), move |sets, bits| {
        PaperSeesaw::build(sets, bits, guard, shape)
    })
}

pub(super) fn shape(bits_per_key: f64, alpha: f64) -> Shape {
    Shape {
        alpha,
        ..Shape::new(functions(bits_per_key, alpha).into())
    }
}

/// The filters of Figures 11 and 13 to 15 at a size. A new contender goes here.
fn contenders(bits_per_key: f64) -> Vec<Subject> {
    vec![
        Subject::kind(Family::Counting),
        Subject::weighted_counting(),
        Subject::stacked_counting_with(PROGRAM_GUARD),
        Subject::stacked_counting_paper(PROGRAM_GUARD),
        letter(shape(bits_per_key, ALPHA), PROGRAM_GUARD),
        paper_with(Family::Seesaw, bits_per_key, ALPHA, PROGRAM_GUARD),
        Subject::kind(Family::Seesaw),
    ]
}

pub(super) fn panel(
    title: String,
    x: X,
    skews: &[f64],
    orders: u64,
    places: Vec<Place>,
    says: Vec<Stated>,
) -> Sweep {
    Sweep {
        title,
        source: Source::Urls,
        x,
        skews: skews.to_vec(),
        orders,
        places,
        trimmed: true,
        megabyte: None,
        says,
    }
}

/// Rate over the skew of the costs.
pub fn figure_11(options: &Options) -> Result<Outcome> {
    let skews = [0.2, 0.4, 0.6, 0.8, 1.0, 1.4, 1.8, 2.2, 2.6];
    let places = Place::sizes(&[BITS_PER_KEY], contenders);
    let part = panel(
        "SSCF, Figure 11".to_string(),
        X::Skew,
        &skews,
        3,
        places,
        Vec::new(),
    );
    let about = format!(
        "SSCF, Figure 11: rate over the skew of the costs, {BITS_PER_KEY} bits per key and 6 % as many guards as positives, as in the authors' program; three orders."
    );
    let (mut outcome, grids) = figure::run(&about, &[part], options)?;
    let pair = |skew: f64| {
        let at = |name| grids[0].at(name, skew, BITS_PER_KEY);
        Ok((at(LETTER)?.mean(), at("counting")?.mean()))
    };
    let pairs: Vec<(Spread, Spread)> = skews
        .iter()
        .map(|&skew| pair(skew))
        .collect::<Result<_>>()?;
    // Below the crossing the counting filter is better, above it the seesaw filter.
    let sides = skews
        .iter()
        .zip(&pairs)
        .map(|(&skew, &(seesaw, counting))| match skew > 0.6 {
            true => at_most(seesaw, counting),
            false => at_most(counting, seesaw),
        });
    let what = format!("{LETTER}: better than a counting filter above skew 0.6, worse below");
    let crossing = Claim::everywhere(what, "always", sides).rests_on("mean over all orders");
    outcome.claims.push(crossing.headline().because(UNGUARDED));
    let ratios: Vec<Spread> = pairs
        .iter()
        .map(|(seesaw, counting)| Spread {
            mean: seesaw.mean / counting.mean,
            deviation: seesaw.deviation / counting.mean,
        })
        .collect();
    let ends = ratios.first().zip(ratios.last());
    let measured = ends.map_or(String::new(), |(first, last)| {
        format!("{:.2} to {:.5} times counting", first.mean, last.mean)
    });
    let what = format!("{LETTER}: its rate / that of a counting filter falls with the skew");
    outcome
        .claims
        .push(Claim::new(what, "yes", measured, falls(&ratios)).rests_on("mean over all orders"));
    Ok(outcome)
}

/// The paper's numbers for a set.
struct Published {
    /// Rates with skew 1.0 at the smallest and the largest size, of the seesaw and of the stacked filter.
    rates: Option<[[f64; 2]; 2]>,
    /// The factor by which it is better than all others at least, with skew 1.0.
    least: Option<f64>,
    /// The filters that it beats by over two orders of magnitude with skew 2.5.
    orders: &'static [&'static str],
}

/// Rate over space, with all skews.
fn over_space(
    figure: u32,
    source: Source,
    orders: u64,
    sizes: &[f64],
    published: &Published,
    options: &Options,
) -> Result<Outcome> {
    let mut says = Vec::new();
    // The three figures say the same of different keys; the first one is enough for a summary.
    let main = |statement: Statement| match figure {
        13 => statement.headline(),
        _ => statement.plain(),
    };
    if let Some([seesaw, stacked]) = published.rates {
        let ends = [sizes[0], sizes[sizes.len() - 1]];
        for (x, [seesaw, stacked]) in ends
            .into_iter()
            .zip([0, 1].map(|end| [seesaw[end], stacked[end]]))
        {
            let rate = |who, rate| Statement::Rate {
                who,
                skew: 1.0,
                x,
                rate,
            };
            says.push(main(rate(LETTER, seesaw)).because(UNGUARDED));
            says.push(rate("stacked counting, paper", stacked).plain());
            says.push(rate("seesaw, paper's parameters", seesaw).plain().ours());
        }
    }
    let lowest = |skew| Statement::Lowest {
        who: LETTER,
        others: OTHERS,
        skew,
    };
    says.push(main(lowest(Some(1.0))).because(UNGUARDED));
    says.push(main(lowest(Some(1.5))));
    says.push(lowest(Some(2.5)).plain().because("a map of the few costliest negatives is enough there: the weighted filter comes close in small filters"));
    let gains = |others, skew, times| Statement::Gains {
        who: LETTER,
        others,
        skew,
        times,
    };
    if let Some(times) = published.least {
        let stated = gains(OTHERS, 1.0, times).plain();
        says.push(
            stated
                .because("the paper's own rates at the largest size are 1.11 and 1.06 times apart"),
        );
    }
    if !published.orders.is_empty() {
        says.push(main(gains(published.orders, 2.5, 100.0)));
    }
    let places = Place::sizes(sizes, contenders);
    let title = format!("SSCF, Figure {figure}, {}", source.name());
    let part = Sweep {
        source,
        ..panel(title, X::Space, &SKEWS, orders, places, says)
    };
    let about = format!(
        "SSCF, Figure {figure}: rate over space, {orders} orders of the costs; 6 % as many guards as positives and as many functions as in the authors' program: 3, 4 and 5 at 20, 28 and 36 bits per key."
    );
    let (mut outcome, grids) = figure::run(&about, &[part], options)?;
    outcome.claims.extend(averages(&grids[0], source));
    Ok(outcome)
}

/// The claims on the mean gain over all other filters, and that it grows with the skew.
fn averages(grid: &Grid, source: Source) -> [Claim; 2] {
    // Its own rate is taken one standard error higher than measured, since it may be 0.
    let gain = |own: &Rates, other: &Rates| other.known.mean / (own.known.mean + own.error);
    let of_skew = |skew: f64| {
        let own = grid.line(LETTER, skew);
        let gains = own.iter().flat_map(|(x, own)| {
            let others = OTHERS
                .iter()
                .filter_map(|other| grid.at(other, skew, *x).ok());
            others.map(|other| gain(own, &other)).collect::<Vec<f64>>()
        });
        geometric_mean(&gains.collect::<Vec<f64>>())
    };
    let steps = SKEWS.map(of_skew);
    let exact = |mean: f64| Spread {
        mean,
        deviation: 0.0,
    };
    let name = source.name();
    let mean = exact(geometric_mean(&steps));
    let what = format!("{LETTER}: better on average, over all skews and sizes, {name}");
    let average = Claim::ratio(what, Says::AtLeast, 3.0, mean).rests_on("mean over all orders");
    let losses: Vec<Spread> = steps.iter().map(|step| exact(1.0 / step)).collect();
    let shown: Vec<String> = SKEWS
        .iter()
        .zip(steps)
        .map(|(skew, gain)| format!("{gain:.1} at {skew}"))
        .collect();
    let what = format!("the gap widens with the skew, {name}");
    let widens =
        Claim::new(what, "yes", shown.join(", "), falls(&losses)).rests_on("mean over all orders");
    [average.headline(), widens]
}

/// Shalla's blacklists.
pub fn figure_13(options: &Options) -> Result<Outcome> {
    let published = Published {
        rates: Some([[0.0299, 0.0057], [0.0562, 0.0063]]),
        least: Some(1.55),
        orders: STACKED,
    };
    over_space(
        13,
        Source::Urls,
        5,
        &[20.0, 24.0, 28.0, 32.0, 36.0],
        &published,
        options,
    )
}

/// YCSB.
pub fn figure_14(options: &Options) -> Result<Outcome> {
    let published = Published {
        rates: Some([[0.0235, 0.0051], [0.0480, 0.0054]]),
        least: Some(1.45),
        orders: OTHERS,
    };
    over_space(
        14,
        Source::Users,
        2,
        &[20.0, 28.0, 36.0],
        &published,
        options,
    )
}

/// CAIDA's traces, for which the text has no numbers. Its 12 to 22 MB are 18 to 33 bits per key.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let published = Published {
        rates: None,
        least: None,
        orders: &[],
    };
    over_space(
        15,
        Source::Flows,
        2,
        &[18.0, 25.5, 33.0],
        &published,
        options,
    )
}
