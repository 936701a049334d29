//! What building and loading allocate. One test, since the whole process is measured.

use bloomwise::{AnyFilter, Blocked, Costed, Family, Filter, KeySets, Persist, Size, Spec};
use peak_alloc::PeakAlloc;
use xxhash_rust::xxh3::xxh3_64;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The most memory in use at a time during `work`, beyond what was in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage() - before)
}

#[test]
fn memory_is_that_of_the_filter() {
    // Keys that stream in are not kept.
    let keys = 5_000_000;
    let (filter, used) = peak(|| {
        let mut filter = Blocked::builder(keys, Size::BitsPerKey(10.0))
            .build()
            .expect("sound");
        filter.extend((0..keys).map(u64::to_le_bytes));
        filter
    });
    let bytes = filter.size_in_bits() as usize / 8;
    assert!(
        used as f64 <= 1.1 * bytes as f64,
        "building takes {used} bytes for {bytes}"
    );

    // Saving streams too.
    let (_, used) = peak(|| {
        filter
            .write_to(&mut std::io::sink())
            .expect("a sink takes all");
    });
    assert!(used < 1 << 17, "saving takes {used} bytes");

    // Reading takes the cells and little else.
    let file = filter.to_bytes();
    let (_, used) = peak(|| AnyFilter::from_bytes(&file).expect("sound"));
    assert!(
        used <= file.len() + 4096,
        "reading takes {used} bytes for {}",
        file.len()
    );

    // A build with known negatives takes at most 64 bytes for each key of both sets, all that is sorted included.
    let count = 300_000u64;
    let digest = |key: u64| bloomwise::Hashing::default().digest(&key.to_le_bytes());
    let (_, used) = peak(|| {
        let negative = |key| Costed {
            digest: digest(key),
            cost: 1.0,
        };
        let positives = (0..count).map(digest).collect();
        let negatives = (count..2 * count).map(negative).collect();
        let sets = KeySets::new(positives, negatives).expect("sound costs");
        let spec = Spec::new("habf").expect("a family");
        let filter = spec.size(Size::BitsPerKey(8.44)).build(&sets);
        filter.expect("a sound spec")
    });
    assert!(
        used as u64 <= 64 * 2 * count,
        "{} bytes per key of both sets",
        used as u64 / (2 * count)
    );

    // A guarded filter takes at most 48 bytes for each key beyond the sets, and twice its own size.
    let negative = |key| Costed {
        digest: digest(key),
        cost: 1.0,
    };
    let positives = (0..count).map(digest).collect();
    let negatives = (count..2 * count).map(negative).collect();
    let sets = KeySets::new(positives, negatives).expect("sound costs");
    for bits in [2.0, 4.0, 8.44] {
        let spec = Spec::new("guarded").expect("a family");
        let spec = spec.size(Size::BitsPerKey(bits));
        let (_, used) = peak(|| spec.build(&sets).expect("a sound spec"));
        let most = 48 * 2 * count;
        assert!(
            used as u64 <= most,
            "{bits} bits per key: {used} bytes, {most}"
        );
    }

    // A seesaw filter takes its own size, and a copy of the negatives it chooses from.
    let spec = Spec::new("seesaw").expect("a family");
    let spec = spec.size(Size::BitsPerKey(28.0));
    let (filter, used) = peak(|| spec.build(&sets).expect("a sound spec"));
    let most = filter.size_in_bits() / 8 + 24 * count + (1 << 20);
    assert!(used as u64 <= most, "{used} bytes, {most}");

    // A file that lies about its lengths gets no more than its own size, even if its checksum is right.
    for family in Family::ALL {
        let spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::Bits(1024));
        let sound = spec
            .build_from_keys(["ant", "bee"])
            .expect("a sound spec")
            .to_bytes();
        // Slots without bits take no memory, so that a guarded filter may have any number of them.
        let words = [5, 6, 8, 9, 10];
        for word in words
            .into_iter()
            .filter(|&word| (word, family) != (10, Family::Guarded))
        {
            for lie in [1 << 30, 1 << 40, 1 << 61, u64::MAX, u64::MAX - 63] {
                let mut forged = sound.clone();
                forged[8 * word..8 * word + 8].copy_from_slice(&lie.to_le_bytes());
                let end = forged.len() - 8;
                let sum = xxh3_64(&forged[..end]);
                forged[end..].copy_from_slice(&sum.to_le_bytes());
                let (result, used) = peak(|| AnyFilter::from_bytes(&forged).is_err());
                assert!(result, "word {word} took {lie}");
                assert!(
                    used <= sound.len() + 1024,
                    "word {word} = {lie} takes {used} bytes"
                );
            }
        }
    }
}
