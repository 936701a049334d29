//! Everything that a caller can do with a filter that came from outside.
//!
//! The cells of a filter that was loaded with [`bloomwise::format::Check::Header`] may hold anything. Such a filter may give wrong answers,
//! so only the laws that any cells must obey are checked: nothing panics, everything ends, numbers are finite, and memory stays in
//! proportion to the file. (A growing filter may take much for one key, but tells before.) If the cells were checked, the filter must
//! also behave like any other: an inserted key is accepted, and a saved filter comes back.

use crate::forms::check_saved;
use crate::memory::within;
use bloomwise::keys::Digests;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{AnyFilter, Error, Filter, Insert, Operation, Persist};

/// How many keys are queried, and how many are inserted.
const KEYS: u64 = 16;

/// Memory beyond a multiple of the file's length.
const BUFFERS: usize = 1 << 18;

/// Queries, inspects, changes and saves a filter from a file of `file_len` bytes. `checked` says whether its cells were checked.
pub fn exercise(filter: AnyFilter, file_len: usize, checked: bool) {
    within(16 * file_len + BUFFERS, || {
        query(&filter);
        inspect(&filter);
        if checked {
            check_saved(&filter);
        }
        change(filter, checked);
    });
}

/// Queries the filter in every way. All ways give the same answers.
fn query(filter: &AnyFilter) {
    let keys = 0..KEYS;
    let answers: Vec<bool> = keys.clone().map(|key| filter.contains(key)).collect();
    assert_eq!(filter.contains_batch(keys.clone()), answers, "a batch");
    let digests = Digests::of(filter.hashing(), keys.clone());
    let by_digest = filter.contains_digests(&digests).expect("its own hashing");
    assert_eq!(by_digest, answers, "digests");
    let mut bitmap = [0xFF; KEYS.div_ceil(8) as usize];
    let written = filter.contains_digests_bitmap(&digests, &mut bitmap);
    written.expect("its own hashing and a byte for eight keys");
    for (place, &answer) in answers.iter().enumerate() {
        assert_eq!(
            bitmap[place / 8] >> (place % 8) & 1 == 1,
            answer,
            "a bitmap"
        );
    }
}

/// Asks for everything that a filter knows about itself.
fn inspect(filter: &AnyFilter) {
    let share = 0.0..=1.0;
    assert!(share.contains(&filter.rate()), "rate {}", filter.rate());
    let info = filter.info();
    assert!(share.contains(&info.fill), "fill {}", info.fill);
    let rate = info.predicted_fpr;
    assert!(share.contains(&rate), "predicted rate {rate}");
    assert_eq!(info.keys, filter.len());
    let report = filter.report();
    let parameters = info.parameters.into_iter();
    let parameters = parameters.map(|parameter| (parameter.name, parameter.value));
    for (name, value) in parameters.chain(report.named()) {
        let number = value.as_f64().unwrap_or(0.0);
        assert!(!number.is_nan(), "{name} is {value}");
    }
    match filter {
        AnyFilter::Bloom(filter) => assert!(filter.estimated_keys() >= 0.0),
        AnyFilter::Counting(filter) => {
            assert!(filter.count(1) <= 15 && filter.stuck() <= filter.size_in_bits());
        }
        AnyFilter::Balanced(filter) => assert!(filter.reads_per_insertion() >= 0.0),
        _ => {}
    }
}

/// Makes every change that the family has.
fn change(mut filter: AnyFilter, checked: bool) {
    if grows_much(&filter) {
        return;
    }
    let can = |operation| filter.check_operation(operation).is_ok();
    let (insert, remove) = (can(Operation::Insert), can(Operation::Remove));
    let (guard, union) = (can(Operation::Guard), can(Operation::Union));
    if let AnyFilter::Seesaw(seesaw) = &filter {
        let shared = SharedSeesaw::new(seesaw.clone());
        shared.extend(0..KEYS);
        let copy = shared.snapshot().expect("memory");
        let inner = shared.into_inner().expect("memory");
        assert_eq!(
            copy, inner,
            "a snapshot without concurrent writers equals the filter"
        );
    }
    let other = filter.clone();
    match filter.union_with(&other) {
        // A union verifies both first.
        Err(Error::Damaged) if !checked => {}
        united => expect(united, union),
    }
    for key in 0..KEYS {
        expect(filter.guard(key + 1000, 1.0), guard);
        let new = !filter.contains(key);
        match filter.insert(key) {
            Ok(said) if checked => {
                assert_eq!(said, new, "an insertion tells whether the key is new");
            }
            // A forged filter may have no room at all.
            Err(Error::Full { .. }) => return inspect(&filter),
            inserted => expect(inserted.map(|_| ()), insert),
        }
        if checked && insert {
            assert!(filter.contains(key), "{key} was inserted");
        }
    }
    // Every second key is removed again. They were inserted, so the other keys stay.
    for key in (0..KEYS).step_by(2) {
        let removed = filter.remove(key);
        if checked && let Ok(removed) = removed {
            assert!(removed, "{key} was inserted and is not removed");
        }
        expect(removed.map(|_| ()), remove);
    }
    match filter.extend(KEYS..2 * KEYS) {
        Err(Error::Full { .. }) => return inspect(&filter),
        extended => expect(extended, insert),
    }
    inspect(&filter);
    let answers = filter.contains_batch(0..4 * KEYS);
    if checked {
        if insert {
            let (changed, added) = answers[..2 * KEYS as usize].split_at(KEYS as usize);
            assert!(
                changed
                    .iter()
                    .skip(1)
                    .step_by(2)
                    .chain(added)
                    .all(|&answer| answer)
            );
        }
        check_saved(&filter);
    } else {
        assert_eq!(filter.to_bytes().len() as u64, filter.encoded_len());
    }
}

/// Whether the keys of [`change`] take much more memory than the filter has. A file may say that each layer has room for 32,768 times
/// as many keys as the one before, so a careful caller asks before each key.
fn grows_much(filter: &AnyFilter) -> bool {
    let AnyFilter::Growing(filter) = filter else {
        return false;
    };
    let (mut filter, mut room) = (filter.clone(), BUFFERS as u64 / 64 * 8);
    (0..2 * KEYS).any(|key| {
        let growth = filter.growth(key).unwrap_or(u64::MAX);
        let before = filter.size_in_bits();
        if growth > room {
            return true;
        }
        filter.insert(key);
        let grown = filter.size_in_bits() - before;
        assert!(grown == growth || grown == 0, "more than it said");
        room -= grown;
        false
    })
}

/// Checks that an operation succeeds if and only if the family has it.
fn expect(result: bloomwise::Result<()>, can: bool) {
    match result {
        Ok(()) => assert!(can, "an operation that the family lacks"),
        Err(error) => assert!(
            !can && matches!(error, Error::Unsupported { .. }),
            "{error}"
        ),
    }
}
