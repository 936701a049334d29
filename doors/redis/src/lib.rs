//! A module for Redis 7 and later and Valkey 8 and later: filters that many clients share.
//!
//! ```text
//! redis-server --loadmodule libbloomwise_redis.so
//! redis-cli BF.ADD seen user4718
//! ```
//!
//! `BF.*` are the commands of RedisBloom, so its clients work as they are. `BW.*` are filters of all other kinds, and learning: a client
//! reports that an answer was wrong (`BW.MISS`), and the filter does not make the costliest mistakes twice.
//! The README beside it is for clients, `docs/redis.md` in the repository for who runs the server.
//!
//! # Parts
//!
//! | module | contents |
//! |---|---|
//! | `bf`, `bw` | the commands, one file for one or two |
//! | `value`, `incoming` | what a key holds; a filter that arrives in chunks |
//! | `limits`, `growth`, `configuration` | how much memory a key and a command may take; settings |
//! | `hashing` | the secret of a new filter |
//! | `census`, `info` | totals over all keys |
//! | `arguments`, `reply` | reading and answering |
//! | `fault` | panics on demand, for tests; not in release builds |
//! | `ffi` | the FFI boundary, with all `unsafe` |
//!
//! # Replication
//!
//! A replica repeats what its master has done. What depends on chance or on the moment is decided by the master and replicated as its
//! effect: a new filter with its secret, a report of a miss that was taken. Everything else gives the same bytes on both, so
//! `DEBUG DIGEST` is equal.

mod arguments;
mod bf;
mod bw;
mod census;
mod configuration;
#[cfg(debug_assertions)]
mod fault;
mod ffi;
mod growth;
mod hashing;
mod incoming;
mod info;
mod limits;
mod reply;
mod value;

use ffi::Entry;

/// All commands.
const COMMANDS: [Entry; 21] = [
    Entry::of::<bf::Reserve>(),
    Entry::of::<bf::Add>(),
    Entry::of::<bf::AddMany>(),
    Entry::of::<bf::Insert>(),
    Entry::of::<bf::Exists>(),
    Entry::of::<bf::ExistsMany>(),
    Entry::of::<bf::Info>(),
    Entry::of::<bf::Card>(),
    Entry::of::<bf::Debug>(),
    Entry::of::<bf::ScanDump>(),
    Entry::of::<bf::LoadChunk>(),
    Entry::of::<bw::Create>(),
    Entry::of::<bw::Add>(),
    Entry::of::<bw::Remove>(),
    Entry::of::<bw::Exists>(),
    Entry::of::<bw::Guard>(),
    Entry::of::<bw::Miss>(),
    Entry::of::<bw::Load>(),
    Entry::of::<bw::Dump>(),
    Entry::of::<bw::Info>(),
    Entry::of::<bw::List>(),
];
