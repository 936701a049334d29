//! Every way to save and to load a filter. All of them must agree.

use crate::check_error;
use crate::memory::within;
use bloomwise::format::{Check, Header};
use bloomwise::{AnyFilter, Error, Filter, Persist};

/// Memory that loading may take beyond a multiple of the bytes: buffers, and the texts of errors.
const BUFFERS: usize = 1 << 15;

/// Bytes that start at an odd address, as a value of a database may.
struct Shifted(Vec<u8>);

impl Shifted {
    fn new(bytes: &[u8]) -> Self {
        Shifted([&[0], bytes].concat())
    }
}

impl AsRef<[u8]> for Shifted {
    fn as_ref(&self) -> &[u8] {
        &self.0[1..]
    }
}

/// A filter that answers from a copy of these bytes, which starts at an odd address.
pub fn borrow(bytes: &[u8], check: Check) -> bloomwise::Result<AnyFilter> {
    within(3 * bytes.len() + BUFFERS, || {
        AnyFilter::from_owner(Shifted::new(bytes), check)
    })
}

/// Loads bytes in every way that checks them whole. Panics unless all ways agree and the filter is saved as the same bytes.
pub fn load(bytes: &[u8]) -> Option<AnyFilter> {
    let limit = 2 * bytes.len() + BUFFERS;
    let copied = within(limit, || AnyFilter::from_bytes(bytes));
    let borrowed = borrow(bytes, Check::Whole);
    let streamed = within(limit, || AnyFilter::read_from(bytes));
    let copied = match copied {
        Ok(copied) => copied,
        Err(error) => {
            check_error(&error);
            assert!(
                borrowed.is_err(),
                "borrowed bytes are valid, copied ones are not: {error}"
            );
            // A stream may go on behind a filter.
            if let Ok(filter) = streamed {
                let written = filter.to_bytes();
                assert!(bytes.len() > written.len() && bytes.starts_with(&written));
            }
            return None;
        }
    };
    let borrowed = borrowed.expect("copied bytes are valid, and so are borrowed ones");
    assert_eq!(borrowed, copied, "borrowed and copied");
    match streamed {
        Ok(streamed) => {
            assert_eq!(streamed, copied, "streamed and copied");
            assert_eq!(copied.to_bytes(), bytes, "a filter has one long form");
            let header = Header::read(bytes).expect("the filter has one");
            assert_eq!(header.encoded_len(), bytes.len() as u64);
            assert_eq!(header.family(), copied.family());
            let (payload, cells) = (header.size_in_bits(), copied.size_in_bits());
            match copied {
                // Shards and patches have headers of their own.
                AnyFilter::Sharded(_) | AnyFilter::Patched(_) => assert!(payload > cells),
                _ => assert_eq!(payload, cells),
            }
        }
        Err(Error::ShortForm) => {
            assert_eq!(
                copied.to_short_bytes(),
                bytes,
                "a filter has one short form"
            );
        }
        Err(error) => panic!("copied bytes are valid, streamed ones are not: {error}"),
    }
    Some(copied)
}

/// Saves and loads a filter in both forms. Panics unless the same filter comes back.
pub fn check_saved(filter: &AnyFilter) {
    let bytes = filter.to_bytes();
    assert_eq!(bytes.len() as u64, filter.encoded_len());
    for bytes in [bytes, filter.to_short_bytes()] {
        let again = load(&bytes).expect("what was saved can be loaded");
        assert_eq!(&again, filter, "saved and loaded");
        let unchecked = borrow(&bytes, Check::Header).expect("what was saved can be loaded");
        assert_eq!(&unchecked, filter, "saved and loaded without a check");
    }
}
