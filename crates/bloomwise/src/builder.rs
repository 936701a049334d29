//! The wishes every filter that grows is built from.
//!
//! One type serves all of them: [`crate::Bloom::builder`] gives a `Builder<Bloom>`, and so on; the type parameter only
//! decides what `build` makes. Nothing is checked before `build`, which checks everything.

use crate::error::Result;
use crate::filter::Value;
use crate::forecast::Forecast;
use crate::hash::Hashing;
use crate::probe::Placement;
use crate::sizing::{Fit, Layout, Size};
use std::marker::PhantomData;

/// The wishes for a filter of family `F`.
#[derive(Clone, Debug)]
pub struct Builder<F> {
    /// How large the filter shall be.
    pub(crate) size: Size,
    /// For how many keys.
    pub(crate) capacity: u64,
    /// Positions of a key, if not the best number.
    pub(crate) functions: Option<u32>,
    /// How keys are hashed.
    pub(crate) hashing: Hashing,
    /// Bits of a block, for families that have blocks; those have a setter for it.
    pub(crate) block_bits: u32,
    /// How positions are found, for families that can have it either way.
    pub(crate) placement: Placement,
    /// When a key is rejected, for families that reject.
    pub(crate) threshold: Option<u32>,
    /// How many keys may be rejected, for families that reject.
    pub(crate) list: Option<u32>,
    family: PhantomData<fn() -> F>,
}

impl<F> Builder<F> {
    /// A filter for `capacity` keys. It takes more; the false positive rate then rises above what was planned.
    pub(crate) fn new(capacity: u64, size: Size) -> Self {
        Builder {
            size,
            capacity,
            functions: None,
            hashing: Hashing::default(),
            block_bits: 512,
            placement: Placement::Spread,
            threshold: None,
            list: None,
            family: PhantomData,
        }
    }

    /// The number of hash functions, instead of the best one for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.functions = Some(functions);
        self
    }

    /// How keys are hashed, instead of XXH3 with seed 0.
    pub fn hashing(mut self, hashing: Hashing) -> Self {
        self.hashing = hashing;
        self
    }

    /// Cells and functions for these wishes.
    pub(crate) fn fit<R: Fn(u64, u64, u32) -> f64>(&self, layout: &Layout<R>) -> Result<Fit> {
        layout.fit(self.size, self.capacity, self.functions)
    }

    /// What a filter of this layout will do once it holds its capacity; `cells` is what it calls its cells.
    pub(crate) fn foretold<R: Fn(u64, u64, u32) -> f64>(
        &self,
        layout: &Layout<R>,
        cells: &'static str,
        lines: impl Fn(u32) -> f64,
    ) -> Result<Forecast> {
        let fit = self.fit(layout)?;
        let rate = (layout.rate)(fit.cells, self.capacity, fit.functions);
        Ok(Forecast {
            bits: fit.cells * layout.cell_bits,
            parameters: vec![
                (cells, Value::Whole(fit.cells)),
                ("k", Value::Whole(u64::from(fit.functions))),
            ],
            unseen: rate,
            known: rate,
            lines: lines(fit.functions),
        })
    }
}
