//! Chooses the shape of a filter from options and a workload, and forecasts its rates.

use super::filter::Habf;
use super::model::{Fixed, Prediction, RateModel, Tuning};
use super::shape::{DEFAULT_CELL_BITS, Kind, Shape};
use crate::error::{Error, Result};
use crate::filter::bisect::bisect;
use crate::filter::builder::Builder;
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::sizing::{Layout, MAX_BITS, Size};

/// The cells of a segment have room for at least this many chains. At 18 bits per key, room for 5 chains leaves a fifth
/// of the collisions unrepaired, and room for 12 leaves none.
const MIN_CHAINS: u64 = 12;

impl Builder<Habf> {
    /// The size and the rates of the filter for this workload.
    pub(super) fn predict(&self, workload: &Workload) -> Result<Forecast> {
        let shape = self.shape(workload)?;
        let prediction = self.prediction(&shape, workload);
        // An adjusted key needs a second round.
        let lookups = 1.0 + prediction.adjusted.min(1.0);
        let lines = match shape.kind {
            Kind::Full | Kind::Fast => lookups * f64::from(shape.functions),
            Kind::Cache => lookups,
        };
        Ok(Forecast {
            bits: shape.size_in_bits(),
            parameters: shape.parameters(),
            unseen: prediction.unseen,
            known: prediction.known,
            wrong: None,
            lines,
        })
    }

    /// The rates of a filter of this shape.
    fn prediction(&self, shape: &Shape, workload: &Workload) -> Prediction {
        let bits = shape.size_in_bits();
        let tuning = Tuning {
            functions: shape.functions,
            cell_bits: shape.cell_bits,
            ratio: 1.0 - (shape.segments * shape.bits) as f64 / bits as f64,
        };
        self.model(bits, workload).predict(tuning)
    }

