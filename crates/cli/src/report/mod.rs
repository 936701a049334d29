//! What only the command prints: the answers of `query` ([`answers`]), and the report of `build`.

pub mod answers;
mod build;
