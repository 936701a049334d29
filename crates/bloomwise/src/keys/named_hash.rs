//! A hashing from what a user gives: a name, and perhaps a seed.

use crate::error::{Error, Result};
use crate::keys::hash::Hashing;

impl Hashing {
    /// SipHash with a new random key. The filter stores the key, and so does its file.
    ///
    /// Each call gives another key, so filters that are to be joined or united need one hashing that all of them get.
    ///
    /// ```
    /// use bloomwise::Hashing;
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// let hashing = Hashing::random()?;
    /// assert_eq!(hashing.name(), "siphash");
    /// assert_ne!(hashing, Hashing::random()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The operating system has no random numbers.
    pub fn random() -> Result<Self> {
        let mut key = [0; 16];
        getrandom::fill(&mut key).map_err(|error| Error::NoRandomNumbers {
            reason: error.to_string(),
        })?;
        Ok(Hashing::SipHash {
            key: u128::from_le_bytes(key),
        })
    }

    /// The hashing of this [name](Hashing::name). Without a seed, `xxh3` has seed 0 and `siphash` a new random key.
    ///
    /// ```
    /// use bloomwise::Hashing;
    ///
    /// # fn main() -> bloomwise::Result<()> {
    /// assert_eq!(Hashing::named("xxh3", Some(7))?, Hashing::Xxh3 { seed: 7 });
    /// assert_eq!(Hashing::named("siphash", Some(7))?, Hashing::SipHash { key: 7 });
    /// assert_ne!(Hashing::named("siphash", None)?, Hashing::named("siphash", None)?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// There is no such name, the seed has more bits than the hash function takes ([`Error::Seed`]), or the operating system has no random
    /// numbers.
    pub fn named(name: &str, seed: Option<u128>) -> Result<Self> {
        match (name, seed) {
            ("xxh3", seed) => match u64::try_from(seed.unwrap_or(0)) {
                Ok(seed) => Ok(Hashing::Xxh3 { seed }),
                Err(_) => Err(Error::Seed),
            },
            ("siphash", Some(key)) => Ok(Hashing::SipHash { key }),
            ("siphash", None) => Hashing::random(),
            (other, _) => {
                let expected = "\"xxh3\" or \"siphash\"";
                Err(Error::parameter("hash", format!("{other:?}"), expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_hashings() {
        for hashing in [Hashing::Xxh3 { seed: 5 }, Hashing::SipHash { key: 5 }] {
            assert_eq!(Hashing::named(hashing.name(), Some(5)).ok(), Some(hashing));
        }
        assert_eq!(Hashing::named("xxh3", None).ok(), Some(Hashing::default()));
        let error = Hashing::named("md5", None)
            .expect_err("no hash")
            .to_string();
        assert_eq!(error, "hash is \"md5\", expected \"xxh3\" or \"siphash\"");
    }

    #[test]
    fn seed_of_more_than_64_bits_is_for_siphash_only() {
        let seed = 1 << 64;
        assert!(matches!(
            Hashing::named("xxh3", Some(seed)),
            Err(Error::Seed)
        ));
        let secret = Hashing::named("siphash", Some(seed));
        assert_eq!(secret.ok(), Some(Hashing::SipHash { key: seed }));
    }
}
