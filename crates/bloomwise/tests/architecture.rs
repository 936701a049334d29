//! Data flows one way: a module uses only modules of earlier layers.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, in the order of the flow. Modules of one layer do not use each other.
const LAYERS: [&[&str]; 18] = [
    &[
        "bisect",
        "closest",
        "cost_sum",
        "doubt",
        "error",
        "key",
        "key_list",
        "parallel",
        "prefetch",
        "segment_lock",
    ],
    &["family", "hash", "processor", "sizing", "storage"],
    &[
        "cells", "digests", "kernel", "probe", "profile", "sort", "stash", "words",
    ],
    &["info", "learn", "marks", "sets"],
    &["cost", "filter"],
    &["codec", "forecast"],
    &["builder"],
    &["array"],
    &["shared"],
    &[
        "bloom", "blocked", "counting", "cuckoo", "habf", "seesaw", "balanced", "guarded",
    ],
    &["growing", "personalized"],
    &["format"],
    &["patched", "sharded"],
    &["any"],
    &["spec"],
    &["large", "planner"],
    &["unstable"],
    &["lib"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&module));
    found.unwrap_or_else(|| panic!("module {module} is in no layer; add it to LAYERS"))
}

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

#[test]
fn modules_use_only_earlier_layers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for path in sources(&folder) {
        let inside = path.strip_prefix(&folder).expect("inside the folder");
        let top = inside.iter().next().expect("a name").to_string_lossy();
        let module = top.trim_end_matches(".rs");
        let text = fs::read_to_string(&path).expect("text");
        // Unit tests at the end of a file may use any module.
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let code = code.split("#[cfg(all(test,").next().unwrap_or("");
        let lines = code.lines();
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        // `pub(crate)` has no colons after `crate`, so it is not a use.
        for rest in code.split("crate::").skip(1) {
            for other in used(rest) {
                // A family's type, in lower case, has the name of its module.
                let fine = layer(&other) < layer(module);
                assert!(fine, "{} uses crate::{other}", inside.display());
                seen += 1;
            }
        }
    }
    assert!(
        seen > 200,
        "found only {seen} uses of `crate::`; does the search still match their form?"
    );
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
