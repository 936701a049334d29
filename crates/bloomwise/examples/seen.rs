//! Which words of the standard input come for the first time?
//!
//! `cargo run -p bloomwise --example seen < README.md`

use bloomwise::{Bloom, Filter, Size};
use std::io::{self, BufRead};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut seen = Bloom::builder(10_000, Size::Rate(0.001)).build()?;
    let (mut words, mut new) = (0, 0);
    for line in io::stdin().lock().lines() {
        for word in line?.split_whitespace() {
            words += 1;
            if !seen.contains(word.as_bytes()) {
                new += 1;
                seen.insert(word);
            }
        }
    }
    println!("{words} words, at least {new} of them different");
    println!("estimated from the bits: {:.0}", seen.estimated_keys());
    Ok(())
}
