//! The lab.
fn main() { bloomwise_lab::peers::run(std::env::args().nth(1).as_deref()); }
