//! The digest of the sources that a result rests on.
//!
//! It covers the lab's own code: the files of the experiment, the baselines that it measures, and what measures and generates keys. Comments,
//! imports, tests and layout do not count. The library is not covered: the result names its commit.

use xxhash_rust::xxh3::xxh3_64;

/// All files of the lab and their digests.
const FILES: &[(&str, u64)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The files whose path starts with one of `paths`.
fn files<'a>(paths: &'a [&str]) -> impl Iterator<Item = &'static (&'static str, u64)> + 'a {
    let covered = |name: &str| paths.iter().any(|path| name.starts_with(path));
    FILES.iter().filter(move |(name, _)| covered(name))
}

/// The digest of all files below `paths`, which are relative to `src`.
pub fn digest(paths: &[&str]) -> String {
    let text: String = files(paths)
        .map(|(name, digest)| format!("{name} {digest:x}\n"))
        .collect();
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// The paths below which there is no file.
pub fn missing<'a>(paths: &[&'a str]) -> Vec<&'a str> {
    let exists = |path: &&&str| files(std::slice::from_ref(*path)).next().is_none();
    paths.iter().filter(exists).copied().collect()
}

/// The files of experiments and baselines that none of `paths` covers.
pub fn uncovered(paths: &[&str]) -> Vec<&'static str> {
    let covered: Vec<&str> = files(paths).map(|(name, _)| *name).collect();
    let measured = FILES.iter().map(|(name, _)| *name);
    let measured =
        measured.filter(|name| name.starts_with("experiment/") || name.starts_with("baseline/"));
    measured
        .filter(|name| !name.ends_with("mod.rs") && !covered.contains(name))
        .collect()
}
