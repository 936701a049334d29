//! Arguments that several subcommands share, and the checks that concern more than one argument.

use crate::input;
use anyhow::{Context, Result, bail};
use bloomwise::{Hashing, Size};
use std::path::{Path, PathBuf};

/// How large a filter shall be: exactly one of three.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub struct SizeArgs {
    /// Size: so many bits for each key
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    bits_per_key: Option<f64>,
    /// Size: so many bytes for everything the filter needs to answer; the header of the file is not counted
    #[arg(long, value_name = "N", value_parser = parse_count, allow_negative_numbers = true)]
    bytes: Option<u64>,
    /// Size: as small as keeps the false positive rate at or under P, e.g. 0.01
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    fpr: Option<f64>,
}

impl SizeArgs {
    /// The size in the library's terms.
    pub fn size(&self) -> Result<Size> {
        Ok(match (self.bits_per_key, self.bytes, self.fpr) {
            (Some(bits), None, None) => Size::BitsPerKey(bits),
            // More than the library allows stays more than it allows.
            (None, Some(bytes), None) => Size::Bits(bytes.saturating_mul(8)),
            (None, None, Some(rate)) => Size::Rate(rate),
            _ => bail!("give exactly one of --bits-per-key, --bytes and --fpr"),
        })
    }
}

/// A filter, and how to print what there is to say about it.
#[derive(clap::Args)]
pub struct OneFilter {
    /// Filter to look at, - for standard input
    pub filter: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Which columns of `.csv` and `.parquet` files hold what.
#[derive(clap::Args)]
pub struct Columns {
    /// Column of .csv and .parquet files that holds the key
    #[arg(long = "key-column", value_name = "NAME")]
    pub key: Option<String>,
    /// Column of .csv and .parquet files of negatives that holds the cost (without it, each costs 1)
    #[arg(long = "cost-column", value_name = "NAME")]
    pub cost: Option<String>,
}

impl Columns {
    /// An error if a column is named and no file has columns: a typing mistake would go unnoticed.
    pub fn check(&self, members: &[Option<&Path>], negatives: &[Option<&Path>]) -> Result<()> {
        let table =
            |files: &[Option<&Path>]| files.iter().flatten().any(|file| input::has_columns(file));
        if self.key.is_some() && !table(members) && !table(negatives) {
            bail!(
                "--key-column applies to .csv and .parquet only; name such a file or leave it out"
            );
        }
        if self.cost.is_some() && !table(negatives) {
            bail!(
                "--cost-column applies to negatives in .csv and .parquet only; name such a file or leave it out"
            );
        }
        Ok(())
    }
}

/// The hash functions by their names.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum HashName {
    /// Fast; the default
    Xxh3,
    /// Keyed: for keys that strangers choose
    Siphash,
}

impl HashName {
    /// Hashing with this seed; without one, `xxh3` takes 0 and `siphash` a key that nobody knows.
    pub fn hashing(self, seed: Option<u128>) -> Result<Hashing> {
        match (self, seed) {
            (HashName::Xxh3, seed) => match u64::try_from(seed.unwrap_or(0)) {
                Ok(seed) => Ok(Hashing::Xxh3 { seed }),
                Err(_) => {
                    bail!("--seed: xxh3 takes 64 bits; give a smaller one or use --hash siphash")
                }
            },
            (HashName::Siphash, Some(key)) => Ok(Hashing::SipHash { key }),
            (HashName::Siphash, None) => {
                let mut key = [0; 16];
                if let Err(error) = getrandom::fill(&mut key) {
                    bail!("no random key for siphash ({error}); give one with --seed");
                }
                Ok(Hashing::SipHash {
                    key: u128::from_le_bytes(key),
                })
            }
        }
    }
}

/// How many threads to use.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads to use, 1 to 1024 (default: one for each core); the filter is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024), allow_negative_numbers = true)]
    threads: Option<u32>,
}

impl Threads {
    /// Uses so many from now on.
    pub fn apply(&self) -> Result<()> {
        if let Some(threads) = self.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
            (pool.build_global()).with_context(|| format!("--threads {threads}: use fewer"))?;
        }
        Ok(())
    }
}

/// A number of something.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// A seed, decimal or hexadecimal.
pub fn parse_seed(text: &str) -> Result<u128, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a whole number, decimal or 0x and hexadecimal digits".to_string())
}

/// The two halves of `NAME=VALUE`.
pub fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err("expected NAME=VALUE".to_string()),
    }
}

/// Whether a path means standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An error if standard input is to be read twice.
pub fn check_dashes(inputs: &[Option<&Path>]) -> Result<()> {
    if inputs.iter().flatten().filter(|path| is_dash(path)).count() > 1 {
        bail!(
            "standard input (-) is named more than once; it can be read once, use files for the rest"
        );
    }
    Ok(())
}
