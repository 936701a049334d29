//! How much memory a key may take, and how much a command may allocate.
//!
//! Inside of the server a failed allocation ends the server. So the size of everything is worked out first, compared with two limits,
//! and only then allocated: `bloomwise.max-bytes` for a key, `bloomwise.max-command-bytes` for all that one command allocates.
//!
//! The limits hold for clients. A replica does what its master did, a server that starts loads what it has saved: they have no
//! choice, and no limit.

use crate::census::TOO_LARGE;
use crate::configuration::{MAX_BYTES, MAX_COMMAND_BYTES};
use std::sync::atomic::Ordering;
use valkey_module::{Context, ContextFlags};

/// The limits that are left for one command.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The most bytes of a key.
    key: u64,
    /// The bytes that the command may still allocate.
    left: u64,
}

/// Too many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The key would be too large.
    #[error(
        "the filter would take {bytes} bytes, and bloomwise.max-bytes is {most}; ask for a smaller filter or raise the limit"
    )]
    Key {
        /// The bytes of the key.
        bytes: u64,
        /// The most bytes of a key.
        most: u64,
    },
    /// The command would allocate too much.
    #[error(
        "the command needs {bytes} bytes, and {left} are left of bloomwise.max-command-bytes; split it up or raise the limit"
    )]
    Command {
        /// The bytes that it would allocate next.
        bytes: u64,
        /// The bytes that are left.
        left: u64,
    },
}

impl Budget {
    /// The budget of a command, or of a callback of the data type.
    pub fn of(context: &Context) -> Self {
        let obeys = ContextFlags::REPLICATED | ContextFlags::LOADING | ContextFlags::SLAVE;
        if context.get_flags().intersects(obeys) {
            return Budget::unlimited();
        }
        let limit = |bytes: i64| u64::try_from(bytes).unwrap_or(0);
        Budget {
            key: limit(MAX_BYTES.load(Ordering::Relaxed)),
            left: limit(MAX_COMMAND_BYTES.load(Ordering::Relaxed)),
        }
    }

    /// No limits.
    pub fn unlimited() -> Self {
        Budget {
            key: u64::MAX,
            left: u64::MAX,
        }
    }

    /// Takes `new` bytes, after which a key has `key` bytes.
    ///
    /// # Errors
    ///
    /// One of the limits would be exceeded. Nothing is taken.
    pub fn take(&mut self, key: u64, new: u64) -> Result<(), TooLarge> {
        if key > self.key {
            TOO_LARGE.add(1);
            let most = self.key;
            return Err(TooLarge::Key { bytes: key, most });
        }
        self.spend(new)
    }

    /// Takes `new` bytes of what the command may allocate, for an answer or for a chunk whose key has been paid for.
    ///
    /// # Errors
    ///
    /// The command would allocate too much. Nothing is taken.
    pub fn spend(&mut self, new: u64) -> Result<(), TooLarge> {
        let left = self.left;
        match left.checked_sub(new) {
            Some(rest) => {
                self.left = rest;
                Ok(())
            }
            None => {
                TOO_LARGE.add(1);
                Err(TooLarge::Command { bytes: new, left })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_is_spent_once_and_a_refusal_costs_nothing() {
        let mut budget = Budget {
            key: 100,
            left: 150,
        };
        assert_eq!(budget.take(100, 100), Ok(()));
        let refused = budget.take(101, 1);
        assert_eq!(
            refused,
            Err(TooLarge::Key {
                bytes: 101,
                most: 100
            })
        );
        let refused = budget.take(60, 60);
        assert_eq!(
            refused,
            Err(TooLarge::Command {
                bytes: 60,
                left: 50
            })
        );
        assert_eq!(budget.take(50, 50), Ok(()));
        assert!(budget.spend(1).is_err());
        assert_eq!(Budget::unlimited().take(u64::MAX, u64::MAX), Ok(()));
    }
}
