//! The options of the families that spread a key over one array: [`crate::Bloom`] and [`crate::Counting`].

use super::ArrayShape;
use super::pairs::{ArrayLayout, Pairs};
use crate::error::Result;
use crate::families::probe::Placement;
use crate::filter::builder::{Buildable, Builder};
use crate::filter::forecast::Forecast;
use crate::filter::knob::Knob;
use crate::filter::setting::FUNCTIONS;
use crate::filter::sizing::{Fit, Size, bloom_rate};

/// The options that both families have.
#[derive(Clone, Debug, Default)]
pub struct ArrayOptions {
    /// The number of positions of a key; `None` for the best number.
    pub(crate) functions: Option<u32>,
    /// How positions are found.
    placement: Placement,
}

impl ArrayOptions {
    /// The shape of an array of cells of `2^LOG` bits.
    pub(crate) fn shape<const LOG: u32>(&self, size: Size, keys: u64) -> Result<ArrayShape<LOG>> {
        let layout = match self.placement {
            Placement::Pairs => Pairs::<LOG>::layout(size, keys, self.functions)?,
            Placement::Walk => ArrayLayout {
                cell_bits: 1 << LOG,
                step: 64 >> LOG,
                rate: bloom_rate,
            },
        };
        let fit = layout.fit(size, keys, self.functions)?;
        Ok(ArrayShape::new(self.placement, fit.cells, fit.functions))
    }

    /// The forecast of such a filter. `cells` is the name of its cells.
    pub(crate) fn forecast<const LOG: u32>(
        &self,
        cells: &'static str,
        size: Size,
        keys: u64,
    ) -> Result<Forecast> {
        let shape = self.shape::<LOG>(size, keys)?;
        let fit = Fit {
            cells: shape.cells(),
            functions: shape.functions(),
        };
        let mut forecast = Forecast::plain(fit, cells, 1 << LOG, shape.rate(keys));
        forecast.lines = f64::from(shape.lines());
        Ok(forecast)
    }
}

impl<F: Buildable<Options = ArrayOptions>> Builder<F> {
    /// The settings that both families have.
    pub(crate) const SETTINGS: &'static [Knob<F>] = &[Knob::whole(FUNCTIONS, Self::functions)];

    /// The number of hash functions, 1 to 32; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// Makes it a personalized filter, see [`crate::personalized`].
    pub fn personalized(mut self) -> Self {
        self.options.placement = Placement::Walk;
        self
    }

    /// Whether size and functions are given, so that the shape does not depend on the number of keys.
    pub(crate) fn has_fixed_shape(&self) -> bool {
        matches!(self.size, Size::Bits(_)) && self.options.functions.is_some()
    }
}
