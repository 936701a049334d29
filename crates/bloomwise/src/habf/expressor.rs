//! The `HashExpressor`: which functions an adjusted key has, kept in cells that many keys share.
//!
//! # The idea
//!
//! A cell holds the number of a function (0 if it is empty) and an end bit. The functions of a key are a chain: the
//! first cell is given by a function of its own, each function that a cell names leads to the next cell, and the
//! `k`-th cell must have the end bit. Nothing says whose cell it is. A key that was never stored may read a chain too;
//! the filter then asks the bits.
//!
//! To store a set of functions is to find an order in which every cell on the way is empty or names a function that
//! is still to come. Many orders may do; [`plan`] looks for one that writes the fewest new cells, so that the table
//! fills slowly.
//!
//! ```text
//! cells     [0: 4] [1: empty] [2: 2, end] [3: empty]           store {2, 4, 7}; the key starts at cell 0
//! cell 0 names 4, still to come      4 leads the key to cell 2
//! cell 2 names 2, still to come      2 leads the key to cell 3
//! cell 3 is empty: 7 is written, and the end bit               one new cell
//! ```
//!
//! # Invariants
//!
//! - A cell, once written, keeps its function for ever; the end bit is only ever set. So a chain that was stored is read
//!   back for ever: this is what the absence of false negatives rests on.
//! - The functions of a set are distinct, so a chain never comes to one cell twice.

use super::shape::Places;
use crate::cells::PackedArray;

/// The longest chain: the largest pool, less the one function that must be left to change to.
pub(super) const MAX_CHAIN: usize = 30;

/// Cells that a search for the best order looks at before it takes the best it has: all orders of four functions.
/// Looking at all orders of six would take a fifth more time to build, and repair hardly more.
const SEARCH: u32 = 64;

/// The functions that the chain of a key names, as a set, if it has `length` cells that are not empty and an end.
#[inline]
pub(super) fn chain<const KIND: u8>(
    cells: &PackedArray,
    cell_bits: u32,
    places: &Places<KIND>,
    length: u32,
) -> Option<u32> {
    let end = 1 << (cell_bits - 1);
    let (mut set, mut at, mut value) = (0, places.chain_start(), 0);
    for step in 0..length {
        value = cells.get(at);
        let function = (value & (end - 1)).checked_sub(1)? as u32;
        set |= 1 << function;
        if step + 1 < length {
            at = places.cell_after(function);
        }
    }
    (value & end != 0).then_some(set)
}

/// A way to store a set of functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The functions in the order of the chain.
    order: [u8; MAX_CHAIN],
    length: u8,
    /// How many of the cells are empty now.
    pub new_cells: u8,
}

/// The order of these functions that writes the fewest new cells; `None` if there is none, or, beyond four functions, if
/// none was found in time.
pub(super) fn plan<const KIND: u8>(
    cells: &PackedArray,
    cell_bits: u32,
    places: &Places<KIND>,
    functions: u32,
) -> Option<Plan> {
    let mut search = Search {
        cells,
        names: (1 << (cell_bits - 1)) - 1,
        places,
        path: Plan {
            order: [0; MAX_CHAIN],
            length: 0,
            new_cells: 0,
        },
        visited: [0; MAX_CHAIN],
        best: None,
        left: SEARCH,
    };
    search.extend(places.chain_start(), functions);
    search.best
}

/// A search through the orders of a set of functions.
struct Search<'a, const KIND: u8> {
    cells: &'a PackedArray,
    /// The bits of a cell that name a function.
    names: u64,
    places: &'a Places<KIND>,
    /// The chain so far.
    path: Plan,
    /// Its cells.
    visited: [usize; MAX_CHAIN],
    best: Option<Plan>,
    /// Cells that may still be looked at.
    left: u32,
}

impl<const KIND: u8> Search<'_, KIND> {
    /// Goes on at a cell with the functions that are still to come.
    fn extend(&mut self, cell: usize, to_come: u32) {
        let no_better = |best: Plan| self.path.new_cells >= best.new_cells;
        if self.best.is_some_and(no_better) {
            return;
        }
        if to_come == 0 {
            self.best = Some(self.path);
            return;
        }
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let depth = usize::from(self.path.length);
        if self.visited[..depth].contains(&cell) {
            return;
        }
        self.visited[depth] = cell;
        let name = self.cells.get(cell) & self.names;
        // An empty cell takes any function that is to come, another only its own.
        let new_cells = self.path.new_cells + u8::from(name == 0);
        let mut choices = match name.checked_sub(1) {
            None => to_come,
            Some(function) => to_come & 1 << function,
        };
        let before = self.path.new_cells;
        while choices != 0 {
            let function = choices.trailing_zeros();
            choices &= choices - 1;
            self.path.order[depth] = function as u8;
            (self.path.length, self.path.new_cells) = (depth as u8 + 1, new_cells);
            let next = self.places.cell_after(function);
            self.extend(next, to_come & !(1 << function));
            (self.path.length, self.path.new_cells) = (depth as u8, before);
        }
    }
}

