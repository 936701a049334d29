//! The balanced filters of this library: rates and block reads against the library's own model.
//!
//! Rates come from counts, and a count of `n` false positives has a standard deviation of `sqrt(n)`. At 32 bits per key
//! counts are low, so each ratio is shown with its deviation.

use crate::prelude::*;
use crate::rates::count::{Count, check_members};
use bloomwise::balanced::Scheme;
use bloomwise::balanced::theory::lookup::Rule;
use bloomwise::{Balanced, Blocked, Builder, Insert, Workload};
use std::ops::Range;

/// The number of non-members to query. At a rate of one in a million, it takes many to count a hundred.
fn non_members(bits_per_key: f64, options: &Options) -> u64 {
    let full = if bits_per_key < 28.0 { 64 } else { 256 };
    options.scaled(full * 1_000_000, 100_000)
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

/// A summary of ratios to the model, each with the standard deviation of the count as a share: the ratios known to 1 %, and the distances
/// of the others in standard deviations.
fn note(ratios: &[(f64, f64)]) -> String {
    let (sure, unsure): (Vec<_>, Vec<_>) = ratios.iter().partition(|(_, error)| *error < 0.01);
    let low = sure.iter().fold(f64::NAN, |low, (ratio, _)| ratio.min(low));
    let high = sure
        .iter()
        .fold(f64::NAN, |high, (ratio, _)| ratio.max(high));
    let distances = unsure
        .iter()
        .map(|(ratio, error)| (ratio - 1.0).abs() / error);
    let far = distances.clone().filter(|&distance| distance > 2.0).count();
    let furthest = distances.fold(0.0, f64::max);
    format!(
        "Of {} filters, {} had enough false positives to know the rate to 1 % (one standard deviation): the ratio of their rate to the model's is {low:.3} to {high:.3}. Of the {} others {far} are more than two standard deviations away from the model; the furthest is at {furthest:.1}.",
        ratios.len(),
        sure.len(),
        unsure.len(),
    )
}

/// Measures rates over bits per key.
pub fn rates(options: &Options, keys: u64, outcome: &mut Outcome) -> Result<()> {
    let mut table = Table::new(
        format!("Rates, {keys} keys, the list inside the bits per key"),
        "block | bits per key | scheme | k | h | d | a | bits, measured {2} | false positives | FPR {%} | model {%} | FPR / model {3} | ±, one deviation {3} | blocked {%} | blocked / FPR {2}",
    );
    let mut ratios = Vec::new();
    for block in [256, 512] {
        let title = format!("Balanced and blocked filters, blocks of {block} bits");
        let mut chart = Chart::rates(title, "bits per key");
        for bits in [8.0, 10.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
            let queries = non_members(bits, options);
            let blocked = Blocked::builder(Size::BitsPerKey(bits)).block_bits(block);
            let blocked = blocked.build_from_keys((0..keys).map(u64::number))?;
            let blocked = Count::of_filter(&blocked, keys, queries)?.rate();
            chart.point("blocked", bits, blocked, 0.0);
            for scheme in Scheme::ALL {
                let builder = builder(block, bits, scheme, keys);
                let plan = builder.plan(&Workload::new(keys, 0))?;
                let filter = filled(&builder, keys)?;
                let count = Count::of_filter(&filter, keys, queries)?;
                let (rate, error) = (count.rate(), count.deviation());
                ratios.push((rate / plan.rate, error));
                chart.point(scheme.name(), bits, rate, rate * error);
                let parameters = [
                    plan.functions.to_string(),
                    plan.level.to_string(),
                    plan.choices.to_string(),
                    plan.reads_allowed.to_string(),
                ];
                let size = filter.size_in_bits() as f64 / keys as f64;
                let found = (size, count.hits, rate, plan.rate, rate / plan.rate, error);
                let beside = [blocked, blocked / rate];
                table.row((block, bits, scheme.name(), parameters, found, beside));
            }
        }
        outcome.charts.push(chart);
    }
    outcome.tables.push(table);
    outcome.notes.push(note(&ratios));
    Ok(())
}

/// Measures the blocks read by each lookup rule.
pub fn reads(keys: u64) -> Result<Table> {
    let title = format!(
        "Blocks read, {keys} keys: by the rule of the paper, with the coin, and with records of rejections"
    );
    let columns = "block | bits per key | scheme | a | d | insertion {4} | worst | member {4} | non-member, paper {3} | coin {3} | recorded {3} | model {3} | overflow {%} | model {%}";
    let mut table = Table::new(title, columns);
    for (block, bits) in [(256, 16.0), (256, 32.0), (512, 16.0), (512, 32.0)] {
        for scheme in [Scheme::Sequential, Scheme::Mht] {
            let builder = builder(block, bits, scheme, keys).reads(1.2).choices(3);
            let plan = builder.plan(&Workload::new(keys, 0))?;
            let filter = &filled(&builder, keys)?;
            check_members(filter, keys)?;
            let reads = |numbers: Range<u64>, rule| {
                numbers.map(move |n| filter.blocks_read(u64::number(n), rule))
            };
            let mean = |numbers, rule| reads(numbers, rule).sum::<usize>() as f64 / keys as f64;
            let worst = reads(0..keys, Rule::Recorded).max().unwrap_or(0);
            let rules = [Rule::Level, Rule::Coin, Rule::Recorded];
            let non_members = rules.map(|rule| mean(keys..2 * keys, rule));
            let allowed = [plan.reads_allowed.to_string(), plan.choices.to_string()];
            let members = mean(0..keys, Rule::Recorded);
            let inserted = (filter.reads_per_insertion(), worst, members);
            let overflow = [filter.overflowed() as f64 / keys as f64, plan.overflow];
            let modelled = (plan.negative_reads, overflow);
            let name = scheme.name();
            table.row((block, bits, name, allowed, inserted, non_members, modelled));
        }
    }
    Ok(table)
}
