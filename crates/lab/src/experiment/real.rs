//! Real keys with their own costs: all kinds in equal space, from the folder that `--data` names.

use super::sweep::Sweep;
use crate::measure::rates_of;
use crate::options::Options;
use crate::output::Outcome;
use crate::subject::Subject;
use crate::workload::zipf;
use crate::workload::{Set, Source, read_files};
use anyhow::Result;

/// Runs it. Without a folder, URL-like keys with Zipf costs stand for real ones.
pub fn run(options: &Options) -> Result<Outcome> {
    let set = match &options.data {
        Some(folder) => read_files(folder)?,
        None => Set::new(Source::Urls, options)?,
    };
    let costs = match &set.costs {
        Some(costs) => costs.clone(),
        None => zipf::costs(set.negatives.len(), 1.0, 0),
    };
    let whose = match set.costs {
        Some(_) => "their own costs",
        None => "Zipf costs with skew 1.0, since no folder of real keys is given (`--data`)",
    };
    let mut outcome = Outcome::new(format!(
        "All kinds in equal space, {whose}. {}.",
        set.describe()
    ));
    let subjects = [
        Subject::kind("bloom"),
        Subject::kind("blocked"),
        Subject::xor(),
        Subject::weighted(),
        Subject::stacked(),
        Subject::cascade(),
        Subject::kind("habf"),
        Subject::kind("guarded"),
    ];
    let sizes = [6.0, 8.0, 10.0, 12.0, 14.0];
    let found = rates_of(&set, &costs, &sizes, &subjects)?;
    let mut sweep = Sweep::new(&format!("Rates, {}", set.name), "bits per key");
    for (size, found) in sizes.iter().zip(&found) {
        for (subject, rates) in subjects.iter().zip(found) {
            sweep.add(*size, &subject.name, *rates);
        }
    }
    sweep.into(&mut outcome);
    Ok(outcome)
}
