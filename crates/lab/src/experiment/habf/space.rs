//! Figures 10, 11 and 13: rate over space with equal costs and with costs by Zipf's law, and over the skew of that law.

use super::bits_per_key;
use crate::experiment::sweep::Sweep;
use crate::measure::{Rates, rates};
use crate::options::Options;
use crate::output::{Cell, Claim, Outcome};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;

/// A published rate: of which filter, at how many megabytes.
type Published = (&'static str, f64, f64);

/// Sets, the sizes of the paper in megabytes, and what its text says.
struct Setting {
    source: Source,
    sizes: &'static [f64],
    /// Shuffles of the costs; the paper has ten.
    shuffles: u64,
    published: &'static [Published],
}

const SHALLA: &[f64] = &[1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25];
const YCSB: &[f64] = &[12.5, 17.5, 22.5, 27.5, 32.5];

const EQUAL: [Setting; 2] = [
    Setting {
        source: Source::Urls,
        sizes: SHALLA,
        shuffles: 1,
        published: &[
            ("bloom", 1.5, 0.0173),
            ("xor", 1.5, 0.0156),
            ("habf, paper", 1.5, 0.0036),
            ("habf-fast, paper", 1.5, 0.0055),
            ("habf", 1.5, 0.0036),
            ("guarded", 1.5, 0.0036),
        ],
    },
    Setting {
        source: Source::Users,
        sizes: YCSB,
        shuffles: 1,
        published: &[
            ("bloom", 12.5, 1.78e-2),
            ("bloom", 32.5, 2.83e-5),
            ("xor", 12.5, 1.57e-2),
            ("xor", 32.5, 1.59e-5),
            ("habf, paper", 12.5, 3.46e-3),
            ("habf, paper", 32.5, 3.63e-6),
            ("habf", 12.5, 3.46e-3),
            ("habf", 32.5, 3.63e-6),
            ("guarded", 12.5, 3.46e-3),
            ("guarded", 32.5, 3.63e-6),
        ],
    },
];

const SKEWED: [Setting; 2] = [
    Setting {
        source: Source::Urls,
        sizes: SHALLA,
        shuffles: 5,
        published: &[
            ("bloom", 1.25, 2.81e-2),
            ("bloom", 3.25, 7.49e-5),
            ("xor", 1.25, 2.67e-2),
            ("xor", 3.25, 2.74e-5),
            ("weighted", 1.25, 1.83e-2),
            ("weighted", 3.25, 8.81e-5),
            ("habf, paper", 1.25, 8.67e-3),
            ("habf, paper", 3.25, 2.56e-6),
            ("habf-fast, paper", 1.25, 1.37e-2),
            ("habf-fast, paper", 3.25, 3.86e-6),
            ("habf", 1.25, 8.67e-3),
            ("habf", 3.25, 2.56e-6),
        ],
    },
    Setting {
        source: Source::Users,
        sizes: YCSB,
        shuffles: 2,
        published: &[
            ("habf, paper", 12.5, 1.99e-3),
            ("habf, paper", 32.5, 1.97e-6),
            ("habf", 12.5, 1.99e-3),
            ("habf", 32.5, 1.97e-6),
        ],
    },
];

fn subjects(skewed: bool) -> Vec<Subject> {
    let mut subjects = vec![
        Subject::kind("bloom"),
        Subject::xor(),
        Subject::paper("habf"),
        Subject::paper("habf-fast"),
        Subject::kind("habf"),
        Subject::kind("guarded"),
        Subject::stacked(),
    ];
    if skewed {
        subjects.push(Subject::weighted());
    }
    subjects
}

/// Why a number may differ from the published one.
fn remark(name: &str) -> &'static str {
    match name {
        "bloom" | "xor" => {
            "blind to costs, so that a skewed rate is a draw: the costliest of the false positives decides"
        }
        "weighted" => "the paper does not say how many keys its map has, nor charges it",
        "habf, paper" | "habf-fast, paper" => {
            "the paper's setting with its plain second round; bits with one owner left are found again, and the first change that fits is taken"
        }
        _ => "beside the paper's HABF of the same size",
    }
}

