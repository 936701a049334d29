//! What a file says about damage: no way out of a filter that was not verified gives damaged cells right checksums, and errors name the file.

use bloomwise::cuckoo::SharedCuckoo;
use bloomwise::format::{Check, Header};
use bloomwise::patched::Patch;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::{
    AnyFilter, Blocked, Bloom, Cuckoo, Family, Filter, Hashing, KeySets, Operation, Persist,
    Result, Seesaw, Shared, Size, Spec,
};
use std::fs;
use std::path::Path;

/// Keys of all filters.
const KEYS: std::ops::Range<u64> = 0..600;

fn sets() -> KeySets {
    KeySets::new(KEYS, (10_000..10_300u64).map(|key| (key, 1.0))).expect("sound")
}

/// A filter of each family, and some of several shards.
fn filters() -> Vec<AnyFilter> {
    let build = |family, shards| {
        let spec = Spec::new(family)
            .size(Size::BitsPerKey(40.0))
            .capacity(1000);
        match shards {
            1 => spec.build(&sets()),
            _ => spec
                .build_sharded(&sets(), shards)
                .map(|(filter, _)| filter),
        }
        .expect("sound")
    };
    let mut filters: Vec<_> = Family::ALL
        .into_iter()
        .map(|family| build(family, 1))
        .collect();
    filters.extend([Family::Bloom, Family::Cuckoo, Family::Guarded].map(|family| build(family, 4)));
    filters
}

/// The bytes of a filter with one bit of its cells changed, near their end, where no directory and no nested header is.
fn damaged(filter: &AnyFilter) -> Vec<u8> {
    let mut bytes = filter.to_bytes();
    let cells = Header::read(&bytes[..]).expect("sound").size_in_bits() / 8;
    // The table of checksums has one word for the payload and one for itself.
    let end = bytes.len() - 16;
    let at = match filter.shards() {
        1 => end - (cells / 2) as usize,
        // The last shard ends with its own table and zeros.
        _ => end - 256,
    };
    bytes[at] ^= 1 << 4;
    bytes
}

/// Every way to write a filter; each gives bytes, if not an error.
fn written(filter: &AnyFilter, folder: &Path) -> Vec<Result<Vec<u8>>> {
    let mut streamed = Vec::new();
    let stream = filter.write_to(&mut streamed).map(|()| streamed);
    let path = folder.join("saved");
    let saved = filter
        .save(&path)
        .map(|()| fs::read(&path).expect("it was saved"));
    let parts = [filter.part(0, 100), filter.part(100, u64::MAX)].concat();
    vec![
        Ok(filter.to_bytes()),
        Ok(filter.to_short_bytes()),
        Ok(parts),
        stream,
        saved,
    ]
}

/// Asserts that nothing that a filter writes is taken for sound.
fn assert_damaged(filter: &AnyFilter, folder: &Path, what: &str) {
    for (way, bytes) in written(filter, folder).into_iter().enumerate() {
        let read = bytes.and_then(|bytes| AnyFilter::from_bytes(&bytes));
        let text = read.map(|_| ()).expect_err(what).to_string();
        assert!(text.contains("damaged"), "{what}, way {way}: {text}");
    }
    assert!(filter.save(folder.join("saved")).is_err(), "{what}");
    assert!(!folder.join("saved").exists(), "{what}");
}

#[test]
fn damage_that_was_not_looked_for_is_found_in_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for filter in filters() {
        let what = format!("{:?} of {} shards", filter.family(), filter.shards());
        let bytes = damaged(&filter);
        assert!(AnyFilter::from_bytes(&bytes).is_err(), "{what}");
        let opened = AnyFilter::from_owner(bytes.clone(), Check::Header).expect("not looked for");
        assert_damaged(&opened, folder.path(), &what);
        assert_damaged(&opened.clone(), folder.path(), &what);
        if filter.family().can(Operation::Insert) {
            let mut changed = opened;
            for key in 2000..2100u64 {
                changed.insert(key).expect("room");
            }
            drop(bytes);
            assert_damaged(&changed, folder.path(), &format!("{what}, changed"));
        }
    }
}

#[test]
fn damaged_short_form_is_found_in_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for filter in filters().into_iter().filter(|filter| filter.shards() == 1) {
        let mut bytes = filter.to_short_bytes();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        let opened = AnyFilter::from_owner(bytes, Check::Header).expect("not looked for");
        assert_damaged(&opened, folder.path(), filter.family().name());
    }
}

#[test]
fn sound_filter_that_was_not_verified_is_written_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for filter in filters() {
        for check in [Check::Header, Check::FirstUse] {
            let bytes = filter.to_bytes();
            let mut opened = AnyFilter::from_owner(bytes.clone(), check).expect("sound");
            for (way, again) in written(&opened, folder.path()).into_iter().enumerate() {
                let again = again.expect("sound");
                assert!(way == 1 || again == bytes, "{:?}", filter.family());
                assert_eq!(AnyFilter::from_bytes(&again).expect("sound"), filter);
            }
            if filter.family().can(Operation::Insert) {
                opened.insert(7777u64).expect("room");
                let again = AnyFilter::from_bytes(&opened.to_bytes()).expect("sound");
                assert!(again.contains(7777u64) && KEYS.into_iter().all(|key| again.contains(key)));
            }
        }
    }
}

