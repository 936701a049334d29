//! A random life of a tiny filter of any family, alone, in shards or patched, beside an exact multiset of its keys. The bytes choose what happens.

#![no_main]

use bloomwise_fuzz::init;
use bloomwise_fuzz::memory::within;
use bloomwise_model::{Draw, Scale, World, live};
use libfuzzer_sys::fuzz_target;

/// The most memory of an input.
const MEMORY: usize = 16 << 20;

fuzz_target!(init: init(), |bytes: &[u8]| {
    within(MEMORY, || {
        let (_, finding) = live(Scale::Tiny, &mut Draw::Bytes(bytes), World::default(), None);
        if let Some(finding) = finding {
            panic!("{finding}");
        }
    });
});
