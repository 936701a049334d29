//! The costliest of several known negatives.

use crate::keys::sets::Costed;

/// The `count` costliest negatives, in any order. Of equal costs, those with smaller digests come first.
pub(crate) fn costliest(negatives: &[Costed], count: u64) -> Vec<Costed> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut all = negatives.to_vec();
    if count < all.len() {
        all.select_nth_unstable_by(count, |a, b| {
            b.cost.total_cmp(&a.cost).then(a.digest.cmp(&b.digest))
        });
        all.truncate(count);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::hash::Digest;

    #[test]
    fn equal_costs_are_told_apart_by_digest() {
        let negative = |(digest, cost): (u128, f64)| Costed {
            digest: Digest::from(digest),
            cost,
        };
        let all: Vec<Costed> = [(1, 1.0), (2, 3.0), (3, 2.0), (4, 2.0), (5, 0.0)]
            .map(negative)
            .to_vec();
        for (count, expected) in [(0, vec![]), (2, vec![2, 3]), (3, vec![2, 3, 4])] {
            let mut found: Vec<Digest> = costliest(&all, count)
                .iter()
                .map(|one| one.digest)
                .collect();
            found.sort_unstable();
            let expected: Vec<Digest> = expected.into_iter().map(Digest::from).collect();
            assert_eq!(found, expected);
        }
        assert_eq!(costliest(&all, u64::MAX), all);
    }
}
