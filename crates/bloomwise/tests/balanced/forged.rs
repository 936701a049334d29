//! Files with correct checksums and with parameters that no plan has.

use bloomwise::unstable::Lookup;
use bloomwise::{AnyFilter, Balanced, Filter, Insert, Persist, Size};
use bloomwise_model::naive::Model;
use proptest::prelude::*;
use std::collections::BTreeSet;
use xxhash_rust::xxh3::xxh3_64;

/// The parameters of an empty filter. The format allows them, but most would never be planned.
#[derive(Clone, Debug)]
struct Forged {
    functions: u64,
    width: u64,
    level: u64,
    coin: u64,
    groups: u64,
    budget: Option<u64>,
    /// The number of blocks of each table. The sum is even because a line holds two blocks of 256 bits.
    tables: Vec<u64>,
}

impl Forged {
    fn bytes(&self) -> Vec<u8> {
        // The header is that of a real file, up to the number of parameters.
        let real = Balanced::builder(Size::Bits(512)).capacity(10).create();
        let mut bytes = real.expect("valid").to_bytes()[..56].to_vec();
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
        words.extend([0, budget, 0, 0, 0, self.tables.len() as u64]);
        words.extend(&self.tables);
        bytes.extend((words.len() as u64).to_le_bytes());
        bytes.extend((bits / 64).to_le_bytes());
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let header_sum = xxh3_64(&[&bytes[..], &words].concat()).to_le_bytes();
        bytes.extend(header_sum);
        bytes.extend(words);
        bytes.resize(bytes.len().next_multiple_of(64), 0);
        let payload = vec![0; bits as usize / 8];
        // Less than a mebibyte: one checksum of the payload, and one of both sums.
        let payload_sum = xxh3_64(&payload).to_le_bytes();
        bytes.extend(payload);
        bytes.extend(payload_sum);
        bytes.extend(xxh3_64(&[header_sum, payload_sum].concat()).to_le_bytes());
        bytes
    }
}

/// Random parameters, often at the limits of the format.
fn forged() -> impl Strategy<Value = Forged> {
    let level = prop_oneof![Just(0), 1..12u64, Just(1020)];
    let coin = prop_oneof![Just(0), Just(1 << 16), 0..=65_536u64];
    let groups = prop_oneof![Just(1), Just(12), 1..=12u64];
    // The last table makes the sum even.
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
    fn filters_from_forged_files_agree_with_the_model_and_have_no_false_negative(
        forged in forged(),
        keys in prop::collection::vec(0..400u64, 1..200),
        saved_after in 0..200usize,
    ) {
        let mut filter = Balanced::from_bytes(&forged.bytes()).expect("within the format");
        let mut model = Model::of(&AnyFilter::Balanced(filter.clone())).expect("a model");
        let mut set = BTreeSet::new();
        for (at, &key) in keys.iter().enumerate() {
            let digest = filter.hashing().digest(key);
            prop_assert_eq!(filter.insert(key), !model.contains(digest));
            model.insert(digest);
            set.insert(key);
            if at == saved_after {
                let loaded = Balanced::from_bytes(&filter.to_bytes()).expect("its own bytes");
                prop_assert_eq!(&loaded, &filter);
                filter = loaded;
            }
        }
        for (key, answer) in (0..).zip(filter.contains_batch(0..500u64)) {
            let digest = filter.hashing().digest(key);
            prop_assert_eq!(answer, model.contains(digest), "key {}", key);
            prop_assert_eq!(answer, filter.query(digest));
            prop_assert!(answer || !set.contains(&key), "key {} is a false negative", key);
        }
        prop_assert!((0.0..=1.0).contains(&filter.rate()), "{}", filter.rate());
        let bytes = filter.to_bytes();
        prop_assert_eq!(Balanced::from_bytes(&bytes).expect("its own bytes"), filter);
    }
}
