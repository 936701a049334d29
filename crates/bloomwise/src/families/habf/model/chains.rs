//! A model of the chains that unseen keys read: how likely a chain is, and how many functions it names.
//!
//! The chain of an unseen key walks through cells that other keys have written. For a given key, a function always leads to the
//! same cell. So as long as the walk meets new functions, it meets new cells, and those are random. Once a function is
//! repeated, the walk stays in a loop: it names no further function, and none of its cells is empty. Loops make chains
//! more likely, and chains with a loop name few functions, whose bits are then more likely to be 1.
//!
//! An example with three functions per key: half of the cells are empty, and a fourteenth of the cells name each of
//! seven functions. The first cell names a function with chance 1/2. The second cell names the same function with
//! chance 1/14; then the third is the second again. So a chain names a single function with chance 1/2 · 1/14 = 1/28,
//! where three independent cells would do so with chance 1/2 · 1/14 · 1/14.

/// What the cells name, as shares of all cells.
#[derive(Clone, Copy, Debug)]
pub(in crate::families::habf) struct CellShares {
    /// Cells that name an initial function.
    pub initial: f64,
    /// Cells that name another function.
    pub others: f64,
    /// Cells that have the end bit.
    pub ends: f64,
}

/// A group of chains that name equally many functions.
#[derive(Clone, Copy, Debug)]
pub(in crate::families::habf) struct ChainGroup {
    /// How many initial functions they name.
    pub initial: u32,
    /// How many other functions they name.
    pub others: u32,
    /// The chance that an unseen key reads such a chain.
    pub chance: f64,
}

/// The chains that unseen keys read, if keys have `functions` initial functions out of a pool of `pool`.
pub(in crate::families::habf) fn chain_groups(
    shares: CellShares,
    functions: u32,
    pool: u32,
) -> Vec<ChainGroup> {
    let used = shares.initial + shares.others;
    if used == 0.0 {
        return Vec::new();
    }
    let spare = pool - functions;
    let each_initial = shares.initial / f64::from(functions);
    let each_other = shares.others / f64::from(spare);
    let at_end = shares.ends / used;
    let mut groups = Vec::new();
    // The chances of the walks of `length` different functions, by the number of initial ones.
    let mut walks = vec![1.0];
    for length in 0..=functions {
        let mut longer = vec![0.0; walks.len() + 1];
        for (initial, walk) in (0..).zip(walks) {
            let others = length - initial;
            if others > spare {
                continue;
            }
            let stays = if length == functions {
                1.0
            } else {
                f64::from(initial) * each_initial + f64::from(others) * each_other
            };
            groups.push(ChainGroup {
                initial,
                others,
                chance: walk * stays * at_end,
            });
            longer[initial as usize + 1] += walk * f64::from(functions - initial) * each_initial;
            longer[initial as usize] += walk * f64::from(spare - others) * each_other;
        }
        walks = longer;
    }
    groups
}

/// The rate at which unseen keys pass the second round but not the first, if a share `fill` of the bits is 1.
///
/// All `k` initial bits of a key are 1 with chance `x^k`, where `x` is `fill`. A chain that names `i` initial functions and
/// `j` others passes if these bits are 1 and some initial bit is 0: `x^(i + j) - x^(k + j)`. The strict second round
/// requires `i = k - 1` and `j = 1`, and that the chain leaves out the one initial function whose bit is 0: `x^k (1 - x)`.
pub(in crate::families::habf) fn second_round_rate(
    groups: &[ChainGroup],
    functions: u32,
    strict: bool,
    fill: f64,
) -> f64 {
    let power = |exponent: u32| fill.powi(exponent as i32);
    let of_group = |group: &ChainGroup| {
        let passes = match strict {
            false => power(group.initial + group.others) - power(functions + group.others),
            true if (group.initial + 1, group.others) == (functions, 1) => {
                power(functions) * (1.0 - fill)
            }
            true => 0.0,
        };
        group.chance * passes
    };
    groups.iter().map(of_group).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_example() {
        let shares = CellShares {
            initial: 3.0 / 14.0,
            others: 4.0 / 14.0,
            ends: 0.5,
        };
        let groups = chain_groups(shares, 3, 7);
        let naming = |count: u32| -> f64 {
            let some = groups.iter().filter(|g| g.initial + g.others == count);
            some.map(|group| group.chance).sum()
        };
        // Two functions: the third cell names the first or the second.
        let chances = [0.0, 1.0 / 28.0, 0.5 * 6.0 / 14.0 * 2.0 / 14.0];
        for (count, chance) in (0..).zip(chances) {
            assert!((naming(count) - chance).abs() < 1e-12, "{count}");
        }
        assert!((naming(3) - 0.5 * 6.0 / 14.0 * 5.0 / 14.0).abs() < 1e-12);
    }

    #[test]
    fn without_cells_in_use_there_are_no_chains() {
        let shares = CellShares {
            initial: 0.0,
            others: 0.0,
            ends: 0.0,
        };
        assert!(chain_groups(shares, 4, 7).is_empty());
    }
}
