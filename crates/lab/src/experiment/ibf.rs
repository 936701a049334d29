//! The evaluation of the paper on item-personalized Bloom filters, its section 4, with enough trials to tell.
//!
//! A trial is one of the paper's: `m` random integers are inserted into a personalized filter and into a Bloom filter of
//! the same number of slots, and both are asked for as many, one in ten of them inserted. Whoever has fewer false
//! positives wins. The paper ran ten trials for each ratio, here it is a thousand times as many. For the winners the same
//! functions, as many as are best for the ratio, serve both; Figures 6 and 7 change their number.

use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::{Bloom, Filter, Hashing, Size};
use rayon::prelude::*;

/// Trials for each ratio at full size.
const TRIALS: u64 = 10_000;

/// Keys of a trial.
const KEYS: u64 = 1024;

/// False positives of the personalized and of the Bloom filter in a trial, and how many could have been.
struct Trial {
    personalized: u64,
    bloom: u64,
    asked: u64,
}

impl Trial {
    fn run(ratio: u64, functions: u32, number: u64) -> Result<Self> {
        let hashing = Hashing::Xxh3 { seed: number };
        let size = Size::Bits(ratio * KEYS);
        let plain = || {
            Bloom::builder(KEYS, size)
                .functions(functions)
                .hashing(hashing)
        };
        let (mut personalized, mut bloom) = (plain().personalized().build()?, plain().build()?);
        let integer = |n: u64| u64::number(number * 2 * KEYS + n).to_le_bytes();
        let digests: Vec<_> = (0..KEYS).map(|n| hashing.digest(&integer(n))).collect();
        personalized.insert_digests(&digests);
        bloom.insert_digests(&digests);
        for &member in &digests[..KEYS as usize / 10] {
            let found = personalized.contains_digest(member) && bloom.contains_digest(member);
            ensure!(found, "a member is denied");
        }
        let strangers = KEYS..2 * KEYS - KEYS / 10;
        let mut trial = Trial {
            personalized: 0,
            bloom: 0,
            asked: strangers.end - strangers.start,
        };
        for digest in strangers.map(|n| hashing.digest(&integer(n))) {
            trial.personalized += u64::from(personalized.contains_digest(digest));
            trial.bloom += u64::from(bloom.contains_digest(digest));
        }
        Ok(trial)
    }

    /// 1 if the personalized filter wins, -1 if the Bloom filter does, 0 for a draw.
    fn lead(&self) -> i64 {
        (self.bloom as i64 - self.personalized as i64).signum()
    }
}

/// So many trials, with keys and functions that no other ratio and number of functions has: rates that share them would
/// differ from each other's filter in the same direction, which looks like a law and is one draw.
fn trials(ratio: u64, functions: u32, count: u64) -> Result<Vec<Trial>> {
    let first = (ratio * 16 + u64::from(functions)) << 32;
    let numbers = (first..first + count).into_par_iter();
    numbers
        .map(|number| Trial::run(ratio, functions, number))
        .collect()
}

/// The rates over all trials: of the personalized and of the Bloom filter.
fn rates(trials: &[Trial]) -> [f64; 2] {
    let asked: u64 = trials.iter().map(|trial| trial.asked).sum();
    let sum = |of: fn(&Trial) -> u64| trials.iter().map(of).sum::<u64>() as f64 / asked as f64;
    [sum(|trial| trial.personalized), sum(|trial| trial.bloom)]
}

/// By how many of its standard errors the personalized filter has fewer false positives than the Bloom filter of the same
/// trial, in the mean.
fn errors_below(trials: &[Trial]) -> f64 {
    let count = trials.len() as f64;
    let less = |trial: &Trial| trial.bloom as f64 - trial.personalized as f64;
    let mean = trials.iter().map(less).sum::<f64>() / count;
    let square = |trial: &Trial| (less(trial) - mean).powi(2);
    let variance = trials.iter().map(square).sum::<f64>() / (count - 1.0);
    mean / (variance / count).sqrt()
}

/// The best number of functions for a ratio.
fn best(ratio: u64) -> u32 {
    ((ratio as f64 * std::f64::consts::LN_2).round() as u32).max(1)
}

/// Shares of wins, losses and draws, the lead of wins over losses, and the half of its 95 % confidence interval.
fn shares(leads: &[i64]) -> [f64; 5] {
    let count = leads.len() as f64;
    let share = |of: i64| leads.iter().filter(|&&lead| lead == of).count() as f64 / count;
    let (wins, losses) = (share(1), share(-1));
    let lead = wins - losses;
    let deviation = ((wins + losses - lead * lead) / count).sqrt();
    [wins, losses, share(0), lead, 1.96 * deviation]
}

