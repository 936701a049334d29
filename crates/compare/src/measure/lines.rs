//! Merges the lines of a file that name the same key.
//!
//! A log names a key once for each look-up. The key is kept once, so that memory grows with the number of distinct keys and by 16 bytes
//! per line. The costs of a key are sorted before they are added: a sum of floating-point numbers depends on their order, and the
//! order of the lines must not matter.

use super::Negatives;
use crate::keys::{KeyList, memory};
use bloomwise::keys::{CostSum, Digest};
use std::collections::HashMap;
use std::io;

/// The lines of a file of negatives.
#[derive(Default)]
pub struct Lines {
    /// The distinct keys, in the order of their first lines.
    keys: KeyList,
    /// Where each key is in the list.
    places: HashMap<Digest, usize>,
    /// The place of the key, and the cost, of each line.
    lines: Vec<(usize, f64)>,
}

impl Lines {
    /// Appends a line. Returns an error if there is not enough memory.
    pub fn push(&mut self, digest: Digest, key: &[u8], cost: f64) -> io::Result<()> {
        self.places.try_reserve(1)?;
        let place = *self.places.entry(digest).or_insert(self.keys.len());
        if place == self.keys.len() {
            self.keys.push(key)?;
        }
        memory::try_push(&mut self.lines, (place, cost))
    }

    /// Each key once, with the sum of its costs and the number of its lines. Returns an error if there is not enough memory.
    pub fn merge(mut self) -> io::Result<Negatives> {
        self.lines
            .sort_unstable_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let mut negatives = Negatives {
            keys: self.keys,
            ..Negatives::default()
        };
        for lines in self.lines.chunk_by(|one, other| one.0 == other.0) {
            let cost: CostSum = lines.iter().map(|line| line.1).sum();
            memory::try_push(&mut negatives.costs, cost.total())?;
            memory::try_push(&mut negatives.lookups, lines.len() as u64)?;
        }
        Ok(negatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Hashing;

    /// The merged lines, sorted by key.
    fn merged<'a>(lines: impl Iterator<Item = (&'a str, f64)>) -> Vec<(Vec<u8>, f64, u64)> {
        let mut all = Lines::default();
        for (key, cost) in lines {
            let digest = Hashing::default().digest(key.as_bytes());
            all.push(digest, key.as_bytes(), cost).expect("memory");
        }
        let negatives = all.merge().expect("memory");
        let mut keys: Vec<_> = (negatives.iter())
            .map(|(key, cost, lookups)| (key.to_vec(), cost, lookups))
            .collect();
        keys.sort_by(|one, other| one.0.cmp(&other.0));
        keys
    }

    #[test]
    fn equal_keys_are_merged_and_their_order_does_not_matter() {
        let lines = [("bee", 0.1), ("ant", 1.0), ("bee", 0.2), ("bee", 0.3)];
        let forwards = merged(lines.into_iter());
        assert_eq!(forwards, merged(lines.into_iter().rev()));
        assert_eq!(forwards[0], (b"ant".to_vec(), 1.0, 1));
        assert_eq!((&forwards[1].0[..], forwards[1].2), (&b"bee"[..], 3));
        assert!((forwards[1].1 - 0.6).abs() < 1e-12);
        assert!(merged(std::iter::empty()).is_empty());
    }
}
