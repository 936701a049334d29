//! Keys that resemble those of the papers' data sets. Different numbers give different keys.

use super::Key;

/// A key in YCSB's format: `user` and the 64-bit FNV-1a hash of a counter.
pub fn user(n: u64) -> String {
    let hash = n
        .to_le_bytes()
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
    format!("user{hash}")
}

/// Words of listed and of other hosts, as in a URL blacklist.
const LISTED: [&str; 8] = [
    "ads", "track", "bet", "win", "pills", "loan", "click", "pop",
];
const UNLISTED: [&str; 8] = [
    "news", "shop", "mail", "wiki", "city", "bank", "school", "photo",
];
const ENDINGS: [&str; 8] = ["com", "net", "org", "info", "de", "biz", "co.uk", "ru"];

/// A URL with structure: listed hosts have different words and endings than the rest. The path holds the number as a
/// page number.
pub fn url(n: u64, listed: bool) -> String {
    let mixed = u64::number(n);
    let pick = |at: u32| (mixed >> at) as usize % 8;
    let words = if listed { LISTED } else { UNLISTED };
    // Half of the endings belong to one side only.
    let ending = match (pick(6) < 4, listed) {
        (true, true) => ENDINGS[4 + pick(9) % 4],
        (true, false) => ENDINGS[pick(9) % 4],
        (false, _) => ENDINGS[pick(9)],
    };
    let (first, second, host) = (words[pick(0)], words[pick(3)], mixed >> 20 & 0xFFF);
    format!("http://www.{first}-{second}{host}.{ending}/{second}/page{n}.html")
}

/// The 13 bytes of a flow: addresses, ports and protocol. A few servers have most of the flows, and the clients'
/// networks differ greatly in size.
pub fn flow(n: u64) -> [u8; 13] {
    let mixed = u64::number(n);
    // The product of two uniform values is skewed towards low ones.
    let skewed = |at: u32| ((mixed >> at & 0xFF) * (mixed >> (at + 8) & 0xFF)) as u16;
    let mut key = [0; 13];
    // The lower half of the client's address and its port hold the number.
    key[..2].copy_from_slice(&skewed(0).to_le_bytes());
    key[2..4].copy_from_slice(&((n >> 16) as u16).to_le_bytes());
    key[4..8].copy_from_slice(&(u32::from(skewed(16)) << 16 | 0x0A01).to_le_bytes());
    key[8..10].copy_from_slice(&(n as u16).to_le_bytes());
    let port: u16 = if mixed >> 40 & 3 == 0 { 80 } else { 443 };
    key[10..12].copy_from_slice(&port.to_le_bytes());
    // Bits of the number beyond 32 are dropped; no set is that large.
    key[12] = if mixed >> 44 & 7 == 0 { 17 } else { 6 };
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_reproducible_and_distinct() {
        assert_eq!(user(0), "user12161962213042174405");
        assert_eq!(url(7, true), url(7, true));
        assert_eq!(flow(7), flow(7));
        let numbers = (0..200_000).chain([1 << 20, 1 << 31]);
        let users: HashSet<_> = numbers.clone().map(user).collect();
        let urls: HashSet<_> = numbers.clone().map(|n| url(n, n % 2 == 0)).collect();
        let flows: HashSet<_> = numbers.map(flow).collect();
        assert_eq!([users.len(), urls.len(), flows.len()], [200_002; 3]);
    }

    #[test]
    fn urls_and_flows_have_structure() {
        let count = |listed: bool| {
            (0..10_000)
                .filter(|&n| url(n, listed).contains(".ru/"))
                .count()
        };
        assert!(count(true) > 3 * count(false) / 2);
        let servers: HashSet<_> = (0..10_000).map(|n| flow(n)[4..8].to_vec()).collect();
        assert!(servers.len() < 9_000, "{}", servers.len());
    }
}
