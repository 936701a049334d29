//! What the server does with our keys.
//!
//! In an RDB file, and so in `DUMP` and in what a replica gets, a key is: a number that says what follows (1 a filter, 2 a part of one, 3
//! both), and these. Filters are in the format of bloomwise files, which has its own version and checksums.
//!
//! A server that rewrites its append-only file without RDB gets commands instead: `BW.LOAD` in chunks.

use super::border::{contain, give_up};
use super::log_line;
use super::pieces::Pieces;
use super::stream::{Rdb, Unreadable};
use crate::incoming::Incoming;
use crate::limits::Budget;
use crate::value::Value;
use bloomwise::{AnyFilter, Persist};
use std::ffi::{c_char, c_int, c_void};
use std::io::{self, Write};
use std::ptr;
use valkey_module::digest::Digest;
use valkey_module::logging::{ValkeyLogLevel, log_io_error};
use valkey_module::native_types::ValkeyType;
use valkey_module::{Context, raw};

/// The version of what a key is in an RDB file.
const ENCODING: c_int = 1;

/// In an RDB file: a filter follows.
const FILTER: u64 = 1;

/// In an RDB file: a part of a filter follows.
const INCOMING: u64 = 2;

/// The bytes of a command of a rewritten append-only file.
const AOF_CHUNK: usize = 4 << 20;

/// The bytes that are as much work to free as one item of a list. The server frees more than 64 in the background.
const FREED_AT_ONCE: u64 = 4096;

/// The data type.
pub static TYPE: ValkeyType = ValkeyType::new(
    "bloomwise",
    ENCODING,
    raw::RedisModuleTypeMethods {
        version: raw::REDISMODULE_TYPE_METHOD_VERSION as u64,
        rdb_load: Some(rdb_load),
        rdb_save: Some(rdb_save),
        aof_rewrite: Some(aof_rewrite),
        mem_usage: Some(mem_usage),
        digest: Some(digest),
        free: Some(free),
        aux_load: None,
        aux_save: None,
        aux_save_triggers: 0,
        free_effort: Some(free_effort),
        unlink: None,
        copy: Some(copy),
        defrag: None,
        mem_usage2: None,
        free_effort2: None,
        unlink2: None,
        copy2: None,
        aux_save2: None,
    },
);

/// A value of ours that the server points to.
///
/// # Safety
///
/// The server passes a pointer that `rdb_load`, `copy` or a command gave it, and that was not freed.
unsafe fn value<'a>(pointer: *const c_void) -> &'a Value {
    // SAFETY: the caller says so, and only values are given to the server.
    unsafe { &*pointer.cast::<Value>() }
}

/// Gives a value to the server.
fn hand_over(value: Value) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Loads a key; null if it is damaged or too large, and the log says why.
///
/// # Safety
///
/// The server calls it with a file to read from.
unsafe extern "C" fn rdb_load(rdb: *mut raw::RedisModuleIO, encoding: c_int) -> *mut c_void {
    let load = || {
        // SAFETY: the function pointer was set when the module was initialized.
        let context = unsafe { raw::RedisModule_GetContextFromIO.map(|context| context(rdb)) };
        let mut budget = context.map_or_else(Budget::unlimited, |context| {
            Budget::of(&Context::new(context))
        });
        match load(&Rdb(rdb), encoding, &mut budget) {
            Ok(value) => hand_over(value),
            Err(error) => {
                let line = log_line(&format!("a filter was not loaded: {error}"));
                log_io_error(rdb, ValkeyLogLevel::Warning, &line);
                ptr::null_mut()
            }
        }
    };
    contain("rdb_load", ptr::null_mut, load)
}

/// Loads a key.
///
/// # Errors
///
/// It is damaged or too large.
fn load(rdb: &Rdb, encoding: c_int, budget: &mut Budget) -> Result<Value, Unreadable> {
    if encoding != ENCODING {
        return Err(Unreadable::Unknown(
            "it is of another version of the module",
        ));
    }
    let what = rdb.load_number()?;
    if what == 0 || what > FILTER | INCOMING {
        return Err(Unreadable::Unknown(
            "it is neither a filter nor a part of one",
        ));
    }
    let filter = match what & FILTER {
        0 => None,
        _ => Some(rdb.load_filter(budget)?),
    };
    let incoming = match what & INCOMING {
        0 => None,
        _ => Some(rdb.load_incoming(budget)?),
    };
    Ok(Value::new(filter, incoming))
}

/// Saves a key.
///
/// # Safety
///
/// The server calls it with a file to write to and a value of ours.
unsafe extern "C" fn rdb_save(rdb: *mut raw::RedisModuleIO, pointer: *mut c_void) {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    write_whole("rdb_save", rdb, value, || save(&Rdb(rdb), value));
}

/// Writes a value with `write`. The server discards the file if the value is broken or if `write` panics.
fn write_whole(
    place: &'static str,
    file: *mut raw::RedisModuleIO,
    value: &Value,
    write: impl FnOnce(),
) {
    let write = || match value.check() {
        Ok(()) => write(),
        Err(broken) => {
            let line = log_line(&format!("a filter was not saved: {broken}"));
            log_io_error(file, ValkeyLogLevel::Warning, &line);
            give_up(file);
        }
    };
    contain(place, || give_up(file), write);
}

