//! What the page of a comparison says besides numbers: its title, where the keys come from, and the command that builds the filter.

use super::{Args, DEFAULT_HOLDOUT};
use crate::args::{DEFAULT_TOP, HashName};
use crate::cmd::shell::{data_name, quoted};
use bloomwise::{Family, Hashing};
use bloomwise_compare::input;
use bloomwise_compare::measure::Options;
use bloomwise_compare::report::html::Setup;
use std::ffi::OsString;
use std::path::Path;

/// The file of learned negatives in commands that are shown.
const LEARNED: &str = "negatives.tsv";

impl Args {
    /// The title and the settings on the page.
    pub fn setup(&self, options: Options, left_out: Option<String>) -> Setup {
        let name = input::name;
        let negatives = match &self.negatives {
            Some(path) => name(path),
            None => {
                let logs: Vec<String> = self.logs.iter().map(|log| name(log)).collect();
                format!(
                    "learned from the first {} of {}",
                    self.split,
                    logs.join(", ")
                )
            }
        };
        let unseen = match &self.unseen {
            Some(path) => name(path),
            None if !self.logs.is_empty() => "the rest of the log".to_string(),
            None => format!(
                "held out: a share of {} of the negatives",
                self.holdout.unwrap_or(DEFAULT_HOLDOUT)
            ),
        };
        Setup {
            title: format!("Which filter for {}", data_name(&self.positives)),
            introduction: Vec::new(),
            settings: vec![
                ("positives", name(&self.positives)),
                ("negatives", negatives),
                ("unseen keys", unseen),
                ("left out", left_out.unwrap_or("nothing".to_string())),
                ("hash", options.hashing.to_string()),
            ],
            command: self.command(options),
        }
    }

    /// Writes the command that builds a filter of a kind and size from the same files.
    fn command(&self, options: Options) -> Box<dyn Fn(Family, f64) -> String> {
        let learned = Path::new(LEARNED);
        let mut files = vec![
            ("--positives", quoted(&self.positives)),
            (
                "--negatives",
                quoted(self.negatives.as_deref().unwrap_or(learned)),
            ),
        ];
        let keys = self.columns.key.iter().map(|name| ("--key-column", name));
        let costs = self.columns.cost.iter().map(|name| ("--cost-column", name));
        let costs = costs.filter(|_| self.logs.is_empty());
        files.extend(
            keys.chain(costs)
                .map(|(option, name)| (option, quoted(name))),
        );
        let learn = self.learn_command();
        if let Hashing::Xxh3 { seed: seed @ 1.. } = options.hashing {
            files.push(("--seed", seed.to_string()));
        }
        if matches!(self.hash, HashName::Siphash) {
            files.push(("--hash", "siphash".to_string()));
        }
        let files: Vec<String> = (files.into_iter())
            .map(|(option, value)| format!("{option} {value}"))
            .collect();
        let (files, name) = (files.join(" "), data_name(&self.positives));
        let output = quoted(format!("{}.bloomwise", name.replace(' ', "-")));
        Box::new(move |kind, budget| {
            let settings: String = (options.settings_of(kind))
                .map(|(name, value)| format!(" --set {}", quoted(format!("{name}={value}"))))
                .collect();
            let kind = kind.name();
            format!(
                "{learn}bloomwise build {kind} {files} --bits-per-key {budget}{settings} -o {output}"
            )
        })
    }

    /// The command that learns from the whole log, to be followed by another one; nothing without a log.
    fn learn_command(&self) -> String {
        if self.logs.is_empty() {
            return String::new();
        }
        let logs = self.logs.iter().map(quoted);
        let positives = [("--positives", self.positives.clone().into_os_string())];
        let named = |option, names: &[String]| -> Vec<(&'static str, OsString)> {
            names.iter().map(|name| (option, name.into())).collect()
        };
        let given = self.log.given().into_iter();
        let given = given.map(|(option, value)| (option, value.into()));
        let top = Some(self.top).filter(|&top| top != DEFAULT_TOP);
        let top = top.map(|top| ("--top", top.to_string().into()));
        let options = (positives.into_iter())
            .chain(named("--key-column", &self.columns.key))
            .chain(given)
            .chain(named("--cost-column", self.columns.cost.as_slice()))
            .chain(top);
        let options = options.map(|(option, value)| format!("{option} {}", quoted(value)));
        let arguments: Vec<String> = logs.chain(options).collect();
        format!("bloomwise learn {} -o {LEARNED} && ", arguments.join(" "))
    }
}
