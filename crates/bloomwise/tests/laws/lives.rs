//! Random lives in tiny filters: alone, in shards, patched, through bytes and files. `bloomwise_model` has the promises.

use bloomwise::{AnyFilter, Result};
use bloomwise_model::{Draw, Scale, Tallies, World, live};
use std::path::Path;

/// The number of lives, each with a fixed seed. `bloomwise-lab soak` explores others.
const LIVES: u64 = 4000;

/// How a file is mapped.
#[cfg(feature = "mmap")]
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
const OPEN: Option<fn(&Path) -> Result<AnyFilter>> =
    // SAFETY: the file is in a folder of this test, and no life changes it in place.
    Some(|path| unsafe {
        bloomwise::format::MapFile::open(path, bloomwise::format::Check::Whole)
    });
#[cfg(not(feature = "mmap"))]
const OPEN: Option<fn(&Path) -> Result<AnyFilter>> = None;

#[test]
fn lives_of_tiny_filters_break_no_promise() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = World {
        folder: Some(folder.path()),
        open: OPEN,
        ..World::default()
    };
    let mut tallies = Tallies::default();
    for seed in 0..LIVES {
        let (done, finding) = live(Scale::Tiny, &mut Draw::Seed(seed), world, None);
        assert!(finding.is_none(), "life {seed}: {}", finding.expect("one"));
        tallies += &done;
    }
    println!("{}", tallies.table());
    let total = tallies.total();
    let all = [total.removed, total.guarded, total.reloads, total.patches];
    assert!(all.iter().all(|&count| count > 1000), "{}", tallies.table());
    assert!(total.refused < total.filters, "{}", tallies.table());
}
