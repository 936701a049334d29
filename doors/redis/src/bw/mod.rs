//! `BW.*`: filters of all kinds, and what they learn.
//!
//! | file | commands |
//! |---|---|
//! | `create` | `BW.CREATE` |
//! | `change` | `BW.ADD`, `BW.REM` |
//! | `exists` | `BW.EXISTS` |
//! | `guard` | `BW.GUARD` |
//! | `miss` | `BW.MISS` |
//! | `load` | `BW.LOAD` |
//! | `dump` | `BW.DUMP` |
//! | `info` | `BW.INFO`, `BW.LIST` |

mod change;
mod create;
mod dump;
mod exists;
mod guard;
mod info;
mod load;
mod miss;

pub use change::{Add, Remove};
pub use create::Create;
pub use dump::Dump;
pub use exists::Exists;
pub use guard::Guard;
pub use info::{Info, List};
pub use load::Load;
pub use miss::Miss;

use valkey_module::ValkeyError;

/// The error for a key that does not exist.
const NOT_FOUND: ValkeyError =
    ValkeyError::Str("ERR not found; create the filter with BW.CREATE or load it with BW.LOAD");
