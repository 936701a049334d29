//! The balanced filters of this library: rates and block reads against the library's own model.
//!
//! Rates come from counts, and a count of `n` false positives has a standard deviation of `sqrt(n)`. At 32 bits per key
//! counts are low, so each ratio is shown with its deviation.

use super::count::{Count, check_members};
use crate::options::Options;
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::workload::Key;
use anyhow::Result;
use bloomwise::balanced::Scheme;
use bloomwise::balanced::theory::lookup::Rule;
use bloomwise::{Balanced, Blocked, Builder, Filter, Insert, Size, Workload};
use std::ops::Range;

/// The number of non-members to query. At a rate of one in a million, it takes many to count a hundred.
fn non_members(bits_per_key: f64, options: &Options) -> u64 {
    let full = if bits_per_key < 28.0 {
        64_000_000
    } else {
        256_000_000
    };
    options.scaled(full, 100_000)
}

/// The false positives of a blocked filter with the best number of functions.
fn blocked(block: u32, bits_per_key: f64, keys: u64, non_members: u64) -> Result<Count> {
    let builder = Blocked::builder(Size::BitsPerKey(bits_per_key)).block_bits(block);
    let filter = builder.build_from_keys((0..keys).map(u64::number))?;
    Count::of_filter(&filter, keys, non_members)
}

fn builder(block: u32, bits_per_key: f64, scheme: Scheme, keys: u64) -> Builder<Balanced> {
    let builder = Balanced::builder(Size::BitsPerKey(bits_per_key)).capacity(keys);
    builder.block_bits(block).scheme(scheme)
}

/// The filter of `keys` keys, inserted in the order of their numbers.
fn filled(builder: &Builder<Balanced>, keys: u64) -> Result<Balanced> {
    let mut filter = builder.create()?;
    filter.extend((0..keys).map(u64::number));
    Ok(filter)
}

/// The distance of all filters from the model.
#[derive(Default)]
struct Distance {
    /// The measured rate divided by the modelled one, and the standard deviation of the count as a share.
    all: Vec<(f64, f64)>,
}

impl Distance {
    /// A summary: the ratios known to 1 %, and the distances of the others in standard deviations.
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
            "Of {} filters, {} had enough false positives to know the rate to 1 % (one standard deviation): the ratio of their rate to the model's is {low:.3} to {high:.3}. Of the {} others {} are more than two standard deviations away from the model; the furthest is at {furthest:.1}.",
            self.all.len(),
            sure.len(),
            unsure.len(),
            unsure.iter().filter(far).count()
        )
    }
}

/// Measures rates over bits per key.
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
            Axis::rates("false positive rate"),
        );
        for bits_per_key in [8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
            let queries = non_members(bits_per_key, options);
            let blocked = blocked(block, bits_per_key, keys, queries)?.rate();
            chart.point("blocked", bits_per_key, blocked, 0.0);
            for scheme in Scheme::ALL {
                let builder = builder(block, bits_per_key, scheme, keys);
                let plan = builder.plan(&Workload::new(keys, 0))?;
                let filter = filled(&builder, keys)?;
                let count = Count::of_filter(&filter, keys, queries)?;
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

/// Measures the blocks read by each lookup rule.
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
        "non-member, paper",
        "coin",
        "recorded",
        "model",
        "overflow",
        "model",
    ];
    let title = format!(
        "Blocks read, {keys} keys: by the rule of the paper, with the coin, and with records of rejections"
    );
    let mut table = Table::new(title, columns);
    for (block, bits_per_key) in [(256, 16.0), (256, 32.0), (512, 16.0), (512, 32.0)] {
        for scheme in [Scheme::Sequential, Scheme::Mht] {
            let builder = builder(block, bits_per_key, scheme, keys)
                .reads(1.2)
                .choices(3);
            let plan = builder.plan(&Workload::new(keys, 0))?;
            let filter = &filled(&builder, keys)?;
            check_members(filter, keys)?;
            let reads = |numbers: Range<u64>, rule| {
                numbers.map(move |n| filter.blocks_read(u64::number(n), rule))
            };
            let mean = |numbers, rule| reads(numbers, rule).sum::<usize>() as f64 / keys as f64;
            let worst = reads(0..keys, Rule::Recorded).max().unwrap_or(0);
            let non_member_reads =
                [Rule::Level, Rule::Coin, Rule::Recorded].map(|rule| mean(keys..2 * keys, rule));
            let [paper, coin, recorded] = non_member_reads.map(|reads| Cell::number(reads, 3));
            table.row([
                Cell::whole(block.into()),
                Cell::number(bits_per_key, 0),
                scheme.name().into(),
                plan.reads_allowed.to_string().into(),
                plan.choices.to_string().into(),
                Cell::number(filter.reads_per_insertion(), 4),
                Cell::whole(worst as u64),
                Cell::number(mean(0..keys, Rule::Recorded), 4),
                paper,
                coin,
                recorded,
                Cell::number(plan.negative_reads, 3),
                Cell::rate(filter.overflowed() as f64 / keys as f64),
                Cell::rate(plan.overflow),
            ]);
        }
    }
    Ok(table)
}
