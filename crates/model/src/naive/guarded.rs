//! A slow model of guarded filters. It reads the file of a filter and answers queries as `docs/format.md` describes.

use super::{function, halves, scale};
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Persist};

/// A layer of rows.
#[derive(Clone)]
struct Layer {
    salt: u128,
    /// For each row, its bits.
    rows: Vec<Vec<bool>>,
    /// For each bucket of 128 rows, the rows whose keys were bumped: from the fingerprint, and from the guard.
    thresholds: Vec<(u64, u64)>,
    /// The first row that has one bit more.
    wide_from: usize,
}

/// A filter with one `Vec<bool>` per row.
#[derive(Clone)]
pub struct GuardedModel {
    /// Keys whose thinning byte is below have no guard bit in the first layer: in narrow rows, and in wide ones.
    thinned: [u64; 2],
    /// Whether the first layer of the fingerprint has guard bits.
    woven: bool,
    fingerprint: Vec<Layer>,
    guard: Vec<Layer>,
}

impl GuardedModel {
    pub fn of(filter: &AnyFilter) -> Self {
        let bytes = filter.to_bytes();
        let word = |at: u64| {
            let at = 8 * at as usize;
            u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word"))
        };
        let mut parameters = (10..).map(word);
        let mut next = || parameters.next().expect("a parameter");
        let [words, thinned, _, _, guard_start] = std::array::from_fn(|_| next());
        let [fingerprint, guard] = std::array::from_fn(|_| {
            let layers = next();
            (0..layers)
                .map(|_| std::array::from_fn(|_| next()))
                .collect::<Vec<[u64; 5]>>()
        });
        let count = 7 + 5 * (fingerprint.len() + guard.len()) as u64;
        // The payload starts at the next multiple of 64 bytes.
        let payload = (10 + count).next_multiple_of(8);
        let bit = |at: u64| {
            assert!(at < 64 * words, "inside of the payload");
            word(payload + at / 64) >> (at % 64) & 1 == 1
        };
        let read = |start: u64, layers: &[[u64; 5]]| {
            let mut at = start;
            let layers = layers.iter();
            layers.map(|&layer| cut(layer, &mut at, bit)).collect()
        };
        GuardedModel {
            thinned: [thinned % 256, thinned / 256],
            woven: fingerprint.first().is_some_and(|layer| layer[1] == 2),
            fingerprint: read(0, &fingerprint),
            guard: read(guard_start, &guard),
        }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let base = halves(digest);
        let column = usize::from(self.woven);
        self.accepts(&self.fingerprint, base, column) && self.passes_guard(base)
    }

    fn passes_guard(&self, base: (u64, u64)) -> bool {
        if self.woven {
            let first = &self.fingerprint[0];
            let key = salted(base, first.salt);
            let start = first.start(key);
            let thinned = self.thinned[usize::from(start >= first.wide_from)];
            let bumped = start as u64 % 128 < first.thresholds[start / 128].1;
            if !bumped && mixed(key) >> 24 & 0xFF >= thinned {
                return first.matches(key, 0);
            }
            return self.accepts(&self.guard, key, 0);
        }
        self.accepts(&self.guard, base, 0)
    }

    /// Whether the first layer that holds a key accepts it. Columns before `column` do not count in the first layer.
    fn accepts(&self, layers: &[Layer], base: (u64, u64), column: usize) -> bool {
        let mut key = base;
        for (number, layer) in layers.iter().enumerate() {
            key = salted(key, layer.salt);
            let start = layer.start(key);
            let threshold = layer.thresholds.get(start / 128);
            if threshold.is_none_or(|&(bumped, _)| start as u64 % 128 >= bumped) {
                let first = if number == 0 { column } else { 0 };
                let columns = first..layer.rows[start].len();
                return columns.into_iter().all(|column| layer.matches(key, column));
            }
        }
        true
    }
}

impl Layer {
    fn start(&self, (high, _): (u64, u64)) -> usize {
        let starts = (self.rows.len() as u128).saturating_sub(63).max(1);
        scale(high, starts) as usize
    }

    /// Whether the rows of a key's equation have its bit in a column.
    fn matches(&self, key: (u64, u64), column: usize) -> bool {
        let rows = self.rows[self.start(key)..].iter().take(64).enumerate();
        let chosen = rows.filter(|(k, _)| (key.1 | 1) >> k & 1 == 1);
        let ones = chosen.filter(|(_, row)| row.get(column) == Some(&true));
        ones.count() as u64 % 2 == mixed(key) >> (32 + column) & 1
    }
}

/// Cuts a layer out of the payload, and moves `at` behind it.
fn cut(
    [salt, form, rows, width, narrow]: [u64; 5],
    at: &mut u64,
    bit: impl Fn(u64) -> bool,
) -> Layer {
    if form > 0 {
        *at = at.next_multiple_of(64);
    }
    let mut cells = vec![Vec::new(); rows as usize];
    for (block, cells) in cells.chunks_mut(64).enumerate() {
        for _ in 0..width + u64::from(block as u64 >= narrow) {
            for row in &mut *cells {
                row.push(bit(*at));
                *at += 1;
            }
        }
    }
    let mut thresholds = Vec::new();
    if form > 0 {
        let levels = [0, 16, 32, 128];
        let level = |at: u64| levels[usize::from(bit(at)) + 2 * usize::from(bit(at + 1))];
        let codes = *at;
        for bucket in 0..rows.div_ceil(128) {
            let code = codes + bucket * 2 * form;
            thresholds.push((level(code), level(code + 2 * (form - 1))));
        }
        *at = (codes + rows.div_ceil(128) * 2 * form).next_multiple_of(64);
    }
    Layer {
        salt: u128::from(salt),
        rows: cells,
        thresholds,
        wide_from: 64 * narrow as usize,
    }
}

/// The two halves of a key with a salt.
fn salted((high, low): (u64, u64), salt: u128) -> (u64, u64) {
    let digest = Digest::from(u128::from(high) << 64 | u128::from(low));
    match salt {
        0 => (high, low),
        _ => (
            function(digest, 2 * salt + 1),
            function(digest, 2 * salt + 2),
        ),
    }
}

fn mixed((high, _): (u64, u64)) -> u64 {
    high.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
