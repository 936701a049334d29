//! Figures 10 and 11: rate over space, with equal costs and with costs by Zipf's law.
//!
//! Every filter of the paper except the learned ones is built at every size of the paper. Rates that the text gives are
//! compared with the measured ones, and then the statements of the text about all sizes. This library's own filters are
//! shown beside the paper's HABF, but do not count as reproduced.

use super::published::{EQUAL, LOWEST_OTHER, SKEWED, Setting};
use super::{ablation, bits_per_key, learned, megabyte, rates_named, subjects};
use crate::experiment::sweep::Sweep;
use crate::measure::{Rates, rates};
use crate::options::Options;
use crate::output::{Cell, Claim, Outcome, percent};
use crate::subject::Subject;
use crate::workload::{Set, Source};
use anyhow::Result;

/// The filters that the paper compares with, except the learned ones.
const OTHERS: [&str; 3] = ["bloom", "xor", "weighted"];

/// Why a number may differ from the published one, by figure.
fn remark(figure: u32, name: &str) -> &'static str {
    match (name, figure) {
        ("bloom" | "xor", _) => {
            "the filter ignores costs. The rate here is the exact mean over all shuffles; the published rate is a mean of ten shuffles, which the costliest false positives decide"
        }
        ("weighted", _) => {
            "the paper does not say how many keys its map has, and does not count its space"
        }
        ("habf, paper" | "habf-fast, paper", 10) => {
            "the reason is not known. The table of differences shows what was tried. One thing was not tried: the authors' program forgets the last candidate for a change"
        }
        ("habf, paper" | "habf-fast, paper", _) => {
            "the paper's optimiser ignores the second round, in which any negative can be a false positive, whatever it costs; whether one of the costliest is one decides the rate of a shuffle"
        }
        _ => "compared with the paper's HABF of the same size",
    }
}

/// The rates of one set at all of its sizes.
struct Found<'a> {
    figure: u32,
    setting: &'a Setting,
    set: Set,
    subjects: Vec<Subject>,
    rates: Vec<Vec<Option<Rates>>>,
}

impl Found<'_> {
    fn rates(&self, name: &str, place: usize) -> Result<Rates> {
        rates_named(name, &self.subjects, &self.rates[place])
    }

    /// The rates of a filter at every size, with the size in megabytes.
    fn over_sizes(&self, name: &str) -> Result<Vec<(f64, Rates)>> {
        let sizes = self.setting.sizes.iter().enumerate();
        sizes
            .map(|(place, &size)| Ok((size, self.rates(name, place)?)))
            .collect()
    }

    /// The filters that the paper compares with and that are measured here.
    fn others(&self) -> impl Iterator<Item = &'static str> {
        let here = |name: &&str| self.subjects.iter().any(|subject| subject.name == *name);
        OTHERS.into_iter().filter(here)
    }

    /// The lowest rate of the other filters at one size, and the filter's name.
    fn lowest_other(&self, place: usize) -> Result<(Rates, &'static str)> {
        let mut lowest: Option<(Rates, &'static str)> = None;
        for name in self.others() {
            let rates = self.rates(name, place)?;
            if lowest.is_none_or(|(known, _)| rates.known.mean < known.known.mean) {
                lowest = Some((rates, name));
            }
        }
        lowest.ok_or_else(|| anyhow::anyhow!("no filter to compare with was measured"))
    }

    /// The claims with a number.
    fn numbers(&self) -> Result<Vec<Claim>> {
        let mut claims = Vec::new();
        for (place, &size) in self.setting.sizes.iter().enumerate() {
            let names = self.subjects.iter().map(|subject| subject.name.as_str());
            for name in names {
                let ours = self.setting.ours.contains(&name);
                let of = if ours { "habf, paper" } else { name };
                let Some(published) = self.setting.rate(of, size) else {
                    // The text has no number for this filter at this size.
                    continue;
                };
                let rates = self.rates(name, place)?;
                let make = if OTHERS.contains(&name) {
                    Claim::same
                } else {
                    Claim::lower
                };
                let claim = make(
                    format!("{name}, {}, {size} MB", self.set.name),
                    Cell::rate(published),
                    Cell::rate(rates.known.mean),
                    rates.chance(published),
                    remark(self.figure, name),
                );
                claims.push(if ours { claim.ours() } else { claim });
            }
        }
        Ok(claims)
    }

    /// The claim that the paper's HABF has the lowest rate at all sizes.
    fn always_lowest(&self) -> Result<Claim> {
        let habf = self.over_sizes("habf, paper")?;
        let mut not = Vec::new();
        for (place, (size, habf)) in habf.iter().enumerate() {
            let (lowest, name) = self.lowest_other(place)?;
            if habf.known.mean >= lowest.known.mean {
                let [ours, least] = [habf.known.mean, lowest.known.mean].map(percent);
                not.push(format!("{size} MB ({ours}, {name} {least})"));
            }
        }
        let list: Vec<&str> = self.others().collect();
        let measured = if not.is_empty() {
            format!("at all {} sizes", habf.len())
        } else {
            format!("not at {}", not.join(", "))
        };
        Ok(Claim::holds(
            format!(
                "habf, paper, is below {}, {}",
                list.join(", "),
                self.set.name
            ),
            "always",
            measured,
            not.is_empty(),
            match self.figure {
                10 => "",
                _ => {
                    "this compares means; those of bloom and xor are over all shuffles. In most single shuffles their rate is below the mean, because few keys have most of the cost"
                }
            },
        ))
    }

    /// The claim on the ratio of f-HABF's rate to HABF's: the mean over the sizes at which both have false positives.
    fn fast_to_full(&self) -> Result<Claim> {
        let pairs = self.over_sizes("habf-fast, paper")?.into_iter();
        let pairs = pairs.zip(self.over_sizes("habf, paper")?);
        let (mut sum, mut variance, mut sizes) = (0.0, 0.0, 0);
        for ((_, fast), (_, full)) in pairs {
            let counts = [fast, full].map(|rates| rates.plain * self.set.negatives.len() as f64);
            if counts.contains(&0.0) {
                continue;
            }
            let ratio = counts[0] / counts[1];
            sum += ratio;
            // Both counts follow the Poisson distribution.
            variance += ratio * ratio * (1.0 / counts[0] + 1.0 / counts[1]);
            sizes += 1;
        }
        let number = f64::from(sizes);
        let name = &self.set.name;
        Ok(Claim::lower(
            format!("habf-fast, paper / habf, paper, {name}, mean over {sizes} sizes"),
            Cell::number(1.5, 2),
            Cell::number(sum / number, 2),
            2.0 * variance.sqrt() / number,
            "not known why",
        ))
    }

    /// The claims on the lowest rate of the other filters.
    fn lowest_of_others(&self) -> Result<Vec<Claim>> {
        let mut claims = Vec::new();
        for (place, &size) in self.setting.sizes.iter().enumerate() {
            for (_, published) in LOWEST_OTHER.iter().filter(|(known, _)| *known == size) {
                let (lowest, name) = self.lowest_other(place)?;
                claims.push(Claim::statement(
                    format!("the lowest of the others, {}, {size} MB", self.set.name),
                    Cell::rate(*published).shown(),
                    format!("{} ({name})", Cell::rate(lowest.known.mean).shown()),
                    None,
                    "in the paper the others include learned filters, which are not built here; the paper does not say which filter has the lowest rate",
                ));
            }
        }
        Ok(claims)
    }
}

