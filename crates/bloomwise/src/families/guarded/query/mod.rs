//! What a query needs, from a digest to an answer. Nothing here knows how filters are built.

pub(super) mod equation;
pub(super) mod layer;
pub(super) mod reader;
pub(super) mod shape;
pub(super) mod thresholds;
