//! `BF.*`: the commands of RedisBloom.
//!
//! Arguments, answers, errors and what happens to keys are those of RedisBloom 8. A filter that grows is of kind `growing`; one that does
//! not (`NONSCALING`, `EXPANSION 0`) is of kind `bloom`.
//!
//! | file | commands |
//! |---|---|
//! | `reserve` | `BF.RESERVE` |
//! | `add` | `BF.ADD`, `BF.MADD` |
//! | `insert` | `BF.INSERT` |
//! | `exists` | `BF.EXISTS`, `BF.MEXISTS` |
//! | `info` | `BF.INFO`, `BF.CARD` |
//! | `debug` | `BF.DEBUG` |
//! | `chunks` | `BF.SCANDUMP`, `BF.LOADCHUNK` |
//! | `options` | what a new filter is like |
//! | `items` | adding items |

mod add;
mod chunks;
mod debug;
mod exists;
mod info;
mod insert;
mod items;
mod options;
mod reserve;

pub use add::{Add, AddMany};
pub use chunks::{LoadChunk, ScanDump};
pub use debug::Debug;
pub use exists::{Exists, ExistsMany};
pub use info::{Card, Info};
pub use insert::Insert;
pub use reserve::Reserve;
