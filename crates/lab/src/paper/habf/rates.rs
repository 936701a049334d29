//! Figures 9, 10, 11 and 13: rates while parameters, space or the skew of the costs vary.
//!
//! Beside the paper's filters are those that this library builds. For learned filters the tables list the paper's numbers.

use super::{PAPER, bits_per_key, cell_bits, learned, paper_and_ours};
use crate::filter::papers::habf::{Parameters, Rules};
use crate::prelude::*;
use crate::rates::figure::{self, Stated, Sweep, X};

/// The paper's sizes in megabytes.
const SHALLA: [f64; 9] = [1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25];
const YCSB: [f64; 5] = [12.5, 17.5, 22.5, 27.5, 32.5];

/// The filters that the paper compares with, except the learned ones.
const OTHERS: &[&str] = &["bloom", "xor"];
const OTHERS_WITH_COSTS: &[&str] = &["bloom", "xor", "weighted"];

/// Published rates: filter, megabytes and rate.
type Published = &'static [(&'static str, f64, f64)];

const FIGURE_10: [(Source, Published); 2] = [
    (
        Source::Urls,
        &[
            ("bloom", 1.5, 0.0173),
            ("xor", 1.5, 0.0156),
            (PAPER[0], 1.5, 0.0036),
            (PAPER[1], 1.5, 0.0055),
        ],
    ),
    (
        Source::Users,
        &[
            ("bloom", 12.5, 1.78e-2),
            ("bloom", 32.5, 2.83e-5),
            ("xor", 12.5, 1.57e-2),
            ("xor", 32.5, 1.59e-5),
            (PAPER[0], 12.5, 3.46e-3),
            (PAPER[0], 32.5, 3.63e-6),
        ],
    ),
];

const FIGURE_11: [(Source, Published); 2] = [
    (
        Source::Urls,
        &[
            ("bloom", 1.25, 2.81e-2),
            ("bloom", 3.25, 7.49e-5),
            ("xor", 1.25, 2.67e-2),
            ("xor", 3.25, 2.74e-5),
            ("weighted", 1.25, 1.83e-2),
            ("weighted", 3.25, 8.81e-5),
            (PAPER[0], 1.25, 8.67e-3),
            (PAPER[0], 3.25, 2.56e-6),
            (PAPER[1], 1.25, 1.37e-2),
            (PAPER[1], 3.25, 3.86e-6),
        ],
    ),
    (
        Source::Users,
        &[(PAPER[0], 12.5, 1.99e-3), (PAPER[0], 32.5, 1.97e-6)],
    ),
];

const SECOND_ROUND: &str = "the paper's optimiser ignores the second round, in which any negative can be a false positive, whatever it costs; ten orders hardly ever contain a costly one";

const FUNCTIONS: &str = "the rate falls up to five functions. With six of them, cells of 4 bits leave the authors' program none to change to";
const NEVER_EMPTY: &str = "f-HABF never sets an empty bit, and a larger filter has fewer set ones: its rate is 1.5 times that of HABF in the smallest filter and 11 times in the largest";

/// The filters of the figures: those of the paper, and this library's own beside them. A new contender goes here.
fn contenders(skewed: bool) -> Vec<Subject> {
    let mut all = vec![Subject::kind(Family::Bloom), Subject::xor()];
    all.extend(paper_and_ours());
    all.extend([Family::Habf, Family::Guarded].map(Subject::kind));
    all.push(Subject::stacked());
    if skewed {
        all.push(Subject::weighted());
    }
    all
}

/// A sweep over the paper's megabytes, with the published rates.
fn over_space(figure: u32, skew: f64, orders: u64, source: Source, published: Published) -> Sweep {
    let megabytes = if source == Source::Urls {
        &SHALLA[..]
    } else {
        &YCSB[..]
    };
    let sizes = megabytes.iter().map(|&size| bits_per_key(source, size));
    let sizes: Vec<f64> = sizes.collect();
    let rate = |&(who, megabytes, rate): &(&'static str, f64, f64)| {
        let because = if skew > 0.0 { SECOND_ROUND } else { "" };
        let stated = Stated::rate(who, skew, bits_per_key(source, megabytes), rate);
        match PAPER.iter().position(|&name| name == who) {
            Some(0) => stated.headline().because(because),
            Some(_) => stated.because(because),
            None => stated,
        }
    };
    let others = if skew > 0.0 {
        OTHERS_WITH_COSTS
    } else {
        OTHERS
    };
    let lowest = Stated::lowest(PAPER[0], others, None).headline();
    let title = format!("HABF, Figure {figure}, {}", source.name());
    let places = Place::sizes(&sizes, |_| contenders(skew > 0.0));
    Sweep {
        skews: vec![skew],
        orders,
        megabyte: Some(bits_per_key(source, 1.0)),
        says: published.iter().map(rate).chain([lowest]).collect(),
        ..Sweep::new(title, source, X::Space, places)
    }
}

