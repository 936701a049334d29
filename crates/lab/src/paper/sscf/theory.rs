//! The rates of the query in SSCF's paper, as functions of numbers: Theorems IV.1 and IV.2.
//!
//! The lemmas of the same section are [`bloomwise::seesaw::theory::paper`]. The library's query checks the whole
//! footprint of a key and has lower rates ([`State`](bloomwise::seesaw::theory::State)).

/// Theorem IV.1: the rate of the paper's query on guarded keys. `fills` are the shares of marked and of unmarked counters in use,
/// `load` is the share of modulator cells in use.
pub fn guarded_rate(functions: u32, marked: f64, fills: (f64, f64), load: f64) -> f64 {
    let (marked_fill, plain_fill) = fills;
    let k = f64::from(functions);
    let second = (1.0 - marked_fill) * (1.0 - marked) * k * plain_fill * load;
    marked_fill.powi(functions as i32 - 1) * (marked_fill + second)
}

/// Theorem IV.2: the rate of the paper's query on other non-members. `fills` are the shares of marked and of unmarked counters in
/// use, `load` is the share of modulator cells in use.
pub fn other_rate(functions: u32, marked: f64, fills: (f64, f64), load: f64) -> f64 {
    let (marked_fill, plain_fill) = fills;
    let k = f64::from(functions);
    let fill = marked * marked_fill + (1.0 - marked) * plain_fill;
    let second = (1.0 - fill) * k * (1.0 - marked) * plain_fill * load;
    fill.powi(functions as i32 - 1) * (fill + second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::keys::Digest;
    use bloomwise::seesaw::theory::Setup;
    use bloomwise::{Filter, Hashing, Insert, KeySets, Seesaw, Size, Workload};
    use bloomwise_model::naive::seesaw::SeesawModel;
    use std::ops::Range;

    const KEYS: u64 = 60_000;
    const NON_MEMBERS: u64 = 400_000;

    fn digest(key: u64) -> Digest {
        Hashing::default().digest(key)
    }

    #[test]
    fn paper_query_has_the_rates_of_its_theorems_and_ours_has_lower_ones() {
        for (share, functions, alpha) in [(0.05, 4, 0.1), (0.3, 3, 0.1), (1.0, 3, 0.2)] {
            let guarded = 1_000_000..1_000_000 + (share * KEYS as f64) as u64;
            let non_members = 5_000_000..5_000_000 + NON_MEMBERS;
            let builder = Seesaw::builder(Size::BitsPerKey(28.0))
                .capacity(KEYS)
                .functions(functions)
                .alpha(alpha)
                .count_bits(4)
                .index_bits(1)
                .guard(share);
            let none: [u64; 0] = [];
            let sets = KeySets::new(none, guarded.clone().map(|key| (key, 1.0)));
            let sets = sets.expect("sound costs");
            let plan = builder.plan(&Workload::of(&sets)).expect("sound");
            let mut filter = builder.build(&sets).expect("sound");
            let mut model = SeesawModel::of(&filter).expect("a seesaw filter");
            guarded.clone().for_each(|key| model.guard(digest(key)));
            for key in 0..KEYS {
                filter.insert(key);
                model.insert(digest(key));
            }
            let setup = Setup {
                guarded: share,
                counters: plan.counters as f64 / KEYS as f64,
                cells: plan.cells as f64 / KEYS as f64,
                functions,
                index_bits: 1,
            };
            let state = setup.state();
            let fills = (state.marked_fill, state.plain_fill);
            let load = state.load.expect("has a modulator");
            let by_paper = |range: Range<u64>| {
                let wrong = range.filter(|&key| model.contains_by_paper(digest(key)));
                wrong.count() as f64
            };
            let ours = |range: Range<u64>| {
                let answers = filter.contains_batch(range);
                answers.iter().filter(|&&yes| yes).count() as f64
            };
            let mean = (guarded.end - guarded.start) as f64
                * guarded_rate(functions, state.marked, fills, load);
            let wrong = by_paper(guarded.clone());
            assert!(
                (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.15 * mean + 1.0,
                "{wrong}, {mean}"
            );
            let mean = NON_MEMBERS as f64 * other_rate(functions, state.marked, fills, load);
            let wrong = by_paper(non_members.clone());
            assert!(
                (wrong - mean).abs() < 5.0 * mean.sqrt() + 0.03 * mean,
                "{wrong}, {mean}"
            );
            assert!(ours(non_members) < wrong && ours(guarded.clone()) <= by_paper(guarded));
        }
    }
}
