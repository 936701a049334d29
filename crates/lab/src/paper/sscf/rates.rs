//! Figures 11 and 13 to 15: rates while the skew of the costs or the space varies; and what all figures on rates have in common.

use super::{ALPHA, BITS_PER_KEY, PROGRAM_GUARD, functions, paper_with};
use crate::filter::papers::seesaw::{PaperSeesaw, Shape};
use crate::prelude::*;
use crate::rates::figure::{self, Stated, Sweep, X};
use crate::statistics::geometric_mean;

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

/// A sweep as in the paper: its means leave out the lowest and the highest order.
pub(super) fn panel(title: String, x: X, skews: &[f64], places: Vec<Place>) -> Sweep {
    Sweep {
        skews: skews.to_vec(),
        trimmed: true,
        ..Sweep::new(title, Source::Urls, x, places)
    }
}

/// Rate over the skew of the costs.
pub fn figure_11(options: &Options) -> Result<Outcome> {
    let skews = [0.2, 0.4, 0.6, 0.8, 1.0, 1.4, 1.8, 2.2, 2.6];
    let places = Place::sizes(&[BITS_PER_KEY], contenders);
    let part = Sweep {
        orders: 3,
        ..panel("SSCF, Figure 11".to_string(), X::Skew, &skews, places)
    };
    let about = format!(
        "SSCF, Figure 11: rate over the skew of the costs, {BITS_PER_KEY} bits per key and 6 % as many guards as positives, as in the authors' program; three orders."
    );
    let (mut outcome, grids) = figure::run(&about, &[part], options)?;
    let pairs = skews.iter().map(|&skew| {
        let at = |name| grids[0].at(name, skew, BITS_PER_KEY);
        Ok((at(LETTER)?.mean(), at("counting")?.mean()))
    });
    let pairs: Vec<(Spread, Spread)> = pairs.collect::<Result<_>>()?;
    // Below the crossing the counting filter is better, above it the seesaw filter.
    let sides = skews.iter().zip(&pairs);
    let sides = sides.map(|(&skew, &(seesaw, counting))| match skew > 0.6 {
        true => at_most(seesaw, counting),
        false => at_most(counting, seesaw),
    });
    let what = format!("{LETTER}: better than a counting filter above skew 0.6, worse below");
    let crossing = Claim::everywhere(what, "always", sides)
        .headline()
        .because(UNGUARDED);
    let ratios = pairs
        .iter()
        .map(|(seesaw, counting)| seesaw.by(counting.mean));
    let ratios: Vec<Spread> = ratios.collect();
    let [first, last] = [ratios[0], ratios[ratios.len() - 1]].map(|ratio| ratio.mean);
    let what = format!("{LETTER}: its rate / that of a counting filter falls with the skew");
    let measured = format!("{first:.2} to {last:.5} times counting");
    let claims = [crossing, Claim::new(what, "yes", measured, falls(&ratios))];
    let claims = claims.map(|claim| claim.rests_on("mean over all orders"));
    outcome.claims.extend(claims);
    Ok(outcome)
}

/// The paper's numbers for a set.
struct Published {
    figure: u32,
    source: Source,
    sizes: &'static [f64],
    /// The orders of the costs that filters are built for here.
    orders: u64,
    /// Rates with skew 1.0 at the smallest and the largest size, of the seesaw and of the stacked filter.
    rates: Option<[[f64; 2]; 2]>,
    /// The factor by which it is better than all others at least, with skew 1.0.
    least: Option<f64>,
    /// The filters that it beats by over two orders of magnitude with skew 2.5.
    far: &'static [&'static str],
}

