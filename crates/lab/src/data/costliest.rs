//! The costliest negatives.

use bloomwise::KeySets;
use bloomwise::keys::{Costed, Digest};

/// The digests of the costliest negatives, `share` times as many as there are positives, or all if there are fewer.
pub fn costliest_share(sets: &KeySets, share: f64) -> Vec<Digest> {
    let count = (share * sets.positives().len() as f64).round() as usize;
    let negatives = costliest(sets, count);
    negatives.iter().map(|negative| negative.digest).collect()
}

/// The `count` costliest negatives, the costliest first.
pub fn costliest(sets: &KeySets, count: usize) -> Vec<Costed> {
    let all = sets.negatives();
    // Copies only the costs to find the lowest one that is included: keys would take three times the memory.
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
    use crate::data::{Set, Source, zipf};

    #[test]
    fn costliest_negatives_come_first() {
        let set = Set::sized(Source::Users, 1000, 500, 10);
        let sets = set.with_costs(&zipf::costs(500, 1.0, 3)).expect("valid");
        let found = costliest(&sets, 20);
        for (rank, negative) in (1..).map(f64::from).zip(&found) {
            assert!((negative.cost - 1.0 / rank).abs() < 1e-12);
        }
        assert_eq!(found.len(), 20);
        assert_eq!(costliest(&sets, 1000).len(), 500);
        assert_eq!(costliest_share(&sets, 0.05).len(), 50);
    }
}
