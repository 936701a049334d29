//! Keys for a story: a block list of host names, popular sites that are not on it, and sites that nobody has listed.
//!
//! All of it is generated from a seed, and no name is real: they end in `.example`, which is reserved for this. What is
//! true to life is the shape: a few sites have most of the traffic. It follows Zipf's law: the site of rank r has 1/r of the
//! visits of the first.

use crate::key_list::KeyList;
use crate::samples::{Negatives, Samples};
use bloomwise::hash::reduce;
use bloomwise::{Digest, Hashing};
use std::io;

/// What blocked hosts are for.
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

/// First halves of names.
const FIRST: [&str; 24] = [
    "amber", "bright", "cedar", "clear", "coral", "daily", "ember", "first", "golden", "harbor",
    "indigo", "lunar", "maple", "metro", "noble", "north", "open", "pine", "quick", "river",
    "silver", "solar", "urban", "velvet",
];

/// Second halves of names.
const SECOND: [&str; 24] = [
    "bank", "base", "books", "cast", "cloud", "desk", "field", "forum", "garden", "hub", "journal",
    "kitchen", "labs", "market", "media", "news", "photo", "radio", "shop", "space", "sports",
    "travel", "weather", "works",
];

/// Visits of the most popular site in a day.
const VISITS: f64 = 1e6;

/// What happens in the story.
pub struct Story {
    /// Host names on the block list.
    pub blocked: u64,
    /// Popular sites whose traffic is known.
    pub popular: u64,
    /// Sites nobody has listed.
    pub unlisted: u64,
    /// What decides the names.
    pub seed: u64,
}

impl Story {
    /// The keys.
    pub fn samples(&self) -> io::Result<Samples> {
        let mut samples = Samples {
            positives: KeyList::default(),
            known: None,
            unseen: None,
            skipped: 0,
        };
        for number in 0..self.blocked {
            samples
                .positives
                .push(self.blocked_host(number).as_bytes())?;
        }
        let (mut known, mut unseen) = (Negatives::default(), Negatives::default());
        for rank in 1..=self.popular + self.unlisted {
            let side = if rank <= self.popular {
                &mut known
            } else {
                &mut unseen
            };
            side.push(self.site(rank).as_bytes(), VISITS / rank as f64)?;
        }
        samples.known = Some(known);
        samples.unseen = Some(unseen);
        Ok(samples)
    }

    /// A host on the block list.
    fn blocked_host(&self, number: u64) -> String {
        let digest = self.digest(b'b', number);
        let purpose = pick(&PURPOSES, digest.function(2));
        format!("{purpose}.{}", self.name(digest, number))
    }

    /// The site of a rank. It has no purpose before its name, so it is never on the block list.
    fn site(&self, rank: u64) -> String {
        self.name(self.digest(b's', rank), rank)
    }

    /// A name; its number makes sure that no other is the same.
    fn name(&self, digest: Digest, number: u64) -> String {
        let (first, second) = (
            pick(&FIRST, digest.function(0)),
            pick(&SECOND, digest.function(1)),
        );
        format!("{first}{second}{number}.example")
    }

    fn digest(&self, list: u8, number: u64) -> Digest {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.push(list);
        Hashing::Xxh3 { seed: self.seed }.digest(&bytes)
    }
}

/// One of some words.
fn pick(words: &[&'static str], hash: u64) -> &'static str {
    words[reduce(hash, words.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_distinct_reserved_and_decided_by_the_seed() {
        let story = |seed| Story {
            blocked: 3000,
            popular: 2000,
            unlisted: 1000,
            seed,
        };
        let samples = story(1).samples().expect("memory");
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
        let again = story(1).samples().expect("memory");
        assert!(again.positives.iter().eq(samples.positives.iter()));
        let other = story(2).samples().expect("memory");
        assert!(!other.positives.iter().eq(samples.positives.iter()));
    }
}