    /// The model for a filter of `bits` bits.
    fn model<'a>(&self, bits: u64, workload: &'a Workload) -> RateModel<'a> {
        RateModel {
            kind: self.options.kind,
            bits_per_key: workload.per_key(bits),
            workload,
            strict: self.options.strict(),
            passes: self.options.effort().passes,
        }
    }

    /// Chooses the shape of the filter for this workload.
    pub(super) fn shape(&self, workload: &Workload) -> Result<Shape> {
        let kind = self.options.kind;
        let no_negatives = workload.negatives == 0;
        self.options.check(no_negatives)?;
        let model = |bits: u64| self.model(bits, workload);
        let fixed = self.options.fixed();
        let plain = Fixed {
            ratio: Some(0.0),
            ..fixed
        };
        let fixed = if no_negatives { plain } else { fixed };
        let impossible = || Error::parameter("k", "too large", "fewer functions or wider cells");
        let shape = |bits: u64| {
            let chosen = model(bits).choose(fixed).ok_or_else(impossible)?;
            let shape = self.shape_of(kind, bits, chosen);
            if shape.cells == 0 && chosen.ratio > 0.0 {
                // The share for cells rounds to no cells. Without cells, other parameters are better.
                let chosen = model(bits).choose(plain).ok_or_else(impossible)?;
                return Ok(self.shape_of(kind, bits, chosen));
            }
            Ok(shape)
        };
        let plain_rate = |bits: u64, _, _| {
            let chosen = model(bits).choose(plain);
            chosen.map_or(1.0, |p| model(bits).predict(p).unseen)
        };
        let layout = Layout {
            cell_bits: 1,
            step: kind.bit_step(),
            rate: plain_rate,
        };
        // The layout chooses only the size. The model chooses the functions with the other parameters.
        let bits = layout.fit(self.size, workload.keys, Some(1))?.cells;
        match self.size {
            Size::Bits(_) | Size::BitsPerKey(_) => shape(bits),
            Size::Rate(rate) => self.least_shape(rate, bits, workload, shape),
        }
    }

    /// The smallest shape whose predicted rate on unseen keys is at most `rate`. `plain` is the least number of bits of
    /// a plain filter with that rate. Cells take space from the bits, so the search starts there. It tries sizes that grow by
    /// 1 %, and bisects the last interval.
    ///
    /// The prediction is made for the finished shape. It rises in places as the size grows, because the numbers of segments
    /// and cells are rounded and because the choice of parameters changes. So the shape may be up to 1 % larger than the
    /// smallest one, but it always keeps the rate.
    fn least_shape(
        &self,
        rate: f64,
        plain: u64,
        workload: &Workload,
        shape: impl Fn(u64) -> Result<Shape>,
    ) -> Result<Shape> {
        let step = self.options.kind.bit_step();
        let most = MAX_BITS / step;
        let misses = |steps: u64| -> Result<bool> {
            let shape = shape(steps * step)?;
            Ok(self.prediction(&shape, workload).unseen > rate)
        };
        let first = plain / step;
        let (mut low, mut high) = (first - 1, first);
        while misses(high)? {
            if high == most {
                let expected = "a higher rate, fewer keys or other options: no filter with these options is large enough";
                return Err(Error::parameter("the false positive rate", rate, expected));
            }
            (low, high) = (high, (high + (high / 100).max(1)).min(most));
        }
        let (_, least) = bisect((low, high), u64::BITS, u64::midpoint, |steps| {
            misses(steps).unwrap_or(true)
        });
        shape(least * step)
    }

    /// The shape of a filter of `total` bits with these parameters.
    fn shape_of(&self, kind: Kind, total: u64, tuning: Tuning) -> Shape {
        let Tuning {
            functions,
            cell_bits,
            ratio,
        } = tuning;
        let segments = (total / u64::from(self.options.segment_bits())).max(1);
        let segment = total / segments / kind.bit_step() * kind.bit_step();
        let step = u64::from(cell_bits) * kind.cell_step();
        let most = (segment - kind.bit_step()) / step;
        // If there are cells at all, there is room for several chains, unless that takes more than an eighth of the
        // segment.
        let room = (MIN_CHAINS * u64::from(functions)).div_ceil(kind.cell_step());
        let least = if ratio > 0.0 && 8 * step * room <= segment {
            room
        } else {
            u64::from(ratio > 0.0 && 8 * step <= segment)
        };
        let steps = (segment as f64 * ratio / step as f64).round() as u64;
        let cells = steps.max(least).min(most) * kind.cell_step();
        Shape {
            kind,
            functions,
            cell_bits: if cells > 0 {
                cell_bits
            } else {
                DEFAULT_CELL_BITS
            },
            segments,
            bits: segment - cells * u64::from(cell_bits),
            cells,
            strict: self.options.strict(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecast_of_a_target_rate_is_at_most_that_rate() {
        let builder = |rate| Habf::builder(Size::Rate(rate));
        type Variant = fn(Builder<Habf>) -> Builder<Habf>;
        let variants: [Variant; 7] = [
            |b| b,
            |b| b.fast(),
            |b| b.cache(),
            |b| b.paper(),
            |b| b.paper().cache(),
            |b| b.segment_bits(4096),
            |b| b.segment_bits(4096).cache(),
        ];
        for (variant, options) in variants.iter().enumerate() {
            for keys in [1, 1000, 1_000_000] {
                for negatives in [0, 1, keys / 10, keys] {
                    let workload = Workload::new(keys, negatives);
                    for rate in [0.9, 0.3, 0.01, 1e-4] {
                        let forecast = options(builder(rate)).forecast(&workload).expect("sound");
                        assert!(
                            forecast.unseen <= rate,
                            "variant {variant}, {keys} keys, {negatives} negatives: {} for {rate}",
                            forecast.unseen
                        );
                        // A rate far below the target would waste bits.
                        assert!(
                            keys < 1_000_000 || forecast.unseen > 0.8 * rate,
                            "variant {variant}, {keys} keys, {negatives} negatives: {} for {rate}",
                            forecast.unseen
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn unreachable_rate_is_an_error() {
        let builder = Habf::builder(Size::Rate(1e-6)).functions(2).ratio(0.9);
        let error = builder
            .forecast(&Workload::new(1 << 32, 1))
            .expect_err("too many bits");
        assert!(
            error
                .to_string()
                .contains("no filter with these options is large enough")
        );
    }
}
