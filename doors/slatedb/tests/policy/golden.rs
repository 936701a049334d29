//! Filters in tables that were written by the first version are read by every later one, and still have the same bytes.

use crate::store::policy;
use bloomwise::Family;
use bytes::Bytes;
use slatedb::{FilterPolicy, FilterQuery, RowEntry, ValueDeletable};

/// The filters of `ant` and `bee`, at 32 bits per key, under the name `bloomwise/1`.
const WRITTEN: [(Family, &str); 2] = [
    (
        Family::Blocked,
        "b2020102020320800409100400040441840080200c000082020802011040a800000030100880010210000001844004006002020204000040408004000011104b00000040812120000003403e18d926c342fc",
    ),
    (
        Family::Guarded,
        "b20d0102020c010000004001000004100100002013103210003083c37565559396e7",
    ),
];

fn from_hex(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16);
    digits.map(|pair| byte(pair).unwrap()).collect()
}

#[test]
fn filters_of_the_first_version_are_read_and_written_as_they_were() {
    for (family, hex) in WRITTEN {
        let (policy, _) = policy(family, 32.0);
        assert_eq!(policy.name(), "bloomwise/1");
        let filter = policy.decode(&from_hex(hex));
        let accepts = |key: &'static str| filter.might_match(&FilterQuery::point(Bytes::from(key)));
        assert!(accepts("ant") && accepts("bee") && !accepts("cow"));
        assert_eq!(policy.counts().damaged, 0);

        let mut builder = policy.builder();
        for key in ["ant", "bee"] {
            builder.add_entry(&RowEntry {
                key: Bytes::from(key),
                value: ValueDeletable::Tombstone,
                seq: 1,
                create_ts: None,
                expire_ts: None,
            });
        }
        let mut bytes = Vec::new();
        builder.build().encode(&mut bytes);
        let written: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written, hex, "{}", family.name());
    }
}
