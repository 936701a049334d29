//! The provenance of numbers: machine, date, commit and command.

use super::Cell;
use crate::catalogue::Experiment;
use crate::options::Options;
use bloomwise::unstable::Kernel;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

/// How every command of the lab starts.
const COMMAND: &str = "cargo run --release -p bloomwise-lab -- ";

/// The commit when the first experiment of a run began. Later changes of the code are not part of the running program.
static COMMIT: OnceLock<String> = OnceLock::new();

/// The provenance of a run's numbers.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The processor's name and the number of cores.
    machine: String,
    /// Memory of the machine in bytes.
    memory: u64,
    /// When the run began, in UTC.
    date: String,
    /// The commit of the code, with a mark if files had changed since.
    commit: String,
    /// The command that repeats the run.
    command: String,
    /// The fraction of the full size; files are not cut.
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

    /// The provenance as JSON.
    pub fn json(&self) -> Value {
        json!({
            "machine": self.machine,
            "memory_bytes": self.memory,
            "date": self.date,
            "commit": self.commit,
            "command": self.command,
            "scale": self.scale,
            "files": self.files,
            "seconds": self.seconds,
        })
    }
}

/// The columns of a table of provenances.
pub(super) const COLUMNS: [&str; 6] = ["command", "date", "commit", "machine", "kernel", "seconds"];

/// The cells of provenance in JSON, in the order of [`COLUMNS`]. The command is without the start that all commands share.
pub(super) fn row(provenance: &Value) -> [Cell; 6] {
    let text = |field: &str| provenance[field].as_str().unwrap_or("unknown");
    let machine = text("machine");
    // Old results do not name the kernel.
    let kernel = machine.strip_suffix(" kernel");
    let (machine, kernel) = kernel
        .and_then(|machine| machine.rsplit_once(", "))
        .map_or((machine, Cell::Nothing), |(machine, kernel)| {
            (machine, kernel.into())
        });
    let command = text("command");
    let command = command.strip_prefix(COMMAND).unwrap_or(command);
    [
        format!("`{command}`").into(),
        text("date").into(),
        text("commit").into(),
        machine.into(),
        kernel,
        Cell::number(provenance["seconds"].as_f64().unwrap_or(f64::NAN), 0),
    ]
}

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
        let mut json = Provenance::now(find("data").expect("exists"), &options).json();
        json["machine"] = json!("AMD EPYC (model 17), 2 cores, avx512 kernel");
        let shown = |json: &Value| row(json).map(|cell| cell.shown().to_string());
        let cells = shown(&json);
        assert_eq!(cells[0], "`data --scale 1`");
        assert_eq!(cells[3..5], ["AMD EPYC (model 17), 2 cores", "avx512"]);
        json["machine"] = json!("Intel(R) Xeon(R) Processor (model 207), 2 cores");
        let cells = shown(&json);
        assert_eq!(
            cells[3..5],
            ["Intel(R) Xeon(R) Processor (model 207), 2 cores", "-"]
        );
    }
}
