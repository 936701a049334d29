//! Figure 10: one parameter at a time, the others as in the paper.
//!
//! Two lines in each panel. "Paper to the letter" is [`Verbatim`], and what it comes to is what the paper's statements are held
//! against. "Strict second round" is the filter of this library where it can have the value: counts of 1 to 8 bits, and
//! 2, 4, 8 or 16 functions in reserve.

use super::optimum::Curve;
use super::verbatim::{Shape, Verbatim};
use super::{ALPHA, BITS_PER_KEY, CELL, COUNTER, GUARD, functions, paper};
use crate::experiment::sweep::Sweep;
use crate::options::Options;
use crate::output::Outcome;
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::Result;
use bloomwise::KeySets;

const SHUFFLES: u64 = 5;

/// One curve of the figure.
struct Panel {
    title: String,
    x: &'static str,
    /// What the paper says is best, of what, and what is to be said of it.
    published: f64,
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

/// What is left alone.
fn usual(bits_per_key: f64) -> Shape {
    Shape {
        functions: u64::from(functions(bits_per_key, COUNTER)),
        reserve: 1 << CELL[1],
        count_bits: CELL[0],
        alpha: ALPHA,
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
            strict: Some(paper(bits_per_key).set("k", functions)),
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
        strict: (count_bits <= 8).then(|| same().set("count-bits", count_bits)),
    };
    let of_reserve = |reserve: u8| Place {
        value: f64::from(reserve),
        shape: Shape { reserve, ..base },
        strict: (reserve > 1 && reserve.is_power_of_two())
            .then(|| same().set("index-bits", reserve.ilog2())),
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
            "8 ln 2 is 5.5, so that the paper's own formula, rounded down, gives 5",
        ),
        of_functions(12.0, 8.0, "12 ln 2 is 8.3"),
        panel(
            "(b)",
            "bits of a count",
            3.0,
            "a count that overflows sticks here and loses nothing as long as no key is removed, and smaller counts make more cells; the text says that counts of 1 and 2 bits overflow, not what its program does then",
            (1..=12).map(of_count).collect(),
        ),
        panel(
            "(c)",
            "functions in reserve",
            2.0,
            "the text has 1 worse than 2, as keys find no unmarked counter; here 3 functions of 5 % as many guarded keys mark 2.9 % of 5.04 counters per key, so that the first one in reserve nearly always will do",
            (1..=12).map(of_reserve).collect(),
        ),
        panel(
            "(d)",
            "share of the modulator",
            0.1,
            "the lowest point is one of Algorithm 3, whose second round takes any empty counter, so that only a modulator with few cells in use turns strangers away; a strict second round hardly needs one, and its rate falls with the share",
            (2..=20).step_by(2).map(of_alpha).collect(),
        ),
    ]
}

/// The parameters: functions, bits of a count, functions in reserve, share of the modulator.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "SSCF, Figure 10: the parameters one by one, the others as in the paper; Zipf costs, skew 1.5, {SHUFFLES} shuffles; {BITS_PER_KEY} bits per key in (b) to (d), where the paper gives no size. {}.",
        set.describe()
    ));
    let of_shuffle = |seed| zipf::costs(set.negatives.len(), 1.5, seed);
    let shuffles: Vec<Vec<f64>> = (0..SHUFFLES).map(of_shuffle).collect();
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
            let bits = (panel.bits_per_key * set.positives.len() as f64) as u64;
            let found = curves[0].measure(value, &set, &shuffles, GUARD, |sets| {
                Ok(Box::new(Verbatim::build(sets, bits, GUARD, shape)?))
            })?;
            sweep.add(value, names[0], found);
            if let Some(strict) = strict {
                let build = |sets: &KeySets| strict.build(sets, bits);
                let found = curves[1].measure(value, &set, &shuffles, GUARD, build)?;
                sweep.add(value, names[1], found);
            }
        }
        sweep.into(&mut outcome);
        if !set.published() {
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
