//! What the optimiser may do with bits that are 0.

/// Whether the optimiser may set bits that are 0.
///
/// ```
/// use bloomwise::habf::EmptyBits;
///
/// assert_eq!(EmptyBits::from_name("blind"), Some(EmptyBits::Blind));
/// assert_eq!(EmptyBits::Never.name(), "never");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyBits {
    /// Yes, after checking which known negatives would become false positives.
    Watch,
    /// Yes, without a check. Building is faster, and more known negatives stay false positives.
    Blind,
    /// No. Fewer known negatives can be repaired.
    Never,
}

impl EmptyBits {
    /// All values.
    pub const ALL: [EmptyBits; 3] = [EmptyBits::Watch, EmptyBits::Blind, EmptyBits::Never];

    /// The name of the value: `watch`, `blind` or `never`.
    pub fn name(self) -> &'static str {
        match self {
            EmptyBits::Watch => "watch",
            EmptyBits::Blind => "blind",
            EmptyBits::Never => "never",
        }
    }

    /// The value with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for value in EmptyBits::ALL {
            assert_eq!(EmptyBits::from_name(value.name()), Some(value));
        }
        assert_eq!(EmptyBits::from_name("yes"), None);
    }
}
