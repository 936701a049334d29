//! `BW.FAULT place [after]`: panics on demand, for tests of what the module does after one.
//!
//! Release builds have no such command.

use crate::arguments::{Cursor, natural};
use crate::ffi::{Access, Call, Command, Meta};
use crate::reply::Reply;
use std::sync::{Mutex, PoisonError};
use valkey_module::ValkeyError;

/// The place that panics, and how often it is passed before.
static FAULT: Mutex<(String, u64)> = Mutex::new((String::new(), 0));

/// Panics if this place was asked for.
pub fn strike(place: &str) {
    let mut fault = FAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if fault.0 != place {
        return;
    }
    match fault.1.checked_sub(1) {
        Some(left) => fault.1 = left,
        None => panic!("the fault that a test has asked for, in {place}"),
    }
}

/// Chooses the place.
pub struct Fault;

impl Command for Fault {
    const META: Meta = Meta {
        name: "bw.fault",
        arity: -2,
        access: Access::None,
        fast: true,
        summary: "Makes a place in the code panic, for tests",
        complexity: "O(1)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let mut cursor = Cursor::new(call.arguments());
        let place = String::from_utf8_lossy(cursor.expect()?).into_owned();
        let after = cursor.next().map_or(Some(0), natural);
        let after = after.ok_or(ValkeyError::Str("ERR give a whole number after the place"))?;
        *FAULT.lock().unwrap_or_else(PoisonError::into_inner) = (place, after);
        Ok(Reply::Done)
    }
}
