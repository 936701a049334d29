//! The bytes of keys, one after the other in memory of a fixed size.
//!
//! A name consists of its tag (8 bytes), its length (4 bytes) and its bytes. A name that no counter refers to stays until
//! [`Names::compact`] moves the other names together. The tag identifies the counter, so that `compact` can tell it the new place.

use crate::error::Result;
use crate::machine::memory::{Need, reserve};

/// The bytes of a name before the bytes of its key.
const HEAD: usize = 12;

/// The names of keys.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The names so far, one after the other.
    bytes: Vec<u8>,
    /// The most bytes that `bytes` may grow to.
    room: usize,
}

impl Names {
    /// The most room: places have 32 bits.
    pub const MAX_ROOM: usize = u32::MAX as usize;

    /// Reserves `room` bytes for names.
    pub fn new(room: usize) -> Result<Self> {
        let mut bytes = Vec::new();
        let room = room.min(Self::MAX_ROOM);
        reserve(&mut bytes, room as u64, Need::Learner)?;
        Ok(Names { bytes, room })
    }

    /// The bytes that a name takes, with tag and length.
    pub fn size(name: &[u8]) -> usize {
        HEAD + name.len()
    }

    /// The room for names, used and free.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Adds a name and returns its place; `None` if there is no room.
    pub fn push(&mut self, tag: u64, name: &[u8]) -> Option<u32> {
        let place = self.bytes.len();
        if Self::size(name) > self.room - place {
            return None;
        }
        self.bytes.extend_from_slice(&tag.to_le_bytes());
        self.bytes
            .extend_from_slice(&(name.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(name);
        Some(place as u32)
    }

    /// The name at a place that [`Names::push`] returned.
    #[inline]
    pub fn get(&self, place: u32) -> &[u8] {
        let start = place as usize + HEAD;
        &self.bytes[start..start + self.len_at(place as usize)]
    }

    /// Moves names together and returns the bytes that they take. Calls `moves` for each name with its tag, its place and its new place;
    /// `false` removes the name.
    pub fn compact(&mut self, mut moves: impl FnMut(u64, u32, u32) -> bool) -> usize {
        let (mut from, mut to) = (0, 0);
        while from < self.bytes.len() {
            let size = HEAD + self.len_at(from);
            let tag = u64::from_le_bytes(self.head(from));
            if moves(tag, from as u32, to as u32) {
                self.bytes.copy_within(from..from + size, to);
                to += size;
            }
            from += size;
        }
        self.bytes.truncate(to);
        to
    }

    fn len_at(&self, place: usize) -> usize {
        u32::from_le_bytes(self.head(place + 8)) as usize
    }

    fn head<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut head = [0; N];
        head.copy_from_slice(&self.bytes[at..at + N]);
        head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_when_others_are_removed() {
        let mut names = Names::new(100).expect("memory");
        let words: [&[u8]; 4] = [b"ant", b"", b"a longer name", b"bee"];
        let mut places: Vec<u32> = (words.iter().zip(0..))
            .map(|(word, tag)| names.push(tag, word).expect("room"))
            .collect();
        assert_eq!(names.push(4, &[0; 40]), None, "there is no room");
        let taken = names.compact(|tag, from, to| {
            assert_eq!(places[tag as usize], from);
            places[tag as usize] = to;
            tag != 1
        });
        assert_eq!(taken, 3 * HEAD + 19);
        for tag in [0, 2, 3] {
            assert_eq!(names.get(places[tag]), words[tag]);
        }
        assert!(
            names.push(4, &[0; 33]).is_some(),
            "the room of a removed name is free"
        );
        assert_eq!(names.push(5, b""), None);
    }
}
