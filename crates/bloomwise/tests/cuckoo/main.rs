//! Cuckoo filters: keys that come and go, exceptions, threads. The laws for all families, with a naive model, are in `tests/laws`.

mod changes;
mod exceptions;
mod threads;
