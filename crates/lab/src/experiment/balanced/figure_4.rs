//! Figure 4: rates over bits per key, by the paper's model, and measured on filters that follow the paper to the
//! letter.
//!
//! The paper does not say how far its axis goes. The model is computed up to 48 bits per key, which leaves room for
//! statements on "larger values"; up to 32 there are enough false positives to count.

use super::count::Count;
use super::model::{self, Kind};
use super::textbook::{BLOCK, Textbook};
use crate::measure::Spread;
use crate::options::Options;
use crate::output::verdict::{Says, TOLERANCE, Verdict, at_most};
use crate::output::{Axis, Cell, Chart, Claim, Outcome, Table};
use crate::theory::balanced::{block_rate, textbook_rate};
use crate::workload::Key;
use anyhow::Result;
use bloomwise::balanced::theory::{Arrivals, Threshold};
use bloomwise::{Bloom, Size};

/// The modelled rates at one number of bits per key.
pub struct Rates {
    /// Bits per key.
    pub bits: u32,
    /// A Bloom filter.
    pub bloom: f64,
    /// A blocked filter.
    pub blocked: f64,
    /// SINGLE, with one choice.
    pub single: f64,
    /// MHT, with three choices.
    pub mht: f64,
}

impl Rates {
    fn new(bits: u32) -> Self {
        let bits_per_key = f64::from(bits);
        let [blocked, single, mht] = Kind::ALL.map(|kind| kind.rate(bits_per_key, textbook_rate));
        Rates {
            bits,
            bloom: textbook_rate(bits_per_key, 1, model::functions(bits_per_key)),
            blocked,
            single,
            mht,
        }
    }
}

/// The measurements of a filter.
pub struct Measured {
    /// The kind of filter.
    pub kind: Kind,
    /// The measured rate divided by the paper's model.
    pub by_model: f64,
    /// The measured rate divided by a model that includes the variation of the fill of a block.
    pub by_exact: f64,
    /// The standard deviation of the count, as a share.
    pub deviation: f64,
    /// The share of keys in the overflow list.
    pub overflow: f64,
    /// Blocks read per insertion, per member query and per non-member query.
    pub reads: [f64; 3],
}

