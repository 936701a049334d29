//! Files of every family with forged fields and right checksums: what an attacker sends. Only the checks of the fields themselves
//! stand between these files and the code of the families.

#![no_main]

use arbitrary::Arbitrary;
use bloomwise::format::Check;
use bloomwise_fuzz::exercise::exercise;
use bloomwise_fuzz::number::Number;
use bloomwise_fuzz::parts::Parts;
use bloomwise_fuzz::{forms, init};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::sync::LazyLock;

/// The golden files of the library, by family and name: those of a new family come last, so that old inputs keep their files.
static FILES: LazyLock<Vec<Parts>> = LazyLock::new(|| {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../crates/bloomwise/tests/data/v2"
    );
    let entries = fs::read_dir(folder).expect("the folder of golden files");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path| Parts::of(&fs::read(path).expect("a golden file"));
    let mut files: Vec<Parts> = paths.into_iter().map(read).collect();
    files.sort_by_key(Parts::family);
    files
});

/// A golden file and what is wrong with it.
#[derive(Arbitrary, Debug)]
struct Forgery {
    /// The golden file.
    file: u8,
    /// Words of the header and what stands there instead.
    head: Vec<(u8, Number)>,
    /// Parameters and what stands there instead.
    parameters: Vec<(u8, Number)>,
    /// Whether the payload is made as long as the parameters need.
    fit: bool,
    /// Words of the payload and what stands there instead.
    payload: Vec<(u16, Number)>,
    /// The form of the file.
    short: bool,
    /// Whether cells that no writer writes are exercised too.
    unchecked: bool,
}

impl Forgery {
    fn file(&self) -> Vec<u8> {
        let mut parts = FILES[usize::from(self.file) % FILES.len()].clone();
        for &(place, number) in &self.head {
            // The magic stays, or nothing would be read.
            let word = &mut parts.head[1 + usize::from(place) % 6];
            *word = number.instead_of(*word);
        }
        for &(place, number) in &self.parameters {
            let count = parts.parameters.len();
            match parts.parameters.get_mut(usize::from(place) % (count + 1)) {
                Some(word) => *word = number.instead_of(*word),
                None => parts.parameters.push(number.instead_of(0)),
            }
        }
        if self.fit {
            parts.fit_payload();
        }
        for &(place, number) in &self.payload {
            let count = parts.payload.len().max(1);
            if let Some(word) = parts.payload.get_mut(usize::from(place) % count) {
                *word = number.instead_of(*word);
            }
        }
        if self.short {
            parts.short()
        } else {
            parts.long()
        }
    }
}

fuzz_target!(init: init(), |forgery: Forgery| {
    let file = forgery.file();
    let whole = forms::load(&file);
    let unchecked = forms::borrow(&file, Check::Header);
    assert!(unchecked.is_ok() || whole.is_none(), "valid as a whole, but not without a check");
    match (whole, unchecked) {
        (Some(filter), _) => exercise(filter, file.len(), true),
        (None, Ok(filter)) if forgery.unchecked => exercise(filter, file.len(), false),
        _ => {}
    }
});
