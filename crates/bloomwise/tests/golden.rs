//! Files of every family and version, checked in both directions: the file decodes to the filter, and the filter
//! encodes to the file. `BLOOMWISE_BLESS=1 cargo test --test golden` writes the files of families that have none yet;
//! a file that exists never changes.

use bloomwise::{AnyFilter, Costed, Family, Filter, Hashing, KeySets, Persist, Size, Spec, Value};
use std::fs;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1");
    folder.join(format!("{name}.bloomwise"))
}

/// The filter that the golden file of a family holds: the words of a proverb, in 1024 bits.
fn filter(family: Family, hashing: Hashing) -> AnyFilter {
    let words = "the early bird catches the worm but the second mouse gets the cheese";
    let spec = Spec::new(family.name())
        .expect("a family")
        .size(Size::Bits(1024));
    let spec = spec.capacity(20).hashing(hashing);
    // What a search finds best may change, and must not change these files.
    let spec = match family {
        Family::Balanced => balanced(spec, "single", &[]),
        Family::Seesaw | Family::SeesawAdaptive => seesaw(spec, "0"),
        _ => spec,
    };
    spec.build_from_keys(words.split(' '))
        .expect("a sound spec")
}

/// A spec of balanced blocks that leaves nothing to a search.
fn balanced(spec: Spec, scheme: &str, more: &[(&str, &str)]) -> Spec {
    let settings = [("scheme", scheme), ("k", "8")];
    let mut settings = settings.iter().chain(more);
    let spec = settings.try_fold(spec, |spec, (name, value)| spec.set(name, value));
    spec.expect("sound settings")
}

/// A spec of seesaw counters that leaves nothing to a search.
fn seesaw(spec: Spec, alpha: &str) -> Spec {
    let settings = [("k", "3"), ("alpha", alpha), ("guard", "1")];
    let cells = [("count-bits", "2"), ("index-bits", "1")];
    let mut settings = settings.iter().chain(&cells);
    let spec = settings.try_fold(spec, |spec, (name, value)| spec.set(name, value));
    spec.expect("sound settings")
}

/// A seesaw filter with marks, some of which wait; with keys that came and went, and with a modulator if there is one.
fn seesaw_with_a_past(family: Family, alpha: &str) -> AnyFilter {
    let spec = Spec::new(family.name()).expect("a family");
    let spec = seesaw(spec.size(Size::Bits(4096)).capacity(40), alpha);
    let digest = |key: String| spec.chosen_hashing().digest(key.as_bytes());
    let birds = (0..40).map(|n| digest(format!("bird{n}")));
    let birds = birds.chain(["bird", "worm"].map(|key| digest(key.to_string())));
    let mice = (0..40).map(|n| Costed {
        digest: digest(format!("mouse{n}")),
        cost: f64::from(n),
    });
    let sets = KeySets::new(birds.collect(), mice.collect()).expect("sound costs");
    let mut filter = spec.build(&sets).expect("a sound spec");
    for n in 0..20 {
        assert!(
            filter
                .remove(format!("bird{n}").as_bytes())
                .expect("it can")
        );
    }
    for n in 0..60 {
        let guarded = filter.guard(format!("cat{n}").as_bytes());
        assert_eq!(guarded.is_ok(), family == Family::SeesawAdaptive);
        filter.insert(b"bird").expect("it can");
    }
    filter
}

