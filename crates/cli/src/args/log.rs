//! Arguments about logs: where in a line the key, the cost and the time are.

use super::ColumnArgs;
use anyhow::{Result, anyhow};
use bloomwise_compare::input::Columns;
use bloomwise_compare::input::log::Layout;
use bloomwise_compare::input::time;

/// The most keys that are learned from logs, unless the user says otherwise.
pub const DEFAULT_TOP: u64 = 100_000;

/// Where key and time are in a log. The cost is part of [`ColumnArgs`].
#[derive(clap::Args)]
pub struct LogArgs {
    /// Column that holds the key: its number from 1 on, or its name (default: the whole line). Columns of text are separated by TABs, or else
    /// by spaces: the path in the Common Log Format is column 7
    #[arg(long, value_name = "N|NAME", group = "log_key")]
    column: Option<String>,
    /// Regular expression that finds the key: its group named key, or else its first group; groups named cost and time, if there are any
    #[arg(long, value_name = "RE", group = "log_key", conflicts_with_all = ["cost", "time_column"])]
    regex: Option<String>,
    /// Field that holds the key, if each line is a JSON object, such as request.path; --cost-column and --time-column are then fields too
    #[arg(long, value_name = "PATH", group = "log_key")]
    json_field: Option<String>,
    /// Column that holds the time of an event (default: the time in brackets of the Common Log Format)
    #[arg(long, value_name = "N|NAME", requires = "log_key")]
    time_column: Option<String>,
    /// Leave out events before this time, such as 2026-10-31 or 2026-10-31T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time::parse_argument, allow_negative_numbers = true)]
    pub since: Option<f64>,
}

impl LogArgs {
    /// Where key, cost and time are. `columns` has the column of the cost.
    pub fn layout(&self, columns: &ColumnArgs) -> Result<Layout> {
        if let Some(regex) = &self.regex {
            return Layout::regex(regex).map_err(|error| anyhow!("--regex: {error}"));
        }
        let columns = Columns {
            key: self
                .column
                .iter()
                .chain(&self.json_field)
                .cloned()
                .collect(),
            cost: columns.cost.clone(),
            time: self.time_column.clone(),
        };
        Ok(match self.json_field {
            Some(_) => Layout::Json(columns),
            None => Layout::Columns(columns),
        })
    }

    /// The options that were given, as in a shell.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        let options = [
            ("--column", &self.column),
            ("--regex", &self.regex),
            ("--json-field", &self.json_field),
            ("--time-column", &self.time_column),
        ];
        let options = options
            .into_iter()
            .map(|(name, value)| (name, value.clone()));
        let since = [("--since", self.since.map(time::shown))];
        (options.chain(since))
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}
