//! The memory that building, saving and loading allocate. It is one test, because it measures the whole process.
#![cfg(feature = "mmap")]

use bloomwise::large::LargeBuilder;
use bloomwise::learn::Learner;
use bloomwise::{
    AnyFilter, Blocked, Family, Filter, Hashing, Insert, KeySets, Persist, Size, Spec,
};
use peak_alloc::PeakAlloc;
use std::io::BufWriter;
use xxhash_rust::xxh3::xxh3_64;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The memory of a learner.
const LEARNER: usize = 4 << 20;

/// The result of `work`, and the peak of the memory in use during `work` beyond what was in use before.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage() - before)
}

/// Puts the right checksum of header and parameters into a file.
fn sign_header(file: &mut [u8]) {
    let count = u64::from_le_bytes(file[56..64].try_into().expect("8 bytes"));
    // A forged number of parameters is refused before the checksum is computed.
    let end = 80 + 8 * count.min(100) as usize;
    let parameters = &file[80..end.min(file.len())];
    let sum = xxh3_64(&[&file[..72], parameters].concat());
    file[72..80].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn building_saving_and_loading_stay_within_their_memory() {
    // Building from a stream does not keep the keys.
    let keys = 5_000_000;
    let (filter, used) = peak(|| {
        let builder = Blocked::builder(Size::BitsPerKey(10.0)).capacity(keys);
        let mut filter = builder.create().expect("valid");
        filter.extend(0..keys);
        filter
    });
    let bytes = filter.size_in_bits() as usize / 8;
    assert!(
        used as f64 <= 1.1 * bytes as f64,
        "building takes {used} bytes for {bytes}"
    );

    // A learner stays within its memory, its list included, however many keys it sees and whatever their length.
    for length in [1, 30, 300] {
        let (_, used) = peak(|| {
            let mut learner = Learner::new(Hashing::default(), LEARNER).expect("memory");
            for key in 0..300_000u64 {
                let mut name = vec![b'x'; length];
                name.extend_from_slice(&key.to_le_bytes());
                learner.record(name);
            }
            assert!(learner.certain_above() > 0.0, "everything fitted");
            learner.top(1000).len()
        });
        assert!(used <= LEARNER, "learning takes {used} bytes");
    }

    // Saving and merging a learner take next to nothing.
    let mut learner = Learner::new(Hashing::default(), LEARNER).expect("memory");
    (0..100_000u64).for_each(|key| learner.record(key));
    let file = tempfile::tempfile().expect("a file");
    let (_, used) = peak(|| {
        learner
            .write_to(BufWriter::new(&file))
            .expect("room on the disk");
        learner.merge_from(&file).expect("as written");
    });
    assert_eq!(learner.events(), 200_000);
    assert!(used < 1 << 18, "saving and merging take {used} bytes");
    assert!(learner.memory() <= LEARNER);

    // A large build stays within its memory.
    let memory = LargeBuilder::MIN_MEMORY;
    let folder = tempfile::tempdir().expect("a folder");
    for family in [Family::Guarded, Family::Habf, Family::Cuckoo] {
        let (built, used) = peak(|| {
            let spec = Spec::new(family).size(Size::BitsPerKey(12.0));
            let mut build = LargeBuilder::new(spec, memory, None, folder.path()).expect("a folder");
            for key in 0..1_500_000u64 {
                build.positive(key).expect("room on the disk");
                if key % 4 == 0 {
                    build.negative(!key, 1.0).expect("room on the disk");
                }
            }
            build.finish(|_, _| {}).expect("it fits")
        });
        let name = family.name();
        assert!(built.filter.shards() > 1, "all keys of {name} fitted");
        assert!(used as u64 <= memory, "{name} takes {used} bytes");
        assert!((0..1_500_000u64).all(|key| built.filter.contains(key)));
    }

    // Saving streams.
    let (_, used) = peak(|| {
        filter
            .write_to(&mut std::io::sink())
            .expect("a sink accepts everything");
    });
    assert!(used < 1 << 17, "saving takes {used} bytes");

    // Loading takes the cells and little else.
    let file = filter.to_bytes();
    let (_, used) = peak(|| AnyFilter::from_bytes(&file).expect("valid"));
    assert!(
        used <= file.len() + 4096,
        "reading takes {used} bytes for {}",
        file.len()
    );

    // A HABF build takes at most 64 bytes per key of both sets, including the sorted sets.
    let count = 300_000u64;
    let negatives = (count..2 * count).map(|key| (key, 1.0));
    let key_sets = || KeySets::new(0..count, negatives.clone()).expect("valid costs");
    let (_, used) = peak(|| {
        let spec = Spec::new(Family::Habf).size(Size::BitsPerKey(8.44));
        spec.build(&key_sets()).expect("a valid spec")
    });
    assert!(
        used as u64 <= 64 * 2 * count,
        "{} bytes per key of both sets",
        used as u64 / (2 * count)
    );

    // A guarded build takes at most 48 bytes per key of both sets, including the filter.
    let sets = key_sets();
    for bits in [2.0, 4.0, 8.44] {
        let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(bits));
        let (_, used) = peak(|| spec.build(&sets).expect("a valid spec"));
        let most = 48 * 2 * count;
        assert!(
            used as u64 <= most,
            "{bits} bits per key: {used} bytes, {most}"
        );
    }

    // A seesaw build takes the size of the filter and a copy of the negatives.
    let spec = Spec::new(Family::Seesaw).size(Size::BitsPerKey(28.0));
    let (filter, used) = peak(|| spec.build(&sets).expect("a valid spec"));
    let most = filter.size_in_bits() / 8 + 24 * count + (1 << 20);
    assert!(used as u64 <= most, "{used} bytes, {most}");

    // Loading a file with forged lengths and right checksums takes no more memory than the size of the file.
    for family in Family::ALL {
        let spec = Spec::new(family).size(Size::Bits(1024));
        let filter = spec.build_from_keys(["ant", "bee"]);
        let valid = filter.expect("a valid spec").to_bytes();
        // The number of parameters, the length of the payload, and the first parameters. Slots without bits take no memory,
        // so a guarded filter may have any number of them.
        let words = [7, 8, 10, 11, 12].into_iter();
        for word in words.filter(|&word| (word, family) != (12, Family::Guarded)) {
            for forged_value in [1 << 30, 1 << 40, 1 << 61, u64::MAX, u64::MAX - 63] {
                let mut forged = valid.clone();
                forged[8 * word..8 * word + 8].copy_from_slice(&forged_value.to_le_bytes());
                sign_header(&mut forged);
                let (result, used) = peak(|| AnyFilter::from_bytes(&forged).is_err());
                assert!(
                    result,
                    "{family:?}: word {word} = {forged_value} is accepted"
                );
                assert!(
                    used <= valid.len() + 1024,
                    "{family:?}: word {word} = {forged_value} takes {used} bytes"
                );
            }
        }
    }
}
