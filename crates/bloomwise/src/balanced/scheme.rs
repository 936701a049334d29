//! The three schemes.

/// How the blocks are shared among the choices of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// One choice.
    Single = 1,
    /// Several choices among all blocks, and a budget of reads.
    Sequential = 2,
    /// Several choices, each in a table of its own; the tables fall in size. The paper's multi-level hash table.
    Mht = 3,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 3] = [Scheme::Single, Scheme::Sequential, Scheme::Mht];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Single => "single",
            Scheme::Sequential => "sequential",
            Scheme::Mht => "mht",
        }
    }

    /// The scheme of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}
