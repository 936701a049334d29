//! Figures 10 and 12: rates while parameters or the number of guards vary.

use super::rates::{LETTER, letter, panel, shape};
use super::{ALPHA, BITS_PER_KEY, GUARD, paper_with};
use crate::filter::papers::seesaw::Shape;
use crate::prelude::*;
use crate::rates::figure::{self, Stated, Sweep, X};

const STICKY: &str = "here a count that overflows stays at its maximum and loses nothing as long as no key is removed, so smaller counts only leave space for more cells";

/// A place with the paper's filter in this shape and, where this library supports it, its own filter with the same parameters.
fn parameter(x: f64, bits_per_key: f64, shape: Shape) -> Place {
    let reserve = shape.reserve;
    let supported = reserve.is_power_of_two() && reserve > 1 && shape.count_bits <= 8;
    let strict = supported.then(|| {
        let subject = paper_with(Family::Seesaw, bits_per_key, shape.alpha, GUARD);
        let subject = subject.set("k", shape.functions);
        let subject = subject.set("index-bits", u64::from(reserve.ilog2()));
        let subject = subject.set("count-bits", u64::from(shape.count_bits));
        subject.named("seesaw, paper's parameters")
    });
    Place {
        x,
        bits_per_key,
        contenders: [letter(shape, GUARD)].into_iter().chain(strict).collect(),
    }
}

/// One parameter at a time, with the others as in the paper.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    let base = shape(BITS_PER_KEY, ALPHA);
    let of_functions = |counters: f64| -> Vec<Place> {
        let bits_per_key = 5.0 * counters / (1.0 - ALPHA);
        let place = |functions: u64| {
            let base = shape(bits_per_key, ALPHA);
            parameter(functions as f64, bits_per_key, Shape { functions, ..base })
        };
        (2..=10).map(place).collect()
    };
    let at = |x: f64, shape| parameter(x, BITS_PER_KEY, shape);
    let counts = (1..=12).map(|count_bits| at(f64::from(count_bits), Shape { count_bits, ..base }));
    let reserves = (1..=12).map(|reserve| at(f64::from(reserve), Shape { reserve, ..base }));
    let alphas = (6..=20).step_by(2).map(|percent| {
        let alpha = f64::from(percent) / 100.0;
        at(alpha, Shape { alpha, ..base })
    });
    let panel = |title: &str, x, places, best| Sweep {
        orders: 3,
        says: vec![
            Stated::best(LETTER, best).headline().because(STICKY),
            Stated::best("seesaw, paper's parameters", best).ours(),
        ],
        ..panel(format!("SSCF, Figure 10 {title}"), x, &[1.5], places)
    };
    let eight = of_functions(8.0);
    let twelve = of_functions(12.0);
    let sweeps = [
        panel(
            "(a), 8 counters per key",
            X::Parameter("functions"),
            eight,
            &[4.0],
        ),
        panel(
            "(a), 12 counters per key",
            X::Parameter("functions"),
            twelve,
            &[8.0],
        ),
        panel(
            "(b)",
            X::Parameter("bits of a count"),
            counts.collect(),
            &[3.0],
        ),
        panel(
            "(c)",
            X::Parameter("functions in reserve"),
            reserves.collect(),
            &[2.0],
        ),
        panel(
            "(d)",
            X::Parameter("share of the modulator"),
            alphas.collect(),
            &[0.1],
        ),
    ];
    let about = format!(
        "SSCF, Figure 10: the parameters one by one, the others as in the paper; Zipf costs, skew 1.5, three orders; 5 % as many guards as positives. (b) to (d) have {BITS_PER_KEY} bits per key, as the authors' program has in Figure 12; the paper gives no size."
    );
    Ok(figure::run(&about, &sweeps, options)?.0)
}

/// Rate over the number of guarded negatives.
pub fn figure_12(options: &Options) -> Result<Outcome> {
    const ALPHA_12: f64 = 0.18;
    let place = |percent: u32| {
        let guard = f64::from(percent) / 100.0;
        let own = Subject::kind(Family::Seesaw).set("guard", guard);
        Place {
            x: guard,
            bits_per_key: BITS_PER_KEY,
            contenders: vec![
                Subject::kind(Family::Counting),
                letter(shape(BITS_PER_KEY, ALPHA_12), guard),
                paper_with(Family::Seesaw, BITS_PER_KEY, ALPHA_12, guard),
                own.named("seesaw, its own shape"),
            ],
        }
    };
    let places = (2..=30).step_by(2).map(place).collect();
    let x = X::Parameter("guarded negatives per positive");
    let part = Sweep {
        orders: 3,
        says: vec![
            Stated::best(LETTER, &[0.22]).headline(),
            Stated::best("seesaw, paper's parameters", &[0.22]).ours(),
        ],
        ..panel("SSCF, Figure 12".to_string(), x, &[1.0], places)
    };
    let about = format!(
        "SSCF, Figure 12: rate over the number of guarded negatives per positive, Zipf costs, skew 1.0; {BITS_PER_KEY} bits per key and 18 % of them for the modulator, as in the authors' program; three orders."
    );
    Ok(figure::run(&about, &[part], options)?.0)
}
