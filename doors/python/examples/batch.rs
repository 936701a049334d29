//! The Rust side of `bench/ratios.py`: answers a batch of integers, and prints how long it took.
//!
//! `batch FILTER KEYS` opens both files, KEYS with 8 bytes for each. For each line on standard input it answers all keys once, and prints seconds and the number of
//! keys that were accepted. So passes can take turns with those of Python.

use bloomwise::{AnyFilter, Filter, Persist};
use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [filter, keys] = arguments.as_slice() else {
        return Err("usage: batch FILTER KEYS".into());
    };
    let filter = AnyFilter::load(filter)?;
    let bytes = fs::read(keys)?;
    let (keys, _) = bytes.as_chunks();
    let keys: Vec<u64> = keys.iter().map(|&key| u64::from_le_bytes(key)).collect();
    for line in io::stdin().lines() {
        line?;
        let start = Instant::now();
        let answers = filter.contains_batch(&keys);
        let seconds = start.elapsed().as_secs_f64();
        let accepted = answers.iter().filter(|&&answer| answer).count();
        println!("{seconds} {accepted}");
        io::stdout().flush()?;
    }
    Ok(())
}
