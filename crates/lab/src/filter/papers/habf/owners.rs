//! Who set a bit (`V` in the paper), and which negatives watch it (`Gamma`).

/// A bit that nobody set.
const NOBODY: u32 = u32::MAX;

/// A bit that several keys set at some time. It is never cleared.
const SEVERAL: u32 = u32::MAX - 1;

/// The owner of every bit.
pub struct Owners(Vec<u32>);

impl Owners {
    /// No bit has an owner yet.
    pub fn new(bits: u64) -> Self {
        Owners(vec![NOBODY; bits as usize])
    }

    /// Key number `key` sets a bit.
    pub fn add(&mut self, bit: usize, key: u32) {
        self.0[bit] = match self.0[bit] {
            NOBODY => key,
            _ => SEVERAL,
        };
    }

    /// The single owner leaves a bit, which becomes empty.
    pub fn leave(&mut self, bit: usize) {
        self.0[bit] = NOBODY;
    }

    /// Whether a bit is set.
    pub fn is_set(&self, bit: usize) -> bool {
        self.0[bit] != NOBODY
    }

    /// The key that alone set a bit, if there is one.
    pub fn single(&self, bit: usize) -> Option<u32> {
        Some(self.0[bit]).filter(|&owner| owner < SEVERAL)
    }

    /// All bits that are set.
    pub fn occupied(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|&bit| self.is_set(bit))
    }
}

/// The end of a list.
const END: u32 = u32::MAX;

/// For every bit, a list of the negatives that map to it.
pub struct Watchers {
    /// The first entry of each bit's list.
    first: Vec<u32>,
    /// A negative, and the next entry of the list.
    entries: Vec<(u32, u32)>,
}

impl Watchers {
    /// Empty lists.
    pub fn new(bits: u64) -> Self {
        Watchers {
            first: vec![END; bits as usize],
            entries: Vec::new(),
        }
    }

    /// Adds a negative to the list of a bit.
    pub fn add(&mut self, bit: usize, negative: u32) {
        let entry = self.entries.len() as u32;
        self.entries.push((negative, self.first[bit]));
        self.first[bit] = entry;
    }

    /// The negatives in the list of a bit, the latest first.
    pub fn of(&self, bit: usize) -> impl Iterator<Item = u32> + '_ {
        let mut entry = self.first[bit];
        std::iter::from_fn(move || {
            let (negative, next) = *self.entries.get(entry as usize)?;
            entry = next;
            Some(negative)
        })
    }
}
