//! Item-personalized Bloom filters: the evaluation of the paper's section 4 again, with enough trials to tell; what the
//! variants do to the rate; and what the walk costs in time.
//!
//! A trial is one of the paper's: `m` random integers are inserted into a personalized filter and into a Bloom filter of
//! the same number of slots, and both are asked for as many, one in ten of them inserted. Whoever has fewer false
//! positives wins. The paper ran ten trials for each ratio, here it is a thousand times as many. The same functions,
//! as many as are best for the ratio, serve both.

use crate::contender::{BITS_PER_KEY, Contender};
use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use bloomwise::{Bloom, Filter, Hashing, Size, Spec};

/// Trials for each ratio.
const TRIALS: u64 = 10_000;

/// Keys of a trial.
const KEYS: u64 = 1024;

/// What came of the trials of one ratio.
#[derive(Default)]
struct Score {
    /// For each trial: 1 if the personalized filter won, -1 if the Bloom filter did, 0 for a draw.
    leads: Vec<i64>,
    /// False positives of the personalized filter.
    personalized: u64,
    /// False positives of the Bloom filter.
    bloom: u64,
    /// Keys outside of the set that were asked for.
    asked: u64,
}

/// One trial: false positives of the personalized and of the Bloom filter, and how many could have been.
fn trial(ratio: u64, functions: u32, number: u64) -> (u64, u64, u64) {
    let hashing = Hashing::Xxh3 { seed: number };
    let size = Size::Bits(ratio * KEYS);
    let mut personalized = Bloom::builder(KEYS, size)
        .personalized()
        .functions(functions)
        .hashing(hashing)
        .build()
        .expect("a sound size");
    let mut bloom = Bloom::builder(KEYS, size)
        .functions(functions)
        .hashing(hashing)
        .build()
        .expect("a sound size");
    let integer = |n: u64| u64::number(number * 2 * KEYS + n).to_le_bytes();
    let digests: Vec<_> = (0..KEYS).map(|n| hashing.digest(&integer(n))).collect();
    personalized.insert_digests(&digests);
    bloom.insert_digests(&digests);
    for &member in &digests[..KEYS as usize / 10] {
        let found = personalized.contains_digest(member) && bloom.contains_digest(member);
        assert!(found, "a member is denied");
    }
    let strangers = KEYS..2 * KEYS - KEYS / 10;
    let asked = strangers.end - strangers.start;
    let (mut ours, mut theirs) = (0, 0);
    for digest in strangers.map(|n| hashing.digest(&integer(n))) {
        ours += u64::from(personalized.contains_digest(digest));
        theirs += u64::from(bloom.contains_digest(digest));
    }
    (ours, theirs, asked)
}

