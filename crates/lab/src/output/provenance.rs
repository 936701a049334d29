//! The provenance of numbers: machine, date, commit and command.

use crate::catalogue::Experiment;
use crate::options::Options;
use bloomwise::unstable::Kernel;
use serde::{Deserialize, Serialize};
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

/// How every command of the lab starts.
const COMMAND: &str = "cargo run --release -p bloomwise-lab -- ";

/// The commit when the first experiment of a run began. Later changes of the code are not part of the running program.
static COMMIT: OnceLock<String> = OnceLock::new();

/// The provenance of a run's numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Provenance {
    /// The processor's name and the number of cores.
    machine: String,
    /// Memory of the machine in bytes.
    #[serde(rename = "memory_bytes", default)]
    memory: u64,
    /// When the run began, in UTC.
    date: String,
    /// The commit of the code, with a mark if files had changed since.
    commit: String,
    /// The command that repeats the run.
    command: String,
    /// The fraction of the full size; files are not cut.
    #[serde(default)]
    scale: f64,
    /// The last component of the data folder's path, if files replaced generated keys.
    files: Option<String>,
    /// How long the experiment took.
    pub seconds: f64,
}

impl Provenance {
    /// The provenance of a run that starts now.
    pub fn now(experiment: &Experiment, options: &Options) -> Self {
        let scale = options.scale;
        let folder = options.data.as_ref().and_then(|folder| folder.file_name());
        let files = folder.map(|name| name.display().to_string());
        let data = match &files {
            Some(name) => format!(" --data {name}"),
            None => String::new(),
        };
        let line = |path: &str, name: &str| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(name));
            line.and_then(|line| Some(line.split_once(':')?.1.trim().to_string()))
        };
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let cpu = line("/proc/cpuinfo", "model name").unwrap_or("unknown processor".to_string());
        let cpu_model = line("/proc/cpuinfo", "model\t").unwrap_or_default();
        let kilobytes = line("/proc/meminfo", "MemTotal").unwrap_or_default();
        let kilobytes = kilobytes.trim_end_matches(" kB").parse::<u64>();
        Provenance {
            machine: format!(
                "{cpu} (model {cpu_model}), {cores} cores, {} kernel",
                Kernel::current()
            ),
            memory: kilobytes.unwrap_or(0) << 10,
            date: jiff::Timestamp::now()
                .strftime("%Y-%m-%d %H:%M UTC")
                .to_string(),
            commit: COMMIT.get_or_init(commit).clone(),
            command: format!("{COMMAND}{} --scale {scale}{data}", experiment.name),
            scale,
            files,
            seconds: 0.0,
        }
    }

    /// The provenance in one line.
    pub fn line(&self) -> String {
        let whole = match self.files {
            Some(_) => " (files are taken whole at any scale)",
            None => "",
        };
        let Provenance {
            command,
            date,
            commit,
            machine,
            seconds,
            ..
        } = self;
        format!("`{command}`{whole}, {date}, commit {commit}, {machine}, {seconds:.0} s.")
    }

    /// The cells of a row of [`COLUMNS`]. The command is without the start that all commands share.
    pub(super) fn row(&self) -> (String, [&str; 3], Option<&str>, f64) {
        // Old results do not name the kernel.
        let kernel = self.machine.strip_suffix(" kernel");
        let kernel = kernel.and_then(|machine| machine.rsplit_once(", "));
        let (machine, kernel) = kernel
            .map_or((self.machine.as_str(), None), |(machine, kernel)| {
                (machine, Some(kernel))
            });
        let command = self.command.strip_prefix(COMMAND).unwrap_or(&self.command);
        let texts = [&self.date, &self.commit, machine];
        (format!("`{command}`"), texts, kernel, self.seconds)
    }
}

/// The columns of a table of provenances.
pub(super) const COLUMNS: &str = "command | date | commit | machine | kernel | seconds {0}";

/// The present commit, with a mark if files have changed since.
fn commit() -> String {
    described().unwrap_or("unknown".to_string())
}

fn described() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string())
    };
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--", "*.rs", "*.toml"])?;
    Some(if changed.is_empty() {
        commit
    } else {
        format!("{commit}, changed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::find;

    #[test]
    fn line_names_the_last_component_of_the_data_folder() {
        let mut options = Options {
            scale: 0.5,
            data: None,
        };
        let made = Provenance::now(find("data").expect("exists"), &options).line();
        assert!(made.starts_with("`cargo run --release -p bloomwise-lab -- data --scale 0.5`, "));
        options.data = Some("/some/where/domains".into());
        let filed = Provenance::now(find("data").expect("exists"), &options).line();
        assert!(
            filed.contains(" --data domains` (files are taken whole at any scale), "),
            "{filed}"
        );
        assert!(!filed.contains("where"));
    }

    #[test]
    fn row_separates_machine_and_kernel() {
        let options = Options {
            scale: 1.0,
            data: None,
        };
        let mut made = Provenance::now(find("data").expect("exists"), &options);
        made.machine = "AMD EPYC (model 17), 2 cores, avx512 kernel".to_string();
        let (command, [_, _, machine], kernel, _) = made.row();
        assert_eq!(command, "`data --scale 1`");
        assert_eq!(machine, "AMD EPYC (model 17), 2 cores");
        assert_eq!(kernel, Some("avx512"));
        made.machine = "Intel(R) Xeon(R) Processor (model 207), 2 cores".to_string();
        let (_, [_, _, machine], kernel, _) = made.row();
        assert_eq!(machine, "Intel(R) Xeon(R) Processor (model 207), 2 cores");
        assert_eq!(kernel, None);
    }
}