/// Rates over bits per key: the paper's model, and measured filters.
pub fn figure_4(options: &Options) -> Result<Outcome> {
    let keys = options.scaled(1_000_000, 20_000);
    let mut outcome = Outcome::new(format!(
        "Balanced Bloom filters, Figure 4: rates by the paper's model, blocks of {BLOCK} bits, a list of 0.49 % that costs nothing, k = ln 2 times the bits per key; and of filters of {keys} keys that do just that, queried for 8 million non-members at full size, 64 million from 20 bits per key on."
    ));
    let columns = [
        "bits per key",
        "k",
        "bloom",
        "blocked",
        "single",
        "mht",
        "single / mht",
        "blocked / mht",
        "mht / bloom",
    ];
    let mut table = Table::new("The model", columns);
    let mut chart = chart("by the model");
    let rates: Vec<Rates> = (8..=48).map(Rates::new).collect();
    for of in rates.iter().filter(|of| of.bits.is_multiple_of(4)) {
        let all = [of.bloom, of.blocked, of.single, of.mht];
        for (name, rate) in columns[2..].iter().zip(all) {
            chart.point(name, of.bits.into(), rate, 0.0);
        }
        let ratios = [of.single / of.mht, of.blocked / of.mht, of.mht / of.bloom];
        let cells = [of.bits, model::functions(of.bits.into())].map(|n| Cell::whole(n.into()));
        let cells = cells.into_iter().chain(all.map(Cell::rate));
        table.row(cells.chain(ratios.map(|ratio| Cell::number(ratio, 2))));
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    let measured = measure(keys, options, &mut outcome)?;
    let loads = subtables(keys, &mut outcome)?;
    outcome.claims = of_model(&rates);
    outcome.claims.extend(of_filters(&measured));
    outcome.claims.push(loads);
    Ok(outcome)
}

fn chart(what: &str) -> Chart {
    Chart::new(
        format!("Balanced, Figure 4, blocks of {BLOCK} bits, {what}"),
        Axis::linear("bits per key"),
        Axis::rates("false positive rate"),
    )
}

/// Counts the false positives of all filters up to 32 bits per key.
fn measure(keys: u64, options: &Options, outcome: &mut Outcome) -> Result<Vec<Measured>> {
    let columns = [
        "bits per key",
        "filter",
        "k",
        "false positives",
        "FPR",
        "FPR / model",
        "±, one deviation",
        "FPR / model with spread",
        "overflow",
        "insertion",
        "member",
        "non-member",
    ];
    let title = "Measured: rates, and the blocks read for an insertion, a member and a non-member";
    let mut table = Table::new(title, columns);
    let mut chart = chart("measured");
    let mut draw = |name: &str, bits_per_key, count: Count| {
        let rate = count.rate();
        chart.point(name, bits_per_key, rate, rate * count.deviation());
    };
    let mut measured = Vec::new();
    for bits_per_key in [8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0] {
        let functions = model::functions(bits_per_key);
        // Low rates need many queries.
        let queries = if bits_per_key < 20.0 {
            8_000_000
        } else {
            64_000_000
        };
        let queries = options.scaled(queries, 200_000);
        let row = |name: &str, count: Count, modelled: f64| {
            let rate = count.rate();
            [
                Cell::number(bits_per_key, 0),
                name.into(),
                Cell::whole(functions.into()),
                Cell::whole(count.hits),
                Cell::rate(rate),
                Cell::number(rate / modelled, 3),
                Cell::number(count.deviation(), 3),
            ]
            .into_iter()
        };
        let bloom = Bloom::builder(Size::BitsPerKey(bits_per_key)).functions(functions);
        let bloom = bloom.build_from_keys((0..keys).map(u64::number))?;
        let count = Count::of_filter(&bloom, keys, queries)?;
        draw("bloom", bits_per_key, count);
        let nothing = [const { Cell::Nothing }; 5];
        let modelled = textbook_rate(bits_per_key, 1, functions);
        table.row(row("bloom", count, modelled).chain(nothing));
        for kind in Kind::ALL {
            let filter = Textbook::new(kind.shape(bits_per_key), bits_per_key, keys)?;
            let count = filter.count(queries);
            let modelled = kind.rate(bits_per_key, textbook_rate);
            let of = Measured {
                kind,
                by_model: count.rate() / modelled,
                by_exact: count.rate() / kind.rate(bits_per_key, block_rate),
                deviation: count.deviation(),
                overflow: filter.overflow(),
                reads: filter.reads(),
            };
            draw(kind.name(), bits_per_key, count);
            let more = [Cell::number(of.by_exact, 3), Cell::rate(of.overflow)];
            let reads = of.reads.map(|reads| Cell::number(reads, 3));
            table.row(row(kind.name(), count, modelled).chain(more).chain(reads));
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
    let modelled: Vec<f64> = loads.below.into_iter().chain([at, above]).collect();
    let title = "Shares of the blocks of each subtable of MHT by load, 32 bits per key";
    let mut table = Table::new(title, ["load", "model", "first", "second", "third"]);
    let subtables = filter.loads();
    let mut verdicts = Vec::new();
    for (load, &share) in modelled.iter().enumerate() {
        let measured = subtables.iter().map(|(blocks, loads)| {
            let count = loads.get(load).copied().unwrap_or(0) as f64;
            (count / *blocks as f64, *blocks as f64)
        });
        let measured: Vec<(f64, f64)> = measured.collect();
        // Shares of less than five blocks are ignored.
        for &(mean, blocks) in measured.iter().filter(|(_, blocks)| share * blocks > 5.0) {
            let deviation = (share * (1.0 - share) / blocks).sqrt();
            verdicts.push(Verdict::of(Says::Equal, share, Spread { mean, deviation }));
        }
        let cells = [Cell::whole(load as u64), Cell::rate(share)];
        table.row(
            cells
                .into_iter()
                .chain(measured.iter().map(|(share, _)| Cell::rate(*share))),
        );
    }
    outcome.tables.push(table);
    let what = "all blocks of MHT have the same distribution of loads (Theorem 5)";
    Ok(Claim::everywhere(what, "yes", verdicts)
        .rests_on("counted blocks")
        .headline())
}

fn exact(mean: f64) -> Spread {
    let deviation = 0.0;
    Spread { mean, deviation }
}

/// Claims about the model, which is computed for these bits per key.
fn of_model(rates: &[Rates]) -> Vec<Claim> {
    let largest = |of: fn(&Rates) -> f64| exact(rates.iter().map(of).fold(0.0, f64::max));
    let lead = |of: &Rates| of.blocked / of.mht;
    let ahead = rates.iter().filter(|of| lead(of) >= 100.0 / TOLERANCE);
    let behind = ahead
        .map(|of| of.mht / of.bloom)
        .fold(f64::INFINITY, f64::min);
    let low: Vec<Verdict> = rates
        .iter()
        .take(1)
        .map(|of| at_most(exact(of.blocked), exact(of.mht)))
        .collect();
    let single = rates
        .iter()
        .map(|of| at_most(exact(of.single), exact(of.blocked)));
    let functions = |bits: f64, published: f64| {
        let measured = exact(model::functions(bits).into());
        let what = format!("functions at {bits} bits per key");
        Claim::number(
            what,
            Says::Equal,
            &Cell::number(published, 0),
            measured,
            measured.mean.to_string(),
        )
    };
    let growing = "the lead over a blocked filter and the distance to a Bloom filter grow together";
    let claims = [
        Claim::ratio(
            "MHT: times better than SINGLE, largest from 8 to 48 bits per key",
            Says::AtLeast,
            100.0,
            largest(|of| of.single / of.mht),
        )
        .headline(),
        Claim::ratio(
            "MHT: times better than a blocked filter, largest from 8 to 48 bits per key",
            Says::AtLeast,
            100.0,
            largest(|of| of.blocked / of.mht),
        )
        .headline(),
        Claim::ratio(
            "MHT: times worse than a Bloom filter, where it is 100 times better than a blocked one",
            Says::AtMost,
            10.0,
            exact(behind),
        )
        .headline()
        .because(growing),
        Claim::everywhere(
            "SINGLE is slightly better than a blocked filter",
            "yes",
            single,
        )
        .because(
            "where it is worse, the counter takes more space from the block than the list saves",
        ),
        Claim::everywhere(
            "MHT is worse than a blocked filter at 8 bits per key",
            "yes",
            low,
        ),
        functions(24.0, 17.0),
        functions(30.0, 21.0),
    ];
    claims.map(|claim| claim.rests_on("model")).into()
}

/// Claims about measured filters.
fn of_filters(measured: &[Measured]) -> Vec<Claim> {
    let mht = || measured.iter().filter(|of| of.kind == Kind::Mht);
    let mean = |of: fn(&Measured) -> f64| exact(mht().map(of).sum::<f64>() / mht().count() as f64);
    let lists = measured.iter().filter(|of| of.kind != Kind::Blocked);
    let lists = lists.map(|of| Verdict::of(Says::Equal, model::overflow(), exact(of.overflow)));
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