fn run(figure: u32, skew: f64, settings: &[Setting], options: &Options) -> Result<Outcome> {
    let costs = if skew == 0.0 {
        "equal costs"
    } else {
        "Zipf costs, skew 1.0"
    };
    let mut outcome = Outcome::new(format!(
        "HABF, Figure {figure}: rate over space, {costs}. Learned filters are not built again."
    ));
    let subjects = subjects(skew > 0.0);
    for setting in settings {
        let set = Set::new(setting.source, options)?;
        outcome.about += &format!(" {}.", set.describe());
        let sizes = setting
            .sizes
            .iter()
            .map(|&size| bits_per_key(setting.source, size));
        let sizes: Vec<f64> = sizes.collect();
        let found = rates(&set, skew, setting.shuffles, &sizes, &subjects)?;
        let title = format!("HABF, Figure {figure}, {}, {costs}", set.name);
        let mut sweep = Sweep::new(&title, "bits per key");
        for (size, found) in sizes.iter().zip(&found) {
            for (subject, rates) in subjects.iter().zip(found) {
                sweep.add(*size, &subject.name, *rates);
            }
        }
        sweep.into(&mut outcome);
        let rate = |name: &str, size: f64| -> Option<Rates> {
            let row = setting.sizes.iter().position(|&known| known == size)?;
            let column = subjects.iter().position(|subject| subject.name == name)?;
            found[row][column]
        };
        for &(name, size, published) in setting.published {
            if let Some(rates) = rate(name, size) {
                outcome.claims.push(Claim::lower(
                    format!("{name}, {}, {size} MB", set.name),
                    Cell::rate(published),
                    Cell::rate(rates.known.mean),
                    rates.chance(published),
                    remark(name),
                ));
            }
        }
    }
    Ok(outcome)
}

/// Equal costs.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    run(10, 0.0, &EQUAL, options)
}

/// Costs by Zipf's law with skew 1.0.
pub fn figure_11(options: &Options) -> Result<Outcome> {
    run(11, 1.0, &SKEWED, options)
}

/// The skew from 0 to 3 at 1.5 MB.
pub fn figure_13(options: &Options) -> Result<Outcome> {
    let set = Set::new(Source::Urls, options)?;
    let mut outcome = Outcome::new(format!(
        "HABF, Figure 13: rate over the skew of Zipf's law at 1.5 MB, 8.44 bits per key. {}. Mean and standard deviation over 5 shuffles.",
        set.describe()
    ));
    let subjects = subjects(true);
    let mut sweep = Sweep::new("HABF, Figure 13, 8.44 bits per key", "skew of the costs");
    let mut habf = Vec::new();
    let mut bloom = Vec::new();
    let size = bits_per_key(Source::Urls, 1.5);
    for skew in [0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3.0] {
        let found = rates(&set, skew, 5, &[size], &subjects)?;
        for (subject, rates) in subjects.iter().zip(&found[0]) {
            sweep.add(skew, &subject.name, *rates);
            if let Some(rates) = rates {
                match subject.name.as_str() {
                    "habf, paper" => habf.push(rates.known),
                    "bloom" => bloom.push(rates.known),
                    _ => {}
                }
            }
        }
    }
    sweep.into(&mut outcome);
    // From skew 0.9 on, each mean is to be below that of the one before, by more than chance: two standard errors.
    let falls = habf[3..].windows(2).all(|pair| {
        pair[1].mean <= pair[0].mean + 2.0 * pair[0].deviation.max(pair[1].deviation) / 5f64.sqrt()
    });
    let relative = bloom
        .iter()
        .map(|spread| spread.deviation / spread.mean.max(1e-12));
    let widest = relative.fold(0.0, f64::max);
    outcome.claims = vec![
        Claim::holds(
            "HABF falls steadily from skew 0.9 on",
            "yes",
            format!("{:.2e} at 0.9, {:.2e} at 3.0", habf[3].mean, habf[10].mean),
            falls && habf[10].mean < habf[3].mean,
            "",
        ),
        Claim::holds(
            "the rate of a Bloom filter fluctuates",
            "greatly",
            format!("a standard deviation of up to {:.1} times the mean", widest),
            widest > 0.5,
            "",
        ),
    ];
    Ok(outcome)
}
