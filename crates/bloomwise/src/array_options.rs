//! The options of the families that spread a key over one array: [`crate::Bloom`] and [`crate::Counting`].

use crate::builder::{Buildable, Builder};
use crate::probe::Placement;
use crate::sizing::Size;

/// What both families let a caller choose.
#[derive(Clone, Debug, Default)]
pub struct ArrayOptions {
    /// Positions of a key, if not the best number.
    pub(crate) functions: Option<u32>,
    /// How positions are found.
    pub(crate) placement: Placement,
}

impl<F: Buildable<Options = ArrayOptions>> Builder<F> {
    /// The number of hash functions; by default the best for capacity and size.
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
