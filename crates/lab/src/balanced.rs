//! Balanced filters: the figures of the paper from theory alone, measured rates and reads against the model, and the
//! time that lookups take beside `Blocked`.

use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use bloomwise::balanced::theory::lookup::{Rule, of_strangers, textbook_rate};
use bloomwise::balanced::theory::{Arrivals, Bound, Threshold, region};
use bloomwise::balanced::{BalancedBuilder, Scheme};
use bloomwise::{Balanced, Blocked, Digest, Filter, Size};

const KEYS: u64 = 1_000_000;

/// Strangers that are asked for. Where one in a million is taken for a member, it takes many to count a hundred.
fn strangers(bits_per_key: f64) -> u64 {
    if bits_per_key < 28.0 {
        64_000_000
    } else {
        256_000_000
    }
}

fn figures() {
    println!("\nFigure 2: the lower bound of the loads, r = 8, no overflow\n");
    println!("| load | a = 1 | a = 1.1 | a = 1.2 |\n|---|---|---|---|");
    let bounds = [1.0, 1.1, 1.2].map(|reads| Bound::new(reads, 8.0, 0.0));
    for load in 0..16 {
        let share = |bound: &Bound| bound.loads.get(load).copied().unwrap_or(0.0);
        let [one, two, three] = bounds.each_ref().map(share);
        println!("| {load} | {one:.4} | {two:.4} | {three:.4} |");
    }
    println!("\nFigure 3: the least overflow, d = 3\n");
    println!(
        "| a, r = 8 | sequential | mht | r, a = 1.2 | sequential | mht |\n|---|---|---|---|---|---|"
    );
    let reads = [1.05, 1.1, 1.15, 1.2, 1.25, 1.3];
    for (reads, load) in reads.into_iter().zip([1.0, 4.0, 8.0, 16.0, 32.0, 64.0]) {
        let share = |share: f64| format!("{:.3} %", 100.0 * share);
        println!(
            "| {reads} | {} | {} | {load} | {} | {} |",
            share(region::sequential_overflow(reads, 3, 8.0)),
            share(region::mht_overflow(reads, 3)),
            share(region::sequential_overflow(1.2, 3, load)),
            share(region::mht_overflow(1.2, 3)),
        );
    }
    println!(
        "\nFigure 4: rates by the paper's model, B = 256, a list of 0.49 % that costs nothing, k = beta ln 2\n"
    );
    println!("| bits per key | Bloom | blocked | single | mht |\n|---|---|---|---|---|");
    for bits_per_key in [8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
        let functions = (bits_per_key * std::f64::consts::LN_2).round() as u32;
        let load = 256.0 / bits_per_key;
        let blocked = Bound::new(1.0, load, 0.0).cost(|keys| textbook_rate(256.0, keys, functions));
        let balanced = |reads: f64, choices| {
            let threshold = Threshold::solve(reads, load, region::mht_overflow(1.2, 3));
            let loads = threshold.loads(&Arrivals::new(reads * load), 1);
            let cells = 256.0 - ((threshold.level + 2) as f64).log2().ceil();
            let rate = |keys| textbook_rate(cells, keys, functions);
            of_strangers(&loads, threshold, choices, Rule::Level, rate).rate
        };
        println!(
            "| {bits_per_key} | {:.1e} | {blocked:.1e} | {:.1e} | {:.1e} |",
            textbook_rate(bits_per_key, 1, functions),
            balanced(1.0, 1),
            balanced(1.2, 3)
        );
    }
}

/// The keys of the set as digests, which all must be found.
fn members(filter: &impl Filter) -> Vec<Digest> {
    let hashing = filter.hashing();
    let digests = (0..KEYS).map(|n| hashing.digest(&u64::number(n).to_le_bytes()));
    let digests: Vec<_> = digests.collect();
    let denied = digests
        .iter()
        .filter(|&&digest| !filter.contains_digest(digest));
    assert_eq!(denied.count(), 0, "a member is denied");
    digests
}

/// The share of strangers that are taken for members.
fn measured_rate(filter: &impl Filter, strangers: u64) -> f64 {
    let hashing = filter.hashing();
    let (mut digests, mut answers) = (Vec::new(), Vec::new());
    let mut hits = 0;
    for start in (KEYS..KEYS + strangers).step_by(1000) {
        digests.clear();
        digests
            .extend((start..start + 1000).map(|n| hashing.digest(&u64::number(n).to_le_bytes())));
        answers.clear();
        filter.contains_digests(&digests, &mut answers);
        hits += answers.iter().filter(|&&yes| yes).count();
    }
    hits as f64 / strangers as f64
}

fn filled(builder: &BalancedBuilder) -> Balanced {
    let mut filter = builder.build().expect("a sound plan");
    filter.extend((0..KEYS).map(|n| u64::number(n).to_le_bytes()));
    filter
}

