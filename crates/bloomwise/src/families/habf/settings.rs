//! The settings of the filter: its options by name.

use super::Habf;
use super::empty_bits::EmptyBits;
use super::options::{CELL_BITS, MAX_PASSES, SEGMENT_BITS};
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{FUNCTIONS, Setting, Values};

/// All settings.
pub(super) const SETTINGS: &[Knob<Habf>] = &[
    Knob::whole(FUNCTIONS, Builder::<Habf>::functions),
    Knob::whole(CELL, Builder::<Habf>::cell_bits),
    Knob::real(RATIO, Builder::<Habf>::ratio),
    Knob::whole(SEGMENT, Builder::<Habf>::segment_bits),
    Knob::whole(PASSES, Builder::<Habf>::passes),
    Knob::word(EMPTY, |builder, name| match EmptyBits::from_name(name) {
        Some(empty) => builder.empty_bits(empty),
        None => builder,
    }),
];

const CELL: Setting = Setting {
    name: "cell-bits",
    about: "bits of a chain cell, 3 to 6; habf-cache: 4 (default: at least 4, enough for k + 1 functions)",
    values: Values::Whole(*CELL_BITS.start(), *CELL_BITS.end()),
};

const RATIO: Setting = Setting {
    name: "ratio",
    about: "share of the space for chain cells, 0 to 0.9 (default: chosen from size and negatives)",
    values: Values::Real(0.0, 0.9),
};

const SEGMENT: Setting = Setting {
    name: "segment-bits",
    about: "approximate bits of a segment, 4096 to 2^30; segments are built in parallel (default: 262144)",
    values: Values::Whole(*SEGMENT_BITS.start(), *SEGMENT_BITS.end()),
};

const PASSES: Setting = Setting {
    name: "passes",
    about: "most passes of the optimiser, 0 to 100 (default: 4; habf-fast: 1)",
    values: Values::Whole(0, MAX_PASSES),
};

const EMPTY: Setting = Setting {
    name: "empty",
    about: "whether an adjustment may set a bit that is 0: watch (if it harms little), blind (always) or never (default: watch; habf-fast: blind)",
    values: Values::Word(&["watch", "blind", "never"]),
};
