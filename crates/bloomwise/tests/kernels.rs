//! Filters that are built and queried with each kernel of this processor give the same bytes and the same answers, those of
//! the slow model. These tests choose the kernel of the whole process, so they are alone in their file, in one function.

#[expect(dead_code, reason = "other tests insert keys too")]
mod naive;

use bloomwise::unstable::{Kernel, Lookup};
use bloomwise::{AnyFilter, Digest, Family, Hashing, KeySets, Persist, Size, Spec};
use naive::Model;

/// Positives, known negatives, and bits per key: guards in both places, with and without thinning, and all numbers of columns.
fn cases() -> Vec<(u64, u64, f64)> {
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

#[test]
fn every_kernel_gives_the_bytes_and_answers_of_the_slow_model() {
    let digests: Vec<Digest> = (0..20_000u64)
        .map(|key| Hashing::default().digest(key))
        .collect();
    for (positives, negatives, bits) in cases() {
        let outside = (positives..positives + negatives).map(|key| (key, 1.0));
        let sets = KeySets::new(0..positives, outside).expect("sound costs");
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(bits));
        let mut first: Option<AnyFilter> = None;
        for kernel in Kernel::available() {
            kernel.choose();
            let filter = spec.build(&sets).expect("it can be built");
            let loaded = AnyFilter::from_bytes(&filter.to_bytes()).expect("valid");
            let what = format!("{kernel}: {positives} keys, {negatives} negatives, {bits} bits");
            let answers: Vec<bool> = digests.iter().map(|&digest| filter.query(digest)).collect();
            let mut batch = vec![false; digests.len()];
            loaded.query_batch(&digests, &mut batch);
            assert!(answers == batch, "{what}");
            let first = first.get_or_insert_with(|| {
                let model = Model::of(&filter);
                let right = digests.iter().map(|&digest| model.contains(digest));
                assert!(right.eq(answers.iter().copied()), "{what}");
                filter.clone()
            });
            assert!(first.to_bytes() == filter.to_bytes(), "{what}");
            let right = digests.iter().map(|&digest| first.query(digest));
            assert!(right.eq(answers), "{what}");
        }
    }
}
