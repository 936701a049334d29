//! The `HashExpressor`: stores the functions of adjusted keys, in cells that many keys share.
//!
//! # The idea
//!
//! A cell holds the number of a function (0 if the cell is empty) and an end bit. The functions of a key form a chain.
//! A separate function gives the first cell. The function that a cell names leads to the next cell. The `k`-th cell
//! must have the end bit. A cell does not record whose it is, so a key that was never stored may read a chain too; the
//! query then reads the bits.
//!
//! To store a set of functions, we need an order in which every cell on the way is either empty or names a function of
//! the set that is not used yet. Several orders may work; [`find_order`] looks for the one that writes the fewest new
//! cells, so that the table fills slowly.
//!
//! ```text
//! cells     [0: 4] [1: empty] [2: 2, end] [3: empty]           store {2, 4, 7}; the key starts at cell 0
//! cell 0 names 4, not used yet       4 leads the key to cell 2
//! cell 2 names 2, not used yet       2 leads the key to cell 3
//! cell 3 is empty: write 7 and the end bit                     one new cell
//! ```
//!
//! # Invariants
//!
//! - A written cell keeps its function forever, and an end bit is never cleared. So a stored chain is always read
//!   back. The guarantee of no false negatives depends on this.
//! - The functions of a set are distinct, so a stored chain never visits a cell twice.

use super::shape::Places;
use crate::cells::{PackedArray, PackedView};

/// The length of the longest chain: the largest pool, minus the one function that adjusted keys need.
pub(super) const MAX_CHAIN: usize = 30;

/// The number of cells that a search for the best order visits before it returns the best so far. It suffices for all
/// orders of four functions. Searching all orders of six would make building a fifth slower and repair hardly more.
const SEARCH_LIMIT: u32 = 64;

/// Reads the chain of a key. Returns the set of functions that it names; `None` if one of its `length` cells is empty
/// or the last has no end bit.
#[inline]
pub(super) fn read_chain<const KIND: usize>(
    cells: PackedView<'_>,
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

/// An order in which a set of functions can be stored as a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainOrder {
    /// The functions in the order of the chain.
    functions: [u8; MAX_CHAIN],
    /// How many functions the chain has.
    length: u8,
    /// How many cells of the chain are still empty.
    pub new_cells: u8,
}

/// Finds the order of these functions that writes the fewest new cells. Returns `None` if there is no order. With more
/// than four functions the search may stop early: the order may not be the best, and `None` may mean that none was
/// found in time.
pub(super) fn find_order<const KIND: usize>(
    cells: &PackedArray,
    cell_bits: u32,
    places: &Places<KIND>,
    functions: u32,
) -> Option<ChainOrder> {
    let mut search = Search {
        cells,
        names: (1 << (cell_bits - 1)) - 1,
        places,
        path: ChainOrder {
            functions: [0; MAX_CHAIN],
            length: 0,
            new_cells: 0,
        },
        visited: [0; MAX_CHAIN],
        best: None,
        visits_left: SEARCH_LIMIT,
    };
    search.extend(places.chain_start(), functions);
    search.best
}

/// A search through the orders of a set of functions.
struct Search<'a, const KIND: usize> {
    /// The expressor.
    cells: &'a PackedArray,
    /// A mask for the bits of a cell that name a function.
    names: u64,
    /// Where the cells of the key are.
    places: &'a Places<KIND>,
    /// The chain so far.
    path: ChainOrder,
    /// The cells of the chain so far.
    visited: [usize; MAX_CHAIN],
    /// The best complete chain so far.
    best: Option<ChainOrder>,
    /// How many more cells the search may visit.
    visits_left: u32,
}