/// Writes a chain.
pub(super) fn store<const KIND: u8>(
    cells: &mut PackedArray,
    cell_bits: u32,
    places: &Places<KIND>,
    plan: &Plan,
) {
    let end = 1 << (cell_bits - 1);
    let order = &plan.order[..usize::from(plan.length)];
    let mut cell = places.chain_start();
    for (at, &function) in order.iter().enumerate() {
        let last = if at + 1 == order.len() { end } else { 0 };
        // An end bit that stands there already belongs to another key.
        let value = cells.get(cell) & end | last | u64::from(function + 1);
        cells.set(cell, value);
        cell = places.cell_after(u32::from(function));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::habf::shape::{FULL, Kind, Shape};
    use crate::hash::Hashing;
    use proptest::prelude::*;

    const CELL_BITS: u32 = 4;

    /// A table so small that chains run into each other.
    fn shape(functions: u32) -> Shape {
        Shape {
            kind: Kind::Full,
            functions,
            cell_bits: CELL_BITS,
            segments: 1,
            bits: 64,
            cells: 24,
            strict: true,
        }
    }

    fn places(key: u32) -> Places<FULL> {
        let digest = Hashing::default().digest(&key.to_le_bytes());
        shape(4).places(digest)
    }

    fn cells() -> PackedArray {
        PackedArray::new(24, CELL_BITS).expect("small")
    }

    /// The fewest new cells over all orders, by trying them all.
    fn fewest(cells: &PackedArray, places: &Places<FULL>, to_come: &[u32]) -> Option<u32> {
        fn go(
            cells: &PackedArray,
            places: &Places<FULL>,
            path: &mut Vec<usize>,
            to_come: &[u32],
        ) -> Option<u32> {
            if to_come.is_empty() {
                return Some(0);
            }
            let here = path[path.len() - 1];
            if path[..path.len() - 1].contains(&here) {
                return None;
            }
            let name = cells.get(here) & 7;
            let tried = to_come
                .iter()
                .filter(|&&f| name == 0 || name == u64::from(f + 1));
            let found = tried.filter_map(|&function| {
                let rest: Vec<u32> = to_come.iter().copied().filter(|&f| f != function).collect();
                path.push(places.cell_after(function));
                let new = go(cells, places, path, &rest);
                path.pop();
                new.map(|new| new + u32::from(name == 0))
            });
            found.min()
        }
        go(cells, places, &mut vec![places.chain_start()], to_come)
    }

    proptest! {
        #[test]
        fn the_best_order_is_found_and_what_is_stored_is_read_for_ever(
            keys in prop::collection::vec((any::<u32>(), 1u32..127), 0..20),
        ) {
            let mut cells = cells();
            let mut stored: Vec<(Places<FULL>, u32)> = Vec::new();
            for (key, set) in keys.into_iter().filter(|(_, set)| set.count_ones() <= 4) {
                let places = places(key);
                let functions: Vec<u32> = (0..7).filter(|f| set >> f & 1 == 1).collect();
                let plan = plan(&cells, CELL_BITS, &places, set);
                let expected = fewest(&cells, &places, &functions);
                prop_assert_eq!(plan.map(|plan| u32::from(plan.new_cells)), expected);
                if let Some(plan) = plan {
                    let before = cells.count(|cell| cell != 0);
                    store(&mut cells, CELL_BITS, &places, &plan);
                    let after = cells.count(|cell| cell != 0);
                    prop_assert_eq!(after - before, u64::from(plan.new_cells));
                    stored.push((places, set));
                }
                for (places, set) in &stored {
                    prop_assert_eq!(chain(&cells, CELL_BITS, places, set.count_ones()), Some(*set));
                }
            }
        }
    }

    #[test]
    fn an_empty_table_has_no_chain() {
        assert_eq!(chain(&cells(), CELL_BITS, &places(7), 3), None);
    }
}
