//! Figure 4: rates over bits per key, by the paper's model, and measured on filters that follow the paper to the
//! letter.
//!
//! The paper does not say how far its axis goes. The model is computed up to 48 bits per key, which leaves room for
//! statements on "larger values"; up to 32 there are enough false positives to count.

use super::model::{self, Kind};
use super::textbook::{BLOCK, Textbook};
use super::theory::{block_rate, textbook_rate};
use crate::output::verdict::TOLERANCE;
use crate::prelude::*;
use crate::rates::count::Count;
use bloomwise::Bloom;
use bloomwise::balanced::theory::{Arrivals, Threshold};

/// The filters of the model.
const NAMES: [&str; 4] = ["bloom", "blocked", "single", "mht"];

/// The modelled rates of [`NAMES`] at one number of bits per key.
fn modelled(bits: u32) -> [f64; 4] {
    let bits = f64::from(bits);
    let [blocked, single, mht] = Kind::ALL.map(|kind| kind.rate(bits, textbook_rate));
    let bloom = textbook_rate(bits, 1, model::functions(bits));
    [bloom, blocked, single, mht]
}

/// The measurements of a filter.
struct Measured {
    kind: Kind,
    /// The measured rate divided by the paper's model.
    by_model: f64,
    /// The measured rate divided by a model that includes the variation of the fill of a block.
    by_exact: f64,
    /// The standard deviation of the count, as a share.
    deviation: f64,
    /// The share of keys in the overflow list.
    overflow: f64,
    /// Blocks read per insertion, per member query and per non-member query.
    reads: [f64; 3],
}

/// Rates over bits per key: the paper's model, and measured filters.
pub fn figure_4(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 20_000);
    let mut outcome = Outcome::new(format!(
        "Balanced Bloom filters, Figure 4: rates by the paper's model, blocks of {BLOCK} bits, a list of 0.49 % that costs nothing, k = ln 2 times the bits per key; and of filters of {keys} keys that do just that, queried for 8 million non-members at full size, 64 million from 20 bits per key on."
    ));
    let columns = "bits per key | k | bloom {%} | blocked {%} | single {%} | mht {%} | single / mht {2} | blocked / mht {2} | mht / bloom {2}";
    let mut table = Table::new("The model", columns);
    let modelled: Vec<[f64; 4]> = (8..=48).map(modelled).collect();
    for (bits, rates) in (8u32..).zip(&modelled).step_by(4) {
        let [bloom, blocked, single, mht] = *rates;
        let ratios = [single / mht, blocked / mht, mht / bloom];
        table.row((bits, model::functions(bits.into()), *rates, ratios));
    }
    let model = chart("by the model");
    outcome
        .charts
        .push(model.columns(&table, "bits per key", &NAMES));
    outcome.tables.push(table);
    let measured = measure(keys, options, &mut outcome)?;
    let loads = subtables(keys, &mut outcome)?;
    outcome.claims = of_model(&modelled);
    outcome.claims.extend(of_filters(&measured));
    outcome.claims.push(loads);
    Ok(outcome)
}

fn chart(what: &str) -> Chart {
    let title = format!("Balanced, Figure 4, blocks of {BLOCK} bits, {what}");
    Chart::rates(title, "bits per key")
}

