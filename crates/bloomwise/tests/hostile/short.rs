//! The short form.

use crate::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_short_forms_never_panic(mut noise in prop::collection::vec(prop_oneof![0u8..20, any::<u8>()], 12..120), family in 0u8..18) {
        (noise[0], noise[1]) = (0xB2, family);
        let end = noise.len() - 8;
        let sum = xxh3_64(&noise[..end]);
        noise[end..].copy_from_slice(&sum.to_le_bytes());
        if let Ok(mut filter) = AnyFilter::from_bytes(&noise) {
            prop_assert_eq!(filter.to_short_bytes(), noise, "what is accepted is what would be written");
            use_all(&mut filter);
        }
    }
}

#[test]
fn truncated_or_damaged_short_form_is_an_error() {
    for filter in filters() {
        let mut bytes = filter.to_short_bytes();
        for length in 0..bytes.len() {
            assert!(
                AnyFilter::from_bytes(&bytes[..length]).is_err(),
                "{length} bytes"
            );
        }
        for bit in 0..8 * bytes.len() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(AnyFilter::from_bytes(&bytes).is_err(), "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn cells_of_a_short_form_are_checked_before_their_first_use() {
    let (mut accepted, mut refused) = (0, 0);
    for filter in filters() {
        let mut bytes = filter.to_short_bytes();
        let end = bytes.len() - 8;
        for bit in 0..8 * end {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let sum = xxh3_64(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.to_le_bytes());
            let whole = AnyFilter::from_bytes(&bytes).is_ok();
            let first_use = AnyFilter::from_owner(bytes.clone(), Check::FirstUse).is_ok();
            assert_eq!(first_use, whole, "bit {bit} of {:?}", filter.family());
            (accepted, refused) = (accepted + u32::from(whole), refused + u32::from(!whole));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert!(accepted > 0 && refused > 0);
}
