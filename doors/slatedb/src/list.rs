//! The learned misses at one moment, sorted by key, so that those in the range of a table lie side by side.

/// Missing keys and what looking them up has cost.
#[derive(Default)]
pub(crate) struct List {
    /// The bytes of all keys, one after the other.
    bytes: Vec<u8>,
    /// Sorted by key.
    entries: Vec<Entry>,
}

/// A key in [`List::bytes`].
#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    len: usize,
    cost: f64,
}

impl List {
    /// The list of these keys, each once.
    pub fn new<'a>(learned: impl Iterator<Item = (&'a [u8], f64)>) -> Self {
        let mut bytes = Vec::new();
        let entry = |(key, cost): (&[u8], f64)| {
            let (start, len) = (bytes.len(), key.len());
            bytes.extend_from_slice(key);
            Entry { start, len, cost }
        };
        let mut entries: Vec<Entry> = learned.map(entry).collect();
        let common = common_prefix(&entries, &bytes);
        // Most comparisons end within eight bytes that lie side by side, instead of in keys that lie anywhere.
        entries.sort_by_cached_key(|entry| {
            let rest = &entry.key(&bytes)[common..];
            let mut start = [0; 8];
            let known = rest.len().min(start.len());
            start[..known].copy_from_slice(&rest[..known]);
            (start, rest)
        });
        List { bytes, entries }
    }

    /// At most `most` of the keys from `first` to `last`, both included: those that cost most.
    pub fn costliest(&self, first: &[u8], last: &[u8], most: usize) -> Vec<(&[u8], f64)> {
        let start = self.entries.partition_point(|e| e.key(&self.bytes) < first);
        let end = self.entries.partition_point(|e| e.key(&self.bytes) <= last);
        let mut within = self.entries.get(start..end).unwrap_or_default().to_vec();
        if most < within.len() {
            within.select_nth_unstable_by(most, |a, b| b.cost.total_cmp(&a.cost));
            within.truncate(most);
        }
        let costed = |entry: &Entry| (entry.key(&self.bytes), entry.cost);
        within.iter().map(costed).collect()
    }
}

/// The number of bytes that all keys start with.
fn common_prefix(entries: &[Entry], bytes: &[u8]) -> usize {
    let Some(first) = entries.first().map(|entry| entry.key(bytes)) else {
        return 0;
    };
    entries.iter().fold(first.len(), |common, entry| {
        let pairs = first[..common].iter().zip(entry.key(bytes));
        pairs.take_while(|(a, b)| a == b).count()
    })
}

impl Entry {
    fn key<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> List {
        let learned: [(&[u8], f64); 5] = [
            (b"d", 1.0),
            (b"b", 9.0),
            (b"f", 2.0),
            (b"a", 5.0),
            (b"c", 3.0),
        ];
        List::new(learned.into_iter())
    }

    #[test]
    fn range_includes_both_ends() {
        let list = list();
        let keys = |first: &str, last: &str| -> String {
            let within = list.costliest(first.as_bytes(), last.as_bytes(), 9);
            within.iter().map(|(key, _)| char::from(key[0])).collect()
        };
        assert_eq!(keys("b", "d"), "bcd");
        assert_eq!(keys("bb", "e"), "cd");
        assert_eq!(keys("", "z"), "abcdf");
        assert_eq!(keys("g", "z"), "");
        assert_eq!(keys("", ""), "");
        assert_eq!(keys("z", "a"), "");
    }

    #[test]
    fn keys_are_sorted_by_all_of_their_bytes() {
        let mut keys: Vec<Vec<u8>> =
            vec![b"user".to_vec(), b"user\0".to_vec(), b"user\0\0a".to_vec()];
        for n in 0..2000_u64 {
            let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            keys.push(format!("user{}{mixed}", "same".repeat(n as usize % 3)).into_bytes());
        }
        let list = List::new(keys.iter().map(|key| (key.as_slice(), 1.0)));
        keys.sort();
        let all = list.costliest(b"", b"z", usize::MAX);
        assert!(
            all.iter()
                .map(|(key, _)| *key)
                .eq(keys.iter().map(Vec::as_slice))
        );
        assert!(
            List::new(std::iter::empty())
                .costliest(b"", b"z", 9)
                .is_empty()
        );
    }

    #[test]
    fn costliest_keys_stay_if_there_are_too_many() {
        let list = list();
        let mut two = list.costliest(b"a", b"f", 2);
        two.sort_by_key(|(key, _)| *key);
        assert_eq!(two, [(&b"a"[..], 5.0), (&b"b"[..], 9.0)]);
        assert!(list.costliest(b"a", b"f", 0).is_empty());
    }
}
