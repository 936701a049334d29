//! Arguments that several subcommands share, and checks that involve more than one argument.

mod columns;
mod log;
mod spec;

pub use columns::ColumnArgs;
pub use log::{DEFAULT_TOP, LogArgs};
pub use spec::SpecArgs;

use crate::io::target::Target;
use anyhow::{Context, Result, anyhow};
use bloomwise::{Error, Hashing, Size};
use std::path::{Path, PathBuf};

/// The size of a filter: exactly one of three options.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct SizeArgs {
    /// Size in bits per key
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    bits_per_key: Option<f64>,
    /// Size in bytes, e.g. 1250000, 480kB or 64MiB: everything the filter needs to answer, without the file header
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true)]
    bytes: Option<u64>,
    /// Size: the smallest filter with a false positive rate of at most P, e.g. 0.01
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    fpr: Option<f64>,
}

impl SizeArgs {
    /// The size as the library's type.
    pub fn size(&self) -> Result<Size> {
        let size = Size::one_of(self.bits_per_key, self.bytes, self.fpr);
        size.map_err(|_| anyhow!("give exactly one of --bits-per-key, --bytes and --fpr"))
    }
}

/// The arguments of a subcommand that reads one filter and prints facts about it.
#[derive(clap::Args)]
pub struct FilterArgs {
    /// Filter to read, - for standard input
    pub filter: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Where a subcommand writes what it makes, and how it reports it.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// File to write, - for standard output (then the report goes to standard error)
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl OutputArgs {
    /// The file to write, which must not be one of the inputs.
    pub fn target(&self, inputs: &[Option<&Path>]) -> Result<Target> {
        Target::new(&self.output, self.force, inputs)
    }
}

/// The hash functions, by name.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum HashName {
    /// Fast; the default
    Xxh3,
    /// Keyed; for keys that an attacker may choose
    Siphash,
}

impl HashName {
    /// Hashing with `seed`. Without a seed, `xxh3` uses 0 and `siphash` uses a random key.
    pub fn hashing(self, seed: Option<u128>) -> Result<Hashing> {
        let name = match self {
            HashName::Xxh3 => "xxh3",
            HashName::Siphash => "siphash",
        };
        Hashing::named(name, seed).map_err(|error| match error {
            Error::Seed => {
                anyhow!("--seed: xxh3 takes 64 bits; give a smaller seed or use --hash siphash")
            }
            Error::NoRandomNumbers { reason, .. } => anyhow!(
                "cannot generate a random key for siphash ({reason}); give a key with --seed"
            ),
            error => error.into(),
        })
    }
}

/// The number of threads.
#[derive(Default, clap::Args)]
pub struct Threads {
    /// Number of threads, 1 to 1024 (default: one per core); it does not change the filter
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u32>,
}

impl Threads {
    /// Starts the threads for the rest of the run. Otherwise they would start with the first work for them, and a panic would
    /// report that the system has no threads to give.
    pub fn start(&self) -> Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0) as usize);
        pool.build_global().with_context(|| match self.threads {
            Some(threads) => format!("--threads {threads}: cannot start the threads; use fewer"),
            None => {
                "cannot start a thread per core; end other programs or raise the limit".to_string()
            }
        })
    }
}

/// Parses a count.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Units of bytes.
const UNITS: [(&str, u64); 9] = [
    ("", 1),
    ("b", 1),
    ("kb", 1000),
    ("mb", 1000 * 1000),
    ("gb", 1000 * 1000 * 1000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Parses a number of bytes: `1250000`, `480kB`, `1.5 MB`, `64MiB`.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "expected a number of bytes, such as 1250000, 480kB or 64MiB".to_string();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit);
    let &(_, factor) = factor.ok_or_else(wrong)?;
    let digits = digits.trim_end();
    if let Ok(whole) = digits.parse::<u64>() {
        return Ok(whole.saturating_mul(factor));
    }
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    // Rounds down, and saturates.
    match number >= 0.0 && factor > 1 {
        true => Ok((number * factor as f64) as u64),
        false => Err(wrong()),
    }
}

/// Parses a seed, decimal or hexadecimal.
pub fn parse_seed(text: &str) -> Result<u128, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a whole number, decimal or 0x with hexadecimal digits".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        for (text, bytes) in [
            ("0", 0),
            ("1250000", 1_250_000),
            ("480kB", 480_000),
            ("1.5 MB", 1_500_000),
            ("64MiB", 64 << 20),
            ("2gb", 2_000_000_000),
            ("3GiB", 3 << 30),
            ("99999999999TiB", u64::MAX),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in [
            "", "MB", "-1", "-1kB", "1.5", "1 XB", "inf", "NaNkB", "1e400q",
        ] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }
}
