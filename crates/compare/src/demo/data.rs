//! Generates the keys of the demo: a block list of host names, popular sites that are not on it, and sites that are on no list.
//!
//! All names come from a seed, and none is real: they end in `.example`, which is reserved for examples. The traffic is realistic:
//! a few sites have most of it. It follows Zipf's law: the site of rank r gets 1/r of the visits of the first site.

use crate::keys::KeyList;
use crate::measure::{Negatives, Samples};
use bloomwise::Hashing;
use bloomwise::keys::Digest;
use bloomwise::unstable::reduce;
use std::io;

/// The first labels of blocked host names.
const PURPOSES: [&str; 12] = [
    "ads",
    "banner",
    "beacon",
    "click",
    "login-check",
    "metrics",
    "pixel",
    "popup",
    "promo",
    "stats",
    "track",
    "verify",
];

/// First halves of site names.
const FIRST: [&str; 24] = [
    "amber", "bright", "cedar", "clear", "coral", "daily", "ember", "first", "golden", "harbor",
    "indigo", "lunar", "maple", "metro", "noble", "north", "open", "pine", "quick", "river",
    "silver", "solar", "urban", "velvet",
];

/// Second halves of site names.
const SECOND: [&str; 24] = [
    "bank", "base", "books", "cast", "cloud", "desk", "field", "forum", "garden", "hub", "journal",
    "kitchen", "labs", "market", "media", "news", "photo", "radio", "shop", "space", "sports",
    "travel", "weather", "works",
];

/// Visits per day of the most popular site.
const VISITS: f64 = 1e6;

/// How many keys to generate.
pub struct DemoData {
    /// The number of host names on the block list.
    pub blocked: u64,
    /// The number of popular sites, whose traffic is known.
    pub popular: u64,
    /// The number of sites that are on no list.
    pub unlisted: u64,
    /// The seed of the names.
    pub seed: u64,
}

impl DemoData {
    /// Generates the keys. Returns an error if there is not enough memory.
    pub fn samples(&self) -> io::Result<Samples> {
        let mut positives = KeyList::default();
        for number in 0..self.blocked {
            positives.push(self.blocked_host(number).as_bytes())?;
        }
        let (mut known, mut unseen) = (Negatives::default(), Negatives::default());
        for rank in 1..=self.popular + self.unlisted {
            let side = if rank <= self.popular {
                &mut known
            } else {
                &mut unseen
            };
            side.push(self.site(rank).as_bytes(), VISITS / rank as f64, 1)?;
        }
        Ok(Samples {
            positives,
            known: Some(known),
            unseen: Some(unseen),
            ..Samples::default()
        })
    }

    /// The host name with this number on the block list.
    fn blocked_host(&self, number: u64) -> String {
        let digest = self.digest(b'b', number);
        let purpose = pick(&PURPOSES, digest.function(2));
        format!("{purpose}.{}", self.name(digest, number))
    }

    /// The site of this rank. Its name does not begin with a purpose, so it is never on the block list.
    fn site(&self, rank: u64) -> String {
        self.name(self.digest(b's', rank), rank)
    }

    /// A name; the number makes it unique.
    fn name(&self, digest: Digest, number: u64) -> String {
        let (first, second) = (
            pick(&FIRST, digest.function(0)),
            pick(&SECOND, digest.function(1)),
        );
        format!("{first}{second}{number}.example")
    }

    /// The random bits for one name of a list.
    fn digest(&self, list: u8, number: u64) -> Digest {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.push(list);
        Hashing::Xxh3 { seed: self.seed }.digest(&bytes)
    }
}

/// Picks one of `words`.
fn pick(words: &[&'static str], hash: u64) -> &'static str {
    words[reduce(hash, words.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_distinct_and_reserved_and_depend_on_the_seed() {
        let data = |seed| DemoData {
            blocked: 3000,
            popular: 2000,
            unlisted: 1000,
            seed,
        };
        let samples = data(1).samples().expect("memory");
        let (known, unseen) = (
            samples.known.expect("sites"),
            samples.unseen.expect("sites"),
        );
        let lists = [&samples.positives, &known.keys, &unseen.keys];
        assert_eq!(lists.map(KeyList::len), [3000, 2000, 1000]);
        let all: HashSet<&[u8]> = lists.iter().flat_map(|list| list.iter()).collect();
        assert_eq!(all.len(), 6000);
        assert!(all.iter().all(|name| name.ends_with(b".example")));
        assert_eq!(known.costs[..3], [1e6, 5e5, 1e6 / 3.0]);
        let again = data(1).samples().expect("memory");
        assert!(again.positives.iter().eq(samples.positives.iter()));
        let other = data(2).samples().expect("memory");
        assert!(!other.positives.iter().eq(samples.positives.iter()));
    }
}
