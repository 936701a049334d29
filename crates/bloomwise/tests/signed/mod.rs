//! Forged files: right checksums on wrong bytes.

use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a header before its parameters.
const FIXED: usize = 80;

/// Bytes of the payload that share a checksum.
const CHUNK: usize = 1 << 20;

/// The bytes of the parameters, as far as any file can have them.
fn parameter_bytes(file: &[u8]) -> usize {
    let count = u64::from_le_bytes(file[56..64].try_into().expect("8 bytes"));
    8 * count.min(480) as usize
}

/// The first byte of the payload.
pub fn payload_start(file: &[u8]) -> usize {
    (FIXED + parameter_bytes(file)).next_multiple_of(64)
}

/// Makes all checksums of a file right again, as an attacker would. Any field may be wrong: what follows the header is taken for payload, table and
/// final sum.
pub fn sign(file: &mut [u8]) {
    let end = (FIXED + parameter_bytes(file)).min(file.len());
    let sum = xxh3_64(&[&file[..72], &file[FIXED..end]].concat()).to_le_bytes();
    file[72..80].copy_from_slice(&sum);
    let start = payload_start(file);
    let Some(rest) = file.len().checked_sub(start + 8) else {
        return;
    };
    let table = 8 * rest.div_ceil(CHUNK + 8);
    let end = start + rest.saturating_sub(table);
    let sums = file[start..end].chunks(CHUNK).map(xxh3_64);
    let sums: Vec<u8> = sums.flat_map(u64::to_le_bytes).collect();
    file[end..end + sums.len()].copy_from_slice(&sums);
    let last = xxh3_64(&[&sum[..], &sums].concat());
    let len = file.len();
    file[len - 8..].copy_from_slice(&last.to_le_bytes());
}
