//! The options of a caller, and the settings that name them.
//!
//! [`Options`] keeps only what was set. Its methods return the value at build time: what was set, or else the value of
//! the paper's preset, or else the default. So the order of the setters does not matter.

use super::empty_bits::EmptyBits;
use super::filter::Habf;
use super::model::{Fixed, max_functions};
use super::shape::{DEFAULT_CELL_BITS, Kind};
use super::tpjo::Effort;
use crate::error::{Error, Result};
use crate::filter::builder::Builder;
use crate::filter::knob::Knob;
use crate::filter::setting::{FUNCTIONS, Setting, Values};
use crate::filter::sizing::MAX_FUNCTIONS;

/// The valid range of bits per chain cell.
pub(crate) const CELL_BITS: std::ops::RangeInclusive<u32> = 3..=6;

/// The approximate default number of bits per segment.
const DEFAULT_SEGMENT_BITS: u32 = 1 << 18;

/// The options of [`Habf`]. The builder chooses what is `None`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How keys find their bits and cells.
    pub(super) kind: Kind,
    /// Whether the paper's settings replace the defaults.
    pub(super) paper: bool,
    /// Functions per key.
    pub(super) functions: Option<u32>,
    /// Bits per chain cell.
    pub(super) cell_bits: Option<u32>,
    /// The share of the space for chain cells.
    pub(super) ratio: Option<f64>,
    /// The approximate number of bits per segment.
    pub(super) segment_bits: Option<u32>,
    /// The maximum number of passes of the optimiser.
    pub(super) passes: Option<u32>,
    /// Whether the optimiser may set bits that are 0.
    pub(super) empty_bits: Option<EmptyBits>,
}

impl Options {
    /// The parameters that the model must not choose.
    pub(super) fn fixed(&self) -> Fixed {
        let paper = if self.paper {
            Fixed {
                functions: Some(3),
                cell_bits: Some(4),
                ratio: Some(0.2),
            }
        } else {
            Fixed::default()
        };
        Fixed {
            functions: self.functions.or(paper.functions),
            cell_bits: self.cell_bits.or(paper.cell_bits),
            ratio: self.ratio.or(paper.ratio),
        }
    }

    /// Whether the second round is strict, and the optimiser takes it into account.
    pub(super) fn strict(&self) -> bool {
        !self.paper
    }

    /// The approximate number of bits per segment.
    pub(super) fn segment_bits(&self) -> u32 {
        self.segment_bits.unwrap_or(DEFAULT_SEGMENT_BITS)
    }

    /// What the optimiser may do.
    pub(super) fn effort(&self) -> Effort {
        let (passes, empty_bits) = match self.kind {
            Kind::Full | Kind::Cache => (4, EmptyBits::Watch),
            Kind::Fast => (1, EmptyBits::Blind),
        };
        Effort {
            empty_bits: self.empty_bits.unwrap_or(empty_bits),
            passes: self.passes.unwrap_or(passes),
            pairs: !self.paper,
        }
    }

    /// Checks that some filter can have these options, whatever its size. Without negatives there are no cells, so any number
    /// of functions is possible.
    pub(super) fn check(&self, no_negatives: bool) -> Result<()> {
        let Fixed {
            functions,
            cell_bits,
            ratio,
        } = self.fixed();
        if let Some(share) = ratio {
            RATIO.check_as("the ratio", "a share", share)?;
        }
        SEGMENT.check(self.segment_bits())?;
        PASSES.check(self.passes.unwrap_or(0))?;
        if let Some(bits) = cell_bits {
            CELL.check(bits)?;
            if self.kind == Kind::Cache && bits != DEFAULT_CELL_BITS {
                let expected = "4 for c-HABF, which fits 128 cells into a cache line";
                return Err(Error::parameter(CELL.name, bits, expected));
            }
        }
        let widest = match self.kind {
            Kind::Cache => DEFAULT_CELL_BITS,
            Kind::Full | Kind::Fast => *CELL_BITS.end(),
        };
        let (most, condition) = if no_negatives || ratio == Some(0.0) {
            (MAX_FUNCTIONS, String::new())
        } else {
            let bits = cell_bits.unwrap_or(widest);
            (max_functions(bits), format!(" with cells of {bits} bits"))
        };
        if let Some(k) = functions.filter(|k| !(1..=most).contains(k)) {
            let expected = format!("a number from 1 to {most}{condition}");
            return Err(Error::parameter("the number of functions (k)", k, expected));
        }
        Ok(())
    }
}

