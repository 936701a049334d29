//! The costliest keys.

use super::learner::Learner;
use std::vec;

/// A key and the cost of its events.
///
/// ```
/// use bloomwise::Hashing;
/// use bloomwise::learn::Learner;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut learner = Learner::new(Hashing::default(), 1 << 20)?;
/// learner.record("ant");
/// learner.record("ant");
/// let learned = &learner.top(1)[0];
/// assert_eq!((learned.key, learned.cost, learned.at_most), (&b"ant"[..], 2.0, 2.0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Learned<'a> {
    /// The bytes of the key.
    pub key: &'a [u8],
    /// A lower bound on the cost of its events.
    pub cost: f64,
    /// An upper bound on the cost of its events.
    pub at_most: f64,
}

impl Learner {
    /// At most `most` keys, the costliest first. Keys of equal cost are in the order of their bytes.
    pub fn top(&self, most: usize) -> Vec<Learned<'_>> {
        self.costliest(most, |_| true).collect()
    }

    /// At most `most` of the keys for which `wanted` returns true, the costliest first. Keys of equal cost are in the order of their bytes.
    ///
    /// ```
    /// # use bloomwise::{Hashing, learn::Learner};
    /// # fn main() -> bloomwise::Result<()> {
    /// let mut learner = Learner::new(Hashing::default(), 1 << 20)?;
    /// for key in ["ant", "bee", "ant", "cow", "cow", "cow"] {
    ///     learner.record(key);
    /// }
    /// // "cow" has joined the set in the meantime.
    /// let absent = learner.costliest(10, |learned| learned.key != b"cow");
    /// let absent: Vec<&[u8]> = absent.map(|learned| learned.key).collect();
    /// assert_eq!(absent, [&b"ant"[..], b"bee"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn costliest(
        &self,
        most: usize,
        mut wanted: impl FnMut(&Learned<'_>) -> bool,
    ) -> Costliest<'_> {
        let mut slots: Vec<u32> = Vec::with_capacity(self.counters.named().count());
        let wanted = (self.counters.named()).filter(|&slot| wanted(&self.learned(slot)));
        slots.extend(wanted.map(|slot| slot as u32));
        let order = |&one: &u32, &other: &u32| {
            let [one, other] = [one, other].map(|slot| slot as usize);
            let costs = self
                .counters
                .cost(other)
                .total_cmp(&self.counters.cost(one));
            costs.then_with(|| self.name(one).cmp(self.name(other)))
        };
        if most < slots.len() {
            slots.select_nth_unstable_by(most, order);
            slots.truncate(most);
        }
        slots.sort_unstable_by(order);
        Costliest {
            learner: self,
            slots: slots.into_iter(),
        }
    }

    /// All keys that [`Learner::top`] can list, in no particular order. This is faster, because it does not sort.
    pub fn keys(&self) -> impl Iterator<Item = Learned<'_>> {
        self.counters.named().map(|slot| self.learned(slot))
    }

    /// The key and the cost bounds of this slot, which has a name.
    fn learned(&self, slot: usize) -> Learned<'_> {
        let kept = self.counters.cost(slot);
        Learned {
            key: self.name(slot),
            cost: kept * self.decay,
            at_most: (kept + self.sums.offset) * self.decay,
        }
    }
}

/// The keys that [`Learner::costliest`] lists. Each takes four bytes until the iterator returns it.
///
/// ```
/// use bloomwise::Hashing;
/// use bloomwise::learn::Learner;
///
/// # fn main() -> bloomwise::Result<()> {
/// let mut learner = Learner::new(Hashing::default(), 1 << 20)?;
/// learner.record_batch(&[("ant", 1.0), ("bee", 3.0), ("cow", 2.0)])?;
/// let mut costliest = learner.costliest(2, |_| true);
/// assert_eq!(costliest.next().unwrap().key, b"bee");
/// assert_eq!(costliest.next().unwrap().key, b"cow");
/// assert!(costliest.next().is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Costliest<'a> {
    /// The learner whose keys these are.
    learner: &'a Learner,
    /// The slots of the keys that are left, costliest first.
    slots: vec::IntoIter<u32>,
}

impl<'a> Iterator for Costliest<'a> {
    type Item = Learned<'a>;

    fn next(&mut self) -> Option<Learned<'a>> {
        let slot = self.slots.next()?;
        Some(self.learner.learned(slot as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl ExactSizeIterator for Costliest<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Hashing;

    #[test]
    fn keys_are_those_of_the_whole_list() {
        let mut learner = Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
        for n in 0..100_000_u64 {
            learner.record(n.trailing_zeros());
            learner.record(n);
        }
        let mut keys: Vec<_> = learner.keys().map(|learned| learned.key).collect();
        let mut list: Vec<_> = learner
            .top(usize::MAX)
            .iter()
            .map(|learned| learned.key)
            .collect();
        keys.sort();
        list.sort();
        assert!(!keys.is_empty() && keys == list);
    }

    #[test]
    fn unwanted_keys_do_not_take_the_place_of_others() {
        let mut learner = Learner::new(Hashing::default(), Learner::MIN_MEMORY).expect("memory");
        for key in 0..10u64 {
            learner.record_cost(key, key as f64 + 1.0).expect("sound");
        }
        let odd = |learned: &Learned<'_>| learned.cost % 2.0 == 1.0;
        let costs: Vec<f64> = learner
            .costliest(3, odd)
            .map(|learned| learned.cost)
            .collect();
        assert_eq!(costs, [9.0, 7.0, 5.0]);
        assert_eq!(learner.costliest(30, odd).len(), 5);
    }
}
