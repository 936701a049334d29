//! The negatives whose mistakes cost most.

use bloomwise::{Costed, Digest, KeySets};

/// The costliest negatives, this share of the number of positives, or all if there are not so many.
pub fn vulnerable(sets: &KeySets, share: f64) -> Vec<Digest> {
    let count = (share * sets.positives().len() as f64).round() as usize;
    let negatives = costliest(sets, count);
    negatives
        .into_iter()
        .map(|negative| negative.digest)
        .collect()
}

/// So many of the costliest negatives, from the costliest on.
pub fn costliest(sets: &KeySets, count: usize) -> Vec<Costed> {
    let all = sets.negatives();
    // Costs alone are copied to find the least that is among them: keys would be thrice as much.
    let mut costs: Vec<f64> = all.iter().map(|negative| negative.cost).collect();
    let least = match count.checked_sub(1) {
        Some(last) if count < costs.len() => {
            *costs.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1
        }
        Some(_) => f64::NEG_INFINITY,
        None => return Vec::new(),
    };
    drop(costs);
    let among = all.iter().filter(|negative| negative.cost >= least);
    let mut found: Vec<Costed> = among.copied().collect();
    found.sort_unstable_by(|a, b| b.cost.total_cmp(&a.cost).then(a.digest.cmp(&b.digest)));
    found.truncate(count);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Set, Source, zipf};

    #[test]
    fn the_costliest_come_first() {
        let set = Set::sized(Source::Users, 1000, 500, 10);
        let sets = set.with_costs(&zipf::costs(500, 1.0, 3)).expect("sound");
        let found = costliest(&sets, 20);
        for (rank, negative) in (1..).map(f64::from).zip(&found) {
            assert!((negative.cost - 1.0 / rank).abs() < 1e-12);
        }
        assert_eq!(found.len(), 20);
        assert_eq!(costliest(&sets, 1000).len(), 500);
        assert_eq!(vulnerable(&sets, 0.05).len(), 50);
    }
}
