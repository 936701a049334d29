//! Figure 10: one parameter at a time, with the others as in the paper.
//!
//! Each panel has two lines. "Paper to the letter" is [`PaperSeesaw`]; the paper's statements are compared with it.
//! "Strict second round" is the filter of this library, where it supports the value: counts of 1 to 8 bits, and 2, 4, 8
//! or 16 functions in reserve.

use super::optimum::Curve;
use super::{ALPHA, BITS_PER_KEY, CELL, COUNTER, GUARD, functions, paper};
use crate::baseline::seesaw::{PaperSeesaw, Shape};
use crate::experiment::sweep::Sweep;
use crate::options::Options;
use crate::output::Outcome;
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::KeySets;

const SHUFFLES: u64 = 5;

/// One panel of the figure.
struct Panel {
    title: String,
    x: &'static str,
    /// The best value according to the paper.
    published: f64,
    /// The remark on the comparison.
    why: &'static str,
    bits_per_key: f64,
    places: Vec<Place>,
}

/// Both filters with one value of the parameter.
struct Place {
    value: f64,
    shape: Shape,
    strict: Option<Subject>,
}

/// The parameters that do not change.
fn usual(bits_per_key: f64) -> Shape {
    Shape {
        reserve: 1 << CELL[1],
        count_bits: CELL[0],
        alpha: ALPHA,
        ..Shape::new(functions(bits_per_key, COUNTER).into())
    }
}

fn panels() -> Vec<Panel> {
    let base = usual(BITS_PER_KEY);
    let same = || paper(BITS_PER_KEY);
    let of_functions = |counters: f64, published, why| {
        let bits_per_key = counters * COUNTER / (1.0 - ALPHA);
        let place = |functions: u32| Place {
            value: f64::from(functions),
            shape: Shape {
                functions: u64::from(functions),
                ..usual(bits_per_key)
            },
            strict: Some(paper(bits_per_key).set("k", u64::from(functions))),
        };
        Panel {
            title: format!("(a), {counters} counters per key"),
            x: "functions",
            published,
            why,
            bits_per_key,
            places: (2..=10).map(place).collect(),
        }
    };
    let of_count = |count_bits: u32| Place {
        value: f64::from(count_bits),
        shape: Shape { count_bits, ..base },
        strict: (count_bits <= 8).then(|| same().set("count-bits", u64::from(count_bits))),
    };
    let of_reserve = |reserve: u8| Place {
        value: f64::from(reserve),
        shape: Shape { reserve, ..base },
        strict: (reserve > 1 && reserve.is_power_of_two())
            .then(|| same().set("index-bits", u64::from(reserve.ilog2()))),
    };
    let of_alpha = |percent: u32| Place {
        value: f64::from(percent) / 100.0,
        shape: Shape {
            alpha: f64::from(percent) / 100.0,
            ..base
        },
        strict: Some(same().set("alpha", f64::from(percent) / 100.0)),
    };
    let panel = |title: &str, x, published, why, places| Panel {
        title: title.to_string(),
        x,
        published,
        why,
        bits_per_key: BITS_PER_KEY,
        places,
    };
    vec![
        of_functions(
            8.0,
            4.0,
            "8 ln 2 is 5.5, so the paper's own formula, rounded down, gives 5",
        ),
        of_functions(12.0, 8.0, "12 ln 2 is 8.3"),
        panel(
            "(b)",
            "bits of a count",
            3.0,
            "here a count that overflows stays at its maximum and loses nothing as long as no key is removed, and smaller counts leave space for more cells; the text says that counts of 1 and 2 bits overflow, but not what its program does then",
            (1..=12).map(of_count).collect(),
        ),
        panel(
            "(c)",
            "functions in reserve",
            2.0,
            "in the text, 1 is worse than 2, because keys find no unmarked counter; here, 3 functions of 5 % as many guarded keys mark 2.9 % of 5.04 counters per key, so the first function in reserve is nearly always enough",
            (1..=12).map(of_reserve).collect(),
        ),
        panel(
            "(d)",
            "share of the modulator",
            0.1,
            "the lowest point is a property of Algorithm 3: its second round accepts any empty counter, so only a modulator with few cells in use rejects non-members. A strict second round hardly needs a modulator, and the smaller the share, the lower its rate",
            (2..=20).step_by(2).map(of_alpha).collect(),
        ),
    ]
}

/// Varies the number of functions, the bits of a count, the functions in reserve, and the share of the modulator.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 10: the parameters one by one, the others as in the paper; Zipf costs, skew 1.5, {SHUFFLES} shuffles; {BITS_PER_KEY} bits per key in (b) to (d), where the paper gives no size. {}.",
        set.describe()
    ));
    let shuffles = zipf::shuffles(set.negatives.len(), 1.5, SHUFFLES);
    let names = ["paper to the letter", "strict second round"];
    for panel in panels() {
        let mut sweep = Sweep::new(&format!("SSCF, Figure 10 {}", panel.title), panel.x);
        let mut curves = [Curve::default(), Curve::default()];
        for Place {
            value,
            shape,
            strict,
        } in panel.places
        {
            let bits = set.bits(panel.bits_per_key);
            let found = curves[0].measure(value, &set, &shuffles, GUARD, |sets| {
                Ok(Box::new(PaperSeesaw::build(sets, bits, GUARD, shape)?))
            })?;
            sweep.add(value, names[0], found);
            if let Some(strict) = strict {
                let build = |sets: &KeySets| strict.build(sets, bits);
                let found = curves[1].measure(value, &set, &shuffles, GUARD, build)?;
                sweep.add(value, names[1], found);
            }
        }
        sweep.add_to(&mut outcome);
        if !set.is_published_set() {
            continue;
        }
        let what = |name: &str| format!("{}, best {}: {name}", panel.title, panel.x);
        let [letter, strict] = &curves;
        let (published, why) = (panel.published, panel.why);
        let ours = strict.claim(what(names[1]), published, "").ours();
        let claim = letter.claim(what(names[0]), published, why);
        outcome.claims.extend([claim, ours]);
    }
    Ok(outcome)
}
