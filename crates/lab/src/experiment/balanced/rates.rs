//! What balanced filters do: rates and reads against the model, and the time that lookups take beside `Blocked`.

use crate::options::Options;
use crate::output::{Cell, Outcome, Table};
use crate::race::{self, Entry, Keys};
use crate::workload::Key;
use anyhow::{Result, ensure};
use bloomwise::balanced::theory::lookup::Rule;
use bloomwise::balanced::{BalancedBuilder, Scheme};
use bloomwise::{Balanced, Blocked, Digest, Filter, Size};
use rayon::prelude::*;

/// Strangers that are asked for. Where one in a million is taken for a member, it takes many to count a hundred.
fn strangers(bits_per_key: f64, options: &Options) -> u64 {
    let full = if bits_per_key < 28.0 {
        64_000_000
    } else {
        256_000_000
    };
    options.scaled(full, 100_000)
}

fn bytes(n: u64) -> [u8; 8] {
    u64::number(n).to_le_bytes()
}

/// The keys of the set as digests, which all must be found.
fn members(filter: &impl Filter, keys: u64) -> Result<Vec<Digest>> {
    let hashing = filter.hashing();
    let digests: Vec<_> = (0..keys).map(|n| hashing.digest(&bytes(n))).collect();
    let denied = digests
        .iter()
        .filter(|&&digest| !filter.contains_digest(digest));
    ensure!(denied.count() == 0, "a member is denied");
    Ok(digests)
}

/// The share of strangers that are taken for members.
fn measured_rate(filter: &impl Filter, keys: u64, strangers: u64) -> f64 {
    let hashing = filter.hashing();
    let hits = (0..strangers.div_ceil(1000)).into_par_iter().map(|group| {
        let start = keys + 1000 * group;
        let digests: Vec<_> = (start..start + 1000)
            .map(|n| hashing.digest(&bytes(n)))
            .collect();
        let mut answers = Vec::with_capacity(digests.len());
        filter.contains_digests(&digests, &mut answers);
        answers.iter().filter(|&&yes| yes).count()
    });
    hits.sum::<usize>() as f64 / (1000 * strangers.div_ceil(1000)) as f64
}

/// The measured rate of a blocked filter.
pub fn blocked_rate(block: u32, bits_per_key: f64, keys: u64, strangers: u64) -> Result<f64> {
    let builder = Blocked::builder(keys, Size::BitsPerKey(bits_per_key)).block_bits(block);
    let mut filter = builder.build()?;
    filter.extend((0..keys).map(bytes));
    members(&filter, keys)?;
    Ok(measured_rate(&filter, keys, strangers))
}

fn builder(block: u32, bits_per_key: f64, scheme: Scheme, keys: u64) -> BalancedBuilder {
    let builder = Balanced::builder(keys, Size::BitsPerKey(bits_per_key));
    builder.block_bits(block).scheme(scheme)
}

/// The measured rate of a balanced filter.
pub fn balanced_rate(
    block: u32,
    bits_per_key: f64,
    scheme: Scheme,
    keys: u64,
    strangers: u64,
) -> Result<f64> {
    let filter = filled(&builder(block, bits_per_key, scheme, keys), keys)?;
    members(&filter, keys)?;
    Ok(measured_rate(&filter, keys, strangers))
}

fn filled(builder: &BalancedBuilder, keys: u64) -> Result<Balanced> {
    let mut filter = builder.build()?;
    filter.extend((0..keys).map(bytes));
    Ok(filter)
}

fn rates(options: &Options, keys: u64) -> Result<Table> {
    let columns = [
        "block",
        "bits per key",
        "scheme",
        "k",
        "h",
        "d",
        "a",
        "bits, measured",
        "FPR",
        "model",
        "FPR / model",
        "blocked",
        "blocked / FPR",
    ];
    let mut table = Table::new(
        format!("Rates, {keys} keys, the list inside the bits per key"),
        columns,
    );
    for block in [256, 512] {
        for bits_per_key in [8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
            let asked = strangers(bits_per_key, options);
            let blocked = blocked_rate(block, bits_per_key, keys, asked)?;
            for scheme in Scheme::ALL {
                let builder = builder(block, bits_per_key, scheme, keys);
                let plan = builder.plan()?;
                let filter = filled(&builder, keys)?;
                members(&filter, keys)?;
                let rate = measured_rate(&filter, keys, asked);
                table.row([
                    Cell::whole(block.into()),
                    Cell::number(bits_per_key, 0),
                    scheme.name().into(),
                    plan.functions.to_string().into(),
                    plan.level.to_string().into(),
                    plan.choices.to_string().into(),
                    plan.reads_allowed.to_string().into(),
                    Cell::number(filter.size_in_bits() as f64 / keys as f64, 2),
                    Cell::rate(rate),
                    Cell::rate(plan.rate),
                    Cell::number(rate / plan.rate, 3),
                    Cell::rate(blocked),
                    Cell::number(blocked / rate, 2),
                ]);
            }
        }
    }
    Ok(table)
}

