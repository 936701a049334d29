//! How costs are spread over keys: what share of all cost the costliest keys have.

use super::samples::sum;

/// The share of the cost of the costliest keys.
#[derive(Debug, PartialEq)]
pub struct CostShare {
    /// The number of keys.
    pub keys: u64,
    /// These keys as a share of all; `None` for the costliest key alone.
    pub share: Option<f64>,
    /// Their cost, as a share of all cost.
    pub cost: f64,
}

impl CostShare {
    /// The costliest key, 0.1 %, 1 % and 10 % of the keys. Shares of less than two keys are left out. Empty if the cost of all keys is zero.
    pub fn of(mut costs: Vec<f64>) -> Vec<Self> {
        costs.sort_unstable_by(|one, other| other.total_cmp(one));
        let total = sum(costs.clone());
        let share = |share: Option<f64>| {
            let keys = share.map_or(1, |share| (share * costs.len() as f64).round() as usize);
            Some(CostShare {
                keys: keys as u64,
                share,
                cost: sum(costs.get(..keys)?.to_vec()).share_of(total)?,
            })
        };
        [None, Some(0.001), Some(0.01), Some(0.1)]
            .into_iter()
            .filter_map(share)
            .filter(|found| found.share.is_none() || found.keys >= 2)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_costliest_keys() {
        let mut costs = vec![1.0; 999];
        costs.push(1001.0);
        let shares = CostShare::of(costs);
        let found: Vec<_> = (shares.iter())
            .map(|one| (one.keys, (1e4 * one.cost).round()))
            .collect();
        assert_eq!(found, [(1, 5005.0), (10, 5050.0), (100, 5500.0)]);
        assert_eq!(CostShare::of(vec![0.0; 9]), []);
        assert_eq!(CostShare::of(Vec::new()), []);
        assert_eq!(CostShare::of(vec![f64::MAX; 8])[0].cost, 0.125);
        assert_eq!(CostShare::of(vec![3.0]).len(), 1);
    }
}