/// A filter of this type with unnoticed damage in its last cells.
fn unverified<F: Persist>(filter: &F) -> F {
    let mut bytes = filter.to_bytes();
    let last = bytes.len() - 16 - 4;
    bytes[last] ^= 1;
    F::from_owner(bytes, Check::Header).expect("not looked for")
}

#[test]
fn damage_survives_a_filter_for_many_threads() {
    fn is_damaged<F: Persist>(filter: Result<F>) {
        assert!(F::from_bytes(&filter.expect("memory").to_bytes()).is_err());
    }
    let size = Size::BitsPerKey(40.0);
    let bloom = Bloom::builder(size).build_from_keys(KEYS).expect("sound");
    let blocked = Blocked::builder(size).build_from_keys(KEYS).expect("sound");
    let cuckoo = Cuckoo::builder(size).build_from_keys(KEYS).expect("sound");
    let seesaw = Seesaw::builder(size).build_from_keys(KEYS).expect("sound");
    is_damaged(Shared::new(unverified(&bloom)).snapshot());
    is_damaged(Shared::new(unverified(&blocked)).into_inner());
    is_damaged(SharedCuckoo::new(unverified(&cuckoo)).snapshot());
    is_damaged(SharedCuckoo::new(unverified(&cuckoo)).into_inner());
    is_damaged(SharedSeesaw::new(unverified(&seesaw)).snapshot());
    is_damaged(SharedSeesaw::new(unverified(&seesaw)).into_inner());
}

#[test]
fn union_with_a_damaged_filter_is_an_error() {
    for family in [Family::Bloom, Family::Blocked, Family::Counting] {
        let spec = Spec::new(family).size(Size::Bits(1 << 14));
        let mut sound = spec.build(&sets()).expect("sound");
        let before = sound.to_bytes();
        let text = sound
            .union_with(&unverified(&sound))
            .expect_err("damage")
            .to_string();
        assert!(text.contains("damaged"), "{text}");
        assert_eq!(sound.to_bytes(), before);
    }
}

#[test]
fn no_patch_is_made_from_a_damaged_filter_or_applied_to_one() {
    for family in [Family::Bloom, Family::Guarded, Family::Cuckoo] {
        let spec = Spec::new(family).size(Size::BitsPerKey(40.0));
        let base = spec.build(&sets()).expect("sound");
        let patch = Patch::build(&base, &sets(), &KeySets::of_positives(5..600u64)).expect("sound");
        let is_damage = |text: String| assert!(text.contains("damaged"), "{text}");
        let applied = patch.clone().apply(unverified(&base));
        is_damage(applied.map(|_| ()).expect_err("a damaged base").to_string());
        // Damage to a cell that no key of the set reads.
        let mut bytes = base.to_bytes();
        let read = |bytes: &[u8]| AnyFilter::from_owner(bytes.to_vec(), Check::Header);
        let end = bytes.len() - 16;
        for at in (end - 2000..end).rev() {
            bytes[at] ^= 255;
            let opened = read(&bytes).expect("not looked for");
            if KEYS.into_iter().all(|key| opened.contains(key)) {
                let built = Patch::build(&opened, &sets(), &sets());
                is_damage(built.map(|_| ()).expect_err("a damaged base").to_string());
                break;
            }
            bytes[at] ^= 255;
        }
        let with_damage = unverified(&patch).apply(base).expect("not looked for");
        assert!(AnyFilter::from_bytes(&with_damage.to_bytes()).is_err());
    }
}

#[test]
fn errors_of_load_and_open_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.bw");
    let mut bytes = filters()[0].to_bytes();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    for content in [&bytes[..], &bytes[..70], b"no filter", b""] {
        fs::write(&path, content).expect("the folder can be written");
        let errors = [
            AnyFilter::load(&path),
            #[cfg(feature = "mmap")]
            #[expect(unsafe_code, reason = "mapping a file has no safe form")]
            // SAFETY: the file does not change before the error.
            unsafe {
                bloomwise::format::MapFile::open(&path, Check::Whole)
            },
        ];
        for error in errors {
            let text = error.map(|_| ()).expect_err("damage").to_string();
            assert_eq!(text.matches("broken.bw: ").count(), 1, "{text}");
        }
    }
}

#[test]
#[cfg(unix)]
fn file_that_is_replaced_while_it_is_loaded_is_the_old_or_the_new_one() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short.bw");
    let of = |keys: u64| {
        let spec = Spec::new(Family::Bloom).size(Size::BitsPerKey(12.0));
        let spec = spec.hashing(Hashing::default());
        let filter = spec.build(&KeySets::of_positives(0..keys)).expect("sound");
        filter.to_short_bytes()
    };
    let versions = [of(100), of(3000)];
    fs::write(&path, &versions[0]).expect("the folder can be written");
    let loading = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let next = folder.path().join("next");
            for version in versions.iter().cycle() {
                fs::write(&next, version).expect("the folder can be written");
                fs::rename(&next, &path).expect("the folder can be written");
                if !loading.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let loads = (0..20_000).map(|_| AnyFilter::load(&path));
        let failed = loads.filter(Result::is_err).count();
        loading.store(false, Ordering::Relaxed);
        assert_eq!(failed, 0);
    });
}
