//! How bloomwise is measured: every table and figure of the papers run again, and races against other crates. The same
//! keys, the same number of bits, in one run.
//!
//! `cargo run --release -p bloomwise-lab -- EXPERIMENT` prints tables, what the paper says beside them, and `--out DIR` writes
//! them as JSON, Markdown and SVG; `--help` lists the experiments. `all` runs all of them, and `report` brings
//! `docs/reproduction.md` up to date with what a run wrote. `cargo bench -p bloomwise-lab` is for watching one's own changes.
//!
//! | module | what |
//! |---|---|
//! | [`workload`] | keys and costs, all seeded |
//! | [`baseline`] | filters of other papers and crates |
//! | [`subject`], [`measure`] | filters by name, and the rates of what they answer |
//! | [`contender`], [`race`] | filters that take turns against the clock |
//! | [`experiment`], [`catalogue`] | the experiments, and all by name |
//! | [`output`] | tables, claims, pictures, and where they are written |
//!
//! Every filter is asked for all of its keys when it is measured; a false negative is an error, and the experiment fails.

pub mod baseline;
pub mod catalogue;
pub mod contender;
pub mod experiment;
pub mod measure;
pub mod memory;
pub mod options;
pub mod output;
pub mod race;
pub mod subject;
pub mod workload;
