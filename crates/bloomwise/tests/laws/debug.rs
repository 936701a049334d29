//! `Debug` prints every filter in one short line.

use bloomwise::cuckoo::SharedCuckoo;
use bloomwise::keys::Digests;
use bloomwise::learn::{Distinct, ExactSet, Learner};
use bloomwise::patched::Patch;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{
    Bloom, Cuckoo, Family, Filter, Hashing, KeySets, Operation, Seesaw, Shared, Size, Spec,
    Workload,
};

/// A spec of this family for up to 1,000 keys.
fn spec(family: Family) -> Spec {
    Spec::new(family)
        .size(Size::BitsPerKey(48.0))
        .capacity(1000)
}

/// The line of a filter whose type prints as `name`. The rate is not compared.
fn expect(filter: &dyn Filter, name: &str) {
    let text = format!("{filter:?}");
    let (keys, bits) = (filter.len(), filter.size_in_bits());
    let capacity = filter
        .capacity()
        .map(|capacity| format!("capacity: {capacity}, "));
    let capacity = capacity.unwrap_or_default();
    let start = format!("{name} {{ keys: {keys}, {capacity}bits: {bits}, rate: ");
    assert!(text.starts_with(&start) && text.ends_with(" }"), "{text}");
    let rate = text[start.len()..].trim_end_matches(" }").parse::<f64>();
    let near = filter.rate() / rate.expect("a number");
    assert!(filter.rate() == 0.0 || (near - 1.0).abs() < 0.051, "{text}");
    assert!(text.len() < 120, "{text}");
}

#[test]
fn every_family_is_printed_in_one_line_with_the_name_of_its_kind() {
    let negatives = || (5000..6000).map(|key| (key, 1.0));
    for family in Family::ALL {
        let filter = spec(family)
            .build_from(0..500, negatives())
            .expect("a sound spec");
        expect(&filter, &format!("{family:?}"));
        if family.can(Operation::Insert) {
            expect(
                &spec(family).create().expect("a sound spec"),
                &format!("{family:?}"),
            );
        }
        let sets = KeySets::new(0..500, negatives()).expect("sound costs");
        let (shards, _) = spec(family).build_sharded(&sets, 2).expect("a sound spec");
        expect(&shards, &format!("Sharded<{family:?}>"));
        let patch = Patch::build(&filter, &sets, &sets).expect("its own keys");
        let patched = patch.apply(filter).expect("its own base");
        expect(&patched, &format!("Patched<{family:?}>"));
    }
}

#[test]
fn filters_for_many_threads_and_patches_are_printed_in_one_line() {
    let size = Size::BitsPerKey(48.0);
    let bloom = Bloom::builder(size).capacity(1000).create().expect("sound");
    expect(&Shared::new(bloom), "Shared<Bloom>");
    let cuckoo = Cuckoo::builder(size)
        .capacity(1000)
        .create()
        .expect("sound");
    expect(&SharedCuckoo::new(cuckoo), "Shared<Cuckoo>");
    let seesaw = Seesaw::builder(size)
        .capacity(1000)
        .create()
        .expect("sound");
    expect(&SharedSeesaw::new(seesaw), "Shared<Seesaw>");

    let base = spec(Family::Guarded)
        .build_from_keys(0..500)
        .expect("sound");
    let (old, new) = (
        KeySets::of_positives(0..500),
        KeySets::of_positives(10..510),
    );
    let patch = Patch::build(&base, &old, &new).expect("its own keys");
    let text = format!("{patch:?}");
    let (added, denied, bits) = (patch.added(), patch.denied(), patch.size_in_bits());
    let line = format!("Patch {{ keys: 500, added: {added}, denied: {denied}, bits: {bits} }}");
    assert_eq!(text, line);
}

#[test]
fn line_has_the_rate_with_two_digits() {
    let filter = Bloom::builder(Size::Bits(960)).functions(6).capacity(100);
    let filter = filter
        .build_from_keys(["ant", "bee", "cow"])
        .expect("sound");
    let text = format!("{filter:?}");
    assert_eq!(
        text,
        "Bloom { keys: 3, capacity: 100, bits: 960, rate: 4.2e-11 }"
    );
}

#[test]
fn what_holds_many_keys_is_printed_in_one_line_without_them() {
    let sets = KeySets::new(0..1000, (900..2000).map(|key| (key, 1.0))).expect("sound costs");
    let hashing = Hashing::Xxh3 { seed: 7 };
    let digests = Digests::of(hashing, 0..1000);
    let mut learner = Learner::new(hashing, Learner::MIN_MEMORY).expect("memory");
    (0..1000).for_each(|key| learner.record(key));
    let members = ExactSet::new(digests.clone()).expect("memory");
    let mut distinct = Distinct::new();
    distinct.insert(hashing.digest(1));
    for (text, expected) in [
        (
            format!("{sets:?}"),
            "KeySets { positives: 1000, negatives: 1000, duplicates: 0, overlap: 100, hashing: ",
        ),
        (
            format!("{:?}", KeySets::builder(hashing)),
            "KeySetsBuilder { positives: 0, negatives: 0, hashing: ",
        ),
        (format!("{digests:?}"), "Digests { count: 1000, hashing: "),
        (format!("{members:?}"), "ExactSet { keys: 1000, hashing: "),
        (
            format!("{learner:?}"),
            "Learner { events: 1000, total: 1000.0, counters: 1000, error_bound: 0.0, memory: ",
        ),
        (format!("{distinct:?}"), "Distinct { estimate: 1.0 }"),
        (
            format!("{:?}", Workload::of(&sets)),
            "Workload { keys: 1000, negatives: 1000 }",
        ),
    ] {
        assert!(text.starts_with(expected), "{text}");
        assert!(text.len() < 130, "{text}");
    }
    let digest = Hashing::default().digest("ant");
    let text = format!("{digest:?}");
    assert_eq!(text.len(), "Digest()".len() + 32, "{text}");
}

#[cfg(feature = "mmap")]
#[test]
fn large_build_is_printed_in_one_line() {
    use bloomwise::large::LargeBuilder;
    let (spec, memory) = (spec(Family::Bloom), LargeBuilder::MIN_MEMORY);
    let folder = tempfile::tempdir().expect("a folder");
    let mut build = LargeBuilder::new(spec, memory, Some(3), folder.path()).expect("a folder");
    build.positive(1).expect("room");
    let text = format!("{build:?}");
    let expected = "LargeBuilder { family: Bloom, positives: 1, negatives: 0, memory: 67108864, shards: Some(3), .. }";
    assert_eq!(text, expected);
}
