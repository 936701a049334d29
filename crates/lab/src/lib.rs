//! Experiments for bloomwise: every table and figure of the papers, measured again, and races against other crates. All
//! filters of an experiment get the same keys and the same number of bits, in one run.
//!
//! `cargo run --release -p bloomwise-lab -- EXPERIMENT` prints tables, with the paper's claims beside them. `--out DIR`
//! also writes them as JSON, Markdown and SVG. `--help` lists the experiments. `all` runs every experiment. `report`
//! refills `docs/choosing.md`, `docs/measurements.md` and `docs/reproduction.md` from recorded results. While you change
//! code, `peers --scale 0.1` is a quick check of speed, `limit --scale 0.1` of rates.
//!
//! Data flows one way:
//!
//! ```text
//! data ─► filter ─► rates ─┬─► paper, page ─► output ─► results/*, docs/*
//!                   times ─┘
//! ```
//!
//! | folder | content |
//! |---|---|
//! | `data` | keys and costs, all seeded, or read from files |
//! | `filter` | filters by name (`subject`), filters that change (`changing`), filters that race (`contender`), those of other papers (`papers`) and crates (`peers`) |
//! | `rates` | the engine for rates: `sweep` builds and queries filters at many places, `figure` shows and judges a figure, `churn` replaces keys, `count` counts rare false positives |
//! | `times` | the engine for times: `Turns` times any work in turns, `race` builds and queries, `throughput` filters that threads share |
//! | `paper` | the papers' tables and figures, a folder for each paper and a file for a figure or several alike |
//! | `page` | the sections of `docs/measurements.md`, a file or a folder for each |
//! | `output` | tables, claims and charts, the files they are written to, and the documents that show them |
//! | `soak` | random operations on random filters, compared with exact sets; `-- soak` runs it |
//!
//! Every measured filter is queried for all of its keys. A false negative is an error, and the experiment fails.
//!
//! # An experiment
//!
//! An experiment is a function from `Options` to `Outcome`, in a file of `page` or `paper` that begins with `use crate::prelude::*`.
//! [`catalogue`] gives it a name. Most of it is data:
//!
//! - Filters are `Subject`s: `Subject::kind(Family::Guarded).set("k", 4)`. `Subject::baseline` takes a name, what the filter uses costs
//!   for, and a function that builds it.
//! - A figure on rates is a list of `Sweep`s: keys, what varies, the filters at each place, and what the paper says as `Stated` claims.
//!   `figure::run` makes the tables, the charts and the verdicts.
//! - Times come from `Turns::take(rounds, contenders, work)`. `medians` and `median_ratios` go into a row as they are.
//! - The columns of a table are one line: `Table::new("Rates", "filter | bits per key {2} | FPR {%}")`. A row is a tuple of values:
//!   `table.row((name, bits, rate))`. A chart reads its points from the columns of a table: `Chart::rates(title, x).rows(&table, [x, line, y])`.
//! - Verdicts follow the one rule in [`output::verdict`].
//!
//! Rates may run in parallel, times may not. Numbers of keys and queries come from `Options::scaled`, so that `all --scale 0.1` takes minutes.
//!
//! Then run it with `--out crates/lab/results`, put its marks into a page ([`output::refilled`]), and run `report`. A test fails if an
//! experiment has no place in the pages, or if a page shows other numbers than the result files.

pub mod catalogue;
pub mod options;
pub mod output;
pub mod soak;

mod data;
mod filter;
mod page;
mod paper;
mod prelude;
mod rates;
mod statistics;
mod times;
