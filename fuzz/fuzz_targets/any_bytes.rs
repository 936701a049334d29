//! Any bytes, given to everything that loads a filter, a patch or a learner. If they hold one, everything is done with it.
//!
//! A learner has one checksum for everything, so the bytes are also put into a file with a right one.

#![no_main]

use bloomwise::Persist;
use bloomwise::format::Check;
use bloomwise::patched::Patch;
use bloomwise_fuzz::exercise::exercise;
use bloomwise_fuzz::{check_error, forms, init, learner};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: init(), |bytes: &[u8]| {
    let whole = forms::load(bytes);
    match (forms::borrow(bytes, Check::Header), &whole) {
        (Ok(unchecked), Some(whole)) => assert_eq!(&unchecked, whole),
        (Ok(unchecked), None) => exercise(unchecked, bytes.len(), false),
        (Err(error), None) => check_error(&error),
        (Err(error), Some(_)) => panic!("valid as a whole, but not without a check: {error}"),
    }
    if let Some(filter) = whole {
        exercise(filter, bytes.len(), true);
    }
    match Patch::from_bytes(bytes) {
        Ok(patch) => assert_eq!(patch.to_bytes(), bytes),
        Err(error) => check_error(&error),
    }
    learner::read(bytes);
    learner::read(&learner::forge(bytes));
});
