//! The keys of a life, by number.
//!
//! Numbers stand for keys everywhere in a life. The first are the positives a filter is built from, then come the known
//! negatives, then keys that the filter does not know. Digests are computed once. The keys themselves are written anew each
//! time they are needed, in one of the forms a caller may use.

use super::draw::Draw;
use bloomwise::keys::{Digest, Digests};
use bloomwise::{Hashing, Key};
use std::ops::Range;

/// The form of all keys of a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An integer.
    Integer,
    /// As few bytes as the number needs: no bytes for 0, one byte up to 255.
    Short,
    /// Text of 24 characters.
    Text,
    /// 300 bytes, which XXH3 hashes in another way than short keys.
    Long,
}

impl Form {
    /// All forms. Two are fast and come more often.
    const DRAWN: [Form; 6] = [
        Form::Integer,
        Form::Integer,
        Form::Text,
        Form::Short,
        Form::Short,
        Form::Long,
    ];

    /// A form, at random.
    pub fn draw(draw: &mut Draw<'_>) -> Self {
        draw.pick(&Self::DRAWN)
    }
}

/// A key: its number and its form.
#[derive(Clone, Copy, Debug)]
pub struct Numbered(usize, Form);

impl Key for Numbered {
    fn with_bytes<T>(&self, work: impl FnOnce(&[u8]) -> T) -> T {
        let bytes = (self.0 as u64).to_le_bytes();
        match self.1 {
            // An odd factor keeps different numbers different.
            Form::Integer => (self.0 as u64)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .with_bytes(work),
            Form::Short => {
                let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
                work(&bytes[..8 - zeros])
            }
            Form::Text => {
                let (mut text, mut rest) = (*b"user00000000000000000000", self.0);
                for digit in text[4..].iter_mut().rev() {
                    *digit += (rest % 10) as u8;
                    rest /= 10;
                }
                work(&text)
            }
            Form::Long => {
                let mut long = [0x5A; 300];
                long[100..108].copy_from_slice(&bytes);
                work(&long)
            }
        }
    }
}

/// All keys of a life.
#[derive(Debug)]
pub struct Keys {
    form: Form,
    hashing: Hashing,
    digests: Vec<Digest>,
}

impl Keys {
    /// The keys of the numbers below `count`.
    pub fn new(count: usize, form: Form, hashing: Hashing) -> Self {
        let digest = |number| hashing.digest(Numbered(number, form));
        Keys {
            form,
            hashing,
            digests: (0..count).map(digest).collect(),
        }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// A key.
    pub fn key(&self, number: usize) -> Numbered {
        Numbered(number, self.form)
    }

    /// The digest of a key.
    pub fn digest(&self, number: usize) -> Digest {
        self.digests[number]
    }

    /// The digests of some keys.
    pub fn digests(&self, numbers: Range<usize>) -> Digests<'_> {
        Digests::from_raw(self.hashing, &self.digests[numbers])
    }

    /// The digests of these keys, in this order.
    pub fn digests_of(&self, numbers: &[usize]) -> Digests<'static> {
        let digests: Vec<Digest> = numbers.iter().map(|&number| self.digests[number]).collect();
        Digests::from_raw(self.hashing, digests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_of_every_form_are_distinct() {
        for form in Form::DRAWN {
            let bytes = (0..70_000).map(|number| Numbered(number, form).with_bytes(<[u8]>::to_vec));
            assert_eq!(bytes.collect::<HashSet<_>>().len(), 70_000, "{form:?}");
        }
        let text = Numbered(1_234, Form::Text).with_bytes(<[u8]>::to_vec);
        assert_eq!(text, b"user00000000000000001234");
        assert!(Numbered(0, Form::Short).with_bytes(<[u8]>::is_empty));
    }

    #[test]
    fn digests_are_those_of_the_keys() {
        let hashing = Hashing::SipHash { key: 5 };
        let keys = Keys::new(10, Form::Text, hashing);
        let three = hashing.digest("user00000000000000000003");
        assert_eq!(keys.digests(3..4).as_slice(), [three]);
        assert_eq!(keys.digests(2..4), keys.digests_of(&[2, 3]));
        assert_eq!(
            keys.digests(2..4),
            Digests::of(hashing, [keys.key(2), keys.key(3)])
        );
        assert_eq!(keys.len(), 10);
    }
}
