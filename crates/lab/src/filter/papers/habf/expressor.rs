//! The `HashExpressor`: chains of functions in shared cells.
//!
//! A cell has the name of a function, 0 if it is empty, and an end bit. The chain of a key starts at its first cell; the function
//! that a cell names leads to the next; the last must have the end bit. A set of functions is stored in an order in
//! which every cell on the way is empty or already names the next function. As in the authors' program, the first cell
//! and the cells of all functions must be different.

use super::places::Places;
use anyhow::Result;
use bloomwise::unstable::PackedArray;

/// Cells that the search for the best order visits at most. That is enough for all orders of five functions.
const VISITS: u32 = 512;

/// The cells.
pub struct Expressor {
    cells: PackedArray,
    end: u64,
}

/// An order of functions that can be stored, and the number of cells it would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The functions as the chain names them.
    pub functions: Vec<u32>,
    /// Cells on the way that are empty.
    pub new_cells: u32,
}

impl Expressor {
    /// Empty cells.
    pub fn new(cells: u64, cell_bits: u32) -> Result<Self> {
        Ok(Expressor {
            cells: PackedArray::new(cells, cell_bits)?,
            end: 1 << (cell_bits - 1),
        })
    }

    /// The size of all cells.
    pub fn size_in_bits(&self) -> u64 {
        self.cells.size_in_bits()
    }

    fn name(&self, cell: usize) -> Option<u32> {
        (self.cells.get(cell) & (self.end - 1))
            .checked_sub(1)
            .map(|name| name as u32)
    }

    /// Whether the key reads a chain of `length` functions, and `is_set` holds for all of them.
    pub fn chain(&self, places: &Places, length: u32, is_set: &mut dyn FnMut(u32) -> bool) -> bool {
        let mut cell = places.first_cell();
        for step in 1..=length {
            let Some(function) = self.name(cell) else {
                return false;
            };
            if !is_set(function) || step == length && self.cells.get(cell) & self.end == 0 {
                return false;
            }
            cell = places.cell_after(function);
        }
        true
    }

    /// An order in which the functions can be stored: the first that fits, or the one with the fewest new cells.
    pub fn order(&self, places: &Places, functions: &[u32], fewest: bool) -> Option<Order> {
        let mut all: Vec<usize> = functions.iter().map(|&f| places.cell_after(f)).collect();
        all.push(places.first_cell());
        all.sort_unstable();
        if all.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut search = Search {
            expressor: self,
            places,
            functions,
            fewest,
            path: Vec::new(),
            best: None,
            visits: if fewest { VISITS } else { u32::MAX },
        };
        search.extend(places.first_cell(), 0);
        search.best
    }

    /// Stores a chain.
    pub fn store(&mut self, places: &Places, functions: &[u32]) {
        let mut cell = places.first_cell();
        for (step, &function) in (1..).zip(functions) {
            let end = if step == functions.len() { self.end } else { 0 };
            let kept = self.cells.get(cell) & self.end;
            self.cells.set(cell, kept | end | u64::from(function + 1));
            cell = places.cell_after(function);
        }
    }
}

/// A search through the orders of some functions.
struct Search<'a> {
    expressor: &'a Expressor,
    places: &'a Places,
    functions: &'a [u32],
    /// Whether to look for the fewest new cells, and not only for the first order that fits.
    fewest: bool,
    /// The chain so far.
    path: Vec<u32>,
    best: Option<Order>,
    /// Cells that may still be visited.
    visits: u32,
}

impl Search<'_> {
    fn extend(&mut self, cell: usize, new_cells: u32) {
        let no_better = |best: &Order| !self.fewest || best.new_cells <= new_cells;
        if self.visits == 0 || self.best.as_ref().is_some_and(no_better) {
            return;
        }
        if self.path.len() == self.functions.len() {
            self.best = Some(Order {
                functions: self.path.clone(),
                new_cells,
            });
            return;
        }
        self.visits -= 1;
        let name = self.expressor.name(cell);
        for at in 0..self.functions.len() {
            let function = self.functions[at];
            let fits = name.is_none_or(|name| name == function);
            if fits && !self.path.contains(&function) {
                self.path.push(function);
                let next = self.places.cell_after(function);
                self.extend(next, new_cells + u32::from(name.is_none()));
                self.path.pop();
            }
        }
    }
}
