//! The policy in a store, as a program uses it.
#![allow(clippy::unwrap_used, reason = "tests")]

mod answers;
mod damage;
mod golden;
mod learning;
mod on_request;
mod prefixes;
mod recovery;
mod store;
mod switching;
