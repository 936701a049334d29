//! The example that `bloomwise demo` shows, on generated keys.
//!
//! A browser keeps a block list of host names in a filter. A filter that small flags some harmless sites by mistake. The browser
//! knows which sites are popular and how much traffic each gets, so a filter can avoid the mistakes that matter most.
//!
//! [`DemoData`] generates the keys. `explanation` has the sentences around the comparison.

mod data;
mod explanation;

pub use data::DemoData;
pub use explanation::{introduction, takeaway};
