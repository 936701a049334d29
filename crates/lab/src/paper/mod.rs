//! The papers' tables and figures, run again.

pub mod balanced;
pub mod habf;
pub mod ibf;
pub mod learned;
pub mod sscf;
