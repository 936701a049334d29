//! The options of a caller, and the settings that name them.

use super::PersonalizedRejecting;
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{FUNCTIONS, Setting, Values};

/// The options of [`PersonalizedRejecting`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The length of a walk; `None` for the best one.
    pub(super) functions: Option<u32>,
    /// The number of set slots in a row at which a key is rejected; `None` for one less than the length of a walk.
    pub(super) threshold: Option<u32>,
    /// The most keys that can be rejected; `None` for one in 200 of the capacity.
    pub(super) list: Option<u32>,
}

impl Builder<PersonalizedRejecting> {
    /// The number of hash functions, 1 to 32, which is the length of a walk; by default the best for capacity and size.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The number of set slots in a row at which a key is rejected, 1 to 32 and at most the length of a walk; by default one less than the length of a walk.
    pub fn threshold(mut self, slots: u32) -> Self {
        self.options.threshold = Some(slots);
        self
    }

    /// The most keys that can be rejected; by default one in 200 of the capacity. The list takes 128 bits of the size for
    /// each. If the size is a rate, the list is added to the size of the slots.
    pub fn list(mut self, keys: u32) -> Self {
        self.options.list = Some(keys);
        self
    }
}

/// All settings.
pub(super) const SETTINGS: &[Knob<PersonalizedRejecting>] = &[
    Knob::whole(FUNCTIONS, Builder::<PersonalizedRejecting>::functions),
    Knob::whole(THRESHOLD, Builder::<PersonalizedRejecting>::threshold),
    Knob::whole(LIST, Builder::<PersonalizedRejecting>::list),
];

const THRESHOLD: Setting = Setting {
    name: "threshold",
    about: "number of consecutive set slots at which a key is rejected",
    values: FUNCTIONS.values,
    default: "k - 1",
};

const LIST: Setting = Setting {
    name: "list",
    about: "most keys in the rejection list, 128 bits each",
    values: Values::Whole(0, u32::MAX),
    default: "one in 200 of the capacity",
};