impl Builder<Habf> {
    /// Makes it an f-HABF: it uses double hashing, and its optimiser does not check which negatives a move harms. Building
    /// takes two thirds of the time. Replaces [`Builder::cache`].
    pub fn fast(mut self) -> Self {
        self.options.kind = Kind::Fast;
        self
    }

    /// Makes it a c-HABF: all bits of a key are on one cache line, and its chain is on another. Replaces
    /// [`Builder::fast`].
    pub fn cache(mut self) -> Self {
        self.options.kind = Kind::Cache;
        self
    }

    /// The settings of the paper: three functions, cells of 4 bits in a fifth of the space, a second round that accepts any
    /// chain, and an optimiser that ignores the second round. Options that are set replace the values of the preset, before or
    /// after this call.
    pub fn paper(mut self) -> Self {
        self.options.paper = true;
        self
    }

    /// The number of hash functions, 1 to 32; by default the best for size and negatives.
    pub fn functions(mut self, functions: u32) -> Self {
        self.options.functions = Some(functions);
        self
    }

    /// The number of bits per chain cell, 3 to 6, by default the best for the number of functions. With `c` bits the pool
    /// has `2^(c-1) - 1` functions.
    pub fn cell_bits(mut self, bits: u32) -> Self {
        self.options.cell_bits = Some(bits);
        self
    }

    /// The share of the space for chain cells, 0 to 0.9; by default the best for size and negatives. With 0 the filter is a
    /// plain Bloom filter.
    pub fn ratio(mut self, share: f64) -> Self {
        self.options.ratio = Some(share);
        self
    }

    /// The approximate number of bits per segment, 4096 to 2^30; by default 262,144. Segments are built in parallel.
    pub fn segment_bits(mut self, bits: u32) -> Self {
        self.options.segment_bits = Some(bits);
        self
    }

    /// The maximum number of passes of the optimiser, 0 to 100; by default 4, for f-HABF 1.
    pub fn passes(mut self, passes: u32) -> Self {
        self.options.passes = Some(passes);
        self
    }

    /// Whether the optimiser may set bits that are 0; by default [`EmptyBits::Watch`], for f-HABF [`EmptyBits::Blind`].
    pub fn empty_bits(mut self, empty_bits: EmptyBits) -> Self {
        self.options.empty_bits = Some(empty_bits);
        self
    }
}

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
    about: "bits of a chain cell",
    values: Values::Whole(*CELL_BITS.start(), *CELL_BITS.end()),
    default: "at least 4, enough for k + 1 functions; habf-cache: always 4",
};

const RATIO: Setting = Setting {
    name: "ratio",
    about: "share of the space for chain cells",
    values: Values::Real(0.0, 0.9),
    default: "chosen from size and negatives",
};

const SEGMENT: Setting = Setting {
    name: "segment-bits",
    about: "approximate bits of a segment, the unit of parallel builds",
    values: Values::Whole(1 << 12, 1 << 30),
    default: "262144",
};

const PASSES: Setting = Setting {
    name: "passes",
    about: "most passes of the optimiser",
    values: Values::Whole(0, 100),
    default: "4; habf-fast: 1",
};

