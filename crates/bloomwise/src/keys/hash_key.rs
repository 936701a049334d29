//! Keys of types that are only `Hash`: [`HashKey`].

use crate::keys::hash::Hashing;
use crate::keys::key::Key;
use std::hash::{Hash, Hasher};

/// A key of any type that implements [`Hash`], for filters that stay in one program.
///
/// The bytes of the key are those that [`Hash`] feeds into a [`Hasher`].
///
/// ```
/// use bloomwise::{Blocked, Filter, HashKey, Size};
///
/// #[derive(Hash)]
/// struct Position {
///     x: i32,
///     y: i32,
/// }
///
/// # fn main() -> bloomwise::Result<()> {
/// let visited = [Position { x: 1, y: 2 }, Position { x: -3, y: 4 }];
/// let seen = Blocked::builder(Size::BitsPerKey(12.0)).build_from_keys(visited.iter().map(HashKey))?;
/// assert!(seen.contains(HashKey(&visited[0])));
/// assert!(!seen.contains(HashKey(&Position { x: 2, y: 1 })));
/// # Ok(())
/// # }
/// ```
///
/// # Do not use it for filters in files
///
/// The digests are good for one program only. Rust does not fix which bytes `Hash` feeds: another version of the compiler, of the standard
/// library or of a type may feed other bytes, and machines of another byte order or pointer width do. A filter that was saved before such a
/// change denies its own keys, and nothing detects that. For files, and for filters that other programs or languages query, implement
/// [`Key`] instead.
///
/// # What else to know
///
/// - All keys of a filter should have one type. Values of different types may feed the same bytes. A `str` feeds an additional byte, so
///   `HashKey("ant")` and `"ant"` are different keys.
/// - Values that are equal must feed the same bytes, as the contract of `Hash` demands.
/// - Each key allocates memory for its bytes, so hashing takes several times as long as for a [`Key`] of your own.
#[derive(Debug)]
pub struct HashKey<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Clone for HashKey<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for HashKey<'_, T> {}

impl<T: Hash + ?Sized> Key for HashKey<'_, T> {
    fn with_bytes<R>(&self, work: impl FnOnce(&[u8]) -> R) -> R {
        let mut fed = Fed(Vec::with_capacity(size_of_val(self.0)));
        self.0.hash(&mut fed);
        work(&fed.0)
    }
}

/// A hasher that keeps the bytes it is fed.
struct Fed(Vec<u8>);

impl Hasher for Fed {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// A hash of the bytes so far, for implementations of `Hash` that use it.
    fn finish(&self) -> u64 {
        Hashing::default().digest(&self.0).function(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(value: &(impl Hash + ?Sized)) -> crate::keys::Digest {
        Hashing::default().digest(HashKey(value))
    }

    #[test]
    fn equal_values_have_equal_digests_and_different_ones_do_not() {
        assert_eq!(digest(&("ant".to_string(), 7)), digest(&("ant", 7)));
        assert_ne!(digest(&("ant", 7)), digest(&("ant", 8)));
        assert_ne!(digest(&("an", "t")), digest(&("a", "nt")));
        assert_ne!(
            digest(&[vec![1u8], vec![2]]),
            digest(&[vec![1u8, 2], vec![]])
        );
        assert_eq!(digest("ant"), digest(&"ant"));
        assert_ne!(digest("ant"), Hashing::default().digest("ant"));
    }

    #[test]
    fn values_without_bytes_are_keys_too() {
        assert_eq!(digest(&()), Hashing::default().digest(b""));
    }
}