impl Published {
    /// What the paper says.
    fn says(&self) -> Vec<Stated> {
        let mut says = Vec::new();
        // The three figures say the same of different keys; the first one is enough for a summary.
        let main = |stated: Stated| match self.figure {
            13 => stated.headline(),
            _ => stated,
        };
        if let Some([seesaw, stacked]) = self.rates {
            let ends = [self.sizes[0], self.sizes[self.sizes.len() - 1]];
            for (end, x) in ends.into_iter().enumerate() {
                let rate = |who, rates: [f64; 2]| Stated::rate(who, 1.0, x, rates[end]);
                says.push(main(rate(LETTER, seesaw)).because(UNGUARDED));
                says.push(rate("stacked counting, paper", stacked));
                says.push(rate("seesaw, paper's parameters", seesaw).ours());
            }
        }
        let lowest = |skew| Stated::lowest(LETTER, OTHERS, skew);
        says.push(main(lowest(1.0)).because(UNGUARDED));
        says.push(main(lowest(1.5)));
        says.push(lowest(2.5).because("a map of the few costliest negatives is enough there: the weighted filter comes close in small filters"));
        if let Some(times) = self.least {
            let stated = Stated::gains(LETTER, OTHERS, 1.0, times);
            says.push(stated.because(
                "the paper's own rates at the largest size are 1.11 and 1.06 times apart",
            ));
        }
        if !self.far.is_empty() {
            says.push(main(Stated::gains(LETTER, self.far, 2.5, 100.0)));
        }
        says
    }

    /// Rate over space, with all skews.
    fn run(&self, options: &Options) -> Result<Outcome> {
        let (figure, source, orders) = (self.figure, self.source, self.orders);
        let places = Place::sizes(self.sizes, contenders);
        let title = format!("SSCF, Figure {figure}, {}", source.name());
        let part = Sweep {
            source,
            orders,
            says: self.says(),
            ..panel(title, X::Space, &SKEWS, places)
        };
        let about = format!(
            "SSCF, Figure {figure}: rate over space, {orders} orders of the costs; 6 % as many guards as positives and as many functions as in the authors' program: 3, 4 and 5 at 20, 28 and 36 bits per key."
        );
        let (mut outcome, grids) = figure::run(&about, &[part], options)?;
        outcome.claims.extend(averages(&grids[0], source));
        Ok(outcome)
    }
}

/// The claims on the mean gain over all other filters, and that it grows with the skew.
fn averages(grid: &Grid, source: Source) -> [Claim; 2] {
    // Its own rate is taken one standard error higher than measured, since it may be 0.
    let gain = |own: &Rates, other: Rates| other.known.mean / (own.known.mean + own.error);
    let of_skew = |skew: f64| {
        let mut gains = Vec::new();
        for (x, own) in grid.line(LETTER, skew) {
            let others = OTHERS
                .iter()
                .filter_map(|other| grid.at(other, skew, x).ok());
            gains.extend(others.map(|other| gain(&own, other)));
        }
        geometric_mean(&gains)
    };
    let (name, steps) = (source.name(), SKEWS.map(of_skew));
    let what = format!("{LETTER}: better on average, over all skews and sizes, {name}");
    let average = Claim::ratio(what, Says::AtLeast, 3.0, geometric_mean(&steps)).headline();
    let losses = steps.map(|step| Spread::from(1.0 / step));
    let shown = SKEWS.iter().zip(steps);
    let shown = shown.map(|(skew, gain)| format!("{gain:.1} at {skew}"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let what = format!("the gap widens with the skew, {name}");
    let widens = Claim::new(what, "yes", shown, falls(&losses));
    [average, widens].map(|claim| claim.rests_on("mean over all orders"))
}

/// Shalla's blacklists.
pub fn figure_13(options: &Options) -> Result<Outcome> {
    let published = Published {
        figure: 13,
        source: Source::Urls,
        sizes: &[20.0, 24.0, 28.0, 32.0, 36.0],
        orders: 5,
        rates: Some([[0.0299, 0.0057], [0.0562, 0.0063]]),
        least: Some(1.55),
        far: STACKED,
    };
    published.run(options)
}

/// YCSB.
pub fn figure_14(options: &Options) -> Result<Outcome> {
    let published = Published {
        figure: 14,
        source: Source::Users,
        sizes: &[20.0, 28.0, 36.0],
        orders: 2,
        rates: Some([[0.0235, 0.0051], [0.0480, 0.0054]]),
        least: Some(1.45),
        far: OTHERS,
    };
    published.run(options)
}

/// CAIDA's traces, for which the text has no numbers. Its 12 to 22 MB are 18 to 33 bits per key.
pub fn figure_15(options: &Options) -> Result<Outcome> {
    let published = Published {
        figure: 15,
        source: Source::Flows,
        sizes: &[18.0, 25.5, 33.0],
        orders: 2,
        rates: None,
        least: None,
        far: &[],
    };
    published.run(options)
}
