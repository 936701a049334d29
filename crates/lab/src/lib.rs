//! Experiments for bloomwise: every table and figure of the papers, measured again, and races against other crates. All
//! filters of an experiment get the same keys and the same number of bits, in one run.
//!
//! `cargo run --release -p bloomwise-lab -- EXPERIMENT` prints tables, with the paper's claims beside them. `--out DIR`
//! also writes them as JSON, Markdown and SVG. `--help` lists the experiments. `all` runs every experiment. `report`
//! refills `docs/choosing.md`, `docs/measurements.md` and `docs/reproduction.md` from recorded results. `cargo bench -p
//! bloomwise-lab` is a quick check while you change code.
//!
//! | module | content |
//! |---|---|
//! | [`workload`] | keys and costs, all seeded |
//! | [`baseline`] | filters of other papers and crates |
//! | [`theory`] | formulas of the papers that the library does not use |
//! | [`subject`], [`measure`] | filters by name, and their false positive rates |
//! | [`contender`], [`race`] | filters that are timed in turns |
//! | [`experiment`], [`catalogue`] | the experiments, and the list of them by name |
//! | [`options`], [`memory`] | what all experiments take; the peak of allocated memory |
//! | [`output`] | tables, claims and charts, and the files they are written to |
//! | [`soak`] | random operations on random filters, compared with exact sets; `-- soak` runs it |
//!
//! Every measured filter is queried for all of its keys. A false negative is an error, and the experiment fails.

pub mod baseline;
pub mod catalogue;
pub mod contender;
pub mod experiment;
pub mod measure;
pub mod memory;
pub mod options;
pub mod output;
pub mod race;
pub mod soak;
pub mod subject;
pub mod theory;
pub mod workload;