/// Measures the rates of a set, and adds their table and charts to `outcome`.
fn measure<'a>(
    figure: u32,
    skew: f64,
    setting: &'a Setting,
    options: &Options,
    outcome: &mut Outcome,
) -> Result<Found<'a>> {
    let set = Set::new(setting.source, options)?;
    outcome.about += &format!(" {}", set.describe());
    if skew > 0.0 {
        outcome.about += &format!(
            ", {} shuffles of the costs; rates by cost are means over all orders of the costs for filters that ignore costs, and for those of the paper, which are taken to treat the costliest hundredth alike; for the others, of the shuffles",
            setting.shuffles
        );
    }
    outcome.about += ".";
    let subjects = subjects(skew > 0.0);
    let sizes = setting.sizes.iter();
    let sizes: Vec<f64> = sizes
        .map(|&size| bits_per_key(setting.source, size))
        .collect();
    let rates = rates(&set, skew, setting.shuffles, &sizes, &subjects)?;
    let title = format!("HABF, Figure {figure}, {}", set.name);
    let mut sweep = Sweep::over_space(&title, megabyte(setting.source, &set));
    for (size, rates) in sizes.iter().zip(&rates) {
        for (subject, rates) in subjects.iter().zip(rates) {
            sweep.add(*size, &subject.name, *rates);
        }
    }
    sweep.add_to(outcome);
    Ok(Found {
        figure,
        setting,
        set,
        subjects,
        rates,
    })
}

/// Equal costs.
pub fn figure_10(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new("HABF, Figure 10: rate over space, equal costs.");
    for setting in &EQUAL {
        let found = measure(10, 0.0, setting, options, &mut outcome)?;
        if setting.source == Source::Urls {
            outcome.tables.push(ablation::table(&found.set)?);
        }
        if found.set.is_published_set() {
            outcome.claims.extend(found.numbers()?);
            outcome.claims.push(found.always_lowest()?);
            if setting.source == Source::Users {
                outcome.claims.push(found.fast_to_full()?);
            }
        }
    }
    outcome.tables.push(learned::figure_10());
    Ok(outcome)
}

/// Costs by Zipf's law with skew 1.0.
pub fn figure_11(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "HABF, Figure 11: rate over space, Zipf costs, skew 1.0. The paper has means over ten shuffles.",
    );
    for setting in &SKEWED {
        let found = measure(11, 1.0, setting, options, &mut outcome)?;
        if found.set.is_published_set() {
            outcome.claims.extend(found.numbers()?);
            outcome.claims.push(found.always_lowest()?);
            if setting.source == Source::Users {
                outcome.claims.extend(found.lowest_of_others()?);
            }
        }
    }
    outcome.tables.push(learned::figure_11());
    Ok(outcome)
}
