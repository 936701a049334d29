//! Data flows one way: a module uses what stands before it in this list, never what stands after it.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules in the order of the flow; those on one line do not use each other.
const LAYERS: [&[&str]; 18] = [
    &["error"],
    &["hash", "sizing", "family"],
    &["prefetch"],
    &["sort"],
    &["key"],
    &["cost"],
    &["probe"],
    &["cells", "stash"],
    &["vector"],
    &["filter"],
    &["codec"],
    &["builder"],
    &[
        "bloom", "blocked", "counting", "habf", "balanced", "guarded", "seesaw",
    ],
    &["personalized"],
    &["format"],
    &["any"],
    &["spec"],
    &["lib"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&module));
    found.unwrap_or_else(|| panic!("module {module} has no place in the list of layers"))
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("can be listed").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// The modules that what follows `crate::` names: `hash::Digest;`, `{prefetch, probe};`, `Bloom) -> u64`.
fn used(rest: &str) -> Vec<String> {
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].to_lowercase()
    };
    match rest.strip_prefix('{') {
        Some(list) => list.split(',').map(|name| word(name.trim())).collect(),
        None => vec![word(rest)],
    }
}

#[test]
fn modules_use_only_what_stands_before_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for path in sources(&folder) {
        let inside = path.strip_prefix(&folder).expect("below the sources");
        let top = inside.iter().next().expect("a name").to_string_lossy();
        let module = top.trim_end_matches(".rs");
        let text = fs::read_to_string(&path).expect("text");
        // Tests at the end of a file may use what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let lines = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        // What stands in parentheses, as in `pub(crate)`, has no colons behind it.
        for rest in lines.flat_map(|line| line.split("crate::").skip(1)) {
            for other in used(rest) {
                // The name of a family's type leads to the module of the same name.
                let fine = layer(&other) < layer(module);
                assert!(fine, "{} uses crate::{other}", inside.display());
                seen += 1;
            }
        }
    }
    assert!(
        seen > 30,
        "only {seen} uses were found; has their form changed?"
    );
}
