//! Operations that a family has, and errors for those it lacks.

use bloomwise::keys::Digests;
use bloomwise::{AnyFilter, Error, Family, Filter, Hashing, KeySets, Operation, Size, Spec};

#[test]
fn filters_can_be_shared_sent_cloned_and_shown() {
    fn check<F: Send + Sync + Clone + std::fmt::Debug>() {}
    check::<AnyFilter>();
    check::<bloomwise::Bloom>();
    check::<bloomwise::Blocked>();
    check::<bloomwise::Counting>();
    check::<bloomwise::Habf>();
    check::<bloomwise::Seesaw>();
    check::<bloomwise::Balanced>();
    check::<bloomwise::Cuckoo>();
    check::<bloomwise::Growing>();
    check::<bloomwise::Guarded>();
    check::<bloomwise::personalized::PersonalizedRejecting>();
    let filter = Spec::new(Family::Bloom).capacity(10).create();
    assert!(format!("{:?}", filter.expect("a sound spec")).contains("Bloom"));
}

#[test]
fn operations_a_family_lacks_say_what_to_do_instead() {
    let none = KeySets::empty(Hashing::default());
    for family in Family::ALL {
        let spec = Spec::new(family).size(Size::BitsPerKey(20.0));
        let mut filter = spec.capacity(50).build(&none).expect("sound");
        let before = filter.clone();
        let other = filter.clone();
        let digests = Digests::of(filter.hashing(), ["key"]);
        let results = [
            (
                Operation::Insert,
                vec![
                    filter.insert("key").map(|_| ()),
                    filter.insert_digests(&digests),
                    filter.extend(["key"]),
                ],
            ),
            (
                Operation::Guard,
                vec![
                    filter.guard("key", 1.0),
                    filter.guard_digests(&digests, &vec![1.0; digests.len()]),
                ],
            ),
            (
                Operation::Remove,
                vec![
                    filter.remove("key").map(|_| ()),
                    filter.remove_digests(&digests).map(|_| ()),
                ],
            ),
            (Operation::Union, vec![filter.union_with(&other)]),
        ];
        for (operation, results) in results {
            for result in results {
                match result {
                    Ok(()) => assert!(family.can(operation), "{family:?} {operation:?}"),
                    Err(error) => {
                        assert!(!family.can(operation), "{error}");
                        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
                        let text = error.to_string();
                        assert!(
                            text.starts_with(&format!("a {} filter cannot ", family.name())),
                            "{text}"
                        );
                    }
                }
            }
        }
        if !family.can(Operation::Insert) {
            assert_eq!(filter, before);
            let empty = Spec::new(family)
                .capacity(9)
                .create()
                .expect_err("a fixed set");
            assert!(matches!(empty, Error::Unsupported { .. }), "{empty}");
        }
    }
}

#[test]
fn union_of_any_filters_is_that_of_their_families() {
    for family in [
        Family::Bloom,
        Family::Blocked,
        Family::Counting,
        Family::Personalized,
    ] {
        let build = |keys: std::ops::Range<u64>| {
            let spec = Spec::new(family).size(Size::Bits(4096)).capacity(100);
            spec.build_from_keys(keys).expect("sound")
        };
        let mut left = build(0..60);
        left.union_with(&build(60..100)).expect("alike");
        assert_eq!(left, build(0..100), "{family:?}");
        let other = if family == Family::Blocked {
            Family::Bloom
        } else {
            Family::Blocked
        };
        let other = Spec::new(other).build_from_keys(["ant"]).expect("sound");
        let text = left
            .union_with(&other)
            .expect_err("other kinds")
            .to_string();
        assert!(text.contains("the kind differs"), "{text}");
    }
}