/// One setting at 2 MB: `ratio` is the share of the cells.
fn setting(x: f64, functions: u32, cell_bits: u32, ratio: f64) -> Place {
    let paper = Parameters {
        functions,
        cell_bits,
        ratio,
        ..Parameters::habf(Rules::PROGRAM)
    };
    let ours = |subject: Subject, name: &str| {
        let subject = subject.set("ratio", ratio).set("k", u64::from(functions));
        subject.set("cell-bits", u64::from(cell_bits)).named(name)
    };
    Place {
        x,
        bits_per_key: bits_per_key(Source::Urls, 2.0),
        contenders: vec![
            Subject::paper_habf(PAPER[0], paper),
            ours(Subject::paper(Family::Habf), "habf, paper's optimiser"),
            ours(Subject::kind(Family::Habf), "habf, default optimiser"),
        ],
    }
}

/// Filters with cells of 3, 4 and 5 bits. Cells of 3 bits name three functions: two can belong to a key, and one is in reserve.
fn by_cell_size() -> Vec<Subject> {
    let functions = |bits: u32| if bits == 3 { 2 } else { 3 };
    let paper = |cell_bits: u32| {
        let parameters = Parameters {
            functions: functions(cell_bits),
            cell_bits,
            ..Parameters::habf(Rules::PROGRAM)
        };
        Subject::paper_habf(&format!("paper's HABF, {cell_bits} bits"), parameters)
    };
    let ours = |bits: u32| {
        let subject = Subject::paper(Family::Habf).set("cell-bits", u64::from(bits));
        let subject = subject.set("k", u64::from(functions(bits)));
        subject.named(format!("habf, {bits} bits"))
    };
    (3..=5).map(paper).chain((3..=5).map(ours)).collect()
}

/// Parameters: the ratio of cells to bits, the number of functions, the size of a cell.
pub fn figure_9(options: &Options) -> Result<Outcome> {
    let panel = |title: &str, x, places, says: Stated| Sweep {
        says: vec![says.headline()],
        ..Sweep::new(format!("HABF, Figure 9 {title}"), Source::Urls, x, places)
    };
    let ratios = [
        0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0,
    ];
    // The paper's ratio is relative to the bits, ours to the whole.
    let ratio = |place: f64| setting(place, 3, 4, place / (1.0 + place));
    let functions = |k: u32| setting(f64::from(k), k, cell_bits(k), 0.2);
    let best = |x| Stated::best(PAPER[0], x).because(FUNCTIONS);
    let sizes = SHALLA.map(|megabytes| bits_per_key(Source::Urls, megabytes));
    let others = &["paper's HABF, 3 bits", "paper's HABF, 5 bits"];
    let sweeps = [
        panel(
            "(a), 2 MB, 3 functions",
            X::Parameter("cells : bits"),
            ratios.map(ratio).to_vec(),
            best(&[0.25]),
        ),
        panel(
            "(a), 2 MB, ratio 1 : 4",
            X::Parameter("functions"),
            (2..=8).map(functions).collect(),
            best(&[3.0, 4.0, 5.0]),
        ),
        panel(
            "(b), ratio 1 : 4",
            X::Space,
            Place::sizes(&sizes, |_| by_cell_size()),
            Stated::lowest("paper's HABF, 4 bits", others, None),
        ),
    ];
    let about = "HABF, Figure 9: its parameters, in the paper's setting except for the one that changes; equal costs. A ratio of 0 leaves no cells: the paper's filter cannot be built, and ours are plain Bloom filters. Cells have 4 bits if those can name all functions of a key and one more, else 5.";
    Ok(figure::run(about, &sweeps, options)?.0)
}

