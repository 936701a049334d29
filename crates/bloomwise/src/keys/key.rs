//! What can be a key: [`Key`].

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// A value that stands for a byte string: bytes, strings, integers, and your own types.
///
/// A string stands for its UTF-8 bytes. An integer of up to 64 bits stands for its value as 8 little-endian bytes, two's complement if it
/// is signed. So `7u8`, `7i64` and `7usize` are the same key, and every language can hash the same integer to the same digest. The four
/// bytes of `7u32.to_le_bytes()` are a different key.
///
/// ```
/// use bloomwise::Hashing;
///
/// let hashing = Hashing::default();
/// assert_eq!(hashing.digest("ant"), hashing.digest(b"ant"));
/// assert_eq!(hashing.digest(7), hashing.digest(7u64.to_le_bytes()));
/// assert_eq!(hashing.digest(-1), hashing.digest(u64::MAX));
/// ```
///
/// Integers are fast: their length is known at compile time, so the compiler inlines the few instructions of XXH3 that 8 bytes need. The
/// same holds for arrays of bytes.
///
/// Implement the trait for your own types by giving their bytes. For types that are only `Hash`, and filters that stay in one program,
/// there is [`crate::HashKey`].
///
/// ```
/// use bloomwise::{Hashing, Key};
///
/// struct Point(u32, u32);
///
/// impl Key for Point {
///     fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
///         (u64::from(self.0) << 32 | u64::from(self.1)).with_bytes(work)
///     }
/// }
/// assert_ne!(Hashing::default().digest(Point(1, 2)), Hashing::default().digest(Point(2, 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key",
    label = "not bytes, a string or an integer of up to 64 bits",
    note = "pass its bytes, or implement `bloomwise::Key` for it",
    note = "if it is only `Hash` and the filter stays in this program, pass `bloomwise::HashKey(&value)`"
)]
pub trait Key {
    /// Calls `work` with the bytes of the key and returns its result. Equal keys have equal bytes.
    fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T;
}

/// Implements [`Key`] for types that hold their bytes.
macro_rules! bytes_as_keys {
    ($($type:ty),*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
                work(self.as_ref())
            }
        }
    )*};
}

bytes_as_keys!([u8], Vec<u8>, Box<[u8]>, Rc<[u8]>, Arc<[u8]>, Cow<'_, [u8]>);

/// Implements [`Key`] for strings: their UTF-8 bytes.
macro_rules! strings_as_keys {
    ($($type:ty),*) => {$(
        impl Key for $type {
            #[inline(always)]
            fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
                work(self.as_bytes())
            }
        }
    )*};
}

strings_as_keys!(str, String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);

/// Implements [`Key`] for integers: their value as 8 little-endian bytes.
macro_rules! integers_as_keys {
    ($($type:ty),*) => {$(
        impl Key for $type {
            #[inline(always)]
            #[allow(clippy::cast_lossless, reason = "one line for integers that widen and for those that do not")]
            fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
                work(&(*self as u64).to_le_bytes())
            }
        }
    )*};
}

integers_as_keys!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

impl<const N: usize> Key for [u8; N] {
    #[inline(always)]
    fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        work(self)
    }
}

impl<K: Key + ?Sized> Key for &K {
    #[inline(always)]
    fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        (**self).with_bytes(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(key: impl Key) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }

    #[test]
    fn one_key_has_the_same_bytes_in_every_type() {
        let owned = String::from("ant");
        let strings = [
            bytes("ant"),
            bytes(&owned),
            bytes(b"ant"),
            bytes(*b"ant"),
            bytes(&b"ant"[..]),
            bytes(owned.as_bytes().to_vec()),
            bytes(Arc::<str>::from("ant")),
            bytes(Rc::<[u8]>::from(&b"ant"[..])),
            bytes(Box::<str>::from("ant")),
            bytes(Cow::Borrowed("ant")),
        ];
        assert!(strings.iter().all(|key| key == b"ant"));
        let sevens = [
            bytes(7),
            bytes(7u8),
            bytes(7i16),
            bytes(7u64),
            bytes(7usize),
            bytes(7isize),
        ];
        assert!(sevens.iter().all(|key| *key == 7u64.to_le_bytes()));
        assert!(
            [bytes(-1), bytes(-1i8), bytes(u64::MAX)]
                .iter()
                .all(|key| *key == [255; 8])
        );
    }
}
