//! What receives keys: each as the type that it has, so that integers are hashed as integers.

use bloomwise::keys::Digest;
use bloomwise::{Hashing, Key};
use pyo3::PyResult;

/// Receives keys and nulls, in order.
pub trait Visitor {
    /// Receives a key.
    fn key<K: Key>(&mut self, key: K);

    /// Receives keys without nulls between them.
    #[inline(always)]
    fn keys<K: Key>(&mut self, keys: impl Iterator<Item = K>) {
        keys.for_each(|key| self.key(key));
    }

    /// Receives a null.
    fn null(&mut self);

    /// Makes room for some keys that will come.
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    fn reserve(&mut self, _keys: usize) -> PyResult<()> {
        Ok(())
    }
}

/// How many keys are hashed before they are handled; a multiple of 8, for bitmaps.
const GROUP: usize = 256;

/// Hashes keys, and passes their digests on in groups of 256; the last one may have fewer.
pub struct Groups<F> {
    hashing: Hashing,
    digests: [Digest; GROUP],
    filled: usize,
    /// What a null is: left out, or a digest like any other.
    keep_nulls: bool,
    act: F,
    /// The first error of `act`. Nothing is passed on after it.
    result: bloomwise::Result<()>,
}

impl<F: FnMut(&[Digest]) -> bloomwise::Result<()>> Groups<F> {
    /// Passes on the digests of all keys, and leaves nulls out.
    pub fn new(hashing: Hashing, act: F) -> Self {
        Groups {
            hashing,
            digests: [Digest::from(0); GROUP],
            filled: 0,
            keep_nulls: false,
            act,
            result: Ok(()),
        }
    }

    /// Passes on a digest for a null, too, so that each place has one.
    pub fn with_nulls(self) -> Self {
        Groups {
            keep_nulls: true,
            ..self
        }
    }

    /// Passes on what is left.
    ///
    /// # Errors
    ///
    /// The first error of what the digests were passed on to.
    pub fn finish(mut self) -> bloomwise::Result<()> {
        self.flush();
        self.result
    }

    #[inline]
    fn push(&mut self, digest: Digest) {
        self.digests[self.filled] = digest;
        self.filled += 1;
        if self.filled == GROUP {
            self.flush();
        }
    }

    #[inline(never)]
    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = (self.act)(&self.digests[..self.filled]);
        }
        self.filled = 0;
    }
}

impl<F: FnMut(&[Digest]) -> bloomwise::Result<()>> Visitor for Groups<F> {
    #[inline(always)]
    fn key<K: Key>(&mut self, key: K) {
        self.push(self.hashing.digest(key));
    }

    // A loop of its own, so that hashing is not interrupted by a question after each key.
    #[inline(always)]
    fn keys<K: Key>(&mut self, mut keys: impl Iterator<Item = K>) {
        let hashing = self.hashing;
        loop {
            let mut filled = self.filled;
            for (digest, key) in self.digests[filled..].iter_mut().zip(&mut keys) {
                *digest = hashing.digest(key);
                filled += 1;
            }
            self.filled = filled;
            if filled < GROUP {
                return;
            }
            self.flush();
        }
    }

    fn null(&mut self) {
        if self.keep_nulls {
            self.push(Digest::from(0));
        }
    }
}