fn rates() {
    println!(
        "\nRates: 1 M keys, 64 M strangers (256 M from 28 bits per key on), the list inside the bits per key\n"
    );
    println!(
        "| block | bits per key | scheme | k | h | d | a | bits, measured | FPR | model | FPR / model | blocked | blocked / FPR |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for block in [256, 512] {
        for bits_per_key in [8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
            let size = Size::BitsPerKey(bits_per_key);
            let blocked = Blocked::builder(KEYS, size).block_bits(block);
            let mut blocked = blocked.build().expect("a sound size");
            blocked.extend((0..KEYS).map(|n| u64::number(n).to_le_bytes()));
            let blocked = measured_rate(&blocked, strangers(bits_per_key));
            for scheme in Scheme::ALL {
                let builder = Balanced::builder(KEYS, size)
                    .block_bits(block)
                    .scheme(scheme);
                let plan = builder.plan().expect("a sound plan");
                let filter = filled(&builder);
                members(&filter);
                let rate = measured_rate(&filter, strangers(bits_per_key));
                println!(
                    "| {block} | {bits_per_key} | {} | {} | {} | {} | {} | {:.2} | {rate:.3e} | {:.3e} | {:.3} | {blocked:.3e} | {:.2} |",
                    scheme.name(),
                    plan.functions,
                    plan.level,
                    plan.choices,
                    plan.reads_allowed,
                    filter.size_in_bits() as f64 / KEYS as f64,
                    plan.rate,
                    rate / plan.rate,
                    blocked / rate
                );
            }
        }
    }
}

fn reads() {
    println!(
        "\nBlocks read, 1 M keys: by the rule of the paper, with the coin, and with what was noted\n"
    );
    println!(
        "| block | bits per key | scheme | a | d | insertion | worst | member | stranger, paper | coin | noted | model | overflow | model |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (block, bits_per_key) in [(256, 16.0), (256, 32.0), (512, 16.0), (512, 32.0)] {
        for scheme in [Scheme::Sequential, Scheme::Mht] {
            let size = Size::BitsPerKey(bits_per_key);
            let builder = Balanced::builder(KEYS, size)
                .block_bits(block)
                .scheme(scheme);
            let builder = builder.reads(1.2).choices(3);
            let plan = builder.plan().expect("a sound plan");
            let filter = filled(&builder);
            let members = members(&filter);
            let strangers = KEYS..2 * KEYS;
            let hashing = filter.hashing();
            let strangers = strangers.map(|n| hashing.digest(&u64::number(n).to_le_bytes()));
            let strangers: Vec<_> = strangers.collect();
            let mean = |digests: &[Digest], rule| {
                let reads = digests
                    .iter()
                    .map(|&digest| filter.blocks_read(digest, rule));
                reads.sum::<usize>() as f64 / KEYS as f64
            };
            let worst = members
                .iter()
                .map(|&digest| filter.blocks_read(digest, Rule::Noted));
            let [paper, coin, noted] =
                [Rule::Level, Rule::Coin, Rule::Noted].map(|rule| mean(&strangers, rule));
            println!(
                "| {block} | {bits_per_key} | {} | {} | {} | {:.4} | {} | {:.4} | {paper:.3} | {coin:.3} | {noted:.3} | {:.3} | {:.4} % | {:.4} % |",
                scheme.name(),
                plan.reads_allowed,
                plan.choices,
                filter.reads_per_insertion(),
                worst.max().unwrap_or(0),
                mean(&members, Rule::Noted),
                plan.negative_reads,
                100.0 * filter.overflowed() as f64 / KEYS as f64,
                100.0 * plan.overflow
            );
        }
    }
}

fn balanced<const BITS: u32>(keys: &[u64]) -> Balanced {
    let size = Size::BitsPerKey(f64::from(BITS));
    let mut filter = Balanced::builder(keys.len() as u64, size)
        .build()
        .expect("a sound size");
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    filter
}

fn blocked<const BITS: u32>(keys: &[u64]) -> Blocked {
    let size = Size::BitsPerKey(f64::from(BITS));
    let mut filter = Blocked::builder(keys.len() as u64, size)
        .build()
        .expect("a sound size");
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    filter
}

fn times<const BITS: u32>() {
    let keys = Keys::<u64>::new(10_000_000, 10_000_000);
    let entries = vec![
        Entry::single::<u64, Balanced>("balanced", &keys, balanced::<BITS>),
        Entry::single::<u64, Blocked>("blocked", &keys, blocked::<BITS>),
        Entry::batch::<u64, Balanced>("balanced, batch", &keys, balanced::<BITS>),
        Entry::batch::<u64, Blocked>("blocked, batch", &keys, blocked::<BITS>),
    ];
    let pairs = [
        ("balanced", "blocked"),
        ("balanced, batch", "blocked, batch"),
    ];
    let title = format!("10 M queries on 10 M keys of 8 bytes, {BITS} bits per key, blocks of 512");
    race::run(&title, &keys, entries, &pairs);
}

/// Draws the figures, measures rates and reads, and runs the races.
pub fn run() {
    figures();
    rates();
    reads();
    times::<10>();
    times::<16>();
    times::<24>();
    times::<32>();
}