/// Saves a value.
fn save(rdb: &Rdb, value: &Value) {
    let what = |there: bool, bit: u64| if there { bit } else { 0 };
    let (filter, incoming) = (value.arrived(), value.incoming());
    rdb.save_number(what(filter.is_some(), FILTER) | what(incoming.is_some(), INCOMING));
    if let Some(filter) = filter {
        rdb.save_filter(filter);
    }
    if let Some(incoming) = incoming {
        rdb.save_incoming(incoming);
    }
}

/// Writes commands that make a key.
///
/// # Safety
///
/// The server calls it with a file to write to, the name of a key and its value.
unsafe extern "C" fn aof_rewrite(
    aof: *mut raw::RedisModuleIO,
    key: *mut raw::RedisModuleString,
    pointer: *mut c_void,
) {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    write_whole("aof_rewrite", aof, value, || {
        write_commands(aof, key, value);
    });
}

/// Writes commands that make a key of this value.
fn write_commands(aof: *mut raw::RedisModuleIO, key: *mut raw::RedisModuleString, value: &Value) {
    // SAFETY: the function pointer was set when the module was initialized. The format says that a string of the server, bytes with their
    // length, and text and numbers follow, and so they do.
    let emit = |offset: u64, total: u64, chunk: &[u8]| unsafe {
        if let Some(emit) = raw::RedisModule_EmitAOF {
            let (start, length) = (chunk.as_ptr().cast::<c_char>(), chunk.len());
            let (offset, total) = (offset as i64, total as i64);
            emit(
                aof,
                c"BW.LOAD".as_ptr(),
                c"sbclclc".as_ptr(),
                key,
                start,
                length,
                c"AT".as_ptr(),
                offset,
                c"OF".as_ptr(),
                total,
                c"REPLACE".as_ptr(),
            );
        }
    };
    let commands = |total: u64| {
        let mut offset = 0;
        Pieces::new(AOF_CHUNK, total, move |chunk: &[u8]| {
            emit(offset, total, chunk);
            offset += chunk.len() as u64;
        })
    };
    // A sink of pieces accepts every write.
    if let Some(filter) = value.arrived() {
        _ = filter.write_to(&mut commands(filter.encoded_len()));
    }
    if let Some(incoming) = value.incoming() {
        let mut commands = commands(incoming.total());
        for part in incoming.parts() {
            _ = commands.write_all(part);
        }
        _ = commands.flush();
    }
}

/// The bytes that a value takes.
///
/// # Safety
///
/// The server calls it with a value of ours.
unsafe extern "C" fn mem_usage(pointer: *const c_void) -> usize {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    contain("mem_usage", || 0, || value.memory() as usize)
}

/// Mixes a value into the digest of `DEBUG DIGEST`.
///
/// # Safety
///
/// The server calls it with a digest and a value of ours.
unsafe extern "C" fn digest(digest: *mut raw::RedisModuleDigest, pointer: *mut c_void) {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    let mix = || {
        let mut sink = Digesting(Digest::new(digest));
        if let Some(filter) = value.arrived() {
            // A digest accepts every write.
            _ = filter.write_to(&mut sink);
        }
        for part in value.incoming().into_iter().flat_map(Incoming::parts) {
            sink.0.add_string_buffer(part);
        }
        sink.0.end_sequence();
    };
    contain("digest", || (), mix);
}

/// A digest to write to.
struct Digesting(Digest);

impl Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.add_string_buffer(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Frees a value.
///
/// # Safety
///
/// The server calls it with a value of ours that nobody else can reach, from any thread.
unsafe extern "C" fn free(pointer: *mut c_void) {
    // SAFETY: the value was made by a box, and the server gives it back once.
    let value = unsafe { Box::from_raw(pointer.cast::<Value>()) };
    contain("free", || (), || drop(value));
}

/// How much work it is to free a value. The server frees large ones in the background, if the client says `UNLINK`.
///
/// # Safety
///
/// The server calls it with a value of ours.
unsafe extern "C" fn free_effort(
    _key: *mut raw::RedisModuleString,
    pointer: *const c_void,
) -> usize {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    let effort = || 1 + (value.memory() / FREED_AT_ONCE) as usize;
    contain("free_effort", || 1, effort)
}

/// Copies a value; null if it is broken.
///
/// # Safety
///
/// The server calls it with a value of ours.
unsafe extern "C" fn copy(
    _from: *mut raw::RedisModuleString,
    _to: *mut raw::RedisModuleString,
    pointer: *const c_void,
) -> *mut c_void {
    // SAFETY: the server passes a value of ours.
    let value = unsafe { value(pointer) };
    let copy = || match value.check() {
        Ok(()) => hand_over(value.clone()),
        Err(_) => ptr::null_mut(),
    };
    contain("copy", ptr::null_mut, copy)
}

/// A value may be freed by another thread than the one that made it.
const _: () = {
    const fn crosses_threads<T: Send>() {}
    crosses_threads::<Value>();
    crosses_threads::<AnyFilter>();
};