fn cases() -> Vec<(String, AnyFilter)> {
    let mut cases = Vec::new();
    for family in Family::ALL {
        let plain = filter(family, Hashing::Xxh3 { seed: 42 });
        cases.push((family.name().to_string(), plain));
        let secret = Hashing::SipHash {
            key: 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100,
        };
        cases.push((format!("{}-siphash", family.name()), filter(family, secret)));
    }
    for (family, paper) in [
        (Family::Habf, false),
        (Family::Habf, true),
        (Family::HabfFast, false),
        (Family::HabfCache, false),
    ] {
        let mut spec = Spec::new(family.name())
            .expect("a family")
            .size(Size::Bits(2048));
        if paper {
            spec = spec.preset("paper").expect("it has one");
        } else {
            // Fixed, so that better defaults leave the file as it is.
            let fixed = spec
                .set("k", "4")
                .and_then(|spec| spec.set("ratio", "0.15"));
            spec = fixed.expect("sound settings");
        }
        let digest = |key: String| spec.chosen_hashing().digest(key.as_bytes());
        let birds = (0..200).map(|n| digest(format!("bird{n}")));
        let worms = (0..200).map(|n| Costed {
            digest: digest(format!("worm{n}")),
            cost: f64::from(n),
        });
        let birds = birds.chain(["bird", "worm"].map(|key| digest(key.to_string())));
        let sets = KeySets::new(birds.collect(), worms.collect()).expect("sound costs");
        let filter = spec.build(&sets).expect("a sound spec");
        let name = if paper { "paper" } else { "known" };
        cases.push((format!("{}-{name}", family.name()), filter));
    }
    // One array, and many negatives, which ask for two.
    for (name, count, bits) in [("guarded-known", 200, 2048), ("guarded-two", 4000, 2304)] {
        let spec = Spec::new("guarded")
            .expect("a family")
            .size(Size::Bits(bits));
        let digest = |key: String| spec.chosen_hashing().digest(key.as_bytes());
        let birds = (0..200).map(|n| digest(format!("bird{n}")));
        let birds = birds.chain(["bird", "worm"].map(|key| digest(key.to_string())));
        let worms = (0..count).map(|n| Costed {
            digest: digest(format!("worm{n}")),
            cost: f64::from(n),
        });
        let sets = KeySets::new(birds.collect(), worms.collect()).expect("sound costs");
        let filter = spec.build(&sets).expect("a sound spec");
        let two = !filter
            .info()
            .parameters
            .contains(&("guard_slots", Value::Whole(0)));
        assert_eq!(two, name == "guarded-two");
        cases.push((name.to_string(), filter));
    }
    for (name, family, alpha) in [
        ("seesaw-known", Family::Seesaw, "0"),
        ("seesaw-modulator", Family::Seesaw, "0.1"),
        ("seesaw-adaptive-known", Family::SeesawAdaptive, "0"),
        ("seesaw-adaptive-modulator", Family::SeesawAdaptive, "0.1"),
    ] {
        cases.push((name.to_string(), seesaw_with_a_past(family, alpha)));
    }
    let block =
        Spec::new("blocked").and_then(|spec| spec.size(Size::Bits(1024)).set("block", "256"));
    let small = block.and_then(|spec| spec.build_from_keys(["bird", "worm"]));
    cases.push(("blocked-256".to_string(), small.expect("a sound spec")));
    for (scheme, choices) in [("sequential", "2"), ("mht", "3")] {
        // More keys than planned, so that the list has some, and blocks have turned keys away.
        let spec = Spec::new("balanced").expect("a family");
        let more = [("block", "256"), ("reads", "1.1"), ("choices", choices)];
        let spec = balanced(spec, scheme, &more);
        let spec = spec.size(Size::Bits(4096)).capacity(80);
        let numbers = (0..200).map(|n| n.to_string());
        let keys = numbers.chain(["bird".to_string(), "worm".to_string()]);
        let filter = spec.build_from_keys(keys).expect("a sound spec");
        assert!(matches!(&filter, AnyFilter::Balanced(f) if f.overflowed() > 0));
        cases.push((format!("balanced-{scheme}"), filter));
    }
    let list = Spec::new("personalized-rejecting")
        .and_then(|spec| spec.size(Size::Bits(1024)).set("list", "2"))
        .and_then(|spec| spec.set("threshold", "1"));
    let words = [
        "bird", "worm", "mouse", "cheese", "early", "second", "catches", "gets",
    ];
    let rejecting = list
        .and_then(|spec| spec.build_from_keys(words))
        .expect("a sound spec");
    assert!(matches!(&rejecting, AnyFilter::PersonalizedRejecting(f) if f.rejected() == 2));
    cases.push(("personalized-rejecting-list".to_string(), rejecting));
    cases
}

#[test]
fn files_of_every_family_stay_as_they_are() {
    for (name, filter) in cases() {
        let path = path(&name);
        if std::env::var_os("BLOOMWISE_BLESS").is_some() && !path.exists() {
            filter.save(&path).expect("can be written");
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let decoded = AnyFilter::from_bytes(&bytes).expect("a golden file can be read");
        assert_eq!(decoded, filter, "{name} decodes to another filter");
        assert!(filter.to_bytes() == bytes, "{name} encodes to other bytes");
        assert!(decoded.contains(b"worm") && decoded.contains(b"bird"));
    }
}

#[test]
fn saving_replaces_the_file_at_once_and_leaves_nothing_behind() {
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
fn a_link_stays_a_link_and_permissions_stay_as_they_were() {
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
