//! Real keys from a folder: `positives.txt` and `negatives.tsv`, or the same with `.zst`, read as the command line reads them. Each line is a
//! key; a negative is `key<TAB>cost`, and a missing cost is 1. Empty lines are skipped, CRLF is accepted.
//!
//! Every tenth negative is withheld from the filters and serves as an unseen key. Repeated keys count once.

use super::Set;
use crate::prelude::*;
use bloomwise_compare::input::{self, Columns, Input, Role};
use bloomwise_compare::{Error, Quiet};
use std::collections::HashSet;
use std::path::Path;

/// The keys of a folder.
pub struct Keys {
    /// The keys of the set, in the order of their digests.
    pub positives: Vec<Vec<u8>>,
    /// Keys outside the set that a filter may know.
    pub negatives: Vec<Vec<u8>>,
    /// The cost of a false positive on each of these.
    pub costs: Vec<f64>,
    /// Keys outside the set that no filter knows.
    pub unseen: Vec<Vec<u8>>,
}

/// Calls `act` for each key of a file, or of the file with `.zst` appended to the name.
fn each(folder: &Path, name: &str, role: Role, mut act: impl FnMut(&[u8], f64)) -> Result<()> {
    let (plain, packed) = (folder.join(name), folder.join(format!("{name}.zst")));
    let is_packed = packed.exists() && !plain.exists();
    let path = if is_packed { packed } else { plain };
    let columns = Columns::default();
    input::read(Input::file(&path), role, &columns, &Quiet, |key, cost| {
        act(key, cost);
        Ok::<(), Error>(())
    })?;
    Ok(())
}

/// Reads the sets in `folder`, as digests.
pub fn read(folder: &Path) -> Result<Set> {
    let keys = read_keys(folder)?;
    let digests = |keys: &[Vec<u8>]| keys.iter().map(|key| digest(key)).collect();
    let name = folder.file_name().unwrap_or_default();
    Ok(Set {
        name: format!("keys of {}", name.display()),
        positives: digests(&keys.positives),
        negatives: digests(&keys.negatives),
        costs: Some(keys.costs),
        unseen: digests(&keys.unseen),
    })
}

fn digest(key: &[u8]) -> Digest {
    Hashing::default().digest(key)
}

/// Reads the keys in `folder`.
pub fn read_keys(folder: &Path) -> Result<Keys> {
    let mut positives: Vec<(Digest, Vec<u8>)> = Vec::new();
    each(folder, "positives.txt", Role::Keys, |key, _| {
        positives.push((digest(key), key.to_vec()));
    })?;
    positives.sort_unstable();
    positives.dedup();
    let (mut negatives, mut costs, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    let mut met = HashSet::new();
    each(folder, "negatives.tsv", Role::Negatives, |key, cost| {
        let digest = digest(key);
        let is_positive = positives.binary_search_by_key(&digest, |&(positive, _)| positive);
        // A key in both files is a positive. The first line of a repeated key counts, so that no key is both known and
        // unseen.
        if is_positive.is_err() && met.insert(digest) {
            if met.len().is_multiple_of(10) {
                unseen.push(key.to_vec());
            } else {
                negatives.push(key.to_vec());
                costs.push(cost);
            }
        }
    })?;
    if positives.is_empty() || unseen.is_empty() {
        bail!(
            "{}: too few keys; provide at least one key and ten negatives",
            folder.display()
        );
    }
    let total: f64 = costs.iter().sum();
    if !total.is_finite() || total <= 0.0 {
        bail!("negatives.tsv: the sum of all costs is {total}; it must be finite and above 0");
    }
    Ok(Keys {
        positives: positives.into_iter().map(|(_, key)| key).collect(),
        negatives,
        costs,
        unseen,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_read_plain_and_compressed() {
        let folder = tempfile::tempdir().expect("creates a folder");
        let write = |name: &str, bytes: &[u8]| {
            fs::write(folder.path().join(name), bytes).expect("writes");
        };
        let negatives: String = (0..20).map(|n| format!("n{n}\t{n}.5\r\n")).collect();
        write("positives.txt", b"a\n\nb\nc\nb\n");
        write(
            "negatives.tsv",
            format!("{negatives}a\t9\nn3\t7\nlast").as_bytes(),
        );
        let plain = read(folder.path()).expect("valid");
        assert_eq!(plain.positives.len(), 3);
        assert_eq!((plain.negatives.len(), plain.unseen.len()), (19, 2));
        let costs = plain.costs.clone().expect("has costs");
        assert_eq!((costs[0], costs[18]), (0.5, 1.0));
        fs::remove_file(folder.path().join("positives.txt")).expect("exists");
        let packed = zstd::encode_all(&b"a\nb\nc\n"[..], 3).expect("compresses");
        write("positives.txt.zst", &packed);
        let again = read(folder.path()).expect("valid");
        assert_eq!(again.positives, plain.positives);
    }

    #[test]
    fn invalid_files_are_errors() {
        let folder = tempfile::tempdir().expect("creates a folder");
        let error = |folder: &Path| format!("{:#}", read(folder).expect_err("invalid"));
        assert!(error(folder.path()).contains("positives.txt"));
        fs::write(folder.path().join("positives.txt"), "a\n").expect("writes");
        fs::write(folder.path().join("negatives.tsv"), "b\tmuch\n").expect("writes");
        assert!(error(folder.path()).contains("line 1"));
        let free: String = (0..20).map(|n| format!("n{n}\t0\n")).collect();
        fs::write(folder.path().join("negatives.tsv"), free).expect("writes");
        assert!(error(folder.path()).contains("above 0"));
        fs::write(folder.path().join("negatives.tsv"), "b\nb\n".repeat(20)).expect("writes");
        assert!(error(folder.path()).contains("too few keys"));
        fs::remove_file(folder.path().join("positives.txt")).expect("exists");
        fs::create_dir(folder.path().join("positives.txt")).expect("creates a folder");
        assert!(error(folder.path()).contains("positives.txt is a directory"));
    }
}
