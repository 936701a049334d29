//! Data flows one way: a room uses itself and the rooms before it.

use bloomwise::Family;
use bloomwise::settings::{Setting, Values};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the library, in the order of the flow: the folders and files of `src`.
const ROOMS: [&str; 16] = [
    "error", "machine", "keys", "cells", "kernel", "filter", "threads", "families", "format",
    "compose", "choose", "learn", "unstable", "guide", "prelude", "lib",
];

/// The rooms of the comparison.
const ROOMS_OF_COMPARE: [&str; 11] = [
    "error",
    "host",
    "path",
    "system_file",
    "keys",
    "input",
    "measure",
    "learning",
    "report",
    "demo",
    "lib",
];

/// The files with `unsafe` code, beside the folder `ffi` of the Redis module. SECURITY.md and CONTRIBUTING.md name them.
const UNSAFE: [&str; 13] = [
    "crates/bloomwise/src/format/mapped.rs",
    "crates/bloomwise/src/kernel/avx2.rs",
    "crates/bloomwise/src/kernel/avx512.rs",
    "crates/bloomwise/src/kernel/neon.rs",
    "crates/bloomwise/src/kernel/query_fn.rs",
    "crates/bloomwise/src/machine/prefetch.rs",
    "crates/cli/src/io/filter_file.rs",
    "crates/lab/src/page/shards.rs",
    "crates/lab/src/soak.rs",
    "doors/python/src/capsule.rs",
    "doors/python/src/filter.rs",
    "doors/python/src/keys/array.rs",
    "doors/python/src/shared.rs",
];

/// All files in a folder and its subfolders.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// The modules named in the text after `crate::`, such as `hash::Digest;`, `{prefetch, probe};` or `Bloom) -> u64`.
fn used(rest: &str) -> Vec<String> {
    let word = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].to_lowercase()
    };
    let Some(list) = rest.strip_prefix('{') else {
        return vec![word(rest)];
    };
    let list = list.split_once('}').map_or(list, |(list, _)| list);
    // The last name of a list on several lines has a comma too.
    let list = list.trim_end().trim_end_matches(',');
    list.split(',').map(word).collect()
}

/// Checks that rooms use only earlier rooms, and returns how many uses it found. Types at the root of the crate are those of the room `types`.
fn check_rooms(source: &str, rooms: &[&str], types: &str) -> usize {
    // `None` if the name is that of a type.
    let number = |room: &str| rooms.iter().position(|&other| other == room);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let mut seen = 0;
    for path in sources(&folder) {
        let inside = path.strip_prefix(&folder).expect("inside the folder");
        let top = inside.iter().next().expect("a name").to_string_lossy();
        let room = number(top.trim_end_matches(".rs"));
        let room = room.unwrap_or_else(|| panic!("{top} is in no room; add it to ROOMS"));
        let text = fs::read_to_string(&path).expect("text");
        // Unit tests at the end of a file may use any room.
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let code = code.split("#[cfg(all(test,").next().unwrap_or("");
        let lines = code.lines();
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        // `pub(crate)` has no colons after `crate`, so it is not a use.
        for rest in code.split("crate::").skip(1) {
            for other in used(rest) {
                let other_room = number(&other).or_else(|| number(types)).expect("one");
                assert!(other_room <= room, "{} uses crate::{other}", path.display());
                seen += 1;
            }
        }
    }
    seen
}

#[test]
fn rooms_use_only_earlier_rooms() {
    // A type at the root of the crate is that of a family, since rooms name the others by their path.
    let seen = check_rooms("src", &ROOMS, "families");
    assert!(
        seen > 200,
        "found only {seen} uses of `crate::`; does the search still match their form?"
    );
}

#[test]
fn rooms_of_the_comparison_use_only_earlier_rooms() {
    // Rooms name all types by their path, but those of errors and messages.
    let seen = check_rooms("../compare/src", &ROOMS_OF_COMPARE, "error");
    assert!(seen > 50, "found only {seen} uses of `crate::`");
}

#[test]
fn unsafe_code_is_in_few_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = ["crates", "doors"].map(|name| fs::read_dir(folder.join(name)));
    let crates = crates
        .into_iter()
        .flat_map(|crates| crates.expect("a folder of crates"));
    let crates = crates.map(|entry| entry.expect("the entry is readable").path().join("src"));
    let has_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let mut lines = text.lines().map(str::trim_start);
        lines.any(|line| !line.starts_with("//") && line.contains("unsafe "))
    };
    let inside = |path: PathBuf| {
        let inside = path.strip_prefix(&folder).expect("inside the folder");
        inside.to_string_lossy().replace('\\', "/")
    };
    let mut found: Vec<String> = crates
        .filter(|path| path.is_dir())
        .flat_map(|path| sources(&path))
        .filter(has_unsafe)
        .map(inside)
        .filter(|path| !path.starts_with("doors/redis/src/ffi/"))
        .collect();
    found.sort();
    assert_eq!(found, UNSAFE);
}

/// Where the setters of a family are.
fn options_of(family: Family) -> &'static str {
    match family {
        Family::Bloom | Family::Counting | Family::Personalized | Family::PersonalizedCounting => {
            "spread"
        }
        Family::Habf | Family::HabfFast | Family::HabfCache => "habf",
        Family::Seesaw | Family::SeesawAdaptive => "seesaw",
        Family::PersonalizedRejecting => "personalized/rejecting",
        other => other.name(),
    }
}

/// Help and checks follow from the setting. The pages of the setters are text, so they could differ.
#[test]
fn pages_of_setters_state_the_range_of_their_setting() {
    let families = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families");
    for family in Family::ALL {
        let path = families.join(options_of(family)).join("options.rs");
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display()));
        let lines = text.lines().map(str::trim_start);
        let page: Vec<&str> = lines.filter_map(|line| line.strip_prefix("/// ")).collect();
        let page = page.join(" ");
        for setting in Setting::of(family) {
            let range = match setting.values {
                // The type of the argument says it.
                Values::Whole(0, u32::MAX) | Values::Word(_) | Values::OneOf(_) => continue,
                values => values.to_string(),
            };
            let mut after = page.split(&range).skip(1);
            assert!(
                after.any(|rest| !rest.starts_with(|next: char| next.is_ascii_digit())),
                "{} does not say {range} for {}",
                path.display(),
                setting.name
            );
        }
    }
}

/// The fuzz target of settings finds names that it knows faster.
#[test]
fn dictionary_of_the_fuzz_target_has_all_settings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/settings.dict");
    let dictionary = fs::read_to_string(path).expect("text");
    for setting in Family::ALL.into_iter().flat_map(Setting::of) {
        let word = format!("\"{}=\"", setting.name);
        assert!(
            dictionary.lines().any(|line| line == word),
            "add {word} to fuzz/settings.dict"
        );
    }
}

/// Cargo sets the seed in `.cargo/config.toml`. A property test then passes in every run or fails in every run.
#[test]
fn property_tests_draw_the_same_cases_in_every_run() {
    use proptest::test_runner::{Config, RngSeed};
    let seed = Config::default().rng_seed;
    assert!(
        matches!(seed, RngSeed::Fixed(_)),
        "the seed is random; run the tests with cargo in this repository, or set PROPTEST_RNG_SEED to a number"
    );
}
