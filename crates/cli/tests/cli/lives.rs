//! Random lives of tiny filters whose files the command updates, beside an exact multiset. The library must give the same bytes.

use bloomwise_model::{Draw, Scale, Tallies, World, live};
use std::path::Path;

/// The number of lives, each with a fixed seed. `bloomwise-lab soak` explores others.
const LIVES: u64 = 1000;

#[test]
fn lives_with_updates_by_the_command_break_no_promise() {
    let folder = tempfile::tempdir().expect("a folder");
    let world = World {
        folder: Some(folder.path()),
        command: Some(Path::new(env!("CARGO_BIN_EXE_bloomwise"))),
        ..World::default()
    };
    let mut tallies = Tallies::default();
    for seed in 0..LIVES {
        let (done, finding) = live(Scale::Tiny, &mut Draw::Seed(!seed), world, None);
        assert!(finding.is_none(), "life {seed}: {}", finding.expect("one"));
        tallies += &done;
    }
    let updates = tallies.total().updates;
    assert!(updates > 50, "{updates} updates");
}
