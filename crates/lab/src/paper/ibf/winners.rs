//! Which filter has fewer false positives, and how often.
//!
//! The paper gives two numbers: 13.79 %, by which its filter "out-performed", and 41.44 % of draws. They cannot be
//! shares of its 100 trials, and the paper does not say what they are shares of. Here they are read as wins minus
//! losses, and as draws, over all trials.

use super::{KEYS, TRIALS, Trial, difference, half, rates, ratio, shown, trials};
use crate::prelude::*;

/// The published lead.
const LEAD: f64 = 0.1379;

/// The best number of functions for a ratio.
fn best(ratio: u64) -> u32 {
    ((ratio as f64 * std::f64::consts::LN_2).round() as u32).max(1)
}

/// The share of trials with this lead.
fn share(trials: &[Trial], lead: i64) -> f64 {
    let of = trials.iter().filter(|trial| trial.lead() == lead);
    of.count() as f64 / trials.len() as f64
}

/// Counts the winners.
pub fn winners(options: &Options) -> Result<Outcome> {
    let count = options.scaled(TRIALS, 100);
    let mut outcome = Outcome::new(format!(
        "Item-personalized Bloom filters, section 4: which filter has fewer false positives, {KEYS} random integers, {count} trials per ratio. Both filters have the same functions, the best number of them, and share the first slot of every key; at 1 : 1 and 1 : 2 one function is best, and they are the same filter."
    ));
    let columns = "m : n | k | personalized {%} | bloom {%} | wins {2%} | losses {2%} | draws {2%} | lead {2%} | ±, 95 % {2%}";
    let mut table = Table::new("", columns);
    let x = Axis::linear("slots per key");
    let y = Axis::linear("wins minus losses, share of trials");
    let title = "Lead of the personalized filter, 95 % interval";
    let mut chart = Chart::new(title, x, y).points_only();
    let mut all = Vec::new();
    for ratio in 1..=10 {
        let trials = trials(ratio, best(ratio), count)?;
        let leads = trials.iter().map(|trial| trial.lead() as f64);
        let lead = Spread::of_mean(&leads.collect::<Vec<_>>());
        let shares = [1, -1, 0].map(|lead| share(&trials, lead));
        let name = format!("1 : {ratio}");
        let ends = [lead.mean, half(lead)];
        table.row((name, best(ratio), rates(&trials), shares, ends));
        chart.point("lead", ratio as f64, lead.mean, half(lead));
        all.push((lead, trials));
    }
    let lead = Spread::pooled(&all.iter().map(|(lead, _)| *lead).collect::<Vec<_>>());
    let shares = [1, -1, 0].map(|lead| {
        let of = all.iter().map(|(_, trials)| share(trials, lead));
        of.sum::<f64>() / 10.0
    });
    table.row(("all", [f64::NAN; 3], shares, [lead.mean, half(lead)]));
    outcome.tables.push(table);
    chart.point("all ratios", 5.5, lead.mean, half(lead));
    chart.published("all ratios", 5.5, LEAD);
    outcome.charts.push(chart);
    let trials: Vec<&[Trial]> = all.iter().map(|(_, trials)| trials.as_slice()).collect();
    outcome.claims = claims(&trials, lead, shares);
    outcome.notes.push(chance(&trials, count as usize / 10));
    Ok(outcome)
}

/// The claims of the paper. `shares` has wins, losses and draws over all ratios.
fn claims(all: &[&[Trial]], lead: Spread, [_, losses, draws]: [f64; 3]) -> Vec<Claim> {
    // The ratios at which the filters differ.
    let differ = all.iter().zip(1..).filter(|(_, slots)| best(*slots) > 1);
    let differences: Vec<Spread> = differ.map(|(trials, _)| difference(trials)).collect();
    let pooled = ratio(Spread::pooled(&differences));
    let share = |share: f64| format!("{:.2} %", 100.0 * share);
    let at_least = format!("at least {}", share(LEAD));
    let verdict = Verdict::of(Says::AtLeast, LEAD, lead);
    let guess = "read as wins minus losses over all trials, which is a guess: 13.79 % and 41.44 % cannot be shares of 100 trials, and the paper does not say what they are shares of. In theory, both filters have the same rate";
    let claims = [
        Claim::new("lead of the personalized filter of this library", at_least, shown(lead), verdict).headline().because(guess),
        Claim::number("draws", Says::Equal, 0.4144, draws, share).because("their share follows from the number of keys and of functions, which the paper does not give"),
        Claim::number("trials that the Bloom filter wins", Says::AtLeast, 0.01, losses, share),
        Claim::ratio("rate / Bloom filter, where the two differ", Says::Equal, 1.0, pooled).ours(),
    ];
    claims.map(|claim| claim.rests_on("all trials")).into()
}

/// How often 100 trials, ten per ratio, show a lead as large as the paper's by chance alone.
fn chance(all: &[&[Trial]], rounds: usize) -> String {
    let lead = |round: usize| {
        let of_ratio = |trials: &&[Trial]| {
            let ten = trials[10 * round..10 * round + 10].iter();
            ten.map(Trial::lead).sum::<i64>()
        };
        all.iter().map(of_ratio).sum::<i64>() as f64 / 100.0
    };
    let leads: Vec<f64> = (0..rounds).map(lead).collect();
    let share = |holds: &dyn Fn(f64) -> bool| {
        let count = leads.iter().filter(|&&lead| holds(lead)).count();
        100.0 * count as f64 / rounds as f64
    };
    format!(
        "Of {rounds} rounds of 100 trials, {:.1} % have a lead of {} % or more for the personalized filter, {:.1} % for the Bloom filter.",
        share(&|lead| lead >= LEAD),
        100.0 * LEAD,
        share(&|lead| lead <= -LEAD)
    )
}