const EMPTY: Setting = Setting {
    name: "empty",
    about: "whether an adjustment may set a bit that is 0 (watch: only if it harms little)",
    values: Values::Word(&["watch", "blind", "never"]),
    default: "watch; habf-fast: blind",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filter;
    use crate::filter::sizing::Size;
    use crate::format::Persist;
    use crate::keys::sets::KeySets;

    fn sets() -> KeySets {
        let negatives = (1000..2000).map(|key| (key, 1.0));
        KeySets::new(0..1000, negatives).expect("sound costs")
    }

    #[test]
    fn order_of_setters_does_not_matter() {
        let new = || Habf::builder(Size::BitsPerKey(8.0));
        let builders = [
            new().paper().functions(4).fast().passes(3),
            new().passes(3).fast().functions(4).paper(),
            new().fast().paper().passes(3).functions(4),
        ];
        let built = builders.map(|builder| builder.build(&sets()).expect("sound").to_bytes());
        assert!(built.iter().all(|bytes| *bytes == built[0]));
    }

    #[test]
    fn set_options_replace_the_preset_and_the_defaults() {
        let options = Habf::builder(Size::Bits(64)).ratio(0.3).paper().options;
        let Fixed {
            functions,
            cell_bits,
            ratio,
        } = options.fixed();
        assert_eq!((functions, cell_bits, ratio), (Some(3), Some(4), Some(0.3)));
        assert!(!options.strict() && !options.effort().pairs);
        let options = Habf::builder(Size::Bits(64)).passes(7).fast().options;
        let Effort {
            empty_bits,
            passes,
            pairs,
        } = options.effort();
        assert_eq!((empty_bits, passes, pairs), (EmptyBits::Blind, 7, true));
        let fast = Habf::builder(Size::Bits(64)).fast().options;
        assert_eq!(fast.effort().passes, 1);
    }

    #[test]
    fn help_names_the_defaults() {
        let of = |kind| {
            let options = Options {
                kind,
                ..Options::default()
            };
            (options.effort(), options.segment_bits())
        };
        let ((full, segment), (fast, _)) = (of(Kind::Full), of(Kind::Fast));
        assert_eq!(SEGMENT.default, segment.to_string());
        let passes = format!("{}; habf-fast: {}", full.passes, fast.passes);
        assert_eq!(PASSES.default, passes);
        let (full, fast) = (full.empty_bits.name(), fast.empty_bits.name());
        assert_eq!(EMPTY.default, format!("{full}; habf-fast: {fast}"));
    }

    #[test]
    fn invalid_options_are_errors_at_build_time() {
        let new = || Habf::builder(Size::BitsPerKey(8.0));
        for (builder, expected) in [
            (
                new().passes(101),
                "passes is 101, expected a number from 0 to 100",
            ),
            (
                new().segment_bits(4095),
                "segment-bits is 4095, expected a number from 4096 to 1073741824",
            ),
            (
                new().cell_bits(7),
                "cell-bits is 7, expected a number from 3 to 6",
            ),
            (
                new().ratio(f64::NAN),
                "the ratio is NaN, expected a share from 0 to 0.9",
            ),
            (
                new().cell_bits(4).functions(7),
                "the number of functions (k) is 7, expected a number from 1 to 6 with cells of 4 bits",
            ),
            (
                new().cell_bits(5).cache(),
                "cell-bits is 5, expected 4 for c-HABF, which fits 128 cells into a cache line",
            ),
        ] {
            let error = builder.build(&sets()).expect_err("an invalid option");
            assert_eq!(error.to_string(), expected);
        }
        assert!(new().passes(100).build(&sets()).is_ok());
    }

    #[test]
    fn capacity_is_optional_where_it_changes_nothing() {
        let fixed = Habf::builder(Size::Bits(10_000));
        assert!(fixed.create().is_err());
        assert!(fixed.clone().paper().create().is_ok());
        let empty = fixed.functions(5).create().expect("sound");
        assert_eq!(
            (empty.len(), empty.capacity(), empty.rate()),
            (0, None, 0.0)
        );
        let rate = Habf::builder(Size::Rate(0.01)).functions(5);
        assert!(rate.create().is_err());
        assert_eq!(
            rate.capacity(9).create().expect("sound").capacity(),
            Some(9)
        );
    }
}
