//! Keys held in memory: one buffer for all of their bytes, and where each of them ends.

use crate::memory;
use std::io;

/// Keys in the order they came.
#[derive(Default)]
pub struct KeyList {
    /// The bytes of all keys, one after the other.
    bytes: Vec<u8>,
    /// Where in `bytes` each key ends.
    ends: Vec<usize>,
}

impl KeyList {
    /// Adds a key; an error if there is no memory for it.
    pub fn push(&mut self, key: &[u8]) -> io::Result<()> {
        memory::extend(&mut self.bytes, key)?;
        memory::push(&mut self.ends, self.bytes.len())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all keys and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// The keys, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let key = &self.bytes[start..end];
            start = end;
            key
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_in_order_and_empty_ones_are_kept() {
        let mut keys = KeyList::default();
        for key in ["ant", "", "bee"] {
            keys.push(key.as_bytes()).expect("memory");
        }
        assert_eq!(keys.len(), 3);
        assert!(keys.iter().eq([&b"ant"[..], b"", b"bee"]));
        keys.clear();
        assert_eq!(keys.iter().count(), 0);
    }
}
