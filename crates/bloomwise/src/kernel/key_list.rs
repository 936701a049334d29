//! Some keys of a batch, by their index: those that need further work.

/// A list of at most `N` keys.
pub(crate) struct KeyList<const N: usize> {
    /// The indexes; only the first `len` are part of the list.
    keys: [usize; N],
    /// The number of keys in the list.
    len: usize,
}

impl<const N: usize> KeyList<N> {
    /// An empty list.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        KeyList {
            keys: [0; N],
            len: 0,
        }
    }

    /// Appends a key if `wanted`. There is no branch, because the processor cannot predict which keys need further work. The list must
    /// not be full.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, key: usize, wanted: bool) {
        self.keys[self.len] = key;
        self.len += usize::from(wanted);
    }

    /// Whether there is no room for another key.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len == N
    }

    /// The keys, in order.
    #[inline(always)]
    pub(crate) fn keys(&self) -> &[usize] {
        &self.keys[..self.len]
    }

    /// Removes the keys for which `keep` is `false`.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for at in 0..std::mem::take(&mut self.len) {
            let key = self.keys[at];
            self.push_if(key, keep(key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_holds_the_wanted_keys_in_order() {
        let mut list = KeyList::<4>::new();
        for key in 0..8 {
            list.push_if(key, key % 2 == 1);
        }
        assert_eq!((list.keys(), list.is_full()), (&[1, 3, 5, 7][..], true));
        list.retain(|key| key > 3);
        assert_eq!((list.keys(), list.is_full()), (&[5, 7][..], false));
    }
}
