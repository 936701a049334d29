//! Cuts a stream into pieces of one size: strings of an RDB file, commands of an append-only file.

use super::border::strike;
use std::io::{self, Write};

/// A sink that passes on pieces of `size` bytes. [`Write::flush`] passes on the rest.
pub struct Pieces<F> {
    /// The bytes of a piece.
    size: usize,
    /// What does not fill a piece yet.
    rest: Vec<u8>,
    /// Takes a piece.
    send: F,
}

impl<F: FnMut(&[u8])> Pieces<F> {
    /// Passes on pieces of `size` bytes of a stream that has `total` bytes.
    pub fn new(size: usize, total: u64, send: F) -> Self {
        let capacity = usize::try_from(total).map_or(size, |total| size.min(total));
        Pieces {
            size,
            rest: Vec::with_capacity(capacity),
            send,
        }
    }
}

impl<F: FnMut(&[u8])> Write for Pieces<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.size - self.rest.len());
        self.rest.extend_from_slice(&bytes[..taken]);
        if self.rest.len() == self.size {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.rest.is_empty() {
            strike("piece");
            (self.send)(&self.rest);
            self.rest.clear();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_one_size_whatever_the_writes() {
        let all: Vec<u8> = (0..100).collect();
        for step in [1, 7, 30, 100] {
            let mut pieces = Vec::new();
            let mut sink = Pieces::new(30, 100, |piece: &[u8]| pieces.push(piece.to_vec()));
            for bytes in all.chunks(step) {
                sink.write_all(bytes).expect("takes all");
            }
            sink.flush().expect("takes all");
            let lengths: Vec<usize> = pieces.iter().map(Vec::len).collect();
            assert_eq!(
                (lengths, pieces.concat()),
                (vec![30, 30, 30, 10], all.clone())
            );
        }
    }
}