/// Rate over space with equal costs.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    let sweeps = FIGURE_10.map(|(source, published)| over_space(10, 0.0, 1, source, published));
    let about = "HABF, Figure 10: rate over space, equal costs.";
    let (mut outcome, grids) = figure::run(about, &sweeps, options)?;
    outcome.claims.push(fast_to_full(&grids[1]));
    outcome.tables.push(learned::figure_10());
    Ok(outcome)
}

/// The claim on the ratio of f-HABF's rate to HABF's: the mean over the sizes at which both have false positives.
fn fast_to_full(grid: &Grid) -> Claim {
    let lines = [PAPER[1], PAPER[0]].map(|name| grid.line(name, 0.0));
    let [fast, full] = lines.map(|line| line.into_iter().map(|(_, rates)| rates.mean()));
    let ratio = |(fast, full): (Spread, Spread)| {
        let mean = fast.mean / full.mean;
        let relative = (fast.deviation / fast.mean).hypot(full.deviation / full.mean);
        Spread {
            mean,
            deviation: mean * relative,
        }
    };
    let ratios = fast.zip(full).map(ratio);
    let ratios: Vec<Spread> = ratios.filter(|ratio| ratio.deviation.is_finite()).collect();
    let what = "paper's f-HABF / paper's HABF, YCSB keys, mean over the sizes";
    let claim = Claim::ratio(what, Says::Equal, 1.5, Spread::pooled(&ratios));
    claim
        .rests_on("equal costs")
        .headline()
        .because(NEVER_EMPTY)
}

/// Rate over space with Zipf costs of skew 1.0.
pub fn figure_11(options: &Options) -> Result<Outcome> {
    let sweeps = FIGURE_11.map(|(source, published)| {
        let orders = if source == Source::Urls { 10 } else { 2 };
        over_space(11, 1.0, orders, source, published)
    });
    let about = "HABF, Figure 11: rate over space, Zipf costs, skew 1.0. Weighted, guarded and our own HABF filters are built for ten orders of them for URL-like keys and for two for YCSB keys. The paper's HABF, and ours with its parameters, are taken to treat the costliest hundredth alike.";
    let (mut outcome, _) = figure::run(about, &sweeps, options)?;
    outcome.tables.push(learned::figure_11());
    Ok(outcome)
}

/// Rate over the skew of the costs at 1.5 MB.
pub fn figure_13(options: &Options) -> Result<Outcome> {
    let size = bits_per_key(Source::Urls, 1.5);
    let falls_from = |who| Stated::falls(who, 0.9).headline().because(SECOND_ROUND);
    let places = Place::sizes(&[size], |_| contenders(true));
    let title = "HABF, Figure 13, 8.44 bits per key";
    let part = Sweep {
        skews: vec![0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0],
        orders: 3,
        says: PAPER.map(falls_from).to_vec(),
        ..Sweep::new(title, Source::Urls, X::Skew, places)
    };
    let skews: Vec<f64> = part.skews[3..].to_vec();
    let about = "HABF, Figure 13: rate over the skew of Zipf's law at 1.5 MB, 8.44 bits per key. Filters that use costs are built for three orders of them. The paper's HABF, and ours with its parameters, are taken to treat the costliest hundredth alike.";
    let (mut outcome, grids) = figure::run(about, &[part], options)?;
    for name in PAPER {
        let orders = skews
            .iter()
            .filter_map(|&skew| grids[0].at(name, skew, size).ok()?.orders);
        let medians: Vec<Spread> = orders.map(|orders| orders.median.into()).collect();
        let ends = [medians.first(), medians.last()];
        let [first, last] = ends.map(|end| percent(end.map_or(f64::NAN, |end| end.mean)));
        let what = format!("{name}: the median of ten orders falls from skew 0.9 on");
        let claim = Claim::new(what, "yes", format!("{first} to {last}"), falls(&medians));
        outcome.claims.push(claim.rests_on("ten orders").headline());
    }
    for name in OTHERS {
        // A filter that ignores costs has the same false positives at every skew; only a single order fluctuates.
        let lines = skews.iter().flat_map(|&skew| grids[0].line(name, skew));
        let relative = lines.map(|(_, rates)| rates.known.deviation / rates.known.mean);
        let least = relative.fold(f64::INFINITY, f64::min);
        let what =
            format!("{name}: fluctuates from skew 0.9 on (least deviation of an order / mean)");
        let claim = Claim::ratio(what, Says::AtLeast, 0.25, least);
        outcome.claims.push(claim.rests_on("all orders"));
    }
    Ok(outcome)
}
