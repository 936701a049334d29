//! Files of every family and version, checked in both directions: the file decodes to the filter, and the filter
//! encodes to the file. `BLOOMWISE_BLESS=1 cargo test --test golden` writes the files of families that have none yet;
//! a file that exists never changes.

use bloomwise::info::Value;
use bloomwise::learn::Learner;
use bloomwise::patched::Patch;
use bloomwise::{AnyFilter, Family, Filter, Hashing, KeySets, Persist, Size, Spec};
use std::fs;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/v2");
    folder.join(format!("{name}.bloomwise"))
}

/// A spec with these settings.
fn spec(family: Family, bits: u64, settings: &[(&str, Value)]) -> Spec {
    let spec = Spec::new(family).size(Size::Bits(bits));
    let mut settings = settings.iter();
    let spec = settings.try_fold(spec, |spec, (name, value)| spec.set(name, value.clone()));
    spec.expect("sound settings")
}

/// The settings that leave nothing to a search. What a search finds best may change, and must not change these files.
fn fixed(family: Family) -> Vec<(&'static str, Value)> {
    match family {
        Family::Balanced => vec![("scheme", "single".into()), ("k", 8.into())],
        Family::Seesaw | Family::SeesawAdaptive => seesaw_settings(0.0),
        _ => Vec::new(),
    }
}

fn seesaw_settings(alpha: f64) -> Vec<(&'static str, Value)> {
    vec![
        ("k", 3.into()),
        ("alpha", alpha.into()),
        ("guard", 1.into()),
        ("count-bits", 2.into()),
        ("index-bits", 1.into()),
    ]
}

const PROVERB: &str = "the early bird catches the worm but the second mouse gets the cheese";

/// The filter of the words of a proverb, in 1024 bits.
fn proverb(family: Family, hashing: Hashing) -> AnyFilter {
    let spec = spec(family, 1024, &fixed(family))
        .capacity(20)
        .hashing(hashing);
    spec.build_from_keys(PROVERB.split(' '))
        .expect("a sound spec")
}

/// Birds as positives, and "bird" and "worm".
fn birds(count: u64) -> impl Iterator<Item = String> {
    let names = (0..count).map(|n| format!("bird{n}"));
    names.chain(["bird", "worm"].map(String::from))
}

/// A seesaw filter with marks, some of which are pending; keys were inserted and removed.
fn seesaw_with_a_past(family: Family, alpha: f64) -> AnyFilter {
    let spec = spec(family, 4096, &seesaw_settings(alpha)).capacity(40);
    let mice = (0..40).map(|n| (format!("mouse{n}"), f64::from(n)));
    let mut filter = spec.build_from(birds(40), mice).expect("a sound spec");
    for n in 0..20 {
        assert!(filter.remove(format!("bird{n}")).expect("it can"));
    }
    for n in 0..60 {
        let guarded = filter.guard(format!("cat{n}"), 1.0);
        assert_eq!(guarded.is_ok(), family == Family::SeesawAdaptive);
        filter.insert("bird").expect("it can");
    }
    filter
}