impl<const KIND: usize> Search<'_, KIND> {
    /// Continues the chain at `cell` with the set `unused` of functions.
    fn extend(&mut self, cell: usize, unused: u32) {
        let no_better = |best: ChainOrder| self.path.new_cells >= best.new_cells;
        if self.best.is_some_and(no_better) {
            return;
        }
        if unused == 0 {
            self.best = Some(self.path);
            return;
        }
        if self.visits_left == 0 {
            return;
        }
        self.visits_left -= 1;
        let depth = usize::from(self.path.length);
        if self.visited[..depth].contains(&cell) {
            return;
        }
        self.visited[depth] = cell;
        let name = self.cells.get(cell) & self.names;
        // An empty cell can take any unused function, a written cell only the function that it names.
        let new_cells = self.path.new_cells + u8::from(name == 0);
        let mut choices = match name.checked_sub(1) {
            None => unused,
            Some(function) => unused & 1 << function,
        };
        let before = self.path.new_cells;
        while choices != 0 {
            let function = choices.trailing_zeros();
            choices &= choices - 1;
            self.path.functions[depth] = function as u8;
            (self.path.length, self.path.new_cells) = (depth as u8 + 1, new_cells);
            let next = self.places.cell_after(function);
            self.extend(next, unused & !(1 << function));
            (self.path.length, self.path.new_cells) = (depth as u8, before);
        }
    }
}

/// Writes a chain in the given order.
pub(super) fn store_chain<const KIND: usize>(
    cells: &mut PackedArray,
    cell_bits: u32,
    places: &Places<KIND>,
    order: &ChainOrder,
) {
    let end = 1 << (cell_bits - 1);
    let functions = &order.functions[..usize::from(order.length)];
    let mut cell = places.chain_start();
    for (at, &function) in functions.iter().enumerate() {
        let last = if at + 1 == functions.len() { end } else { 0 };
        // Keep an existing end bit: it belongs to the chain of another key.
        let value = cells.get(cell) & end | last | u64::from(function + 1);
        cells.set(cell, value);
        cell = places.cell_after(u32::from(function));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::habf::shape::{FULL, Kind, Shape};
    use crate::keys::hash::Hashing;
    use proptest::prelude::*;

    const CELL_BITS: u32 = 4;

    /// A table so small that chains share cells.
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
        let digest = Hashing::default().digest(key);
        shape(4).places(digest)
    }

    fn cells() -> PackedArray {
        PackedArray::new(24, CELL_BITS).expect("small")
    }

    /// The fewest new cells of any order, found by trying all orders.
    fn fewest(cells: &PackedArray, places: &Places<FULL>, functions: &[u32]) -> Option<u32> {
        fn go(
            cells: &PackedArray,
            places: &Places<FULL>,
            path: &mut Vec<usize>,
            unused: &[u32],
        ) -> Option<u32> {
            if unused.is_empty() {
                return Some(0);
            }
            let here = path[path.len() - 1];
            if path[..path.len() - 1].contains(&here) {
                return None;
            }
            let name = cells.get(here) & 7;
            let tried = unused
                .iter()
                .filter(|&&f| name == 0 || name == u64::from(f + 1));
            let found = tried.filter_map(|&function| {
                let rest: Vec<u32> = unused.iter().copied().filter(|&f| f != function).collect();
                path.push(places.cell_after(function));
                let new = go(cells, places, path, &rest);
                path.pop();
                new.map(|new| new + u32::from(name == 0))
            });
            found.min()
        }
        go(cells, places, &mut vec![places.chain_start()], functions)
    }

    proptest! {
        #[test]
        fn best_order_is_found_and_stored_chains_stay_readable(
            keys in prop::collection::vec((any::<u32>(), 1u32..127), 0..20),
        ) {
            let mut cells = cells();
            let mut stored: Vec<(Places<FULL>, u32)> = Vec::new();
            for (key, set) in keys.into_iter().filter(|(_, set)| set.count_ones() <= 4) {
                let places = places(key);
                let functions: Vec<u32> = (0..7).filter(|f| set >> f & 1 == 1).collect();
                let order = find_order(&cells, CELL_BITS, &places, set);
                let expected = fewest(&cells, &places, &functions);
                prop_assert_eq!(order.map(|order| u32::from(order.new_cells)), expected);
                if let Some(order) = order {
                    let before = cells.count(|cell| cell != 0);
                    store_chain(&mut cells, CELL_BITS, &places, &order);
                    let after = cells.count(|cell| cell != 0);
                    prop_assert_eq!(after - before, u64::from(order.new_cells));
                    stored.push((places, set));
                }
                for (places, set) in &stored {
                    prop_assert_eq!(read_chain(cells.view(), CELL_BITS, places, set.count_ones()), Some(*set));
                }
            }
        }
    }

    #[test]
    fn empty_table_has_no_chain() {
        assert_eq!(read_chain(cells().view(), CELL_BITS, &places(7), 3), None);
    }
}
