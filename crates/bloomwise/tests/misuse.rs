//! Digests of another hashing would make a filter deny its own keys. Every way in is tried, and every one is an error. So are lists of other
//! lengths, and costs that are none.

use bloomwise::keys::Digests;
use bloomwise::personalized::PersonalizedRejecting;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{
    AnyFilter, Balanced, Blocked, Bloom, Counting, Cuckoo, Error, Family, Filter, Growing, Guarded,
    Habf, Hashing, KeySets, Seesaw, Size, Spec,
};

const OWN: Hashing = Hashing::Xxh3 { seed: 7 };
const SIZE: Size = Size::BitsPerKey(60.0);

/// Other hashings: another seed, another algorithm.
fn foreign() -> [Hashing; 3] {
    let seed = Hashing::Xxh3 { seed: 8 };
    [Hashing::default(), seed, Hashing::SipHash { key: 7 }]
}

#[track_caller]
fn expect_mismatch<T>(result: bloomwise::Result<T>) {
    match result {
        Ok(_) => panic!("digests of another hashing were accepted"),
        Err(error) => {
            assert!(
                matches!(
                    error,
                    Error::Mismatch {
                        what: "hashing",
                        ..
                    }
                ),
                "{error}"
            );
            assert!(
                error.to_string().contains("use the same hashing for both"),
                "{error}"
            );
        }
    }
}

fn sets(hashing: Hashing) -> KeySets {
    let mut sets = KeySets::builder(hashing);
    sets.positives(0..100)
        .negatives((100..200).map(|key| (key, 1.0)));
    sets.build().expect("sound costs")
}

#[test]
fn filters_take_the_hashing_of_their_sets() {
    for family in Family::ALL {
        for hashing in foreign().into_iter().chain([OWN]) {
            let filter = Spec::new(family)
                .size(SIZE)
                .build(&sets(hashing))
                .expect("sound");
            assert_eq!(filter.hashing(), hashing);
            assert!((0..100).all(|key| filter.contains(key)), "{family:?}");
        }
    }
}

#[test]
fn specs_and_builders_reject_sets_of_another_hashing() {
    for hashing in foreign() {
        let sets = sets(hashing);
        for family in Family::ALL {
            expect_mismatch(Spec::new(family).size(SIZE).hashing(OWN).build(&sets));
        }
        expect_mismatch(Bloom::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Blocked::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Counting::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Cuckoo::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Growing::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Habf::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Seesaw::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Balanced::builder(SIZE).hashing(OWN).build(&sets));
        expect_mismatch(Guarded::builder(SIZE).hashing(OWN).build_and_report(&sets));
        expect_mismatch(
            PersonalizedRejecting::builder(SIZE)
                .hashing(OWN)
                .build(&sets),
        );
    }
}

#[test]
fn filters_of_every_family_reject_digests_of_another_hashing() {
    for family in Family::ALL {
        let mut filter = Spec::new(family)
            .size(SIZE)
            .build(&sets(OWN))
            .expect("sound");
        let before = filter.clone();
        for hashing in foreign() {
            let digests = Digests::of(hashing, 0..10);
            expect_mismatch(filter.contains_digests(&digests));
            expect_mismatch(filter.contains_digests_into(&digests, &mut [false; 10]));
            expect_mismatch(filter.contains_digests_bitmap(&digests, &mut [0; 2]));
            expect_mismatch(filter.contains_hashed(hashing.hash(1)));
            let changes = [
                filter.insert_digests(&digests),
                filter.remove_digests(&digests).map(|_| ()),
                filter.guard_digests(&digests, &vec![1.0; digests.len()]),
            ];
            for change in changes {
                match change {
                    Err(Error::Unsupported { .. }) => {}
                    other => expect_mismatch(other),
                }
            }
        }
        assert_eq!(filter, before);
        let own = Digests::of(OWN, 0..100);
        assert_eq!(filter.contains_digests(&own).expect("its own"), [true; 100]);
        assert!(filter.contains_hashed(OWN.hash(1)).expect("its own"));
    }
}

#[test]
fn filters_reject_unions_with_another_hashing() {
    let build = |family, hashing| -> AnyFilter {
        Spec::new(family)
            .size(SIZE)
            .build(&sets(hashing))
            .expect("sound")
    };
    for family in Family::ALL {
        for hashing in foreign() {
            let mut filter = build(family, OWN);
            match filter.union_with(&build(family, hashing)) {
                Err(Error::Unsupported { .. }) => {}
                other => expect_mismatch(other),
            }
        }
    }
}

#[test]
fn shared_filters_reject_digests_of_another_hashing() {
    let filter = Seesaw::builder(SIZE)
        .adaptive()
        .build(&sets(OWN))
        .expect("sound");
    let shared = SharedSeesaw::new(filter);
    for hashing in foreign() {
        let digests = Digests::of(hashing, 0..10);
        expect_mismatch(shared.insert_digests(&digests));
        expect_mismatch(shared.remove_digests(&digests));
        expect_mismatch(shared.guard_digests(&digests));
        expect_mismatch(shared.contains_digests(&digests));
        expect_mismatch(shared.contains_hashed(hashing.hash(1)));
    }
    assert!((0..100).all(|key| shared.contains(key)));
    assert_eq!(shared.len(), 100);
}

#[test]
fn answers_of_the_wrong_length_are_errors() {
    let filter = Bloom::builder(SIZE).build_from_keys(0..10).expect("sound");
    let digests = Digests::of(Hashing::default(), 0..10);
    assert!(
        filter
            .contains_digests_into(&digests, &mut [false; 9])
            .is_err()
    );
    assert!(
        filter
            .contains_digests_into(&digests, &mut [false; 11])
            .is_err()
    );
    assert!(
        filter
            .contains_digests_bitmap(&digests, &mut [0; 1])
            .is_err()
    );
    assert!(
        filter
            .contains_digests_bitmap(&digests, &mut [0; 3])
            .is_err()
    );
}

#[test]
fn wrong_costs_of_guards_change_nothing() {
    for family in [Family::Cuckoo, Family::SeesawAdaptive] {
        let spec = Spec::new(family).size(Size::BitsPerKey(40.0));
        let sets = sets(Hashing::default());
        let whole = spec.build(&sets).expect("sound");
        let (sharded, _) = spec.build_sharded(&sets, 2).expect("sound");
        for mut filter in [whole, sharded] {
            let before = filter.clone();
            let digests = Digests::of(Hashing::default(), 1000..1003);
            for costs in [
                &[1.0; 2][..],
                &[1.0; 4],
                &[1.0, 1.0, f64::NAN],
                &[1.0, 1.0, -1.0],
            ] {
                assert!(filter.guard_digests(&digests, costs).is_err());
            }
            assert!(filter.guard(1000, f64::INFINITY).is_err());
            assert_eq!(filter, before, "{family:?}");
        }
    }
}