fn cases() -> Vec<(String, AnyFilter)> {
    let mut cases = Vec::new();
    let mut add = |name: String, filter: AnyFilter| cases.push((name, filter));
    for family in Family::ALL {
        let name = family.name();
        add(
            name.to_string(),
            proverb(family, Hashing::Xxh3 { seed: 42 }),
        );
        let key = 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100;
        add(
            format!("{name}-siphash"),
            proverb(family, Hashing::SipHash { key }),
        );
    }
    for (family, paper) in [
        (Family::Habf, false),
        (Family::Habf, true),
        (Family::HabfFast, false),
        (Family::HabfCache, false),
    ] {
        let spec = if paper {
            spec(family, 2048, &[]).preset("paper").expect("it has one")
        } else {
            spec(family, 2048, &[("k", 4.into()), ("ratio", 0.15.into())])
        };
        let worms = (0..200).map(|n| (format!("worm{n}"), f64::from(n)));
        let filter = spec.build_from(birds(200), worms).expect("a sound spec");
        add(
            format!(
                "{}-{}",
                family.name(),
                if paper { "paper" } else { "known" }
            ),
            filter,
        );
    }
    // Pairs of positions that share a line.
    for family in [Family::Bloom, Family::Counting] {
        let spec = spec(family, 1 << 16, &[("k", 7.into())]);
        let filter = spec.build_from_keys(birds(40)).expect("a sound spec");
        add(format!("{}-large", family.name()), filter);
    }
    // A guard in layers of its own; one in the layer of the fingerprint; one that keys leave because survivors are many.
    for (name, keys, worms, power, bits) in [
        ("guarded-apart", 200, 20, 1, 2048),
        ("guarded-woven", 2100, 2100, 1, 16_384),
        ("guarded-thinned", 2100, 40_000, 0, 16_384),
    ] {
        let worms = (0..worms).map(|n| (format!("worm{n}"), f64::from(n).powi(power)));
        let spec = spec(Family::Guarded, bits, &[]);
        let filter = spec.build_from(birds(keys), worms).expect("a sound spec");
        let place = if name == "guarded-apart" {
            "apart"
        } else {
            "woven"
        };
        let guard = filter.info().parameter("guard").cloned();
        assert_eq!(guard, Some(Value::from(place)));
        add(name.to_string(), filter);
    }
    for (name, family, alpha) in [
        ("seesaw-known", Family::Seesaw, 0.0),
        ("seesaw-modulator", Family::Seesaw, 0.1),
        ("seesaw-adaptive-known", Family::SeesawAdaptive, 0.0),
        ("seesaw-adaptive-modulator", Family::SeesawAdaptive, 0.1),
    ] {
        add(name.to_string(), seesaw_with_a_past(family, alpha));
    }
    let small = spec(Family::Blocked, 1024, &[("block", 256.into())]);
    add(
        "blocked-256".to_string(),
        small.build_from_keys(["bird", "worm"]).expect("sound"),
    );
    let rate = Spec::new(Family::Bloom)
        .size(Size::Rate(0.01))
        .capacity(100);
    add(
        "bloom-rate".to_string(),
        rate.build_from_keys(birds(10)).expect("sound"),
    );
    for (scheme, choices) in [("sequential", 2), ("mht", 3)] {
        // More keys than planned, so that the list has some, and blocks have rejected keys.
        let settings = [
            ("scheme", scheme.into()),
            ("k", 8.into()),
            ("block", 256.into()),
            ("reads", 1.1.into()),
            ("choices", Value::Whole(choices)),
        ];
        let spec = spec(Family::Balanced, 4096, &settings).capacity(80);
        let filter = spec.build_from_keys(birds(200)).expect("a sound spec");
        assert!(matches!(&filter, AnyFilter::Balanced(f) if f.overflowed() > 0));
        add(format!("balanced-{scheme}"), filter);
    }
    let list = [("list", 2.into()), ("threshold", 1.into())];
    let growing = Spec::new(Family::Growing).capacity(20);
    let growing = growing.size(Size::Rate(0.03)).build_from_keys(birds(200));
    add("growing-layers".to_string(), growing.expect("a sound spec"));
    // Exceptions, and keys that found no room in the buckets.
    let settings = [("fingerprint", 7.into())];
    let cuckoo = spec(Family::Cuckoo, 4096, &settings).capacity(100);
    let worms = (0..200).map(|n| (format!("worm{n}"), f64::from(n)));
    let mut cuckoo = cuckoo.build_from(birds(100), worms).expect("sound");
    let late = cuckoo.extend((0..24).map(|n| format!("late bird {n}")));
    late.expect("there is room for them");
    let whole = |name: &str| cuckoo.info().parameter(name).and_then(Value::as_u64);
    assert!(whole("exceptions") > Some(0) && whole("extras") > Some(0));
    add("cuckoo-exceptions".to_string(), cuckoo);
    let rejecting = spec(Family::PersonalizedRejecting, 1024, &list);
    let rejecting = rejecting.build_from_keys(birds(8)).expect("a sound spec");
    assert!(matches!(&rejecting, AnyFilter::PersonalizedRejecting(f) if f.rejected() == 2));
    add("personalized-rejecting-list".to_string(), rejecting);
    for family in [Family::Blocked, Family::Guarded] {
        let spec = spec(family, 4096, &[]).hashing(Hashing::Xxh3 { seed: 42 });
        let mut sets = KeySets::builder(Hashing::Xxh3 { seed: 42 });
        let mice = (0..40).map(|n| (format!("mouse{n}"), f64::from(n)));
        sets.positives(birds(40)).negatives(mice);
        let sets = sets.build().expect("sound costs");
        let (filter, _) = spec.build_sharded(&sets, 3).expect("a sound spec");
        add(format!("{}-shards", family.name()), filter);
    }
    cases
}