fn reads(keys: u64) -> Result<Table> {
    let columns = [
        "block",
        "bits per key",
        "scheme",
        "a",
        "d",
        "insertion",
        "worst",
        "member",
        "stranger, paper",
        "coin",
        "noted",
        "model",
        "overflow",
        "model",
    ];
    let title = format!(
        "Blocks read, {keys} keys: by the rule of the paper, with the coin, and with what was noted"
    );
    let mut table = Table::new(title, columns);
    for (block, bits_per_key) in [(256, 16.0), (256, 32.0), (512, 16.0), (512, 32.0)] {
        for scheme in [Scheme::Sequential, Scheme::Mht] {
            let builder = builder(block, bits_per_key, scheme, keys)
                .reads(1.2)
                .choices(3);
            let plan = builder.plan()?;
            let filter = filled(&builder, keys)?;
            let members = members(&filter, keys)?;
            let hashing = filter.hashing();
            let strangers = (keys..2 * keys).map(|n| hashing.digest(&bytes(n)));
            let strangers: Vec<_> = strangers.collect();
            let read = |digests: &[Digest], rule| {
                let reads = digests
                    .iter()
                    .map(|&digest| filter.blocks_read(digest, rule));
                reads.sum::<usize>() as f64 / keys as f64
            };
            let worst = members
                .iter()
                .map(|&digest| filter.blocks_read(digest, Rule::Noted));
            let of_strangers =
                [Rule::Level, Rule::Coin, Rule::Noted].map(|rule| read(&strangers, rule));
            let [paper, coin, noted] = of_strangers.map(|reads| Cell::number(reads, 3));
            table.row([
                Cell::whole(block.into()),
                Cell::number(bits_per_key, 0),
                scheme.name().into(),
                plan.reads_allowed.to_string().into(),
                plan.choices.to_string().into(),
                Cell::number(filter.reads_per_insertion(), 4),
                Cell::whole(worst.max().unwrap_or(0) as u64),
                Cell::number(read(&members, Rule::Noted), 4),
                paper,
                coin,
                noted,
                Cell::number(plan.negative_reads, 3),
                Cell::rate(filter.overflowed() as f64 / keys as f64),
                Cell::rate(plan.overflow),
            ]);
        }
    }
    Ok(table)
}

fn balanced<const BITS: u32>(keys: &[u64]) -> Result<Balanced> {
    let size = Size::BitsPerKey(f64::from(BITS));
    let builder = Balanced::builder(keys.len() as u64, size);
    let mut filter = builder.build()?;
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    Ok(filter)
}

fn blocked<const BITS: u32>(keys: &[u64]) -> Result<Blocked> {
    let size = Size::BitsPerKey(f64::from(BITS));
    let builder = Blocked::builder(keys.len() as u64, size);
    let mut filter = builder.build()?;
    filter.extend(keys.iter().map(|key| key.to_le_bytes()));
    Ok(filter)
}

fn times<const BITS: u32>(outcome: &mut Outcome, options: &Options) -> Result<()> {
    let count = options.scaled(10_000_000, 10_000);
    let keys = Keys::<u64>::new(count, count);
    let entries = vec![
        Entry::single::<u64, Balanced>("balanced", &keys, balanced::<BITS>)?,
        Entry::single::<u64, Blocked>("blocked", &keys, blocked::<BITS>)?,
        Entry::batch::<u64, Balanced>("balanced, batch", &keys, balanced::<BITS>)?,
        Entry::batch::<u64, Blocked>("blocked, batch", &keys, blocked::<BITS>)?,
    ];
    let pairs = [
        ("balanced", "blocked"),
        ("balanced, batch", "blocked, batch"),
    ];
    let title =
        format!("{count} keys of 8 bytes and as many queries, {BITS} bits per key, blocks of 512");
    race::run(&title, &keys, entries, &pairs, outcome)
}

/// Measures rates and reads, and runs the races.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Balanced filters: rates and reads against the model, and times beside blocked filters. 64 million strangers at full size, 256 million from 28 bits per key on.",
    );
    let keys = options.scaled(1_000_000, 20_000);
    outcome.tables.push(rates(options, keys)?);
    outcome.tables.push(reads(keys)?);
    times::<10>(&mut outcome, options)?;
    times::<16>(&mut outcome, options)?;
    times::<24>(&mut outcome, options)?;
    times::<32>(&mut outcome, options)?;
    Ok(outcome)
}
