//! Arguments that name the columns of tables.

use anyhow::{Result, bail};
use bloomwise_compare::input::{self, Columns};
use std::path::Path;

/// The columns of `.csv` and `.parquet` files that hold the keys and the costs.
#[derive(clap::Args)]
pub struct ColumnArgs {
    /// Column that holds the key, for .csv and .parquet files; given twice, the second is that of negatives
    #[arg(long = "key-column", value_name = "NAME")]
    pub key: Vec<String>,
    /// Column that holds the cost, for negatives in .csv and .parquet files and for logs (default: every cost is 1)
    #[arg(long = "cost-column", value_name = "NAME")]
    pub cost: Option<String>,
}

impl ColumnArgs {
    /// The columns, without that of the time.
    pub fn columns(&self) -> Columns {
        Columns {
            key: self.key.clone(),
            cost: self.cost.clone(),
            time: None,
        }
    }

    /// Returns an error if a column is named but no file has columns. Otherwise a typing mistake would go unnoticed.
    pub fn check(&self, positives: &[Option<&Path>], negatives: &[Option<&Path>]) -> Result<()> {
        let table =
            |files: &[Option<&Path>]| files.iter().flatten().any(|file| input::has_columns(file));
        if self.key.len() > 2 {
            bail!(
                "--key-column is given {} times; give one column, or one for the set and one for negatives",
                self.key.len()
            );
        }
        if !table(negatives) {
            self.check_key(positives)?;
        }
        if self.cost.is_some() && !table(negatives) {
            bail!(
                "--cost-column applies to negatives in .csv and .parquet files only; name such a file or remove the option"
            );
        }
        Ok(())
    }

    /// Returns an error if a column of keys is named but none of the files has columns.
    pub fn check_key(&self, files: &[Option<&Path>]) -> Result<()> {
        let mut files = files.iter().flatten();
        if !self.key.is_empty() && !files.any(|file| input::has_columns(file)) {
            bail!(
                "--key-column applies to .csv and .parquet files only; name such a file or remove the option"
            );
        }
        Ok(())
    }
}
