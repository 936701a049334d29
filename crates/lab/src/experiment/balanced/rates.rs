//! What the balanced filters of this library do: rates and reads against the library's own model.
//!
//! Rates come from counts, and a count of `n` false positives has a standard deviation of `sqrt(n)`: at 32 bits per key few are
//! counted, so that the deviation stands beside each ratio.

use super::count::{Count, bytes, digests, members};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use anyhow::Result;
use bloomwise::balanced::theory::lookup::Rule;
use bloomwise::balanced::{BalancedBuilder, Scheme};
use bloomwise::{Balanced, Blocked, Digest, Filter, Size};

/// Strangers that are asked for. Where one in a million is taken for a member, it takes many to count a hundred.
fn strangers(bits_per_key: f64, options: &Options) -> u64 {
    let full = if bits_per_key < 28.0 {
        64_000_000
    } else {
        256_000_000
    };
    options.scaled(full, 100_000)
}

/// What a blocked filter with the best number of functions comes to.
fn blocked(block: u32, bits_per_key: f64, keys: u64, strangers: u64) -> Result<Count> {
    let builder = Blocked::builder(keys, Size::BitsPerKey(bits_per_key)).block_bits(block);
    let mut filter = builder.build()?;
    filter.extend((0..keys).map(bytes));
    Count::of_filter(&filter, keys, strangers)
}

fn builder(block: u32, bits_per_key: f64, scheme: Scheme, keys: u64) -> BalancedBuilder {
    let builder = Balanced::builder(keys, Size::BitsPerKey(bits_per_key));
    builder.block_bits(block).scheme(scheme)
}

fn filled(builder: &BalancedBuilder, keys: u64) -> Result<Balanced> {
    let mut filter = builder.build()?;
    filter.extend((0..keys).map(bytes));
    Ok(filter)
}

/// How far from the model the rates are, over all filters.
#[derive(Default)]
struct Distance {
    /// Measured by the model, and the deviation of the count as a share.
    all: Vec<(f64, f64)>,
}

impl Distance {
    /// In words: the ratios that are known to one in a hundred, and how far the others are in deviations.
    fn note(&self) -> String {
        let (sure, unsure): (Vec<_>, Vec<_>) = self
            .all
            .iter()
            .partition(|(_, deviation)| *deviation < 0.01);
        let ratios = || sure.iter().map(|(ratio, _)| *ratio);
        let low = ratios().fold(f64::NAN, f64::min);
        let high = ratios().fold(f64::NAN, f64::max);
        let far = |(ratio, deviation): &&(f64, f64)| (ratio - 1.0).abs() > 2.0 * deviation;
        let furthest = unsure
            .iter()
            .map(|(ratio, deviation)| (ratio - 1.0).abs() / deviation);
        let furthest = furthest.fold(0.0, f64::max);
        format!(
            "Of {} filters, {} had so many false positives that their count is known to 1 % (a standard deviation): their rate by the model's is {low:.3} to {high:.3}. Of the {} others {} are more than two deviations of their count away from the model, the furthest {furthest:.1}.",
            self.all.len(),
            sure.len(),
            unsure.len(),
            unsure.iter().filter(far).count()
        )
    }
}

/// Rates by the bits per key.
pub fn rates(options: &Options, keys: u64, outcome: &mut Outcome) -> Result<()> {
    let columns = [
        "block",
        "bits per key",
        "scheme",
        "k",
        "h",
        "d",
        "a",
        "bits, measured",
        "false positives",
        "FPR",
        "model",
        "FPR / model",
        "±, one deviation",
        "blocked",
        "blocked / FPR",
    ];
    let mut table = Table::new(
        format!("Rates, {keys} keys, the list inside the bits per key"),
        columns,
    );
    let mut distance = Distance::default();
    for block in [256, 512] {
        let mut chart = Chart::new(
            format!("Balanced and blocked filters, blocks of {block} bits"),
            Axis::linear("bits per key"),
            Axis::log("false positive rate"),
        );
        for bits_per_key in [8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
            let asked = strangers(bits_per_key, options);
            let blocked = blocked(block, bits_per_key, keys, asked)?.rate();
            chart.point("blocked", bits_per_key, blocked, 0.0);
            for scheme in Scheme::ALL {
                let builder = builder(block, bits_per_key, scheme, keys);
                let plan = builder.plan()?;
                let filter = filled(&builder, keys)?;
                let count = Count::of_filter(&filter, keys, asked)?;
                let (rate, ratio) = (count.rate(), count.rate() / plan.rate);
                let deviation = count.deviation();
                distance.all.push((ratio, deviation));
                chart.point(scheme.name(), bits_per_key, rate, rate * deviation);
                table.row([
                    Cell::whole(block.into()),
                    Cell::number(bits_per_key, 0),
                    scheme.name().into(),
                    plan.functions.to_string().into(),
                    plan.level.to_string().into(),
                    plan.choices.to_string().into(),
                    plan.reads_allowed.to_string().into(),
                    Cell::number(filter.size_in_bits() as f64 / keys as f64, 2),
                    Cell::whole(count.hits),
                    Cell::rate(rate),
                    Cell::rate(plan.rate),
                    Cell::number(ratio, 3),
                    Cell::number(deviation, 3),
                    Cell::rate(blocked),
                    Cell::number(blocked / rate, 2),
                ]);
            }
        }
        outcome.charts.push(chart);
    }
    outcome.tables.push(table);
    outcome.notes.push(distance.note());
    Ok(())
}

/// Blocks read, by rule.
pub fn reads(keys: u64) -> Result<Table> {
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
            let strangers = digests(filter.hashing(), keys..2 * keys);
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
