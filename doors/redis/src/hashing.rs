//! The secret of a new filter.
//!
//! A server does not know who chooses the items. Whoever knows how a filter hashes can make up items that it wrongly accepts. So each filter that
//! is made here hashes with a secret of its own (SipHash). A replica must hash alike: the secret is part of what is replicated.

use bloomwise::Hashing;
use valkey_module::ValkeyError;

/// A hashing, and the text that says it to a replica.
#[derive(Clone, Debug)]
pub struct Secret {
    /// The hashing.
    pub hashing: Hashing,
    /// The argument of `HASH`.
    pub text: String,
}

impl Secret {
    /// A new secret.
    ///
    /// # Errors
    ///
    /// The operating system has no random numbers.
    pub fn new() -> Result<Self, ValkeyError> {
        let hashing = Hashing::random()?;
        Ok(Secret {
            hashing,
            text: hashing.reveal(),
        })
    }

    /// The secret that the client gives, or a new one.
    ///
    /// # Errors
    ///
    /// The text is not a hashing, or the operating system has no random numbers.
    pub fn given(text: Option<&[u8]>) -> Result<Self, ValkeyError> {
        let Some(text) = text else {
            return Secret::new();
        };
        let text = String::from_utf8_lossy(text).into_owned();
        let hashing = text.parse()?;
        Ok(Secret { hashing, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_says_the_hashing_and_secrets_differ() {
        let secret = Secret::new().expect("random numbers");
        let again = Secret::given(Some(secret.text.as_bytes())).expect("a hashing");
        assert_eq!(again.hashing, secret.hashing);
        assert_ne!(
            Secret::given(None).expect("random numbers").hashing,
            secret.hashing
        );
        assert!(Secret::given(Some(b"siphash:12")).is_err());
        assert_eq!(
            Secret::given(Some(b"xxh3:7")).expect("a hashing").hashing,
            Hashing::Xxh3 { seed: 7 }
        );
    }
}
