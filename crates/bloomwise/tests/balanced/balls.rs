//! Simulations of balls and bins, by the rules of the schemes, against the theory. They share no code with the filter.

use bloomwise::balanced::theory::{Bound, Threshold, region};

/// The result of throwing balls.
struct Thrown {
    /// The share of bins with each load.
    loads: Vec<f64>,
    /// The mean number of bins read per ball.
    reads: f64,
    /// The share of balls that no bin has accepted.
    overflow: f64,
}

const BINS: usize = 100_000;

/// Throws `load` balls per bin. Each ball tries one random bin of each table in turn, until a bin accepts it. The randomness
/// comes from a generator, not from digests, and a bin is just its load.
fn throw(tables: &[std::ops::Range<usize>], load: f64, threshold: Threshold) -> Thrown {
    let mut state = 1u64;
    let mut random = || {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) as f64 / 2f64.powi(64)
    };
    let mut bins = vec![0usize; BINS];
    let balls = (load * BINS as f64) as u32;
    let (mut reads, mut overflow) = (0u32, 0u32);
    for _ in 0..balls {
        let accepted = tables.iter().any(|table| {
            reads += 1;
            let bin = table.start + (random() * table.len() as f64) as usize;
            let full = bins[bin] >= threshold.level;
            let accepts = !full || bins[bin] == threshold.level && random() < threshold.coin;
            bins[bin] += usize::from(accepts);
            accepts
        });
        overflow += u32::from(!accepted);
    }
    let mut loads = vec![0.0; threshold.level + 2];
    bins.iter()
        .for_each(|&load| loads[load] += 1.0 / BINS as f64);
    Thrown {
        loads,
        reads: f64::from(reads) / f64::from(balls),
        overflow: f64::from(overflow) / f64::from(balls),
    }
}

/// Compares the result with the bound and with the predicted reads and overflow.
fn check_thrown(thrown: &Thrown, reads: f64, load: f64, overflow: f64) {
    let what = format!("reads {reads}, load {load}, overflow {overflow}");
    let bound = Bound::new(reads, load, overflow);
    for (keys, (found, share)) in thrown.loads.iter().zip(&bound.loads).enumerate() {
        let slack = 5.0 * (share * (1.0 - share) / BINS as f64).sqrt() + 1e-4;
        assert!(
            (found - share).abs() < slack,
            "{what}: load {keys}: {found}, {share}"
        );
    }
    let balls = load * BINS as f64;
    let slack = 5.0 * (overflow / balls).sqrt() + 1e-5;
    assert!(
        (thrown.overflow - overflow).abs() < slack,
        "{what}: {}",
        thrown.overflow
    );
    let slack = 5.0 * ((reads - 1.0) / balls).sqrt();
    assert!(
        (thrown.reads - reads).abs() <= slack,
        "{what}: {} reads",
        thrown.reads
    );
}

#[test]
fn balls_with_one_choice_reach_the_bound() {
    for load in [1.0, 8.0, 32.0] {
        for overflow in [0.002, 0.02] {
            let threshold = Threshold::solve(1.0, load, overflow);
            let one = std::slice::from_ref(&(0..BINS));
            let thrown = throw(one, load, threshold);
            check_thrown(&thrown, 1.0, load, overflow);
        }
    }
}

#[test]
fn balls_with_sequential_choices_reach_the_bound() {
    for (reads, choices, load) in [(1.1, 3, 8.0), (1.2, 3, 8.0), (1.2, 2, 2.0), (1.3, 4, 32.0)] {
        let overflow = region::sequential_overflow(reads, choices, load);
        let threshold = Threshold::solve(reads, load, overflow);
        let thrown = throw(&vec![0..BINS; choices as usize], load, threshold);
        check_thrown(&thrown, reads, load, overflow);
    }
}

#[test]
fn balls_in_tables_of_falling_size_reach_the_bound() {
    for (reads, choices, load) in [(1.1, 3, 8.0), (1.2, 3, 8.0), (1.2, 2, 2.0), (1.3, 4, 32.0)] {
        let overflow = region::mht_overflow(reads, choices);
        let shares = region::mht_shares(region::rejected_share(reads, choices), choices);
        let mut tables = Vec::new();
        let (mut start, mut share) = (0, 0.0);
        for own in shares {
            share += own;
            let end = (share * BINS as f64).round() as usize;
            tables.push(start..end);
            start = end;
        }
        let thrown = throw(&tables, load, Threshold::solve(reads, load, overflow));
        check_thrown(&thrown, reads, load, overflow);
    }
}
