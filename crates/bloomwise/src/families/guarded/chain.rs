//! Solving a chain: layer after layer, each with the keys that the one before has bumped.
//!
//! While there are many keys, a layer gets fewer rows than keys and bumps one key in 25. The last layer must hold all its
//! keys: it gets a few rows more than keys, and if its equations contradict each other, another salt is tried, after some
//! failures with more rows.
//!
//! The layers of a fingerprint share the words of the chain. Each layer gets the number of columns that the forecast of rows gives to all
//! of them. The last layer takes whatever is left, more or fewer columns, so an error of the forecast wastes no bits.

use super::equation::{WINDOW, salted};
use super::layer::{Layer, Thresholds};
use super::parts::{Columns, Keys, solve};
use super::rows::{ChainForecast, MOST_IN_LAST, last_rows, layer_rows};
use super::shape::{MAX_COLUMNS, Shape};
use super::system::{Reduction, System};
use crate::keys::hash::Digest;
use crate::keys::sort;
use crate::machine::parallel;
use crate::machine::processor::Kernel;

/// The salts that are tried for a last layer.
const TRIES: u64 = 400;

/// The salts that are tried before a last layer gets more rows.
const PATIENCE: u64 = 8;

/// With fewer columns than this, thresholds are not worth their bits: few keys have a row at all.
const LEAST_COLUMNS: f64 = 0.1;

/// The most layers of a chain. With distinct digests, 50 billion keys take six.
pub(super) const MAX_LAYERS: usize = 16;

/// The columns that a chain has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// As many as its words allow.
    Fill,
    /// One.
    One,
}

/// The bits that a chain may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The first bit.
    pub first: u64,
    /// The bit after the last one.
    pub end: u64,
}

impl Room {
    /// The number of bits.
    pub fn bits(self) -> u64 {
        self.end - self.first
    }

    /// A layer at the start of the room, and the room after it; `None` if there is no room for it.
    pub fn take(self, salt: u64, shape: Shape, thresholds: Thresholds) -> Option<(Layer, Room)> {
        let layer = Layer::new(self.first, salt, shape, thresholds);
        let rest = Room {
            first: layer.end(),
            end: self.end,
        };
        (rest.first <= rest.end).then_some((layer, rest))
    }
}

/// Digests with a salt applied, sorted again.
pub(super) fn resorted(digests: &[Digest], salt: u64) -> Vec<Digest> {
    let mut digests = digests.to_vec();
    parallel::change(&mut digests, |digest| *digest = salted(*digest, salt));
    sort::digests(&mut digests);
    digests
}

/// Solves a chain for these keys, and appends its layers to `layers`. `salt` is the salt of its first layer; the digests do not
/// have it yet. Returns `false` if the keys cannot be solved within the room.
pub(super) fn solve_chain(
    kernel: Kernel,
    bytes: &mut [u8],
    room: Room,
    (keys, salt): (Keys<'_>, u64),
    width: Width,
    layers: &mut Vec<Layer>,
) -> bool {
    let columns = match width {
        Width::One => 1.0,
        Width::Fill => ChainForecast::new(keys.len()).columns(room.bits()),
    };
    if keys.len() <= MOST_IN_LAST || columns < LEAST_COLUMNS {
        return solve_last(kernel, bytes, room, (keys, salt), width, layers);
    }
    let rows = layer_rows(keys.len());
    let shape = mean_shape(rows, columns);
    let place = shape.and_then(|shape| room.take(salt, shape, Thresholds::One));
    let Some((layer, room)) = place.filter(|_| layers.len() + 1 < MAX_LAYERS) else {
        return false;
    };
    let bumped = match salt {
        0 => solve(kernel, &layer, bytes, keys, Columns::All),
        _ => {
            let positives = &resorted(keys.positives, salt);
            let survivors = &resorted(keys.survivors, salt);
            let keys = Keys {
                positives,
                survivors,
            };
            solve(kernel, &layer, bytes, keys, Columns::All)
        }
    };
    let codes = &mut bytes[layer.codes_byte()..];
    layer.thresholds.write(codes, &bumped.codes, false);
    layers.push(layer);
    solve_chain(kernel, bytes, room, (bumped.keys(), 1), width, layers)
}

/// Solves the last layer of a chain, which must hold all its keys. Any order of the keys will do.
fn solve_last(
    kernel: Kernel,
    bytes: &mut [u8],
    room: Room,
    (keys, first_salt): (Keys<'_>, u64),
    width: Width,
    layers: &mut Vec<Layer>,
) -> bool {
    let mut system = System::default();
    for attempt in 0..TRIES {
        let least = last_rows(keys.len());
        let rows = least + (attempt / PATIENCE) * (1 + least / 100);
        let shape = match width {
            Width::One => Shape::new(rows, 1, rows.div_ceil(WINDOW)),
            Width::Fill => Shape::within(rows, room.bits()),
        };
        let salt = first_salt + attempt;
        let place = shape.and_then(|shape| room.take(salt, shape, Thresholds::None));
        let Some((layer, _)) = place else {
            return false;
        };
        let shape = &layer.shape;
        let columns = shape.columns(rows.div_ceil(WINDOW) - 1).max(shape.width);
        let mask = ((1u64 << columns) - 1) as u32;
        // Keys that start in blocks without columns have no equation.
        let first = match shape.width {
            0 => shape.narrow,
            _ => 0,
        };
        system.reset((rows - (first * WINDOW).min(rows)) as usize);
        let positives = keys.positives.iter().map(|digest| (digest, 0));
        let survivors = keys.survivors.iter().map(|digest| (digest, 1));
        let solved = positives.chain(survivors).all(|(&digest, negative)| {
            let equation = shape.equation(salted(digest, layer.salt));
            let value = (equation.value ^ negative) & mask;
            match equation.start.checked_sub(first * WINDOW) {
                Some(row) => system.insert(Reduction {
                    row: row as usize,
                    coefficients: equation.coefficients,
                    value,
                }),
                None => true,
            }
        });
        if solved {
            system.substitute(kernel, columns as usize, |block, words| {
                let block = first + block;
                for column in 0..shape.columns(block) {
                    shape.set_word(bytes, room.first, (block, column), words[column as usize]);
                }
            });
            layers.push(layer);
            return true;
        }
    }
    false
}

/// A shape of whole blocks with this mean number of columns.
pub(super) fn mean_shape(rows: u64, columns: f64) -> Option<Shape> {
    let blocks = rows / WINDOW;
    let columns = columns.clamp(0.0, MAX_COLUMNS as f64);
    let width = columns.floor();
    let narrow = ((1.0 - (columns - width)) * blocks as f64).ceil() as u64;
    Shape::new(rows, width as u64, narrow.min(blocks))
}
