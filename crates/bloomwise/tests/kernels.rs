//! Filters that are built and queried with each kernel of this processor give the same bytes and the same answers, those of
//! the slow model. These tests choose the kernel of the whole process, so they are alone in their file, in one function.

use bloomwise::keys::{Digest, Digests};
use bloomwise::unstable::{Kernel, Lookup};
use bloomwise::{AnyFilter, Family, Hashing, KeySets, Persist, Size, Spec};
use bloomwise_model::naive::Model;

/// Positives, known negatives, and bits per key: guards in both places, with and without thinning, and all numbers of columns.
fn guarded() -> Vec<(u64, u64, f64)> {
    let widths = (1..=36).map(|bits| (2500, 100, f64::from(bits)));
    let others = [
        (0, 0, 8.0),
        (1, 1, 64.0),
        (300, 300, 9.3),
        (2500, 0, 8.5),
        (2500, 2500, 2.3),
        (2500, 40_000, 8.0),
        (20_000, 20_000, 8.44),
        (300_000, 10_000, 8.44),
    ];
    widths.chain(others).collect()
}

/// Filters in blocks: all numbers of functions, both sizes of blocks, full and nearly empty.
fn in_blocks() -> Vec<Spec> {
    let mut specs = Vec::new();
    for functions in 1..=32u64 {
        for block in [256u64, 512] {
            for bits in [10_240, 40_960] {
                let spec = |family| Spec::new(family).size(Size::Bits(bits)).capacity(2500);
                let shaped = |spec: Spec| spec.set("k", functions)?.set("block", block);
                specs.push(shaped(spec(Family::Blocked)).expect("sound"));
                let balanced = spec(Family::Balanced).set("scheme", "mht");
                let balanced = balanced.and_then(|spec| spec.set("reads", 1.5));
                specs.push(balanced.and_then(shaped).expect("sound"));
            }
        }
    }
    specs
}

/// Checks answers one by one and in a batch, the latter from the bytes of the filter.
fn check_answers(filter: &AnyFilter, digests: &[Digest], right: &[bool], what: &str) {
    let loaded = AnyFilter::from_bytes(&filter.to_bytes()).expect("valid");
    let single: Vec<bool> = digests.iter().map(|&digest| filter.query(digest)).collect();
    let mut batch = vec![false; digests.len()];
    loaded.query_batch(digests, &mut batch);
    assert!(single == right && batch == right, "{what}");
}

#[test]
fn every_kernel_gives_the_bytes_and_answers_of_the_slow_model() {
    let digests = Digests::of(Hashing::default(), 0..20_000u64);
    for (positives, negatives, bits) in guarded() {
        let outside = (positives..positives + negatives).map(|key| (key, 1.0));
        let sets = KeySets::new(0..positives, outside).expect("sound costs");
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(bits));
        let what = format!("{positives} keys, {negatives} negatives, {bits} bits");
        check_kernels(digests.as_slice(), &what, || {
            let filter = spec.build(&sets).expect("it can be built");
            let model = Model::of(&filter).expect("a model");
            (filter, model)
        });
    }
    let (keys, asked) = digests.as_slice().split_at(2500);
    let inserted = Digests::of(Hashing::default(), 0..2500u64);
    for spec in in_blocks() {
        check_kernels(&asked[..3000], &format!("{spec:?}"), || {
            let mut filter = spec.create().expect("it can be made");
            let mut model = Model::of(&filter).expect("a model");
            filter.insert_digests(&inserted).expect("it can");
            keys.iter()
                .for_each(|&digest| assert!(model.insert(digest)));
            assert!(keys.iter().all(|&digest| filter.query(digest)));
            (filter, model)
        });
    }
}

/// Makes a filter and its model with each kernel.
fn check_kernels(digests: &[Digest], what: &str, make: impl Fn() -> (AnyFilter, Model)) {
    let mut first: Option<(Vec<u8>, Vec<bool>)> = None;
    for kernel in Kernel::available() {
        kernel.choose();
        let (filter, model) = make();
        let (bytes, right) = first.get_or_insert_with(|| {
            let right = digests.iter().map(|&digest| model.contains(digest));
            (filter.to_bytes(), right.collect())
        });
        assert!(*bytes == filter.to_bytes(), "{kernel}: {what}");
        check_answers(&filter, digests, right, &format!("{kernel}: {what}"));
    }
}
