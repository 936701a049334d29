//! The three schemes.

/// Where the candidate blocks of a key are.
///
/// ```
/// use bloomwise::balanced::Scheme;
///
/// assert_eq!(Scheme::from_name("mht"), Some(Scheme::Mht));
/// assert!(Scheme::ALL.iter().all(|scheme| Scheme::from_name(scheme.name()) == Some(*scheme)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One candidate among all blocks.
    Single = 1,
    /// Several candidates, each among all blocks, and a read budget.
    Sequential = 2,
    /// Several candidates, each in its own table; each table is smaller than the one before. The paper's multi-level hash
    /// table.
    Mht = 3,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Scheme; 3] = [Scheme::Single, Scheme::Sequential, Scheme::Mht];

    /// The scheme's name: `single`, `sequential` or `mht`.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Single => "single",
            Scheme::Sequential => "sequential",
            Scheme::Mht => "mht",
        }
    }

    /// The scheme with this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}