/// The winner count.
pub fn winners(options: &Options) -> Result<Outcome> {
    let count = options.scaled(TRIALS, 100);
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters, section 4: who has fewer false positives, {KEYS} random integers, {count} trials a ratio."
    ));
    let percent = |share: f64| Cell::Number(share, format!("{:.2} %", 100.0 * share));
    let columns = [
        "m : n",
        "k",
        "personalized",
        "bloom",
        "wins",
        "losses",
        "draws",
        "lead",
        "±, 95 %",
    ];
    let mut table = Table::new("", columns);
    let mut all: Vec<Vec<i64>> = Vec::new();
    let x = Axis::linear("slots per key");
    let y = Axis::linear("wins minus losses, share of trials");
    let mut chart = Chart::new("Lead of the personalized filter, 95 % interval", x, y);
    for ratio in 1..=10 {
        let trials = trials(ratio, best(ratio), count)?;
        let leads: Vec<i64> = trials.iter().map(Trial::lead).collect();
        let shares = shares(&leads);
        let cells = [
            format!("1 : {ratio}").into(),
            Cell::whole(best(ratio).into()),
        ];
        let rates = rates(&trials).map(Cell::rate);
        table.row(cells.into_iter().chain(rates).chain(shares.map(percent)));
        chart.point("lead", ratio as f64, shares[3], shares[4]);
        chart.point("none", ratio as f64, 0.0, 0.0);
        all.push(leads);
    }
    let joined = shares(&all.concat());
    let empty = [Cell::Nothing, Cell::Nothing, Cell::Nothing];
    table.row(
        ["all".into()]
            .into_iter()
            .chain(empty)
            .chain(joined.map(percent)),
    );
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let [_, _, draws, lead, half] = joined;
    outcome.claims = vec![
        Claim::holds(
            "the personalized filter outperforms a Bloom filter",
            "by 13.79 %",
            format!("by {:+.2} ± {:.2} %", 100.0 * lead, 100.0 * half),
            lead - half > 0.0,
            "theory says that both have the same rate; the paper's 100 trials cannot tell",
        ),
        Claim::holds(
            "draws",
            "41.44 %",
            format!("{:.2} %", 100.0 * draws),
            (0.35..0.48).contains(&draws),
            "their share follows from the number of keys, which the paper does not give",
        ),
    ];
    outcome.notes.push(chance(&all, count as usize / 10));
    Ok(outcome)
}

/// How often 100 trials, ten of each ratio, show a lead as large as the paper's by chance alone.
fn chance(all: &[Vec<i64>], rounds: usize) -> String {
    let published = 13.79;
    let lead = |round: usize| {
        let of_ratio = |leads: &Vec<i64>| leads[10 * round..10 * round + 10].iter().sum::<i64>();
        all.iter().map(of_ratio).sum::<i64>() as f64
    };
    let leads: Vec<f64> = (0..rounds).map(lead).collect();
    let share = |holds: &dyn Fn(f64) -> bool| {
        let count = leads.iter().filter(|&&lead| holds(lead)).count();
        100.0 * count as f64 / rounds as f64
    };
    format!(
        "Of {rounds} rounds of 100 trials, {:.1} % have a lead of {published} % or more for the personalized filter, {:.1} % for the Bloom filter.",
        share(&|lead| lead >= published),
        share(&|lead| lead <= -published)
    )
}

fn by_functions(figure: u32, ratios: &[u64], options: &Options) -> Result<Outcome> {
    let count = options.scaled(TRIALS, 20);
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters, Figure {figure}: rate over the number of functions, {KEYS} random integers, mean of {count} trials."
    ));
    let mut table = Table::new(
        "",
        [
            "m : n",
            "k",
            "personalized",
            "bloom",
            "personalized / bloom",
            "standard errors below",
        ],
    );
    let x = Axis::linear("functions");
    let title = format!("Personalized (p) and Bloom (b), Figure {figure}");
    let mut chart = Chart::new(title, x, Axis::log("false positive rate"));
    let mut below = Vec::new();
    for &ratio in ratios {
        for functions in 1..=10 {
            let trials = trials(ratio, functions, count)?;
            let [ours, theirs] = rates(&trials);
            // With one function both are the same filter.
            let errors = (functions > 1).then(|| errors_below(&trials));
            below.extend(errors);
            table.row([
                format!("1 : {ratio}").into(),
                Cell::whole(functions.into()),
                Cell::rate(ours),
                Cell::rate(theirs),
                Cell::number(ours / theirs, 3),
                Cell::of(errors, |errors| Cell::number(errors, 1)),
            ]);
            chart.point(&format!("p, 1 : {ratio}"), functions.into(), ours, 0.0);
            chart.point(&format!("b, 1 : {ratio}"), functions.into(), theirs, 0.0);
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let more_than = |least: f64| below.iter().filter(|&&errors| errors > least).count();
    outcome.claims.push(Claim::holds(
        "the personalized filter has a lower rate in most cases",
        "yes",
        format!(
            "in {} of {}; by more than two standard errors in {}, and higher by that in {}",
            more_than(0.0),
            below.len(),
            more_than(2.0),
            below.iter().filter(|&&errors| errors < -2.0).count()
        ),
        2 * more_than(2.0) > below.len(),
        "both have the same rate: by chance alone, one case in forty is so much lower and one so much higher",
    ));
    Ok(outcome)
}

/// Ratios 1 : 1 to 1 : 6.
pub fn figure_6(options: &Options) -> Result<Outcome> {
    by_functions(6, &[1, 2, 3, 4, 5, 6], options)
}

/// Ratios 1 : 7 to 1 : 10.
pub fn figure_7(options: &Options) -> Result<Outcome> {
    by_functions(7, &[7, 8, 9, 10], options)
}