#[test]
fn golden_files_decode_to_their_filters_and_back() {
    for (name, filter) in cases() {
        let path = path(&name);
        if std::env::var_os("BLOOMWISE_BLESS").is_some() && !path.exists() {
            filter.save(&path).expect("can be written");
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| {
            let how = "BLOOMWISE_BLESS=1 cargo test -p bloomwise --test golden";
            panic!(
                "{}: {error}; {how} writes the files of a new family",
                path.display()
            )
        });
        let decoded = AnyFilter::from_bytes(&bytes).expect("a golden file can be read");
        assert_eq!(decoded, filter, "{name} decodes to another filter");
        assert!(filter.to_bytes() == bytes, "{name} encodes to other bytes");
        assert_eq!(filter.encoded_len(), bytes.len() as u64);
        assert!(decoded.contains("worm") && decoded.contains("bird"));
        assert_eq!(AnyFilter::load(&path).expect("can be loaded"), filter);
    }
}

/// A patched filter and its patch. What a patch is built as may improve, so this file is not built again: it decodes to a filter with these
/// answers, and encodes to itself.
#[test]
fn golden_patched_filters_decode_and_encode() {
    for (name, shards) in [("patched", 1), ("patched-shards", 2)] {
        let path = path(name);
        if std::env::var_os("BLOOMWISE_BLESS").is_some() && !path.exists() {
            let old = KeySets::of_positives(birds(200));
            let worms = (0..200).map(|n| (format!("worm{n}"), 1.0));
            let new = KeySets::new(birds(210).skip(10), worms).expect("sound costs");
            let spec = Spec::new(Family::Guarded).size(Size::BitsPerKey(6.0));
            let base = match shards {
                1 => spec.build(&old),
                _ => spec.build_sharded(&old, shards).map(|(base, _)| base),
            };
            let base = base.expect("a sound spec");
            let patch = Patch::build(&base, &old, &new).expect("its keys");
            let patched = patch.apply(base).expect("its base");
            patched.save(&path).expect("can be written");
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let patched = AnyFilter::from_bytes(&bytes).expect("a golden file can be read");
        assert!(patched.to_bytes() == bytes, "{name} encodes to other bytes");
        assert_eq!((patched.shards(), patched.len()), (shards, 202));
        assert!((10..210).all(|n| patched.contains(format!("bird{n}"))));
        assert!((0..10).all(|n| !patched.contains(format!("bird{n}"))));
        assert!((0..200).all(|n| !patched.contains(format!("worm{n}"))));
        assert!((0..200).all(|n| patched.base().contains(format!("bird{n}"))));

        let patch = patched.patch().expect("it has one");
        assert_eq!(patch.base_checksum(), patched.base().checksum());
        let inside = patch.to_bytes();
        assert!(bytes.windows(inside.len()).any(|window| window == inside));
        let again = Patch::from_bytes(&inside).expect("a golden patch can be read");
        let again = again.apply(patched.base().clone()).expect("its base");
        assert_eq!(again, patched);
    }
}

/// Builds nothing, so that Miri can run it for other machines in a short time.
#[test]
fn golden_files_answer_alike_on_every_machine() {
    let folder = path("any").parent().expect("a folder").to_path_buf();
    let files = fs::read_dir(folder).expect("golden files");
    let mut count = 0;
    for file in files {
        let file = file.expect("a file").path();
        let bytes = fs::read(&file).expect("can be read");
        let filter = AnyFilter::from_bytes(&bytes).expect("a golden file can be read");
        let name = file.display();
        assert!(filter.contains("worm") && filter.contains("bird"), "{name}");
        let accepted = (0..50u32).filter(|key| filter.contains(key.to_le_bytes()));
        assert!(accepted.count() < 50, "{name} accepts every non-member");
        assert!(filter.to_bytes() == bytes, "{name} encodes to other bytes");
        count += 1;
    }
    assert!(count > 30, "{count} files");
}

/// A saved learner, in both directions.
#[test]
fn golden_learner_is_alike_on_every_machine() {
    let mut learner =
        Learner::new(Hashing::Xxh3 { seed: 42 }, Learner::MIN_MEMORY).expect("memory");
    learner.advance(1_700_000_000.5).expect("a time");
    for (cost, word) in (1..).zip(PROVERB.split(' ')) {
        let recorded = learner.record_cost(word, f64::from(cost) / 4.0);
        recorded.expect("a cost");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/learner-v1.sketch");
    if std::env::var_os("BLOOMWISE_BLESS").is_some() && !path.exists() {
        fs::write(&path, learner.to_bytes()).expect("can be written");
    }
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(learner.to_bytes() == bytes, "it encodes to other bytes");
    let again = Learner::from_bytes(&bytes, 2 * Learner::MIN_MEMORY).expect("can be read");
    assert_eq!((again.events(), again.total()), (13, 22.75));
    assert_eq!(again.distinct(), learner.distinct());
    let top = again.top(2);
    let top: Vec<_> = top.iter().map(|key| (key.key, key.cost)).collect();
    assert_eq!(top, [(&b"the"[..], 6.5), (b"cheese", 3.25)]);
}

/// The short form of one filter, byte by byte.
#[test]
fn golden_short_form_decodes_to_its_filter_and_back() {
    let spec = Spec::new(Family::Bloom)
        .size(Size::Bits(64))
        .capacity(3)
        .set("k", 2);
    let filter = spec
        .and_then(|spec| spec.build_from_keys(["bird", "worm"]))
        .expect("sound");
    let bytes = filter.to_short_bytes();
    let shown: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown, "b201010203020240000000008022004090d922cd87d95678");
    assert_eq!(AnyFilter::from_bytes(&bytes).expect("can be read"), filter);
}

#[test]
fn save_replaces_the_file_and_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.bloomwise");
    let (first, second) = (cases()[0].1.clone(), cases()[1].1.clone());
    first.save(&path).expect("can be written");
    second.save(&path).expect("can be replaced");
    assert_eq!(AnyFilter::load(&path).expect("can be read"), second);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);

    let text = first.save_new(&path).expect_err("it exists").to_string();
    assert!(text.contains("exists"), "{text}");
    assert_eq!(AnyFilter::load(&path).expect("can be read"), second);
    let new = folder.path().join("b.bloomwise");
    first.save_new(&new).expect("can be written");
    assert_eq!(AnyFilter::load(&new).expect("can be read"), first);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);

    let text = first.save(folder.path()).expect_err("a folder").to_string();
    assert!(text.contains("is not a file"), "{text}");
    let nowhere = folder.path().join("missing/a.bloomwise");
    let text = first
        .save(&nowhere)
        .expect_err("no such folder")
        .to_string();
    assert!(text.contains("missing"), "{text}");
    assert!(AnyFilter::load(&nowhere).is_err());
}

#[cfg(unix)]
#[test]
fn save_keeps_links_and_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    let filter = cases()[0].1.clone();
    filter.save(&target).expect("can be written");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("can be changed");
    std::os::unix::fs::symlink(&target, &link).expect("can be linked");
    filter.save(&link).expect("can be replaced");
    assert!(fs::symlink_metadata(&link).expect("is there").is_symlink());
    let mode = fs::metadata(&target)
        .expect("is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}
