//! Formulas of the papers that only the lab needs. The library has those that it plans with, in the `theory` modules of its families.
//!
//! | module | content |
//! |---|---|
//! | [`habf`] | the bounds of HABF's paper on repaired collisions |
//! | [`sscf`] | the rates of the query in SSCF's paper |
//! | [`balanced`] | the rate of a block in the paper's Figure 4, and an exact one |

pub mod balanced;
pub mod habf;
pub mod sscf;