fn trials() {
    println!("\nWho has fewer false positives, {KEYS} random integers, {TRIALS} trials a ratio\n");
    println!(
        "| m : n | k | rate, personalized | rate, Bloom | wins | losses | draws | lead, 95 % |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let mut all = Vec::new();
    for ratio in 1..=10 {
        let functions = ((ratio as f64 * std::f64::consts::LN_2).round() as u32).max(1);
        let mut score = Score::default();
        for number in 0..TRIALS {
            let (ours, theirs, asked) = trial(ratio, functions, number);
            score.leads.push((theirs as i64 - ours as i64).signum());
            score.personalized += ours;
            score.bloom += theirs;
            score.asked += asked;
        }
        let rate = |hits: u64| 100.0 * hits as f64 / score.asked as f64;
        println!(
            "| 1 : {ratio} | {functions} | {:.3} % | {:.3} % | {} |",
            rate(score.personalized),
            rate(score.bloom),
            shares(&score.leads)
        );
        all.push(score.leads);
    }
    let joined = all.concat();
    println!("| all | | | | {} |", shares(&joined));
    chance(&all);
}

/// Shares of wins, losses and draws, and the lead of wins over losses with its 95 % confidence interval.
fn shares(leads: &[i64]) -> String {
    let count = leads.len() as f64;
    let share = |of: i64| leads.iter().filter(|&&lead| lead == of).count() as f64 / count;
    let (wins, losses) = (share(1), share(-1));
    let lead = wins - losses;
    let deviation = ((wins + losses - lead * lead) / count).sqrt();
    format!(
        "{:.1} % | {:.1} % | {:.1} % | {:+.2} ± {:.2} %",
        100.0 * wins,
        100.0 * losses,
        100.0 * share(0),
        100.0 * lead,
        196.0 * deviation
    )
}

/// How often 100 trials, ten of each ratio, show a lead as large as the paper's by chance alone.
fn chance(all: &[Vec<i64>]) {
    let published = 13.79;
    let rounds = TRIALS as usize / 10;
    let lead = |round: usize| {
        let of_ratio = |leads: &Vec<i64>| leads[10 * round..10 * round + 10].iter().sum::<i64>();
        all.iter().map(of_ratio).sum::<i64>() as f64
    };
    let leads: Vec<f64> = (0..rounds).map(lead).collect();
    let share = |holds: &dyn Fn(f64) -> bool| {
        let count = leads.iter().filter(|&&lead| holds(lead)).count();
        100.0 * count as f64 / rounds as f64
    };
    println!(
        "\nOf {rounds} rounds of 100 trials, {:.1} % have a lead of {published} % or more for the personalized filter, {:.1} % for the Bloom filter.",
        share(&|lead| lead >= published),
        share(&|lead| lead <= -published)
    );
}

fn variants() {
    let keys = 1_000_000u64;
    println!("\nThe variants at {BITS_PER_KEY} bits per key, all in, 1 M keys, 4 M strangers\n");
    println!("| filter | bits per key | rejected | FPR |");
    println!("|---|---|---|---|");
    let rejecting = |threshold: &str| {
        let spec = Spec::new("personalized-rejecting");
        let spec = spec.and_then(|spec| spec.set("k", "7"));
        spec.and_then(|spec| spec.set("threshold", threshold))
    };
    for (name, spec) in [
        ("bloom", Spec::new("bloom")),
        ("personalized", Spec::new("personalized")),
        ("personalized-rejecting, t = 6", rejecting("6")),
        ("personalized-rejecting, t = 5", rejecting("5")),
        ("personalized-rejecting, t = 4", rejecting("4")),
    ] {
        let spec = spec.expect("sound settings");
        let spec = spec.size(Size::BitsPerKey(BITS_PER_KEY as f64));
        let bytes = |n: u64| u64::number(n).to_le_bytes();
        let filter = spec
            .build_from_keys((0..keys).map(bytes))
            .expect("a sound size");
        assert!(
            (0..keys).all(|n| filter.contains(&bytes(n))),
            "a member is denied"
        );
        let hits = (keys..5 * keys)
            .filter(|&n| filter.contains(&bytes(n)))
            .count();
        let info = filter.info();
        let rejected = info.parameters.iter().find(|(name, _)| *name == "rejected");
        println!(
            "| {name} | {:.2} | {} | {:.3} % |",
            filter.size_in_bits() as f64 / keys as f64,
            rejected.map_or("-".to_string(), |(_, value)| value.to_string()),
            100.0 * hits as f64 / (4 * keys) as f64
        );
    }
}

/// A filter of keys that walk, as large as those they are compared with.
fn personalized(keys: &[u64]) -> Bloom {
    let size = Size::BitsPerKey(BITS_PER_KEY as f64);
    let builder = Bloom::builder(keys.len() as u64, size).personalized();
    let mut filter = builder.build().expect("a sound size");
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    filter
}

fn times(title: &str, count: u64, asked: u64) {
    let keys = Keys::<u64>::new(count, asked);
    let entries = vec![
        Entry::single::<u64, Bloom>("personalized", &keys, personalized).not_built_again(),
        Entry::single::<u64, Bloom>("bloom", &keys, Contender::build).not_built_again(),
        Entry::batch::<u64, Bloom>("personalized, batch", &keys, personalized),
        Entry::batch::<u64, Bloom>("bloom, batch", &keys, Contender::build),
    ];
    let pairs = [
        ("personalized", "bloom"),
        ("personalized, batch", "bloom, batch"),
    ];
    race::run(title, &keys, entries, &pairs);
}

/// Runs the trials, the variants and the times.
pub fn run() {
    trials();
    variants();
    times(
        "1 M queries on 100,000 keys of 8 bytes: in the cache",
        100_000,
        1_000_000,
    );
    times(
        "10 M queries on 100 M keys of 8 bytes: far from it",
        100_000_000,
        10_000_000,
    );
}
