//! From wishes and a workload to the shape of a filter, and to what it will do.

use super::builder::{CELL_BITS, HabfBuilder, SEGMENT_BITS};
use super::shape::{Kind, Shape};
use super::tuning::{Fixed, Parameters, Task, most_functions};
use crate::error::{Error, Result};
use crate::forecast::{Forecast, Workload};
use crate::sizing::{Layout, MAX_FUNCTIONS};

/// Chains that the cells of a segment have room for at least: with room for five, 18 bits per key leave a fifth of the collisions
/// unrepaired, with twelve none.
const CHAINS: u64 = 12;

impl HabfBuilder {
    /// What the filter will do, without making it.
    ///
    /// # Errors
    ///
    /// As for [`HabfBuilder::build`], but for the memory.
    pub fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        let workload = self.planned(workload);
        let shape = self.shape(&workload)?;
        let parameters = Parameters {
            functions: shape.functions,
            cell_bits: shape.cell_bits,
            ratio: 1.0 - (shape.segments * shape.bits) as f64 / shape.size_in_bits() as f64,
        };
        let prediction = self
            .task(shape.size_in_bits(), &workload)
            .predict(parameters);
        // A key whose functions were changed is looked up a second time, behind its chain.
        let lookups = 1.0 + prediction.changed.min(1.0);
        let lines = match shape.kind {
            Kind::Full | Kind::Fast => lookups * f64::from(shape.functions),
            Kind::Cache => lookups,
        };
        Ok(Forecast {
            bits: shape.size_in_bits(),
            parameters: shape.told(),
            unseen: prediction.unseen,
            known: prediction.known,
            lines,
        })
    }

    /// What the size is planned for.
    pub(super) fn planned(&self, workload: &Workload) -> Workload {
        workload.grown_to(self.capacity.unwrap_or(workload.keys))
    }

    fn task<'a>(&self, bits: u64, workload: &'a Workload) -> Task<'a> {
        Task {
            kind: Kind::of(self.family),
            bits_per_key: bits as f64 / workload.keys.max(1) as f64,
            workload,
            strict: self.strict,
        }
    }

    /// The shape for a budget and for such keys.
    pub(super) fn shape(&self, workload: &Workload) -> Result<Shape> {
        let kind = Kind::of(self.family);
        let none = workload.negatives == 0;
        self.check(kind, none)?;
        let task = |bits: u64| self.task(bits, workload);
        let plain = Fixed {
            ratio: Some(0.0),
            ..self.fixed
        };
        let fixed = if none { plain } else { self.fixed };
        let choose = |bits: u64| task(bits).choose(fixed);
        let rate = |bits: u64, _, _| choose(bits).map_or(1.0, |p| task(bits).predict(p).unseen);
        let layout = Layout {
            cell_bits: 1,
            step: kind.bit_step(),
            rate,
        };
        // The layout chooses a size; the functions are chosen with the rest.
        let bits = layout.fit(self.size, workload.keys, Some(1))?.cells;
        let impossible = || Error::parameter("k", "too large", "fewer functions or wider cells");
        let chosen = choose(bits).ok_or_else(impossible)?;
        let shape = self.shape_of(kind, bits, chosen);
        if shape.cells == 0 && chosen.ratio > 0.0 {
            // The smallest number of cells is more than the share for them: without them, other functions are better.
            let chosen = task(bits).choose(plain).ok_or_else(impossible)?;
            return Ok(self.shape_of(kind, bits, chosen));
        }
        Ok(shape)
    }

    /// The shape that these parameters give to so many bits.
    fn shape_of(&self, kind: Kind, total: u64, parameters: Parameters) -> Shape {
        let Parameters {
            functions,
            cell_bits,
            ratio,
        } = parameters;
        let segments = (total / u64::from(self.segment_bits)).max(1);
        let segment = total / segments / kind.bit_step() * kind.bit_step();
        let step = u64::from(cell_bits) * kind.cell_step();
        let most = (segment - kind.bit_step()) / step;
        // Where a few cells are wanted there are so many at least that some chains fit beside each other, unless that is a
        // large part.
        let room = (CHAINS * u64::from(functions)).div_ceil(kind.cell_step());
        let least = match ratio > 0.0 && 8 * step * room <= segment {
            true => room,
            false => u64::from(ratio > 0.0 && 8 * step <= segment),
        };
        let steps = (segment as f64 * ratio / step as f64).round() as u64;
        let cells = steps.max(least).min(most) * kind.cell_step();
        Shape {
            kind,
            functions,
            // No cells have no width; files say 4.
            cell_bits: if cells > 0 { cell_bits } else { 4 },
            segments,
            bits: segment - cells * u64::from(cell_bits),
            cells,
            strict: self.strict,
        }
    }

    /// An error if what is fixed cannot be.
    fn check(&self, kind: Kind, no_negatives: bool) -> Result<()> {
        let Fixed {
            functions,
            cell_bits,
            ratio,
        } = self.fixed;
        if let Some(share) = ratio.filter(|share| !(0.0..=0.9).contains(share)) {
            let expected = "a share from 0 to 0.9";
            return Err(Error::parameter("the ratio", share, expected));
        }
        if !SEGMENT_BITS.contains(&self.segment_bits) {
            let (least, most) = (SEGMENT_BITS.start(), SEGMENT_BITS.end());
            let expected = format!("a number from {least} to {most}");
            return Err(Error::parameter(
                "segment-bits",
                self.segment_bits,
                expected,
            ));
        }
        if let Some(bits) = cell_bits {
            if !CELL_BITS.contains(&bits) {
                return Err(Error::parameter("cell-bits", bits, "a number from 3 to 6"));
            }
            if kind == Kind::Cache && bits != 4 {
                let expected = "4, of which a cache line holds a round number";
                return Err(Error::parameter("cell-bits", bits, expected));
            }
        }
        let widest = match kind {
            Kind::Cache => 4,
            Kind::Full | Kind::Fast => *CELL_BITS.end(),
        };
        let most = match no_negatives || ratio == Some(0.0) {
            true => MAX_FUNCTIONS,
            false => most_functions(cell_bits.unwrap_or(widest)),
        };
        if let Some(k) = functions.filter(|k| !(1..=most).contains(k)) {
            let expected = format!("a number from 1 to {most}, as many as cells can name");
            return Err(Error::parameter("the number of functions (k)", k, expected));
        }
        Ok(())
    }
}
