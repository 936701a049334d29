//! Keys in memory: one buffer with the bytes of all keys, and where each key ends.

use super::memory;
use std::io;

/// Keys in the order in which they were added.
#[derive(Default)]
pub struct KeyList {
    /// The bytes of all keys, one after the other.
    bytes: Vec<u8>,
    /// Where in `bytes` each key ends.
    ends: Vec<usize>,
}

impl KeyList {
    /// Appends a key. Returns an error if there is not enough memory.
    pub fn push(&mut self, key: &[u8]) -> io::Result<()> {
        memory::try_extend(&mut self.bytes, key)?;
        memory::try_push(&mut self.ends, self.bytes.len())
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all keys and keeps the allocated memory.
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
    fn keys_keep_their_order_and_may_be_empty() {
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
