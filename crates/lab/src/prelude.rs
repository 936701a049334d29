//! What most modules of the lab import.

pub use crate::data::{Key, Set, Source, as_digests, strided, user, zipf};
pub use crate::filter::contender::{BITS_PER_KEY, on_threads};
pub use crate::filter::subject::{Costs, Subject};
pub use crate::filter::{DigestFilter, TooSmall, accepted};
pub use crate::options::Options;
pub use crate::output::verdict::{Says, Verdict, at_most, falls, lower};
pub use crate::output::{Axis, Cell, Cells, Chart, Claim, Outcome, Table, percent};
pub use crate::rates::{Answers, Grid, Place, Rates};
pub use crate::statistics::{Spread, median};
pub use crate::times::{Turns, median_ratio, peak, time};
pub use anyhow::{Context, Result, bail, ensure};
pub use bloomwise::keys::{Digest, Digests};
pub use bloomwise::{AnyFilter, Family, Filter, Hashing, KeySets, Size, Spec};
pub use rayon::prelude::*;
pub use std::hint::black_box;
