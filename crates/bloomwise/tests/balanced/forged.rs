//! Files of filters that nobody would plan, with a right checksum.

use super::naive::Model;
use bloomwise::{AnyFilter, Balanced, Filter, Persist, Size};
use proptest::prelude::*;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// The file of an empty filter of these parameters, of which there may be many that nobody would plan.
#[derive(Clone, Debug)]
struct Forged {
    functions: u64,
    width: u64,
    level: u64,
    coin: u64,
    groups: u64,
    budget: Option<u64>,
    /// Blocks of each table; an even sum, since two blocks of 256 bits make a line.
    tables: Vec<u64>,
}

impl Forged {
    fn bytes(&self) -> Vec<u8> {
        // The head is that of a true file.
        let honest = Balanced::builder(1, Size::Bits(512)).build();
        let head = honest.expect("sound").to_bytes()[..64].to_vec();
        let (scheme, blocks) = match (self.budget, &self.tables[..]) {
            (Some(_), tables) => (2, tables[0]),
            (None, [one]) => (1, *one),
            (None, tables) => (3, tables.iter().sum()),
        };
        let bits = blocks << self.width;
        let mut words = vec![
            self.functions,
            bits,
            self.width,
            scheme,
            self.level,
            self.coin,
            self.groups,
        ];
        let budget = self.budget.unwrap_or(u64::MAX);
        words.extend([10, 0, budget, 0, 0, 0, self.tables.len() as u64]);
        words.extend(&self.tables);
        let mut bytes = head;
        bytes[40..48].copy_from_slice(&(words.len() as u64).to_le_bytes());
        bytes[48..56].copy_from_slice(&(bits / 64).to_le_bytes());
        words.resize(words.len().next_multiple_of(8), 0);
        words.resize(words.len() + bits as usize / 64, 0);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let sum = xxh3_64(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

/// Files at the ends of what the format allows more often than not.
fn forged() -> impl Strategy<Value = Forged> {
    let level = prop_oneof![Just(0), 1..12u64, Just(1020)];
    let coin = prop_oneof![Just(0), Just(1 << 16), 0..=65_536u64];
    let groups = prop_oneof![Just(1), Just(12), 1..=12u64];
    // A last table that makes the sum even.
    let mht = prop::collection::vec(prop_oneof![Just(1), 1..6u64], 1..=7).prop_map(|mut tables| {
        tables.push(1 + (tables.iter().sum::<u64>() + 1) % 2);
        (None, tables)
    });
    let sequential = (1..4u64, 1..=8usize, 0..150u64)
        .prop_map(|(lines, choices, budget)| (Some(budget), vec![2 * lines; choices]));
    let single = (1..4u64).prop_map(|lines| (None, vec![2 * lines]));
    let tables = prop_oneof![mht, sequential, single];
    (1..=32u64, 8..=9u64, level, coin, groups, tables).prop_map(
        |(functions, width, level, coin, groups, (budget, tables))| Forged {
            functions,
            width,
            level,
            coin,
            groups,
            budget,
            tables,
        },
    )
}

proptest! {
    #[test]
    fn filters_of_forged_files_answer_like_the_model_and_deny_nobody(
        forged in forged(),
        keys in prop::collection::vec(0..400u64, 1..200),
        saved_after in 0..200usize,
    ) {
        let mut filter = AnyFilter::from_bytes(&forged.bytes()).expect("within the format");
        let mut model = Model::of(&filter);
        let mut set = BTreeSet::new();
        for (at, &key) in keys.iter().enumerate() {
            let digest = filter.hashing().digest(&key.to_le_bytes());
            let AnyFilter::Balanced(balanced) = &mut filter else {
                panic!("another family");
            };
            balanced.insert_digest(digest);
            model.insert(digest);
            set.insert(key);
            if at == saved_after {
                let loaded = AnyFilter::from_bytes(&filter.to_bytes()).expect("its own bytes");
                prop_assert_eq!(&loaded, &filter);
                filter = loaded;
            }
        }
        let digests: Vec<_> = (0..500u64)
            .map(|key| filter.hashing().digest(&key.to_le_bytes()))
            .collect();
        let mut answers = Vec::new();
        filter.contains_digests(&digests, &mut answers);
        for (key, (&digest, answer)) in (0..).zip(digests.iter().zip(answers)) {
            prop_assert_eq!(answer, model.contains(digest), "key {}", key);
            prop_assert_eq!(answer, filter.contains_digest(digest));
            prop_assert!(answer || !set.contains(&key), "key {} is denied", key);
        }
        let bytes = filter.to_bytes();
        prop_assert_eq!(AnyFilter::from_bytes(&bytes).expect("its own bytes"), filter);
    }
}