/// Counts the false positives of all filters up to 32 bits per key.
fn measure(keys: u64, options: &Options, outcome: &mut Outcome) -> Result<Vec<Measured>> {
    let title = "Measured: rates, and the blocks read for an insertion, a member and a non-member";
    let columns = "bits per key | filter | k | false positives | FPR {%} | FPR / model {3} | ±, one deviation {3} | FPR / model with spread {3} | overflow {%} | insertion {3} | member {3} | non-member {3}";
    let mut table = Table::new(title, columns);
    let mut chart = chart("measured");
    let mut measured = Vec::new();
    for bits in [8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
        let functions = model::functions(bits);
        // Low rates need many queries.
        let millions = if bits < 20.0 { 8 } else { 64 };
        let queries = options.scaled(millions * 1_000_000, 200_000);
        let mut row = |name: &str, count: Count, modelled: f64, of: Option<&Measured>| {
            let (rate, deviation) = (count.rate(), count.deviation());
            chart.point(name, bits, rate, rate * deviation);
            let more = of.map_or([f64::NAN; 5], |of| {
                let [inserted, member, other] = of.reads;
                [of.by_exact, of.overflow, inserted, member, other]
            });
            let found = [rate, rate / modelled, deviation];
            table.row((bits, name, functions, count.hits, found, more));
        };
        let bloom = Bloom::builder(Size::BitsPerKey(bits)).functions(functions);
        let bloom = bloom.build_from_keys((0..keys).map(u64::number))?;
        let count = Count::of_filter(&bloom, keys, queries)?;
        row("bloom", count, textbook_rate(bits, 1, functions), None);
        for kind in Kind::ALL {
            let filter = Textbook::new(kind.shape(bits), bits, keys)?;
            let count = filter.count(queries);
            let modelled = kind.rate(bits, textbook_rate);
            let of = Measured {
                kind,
                by_model: count.rate() / modelled,
                by_exact: count.rate() / kind.rate(bits, block_rate),
                deviation: count.deviation(),
                overflow: filter.overflow(),
                reads: filter.reads(),
            };
            row(kind.name(), count, modelled, Some(&of));
            measured.push(of);
        }
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    Ok(measured)
}

/// Theorem 5: the loads of the subtables, at 32 bits per key.
fn subtables(keys: u64, outcome: &mut Outcome) -> Result<Claim> {
    let bits_per_key = 32.0;
    let shape = Kind::Mht.shape(bits_per_key);
    let filter = Textbook::new(shape, bits_per_key, keys)?;
    let arrivals = Arrivals::new(shape.reads * model::load(bits_per_key));
    let threshold = Threshold::solve(shape.reads, model::load(bits_per_key), model::overflow());
    let loads = threshold.loads(&arrivals, 1);
    let (at, above) = (loads.at.iter().sum(), loads.above.iter().sum());
    let modelled = loads.below.into_iter().chain([at, above]);
    let title = "Shares of the blocks of each subtable of MHT by load, 32 bits per key";
    let columns = "load | model {%} | first {%} | second {%} | third {%}";
    let mut table = Table::new(title, columns);
    let subtables = filter.loads();
    let mut verdicts = Vec::new();
    for (load, share) in modelled.enumerate() {
        let measured = subtables.iter().map(|(blocks, loads)| {
            let (count, blocks) = (loads.get(load).copied().unwrap_or(0), *blocks as f64);
            let mean = count as f64 / blocks;
            // Shares of less than five blocks are ignored.
            if share * blocks > 5.0 {
                let deviation = (share * (1.0 - share) / blocks).sqrt();
                verdicts.push(Verdict::of(Says::Equal, share, Spread { mean, deviation }));
            }
            mean
        });
        let measured: Vec<f64> = measured.collect();
        table.row((load, share, measured));
    }
    outcome.tables.push(table);
    let what = "all blocks of MHT have the same distribution of loads (Theorem 5)";
    let claim = Claim::everywhere(what, "yes", verdicts);
    Ok(claim.rests_on("counted blocks").headline())
}

/// Claims about the model, which is computed for these bits per key.
fn of_model(all: &[[f64; 4]]) -> Vec<Claim> {
    let ratios = |above: usize, below: usize| all.iter().map(move |of| of[above] / of[below]);
    let largest = |above| ratios(above, 3).fold(0.0, f64::max);
    let ahead = ratios(3, 0)
        .zip(ratios(1, 3))
        .filter(|(_, lead)| *lead >= 100.0 / TOLERANCE);
    let behind = ahead
        .map(|(behind, _)| behind)
        .fold(f64::INFINITY, f64::min);
    let low = at_most(all[0][1], all[0][3]);
    let single = all.iter().map(|of| at_most(of[2], of[1]));
    let functions = |bits: f64, published: f64| {
        let measured = f64::from(model::functions(bits));
        let what = format!("functions at {bits} bits per key");
        Claim::number(what, Says::Equal, published, measured, |k| k.to_string())
    };
    let growing = "the lead over a blocked filter and the distance to a Bloom filter grow together";
    let counter =
        "where it is worse, the counter takes more space from the block than the list saves";
    let claims = [
        Claim::ratio(
            "MHT: times better than SINGLE, largest from 8 to 48 bits per key",
            Says::AtLeast,
            100.0,
            largest(2),
        )
        .headline(),
        Claim::ratio(
            "MHT: times better than a blocked filter, largest from 8 to 48 bits per key",
            Says::AtLeast,
            100.0,
            largest(1),
        )
        .headline(),
        Claim::ratio(
            "MHT: times worse than a Bloom filter, where it is 100 times better than a blocked one",
            Says::AtMost,
            10.0,
            behind,
        )
        .headline()
        .because(growing),
        Claim::everywhere(
            "SINGLE is slightly better than a blocked filter",
            "yes",
            single,
        )
        .because(counter),
        Claim::everywhere(
            "MHT is worse than a blocked filter at 8 bits per key",
            "yes",
            [low],
        ),
        functions(24.0, 17.0),
        functions(30.0, 21.0),
    ];
    claims.map(|claim| claim.rests_on("model")).into()
}

/// Claims about measured filters.
fn of_filters(measured: &[Measured]) -> Vec<Claim> {
    let mht = || measured.iter().filter(|of| of.kind == Kind::Mht);
    let mean = |of: fn(&Measured) -> f64| mht().map(of).sum::<f64>() / mht().count() as f64;
    let lists = measured.iter().filter(|of| of.kind != Kind::Blocked);
    let lists = lists.map(|of| Verdict::of(Says::Equal, model::overflow(), of.overflow));
    let agrees = |value: fn(&Measured) -> f64| {
        let verdict = move |of: &Measured| {
            let (mean, deviation) = (value(of), of.deviation * value(of));
            Verdict::of(Says::Equal, 1.0, Spread { mean, deviation })
        };
        measured.iter().map(verdict)
    };
    let claims = [
        Claim::rate("share of keys in the list, a = 1.2 and d = 3", 0.0049, mean(|of| of.overflow)),
        Claim::ratio("blocks read by an insertion", Says::Equal, 1.2, mean(|of| of.reads[0])).headline(),
        Claim::ratio("blocks read by a query for a non-member", Says::Equal, 1.2, mean(|of| of.reads[2])).headline().because("a lookup continues at every block that has reached its level, and most blocks have; the paper counts insertions"),
        Claim::everywhere("the model of the list agrees with filters", "yes", lists),
        Claim::everywhere("the model of the rate agrees with filters", "yes", agrees(|of| of.by_model)).headline().because("the paper's rate of a block ignores that the share of set bits varies from block to block"),
        Claim::everywhere("a model in which the share of set bits varies agrees with filters", "-", agrees(|of| of.by_exact)).ours(),
    ];
    claims
        .map(|claim| claim.rests_on("filters to the letter"))
        .into()
}
