//! Costs of known negatives, in several shapes.

use super::draw::Draw;

/// How the costs of known negatives are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// All are 1.
    Equal,
    /// Numbers from 0 to 10, all equally likely.
    Uniform,
    /// Zipf's law with exponent 1.
    Zipf,
    /// Most are 1, some are 0, and some are the largest finite number.
    Extreme,
    /// All are 0.
    Zero,
}

impl Costs {
    /// A shape, at random. The first three come more often.
    pub fn draw(draw: &mut Draw<'_>) -> Self {
        use Costs::{Equal, Extreme, Uniform, Zero, Zipf};
        draw.pick(&[Equal, Equal, Uniform, Uniform, Zipf, Zipf, Extreme, Zero])
    }

    /// The costs of `count` negatives, in a random order.
    pub fn of(self, count: usize, draw: &mut Draw<'_>) -> Vec<f64> {
        let mut costs: Vec<f64> = (0..count)
            .map(|rank| match self {
                Costs::Equal => 1.0,
                Costs::Uniform => draw.between(0.0, 10.0),
                Costs::Zipf => 1.0 / (rank as f64 + 1.0),
                Costs::Extreme => draw.pick(&[0.0, 1.0, 1.0, 1.0, 1.0, f64::MAX]),
                Costs::Zero => 0.0,
            })
            .collect();
        draw.shuffle(&mut costs);
        costs
    }
}
