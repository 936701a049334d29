//! A filter file taken apart, and put together with right lengths and checksums.
//!
//! The layout is that of `docs/format.md`. It is written here a second time on purpose: an attacker does not use the library to
//! sign a file.

use bloomwise::format::Check;
use bloomwise::{AnyFilter, Error, Persist};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes before the header's checksum.
const SUMMED: usize = 72;

/// Bytes before the parameters.
const FIXED: usize = 80;

/// Bytes of the payload that share a checksum.
const CHUNK: usize = 1 << 20;

/// The most words of a payload. Larger ones find nothing that smaller ones do not.
const MAX_PAYLOAD: usize = 1 << 11;

/// The parts of a file that can be chosen. Everything else follows from them.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The words before the header's checksum. The last two, the lengths, are computed.
    pub head: [u64; 9],
    /// The parameters.
    pub parameters: Vec<u64>,
    /// The cells.
    pub payload: Vec<u64>,
}

/// Fields of the head, by their first byte.
mod at {
    pub const FAMILY: usize = 10;
    pub const HASH: usize = 12;
    pub const SEED: usize = 16;
    pub const KEYS: usize = 32;
    pub const CAPACITY: usize = 40;
    pub const RATE: usize = 48;
    pub const PARAMETERS: usize = 56;
    pub const WORDS: usize = 64;
}

impl Parts {
    /// The parts of a file in the long form.
    pub fn of(file: &[u8]) -> Self {
        let words: Vec<u64> = file
            .as_chunks()
            .0
            .iter()
            .map(|&word| u64::from_le_bytes(word))
            .collect();
        let mut head = [0; 9];
        head.copy_from_slice(&words[..SUMMED / 8]);
        let count = words[at::PARAMETERS / 8] as usize;
        let start = (FIXED + 8 * count).next_multiple_of(64) / 8;
        let end = start + words[at::WORDS / 8] as usize;
        Parts {
            head,
            parameters: words[FIXED / 8..FIXED / 8 + count].to_vec(),
            payload: words[start..end].to_vec(),
        }
    }

    /// The tag of the family.
    pub fn family(&self) -> u16 {
        let head = self.head_bytes();
        u16::from_le_bytes([head[at::FAMILY], head[at::FAMILY + 1]])
    }

    /// Makes the payload as long as the parameters need. A reader tells how many bytes are missing, so the payload grows from nothing,
    /// one array after the other, until the reader has enough. The words of the payload are repeated. Does nothing if the
    /// parameters are invalid or need too much.
    pub fn fit_payload(&mut self) {
        let mut trial = Parts {
            payload: Vec::new(),
            ..self.clone()
        };
        for _ in 0..8 {
            match AnyFilter::from_owner(trial.long(), Check::Header) {
                Ok(_) => break,
                Err(Error::Length { expected, got, .. }) => {
                    let more = expected.saturating_sub(got).div_ceil(8);
                    let length = more.saturating_add(trial.payload.len() as u64);
                    if more == 0 || length > MAX_PAYLOAD as u64 {
                        return;
                    }
                    trial.payload.resize(length as usize, 0);
                }
                Err(_) => return,
            }
        }
        let words = self.payload.iter().copied().chain([0]).cycle();
        self.payload = words.take(trial.payload.len()).collect();
    }

    /// The file in the long form.
    pub fn long(&self) -> Vec<u8> {
        let mut file = self.head_bytes().to_vec();
        file[at::PARAMETERS..at::WORDS]
            .copy_from_slice(&(self.parameters.len() as u64).to_le_bytes());
        file[at::WORDS..SUMMED].copy_from_slice(&(self.payload.len() as u64).to_le_bytes());
        let parameters = bytes(&self.parameters);
        let sum = xxh3_64(&[&file[..], &parameters].concat()).to_le_bytes();
        file.extend(sum);
        file.extend(parameters);
        file.resize(file.len().next_multiple_of(64), 0);
        let payload = bytes(&self.payload);
        let table: Vec<u8> = payload
            .chunks(CHUNK)
            .flat_map(|chunk| xxh3_64(chunk).to_le_bytes())
            .collect();
        file.extend(payload);
        file.extend(&table);
        file.extend(xxh3_64(&[&sum[..], &table].concat()).to_le_bytes());
        file
    }

    /// The file in the short form.
    pub fn short(&self) -> Vec<u8> {
        let head = self.head_bytes();
        let field = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("8 bytes"));
        let hash = head[at::HASH];
        let seed = &head[at::SEED..at::SEED + if hash & 15 == 1 { 8 } else { 16 }];
        let (seeded, rated) = (seed.iter().any(|&byte| byte != 0), field(at::RATE) != 0);
        let mut file = vec![
            0xB2,
            head[at::FAMILY],
            hash | u8::from(seeded) << 4 | u8::from(rated) << 5,
        ];
        file.extend(seed.iter().filter(|_| seeded));
        file.extend(head[at::RATE..at::PARAMETERS].iter().filter(|_| rated));
        let numbers = [
            field(at::KEYS),
            field(at::CAPACITY),
            self.parameters.len() as u64,
        ];
        for number in numbers.iter().chain(&self.parameters) {
            put_leb128(&mut file, *number);
        }
        file.extend(bytes(&self.payload));
        let sum = xxh3_64(&file);
        file.extend(sum.to_le_bytes());
        file
    }

    fn head_bytes(&self) -> [u8; SUMMED] {
        let mut head = [0; SUMMED];
        head.copy_from_slice(&bytes(&self.head));
        head
    }
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn put_leb128(file: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        file.push(number as u8 | 128);
        number >>= 7;
    }
    file.push(number as u8);
}
