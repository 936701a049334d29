//! Filters over bytes that someone else holds, and what reading and writing take.

use bloomwise::format::{Check, Header};
use bloomwise::keys::Digests;
use bloomwise::{AnyFilter, Error, Family, Filter, Hashing, Operation, Persist, Size, Spec};
use std::io::{self, Read};
use std::sync::Arc;

fn filter(family: Family, hashing: Hashing) -> AnyFilter {
    let spec = Spec::new(family).size(Size::BitsPerKey(40.0)).capacity(700);
    let negatives = (1000..1500).map(|key| (key, f64::from(key)));
    spec.hashing(hashing)
        .build_from(0..600, negatives)
        .expect("a sound spec")
}

fn filters() -> impl Iterator<Item = AnyFilter> {
    let secret = Hashing::SipHash { key: 1 << 100 };
    let hashings = [Hashing::default(), secret];
    let of = move |family| hashings.map(|hashing| filter(family, hashing));
    Family::ALL.into_iter().flat_map(of)
}

/// Bytes at an odd address, and a way to see whether someone still holds them.
#[derive(Clone)]
struct Owner(Arc<Vec<u8>>);

impl Owner {
    fn new(bytes: &[u8]) -> Self {
        Owner(Arc::new([&[0][..], bytes].concat()))
    }
}

impl AsRef<[u8]> for Owner {
    fn as_ref(&self) -> &[u8] {
        &self.0[1..]
    }
}

#[test]
fn borrowed_filter_answers_like_the_owned_one_and_leaves_its_bytes_alone() {
    for owned in filters() {
        for bytes in [owned.to_bytes(), owned.to_short_bytes()] {
            let owner = Owner::new(&bytes);
            for check in [Check::Whole, Check::Header] {
                let mut borrowed = AnyFilter::from_owner(owner.clone(), check).expect("sound");
                assert_eq!(borrowed, owned);
                let queries = 0..5000u64;
                assert_eq!(
                    borrowed.contains_batch(queries.clone()),
                    owned.contains_batch(queries)
                );
                assert!((0..600).all(|key| borrowed.contains(key)));
                assert_eq!(borrowed.to_bytes(), owned.to_bytes());
                assert_eq!(borrowed.info(), owned.info());
                assert_eq!(Arc::strong_count(&owner.0), 2, "the filter holds the owner");
                if borrowed.family().can(Operation::Insert) {
                    let mut changed = owned.clone();
                    for key in 600..700 {
                        borrowed.insert(key).expect("it can");
                        changed.insert(key).expect("it can");
                    }
                    assert_eq!(borrowed, changed);
                    assert!((0..700).all(|key| borrowed.contains(key)));
                }
                assert!(owner.as_ref() == bytes);
            }
            assert_eq!(Arc::strong_count(&owner.0), 1, "nothing is left behind");
        }
    }
}

/// Maps a file.
#[cfg(feature = "mmap")]
#[expect(unsafe_code, reason = "mapping a file has no safe form")]
fn open(path: &std::path::Path, check: Check) -> bloomwise::Result<AnyFilter> {
    // SAFETY: files of these tests are replaced while they are mapped, and not changed.
    unsafe { bloomwise::format::MapFile::open(path, check) }
}

#[test]
#[cfg(feature = "mmap")]
fn mapped_filter_answers_like_the_loaded_one_even_if_the_file_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("filter");
    for owned in filters() {
        owned.save(&path).expect("the folder can be written");
        for check in [Check::Whole, Check::Header] {
            let mapped = open(&path, check).expect("sound");
            assert_eq!(mapped, owned);
            // A new file takes the place of the mapped one.
            owned.save(&path).expect("the folder can be written");
            assert_eq!(
                mapped.contains_batch(0..5000u64),
                owned.contains_batch(0..5000u64)
            );
            assert_eq!(mapped.to_bytes(), owned.to_bytes());
        }
    }
}

#[test]
#[cfg(feature = "mmap")]
fn file_that_cannot_be_mapped_or_is_no_filter_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for found in [
        open(&path("missing"), Check::Header),
        open(folder.path(), Check::Header),
    ] {
        assert!(matches!(found, Err(Error::File { .. })), "{found:?}");
    }
    let whole = filter(Family::Blocked, Hashing::default()).to_bytes();
    let mut damaged = whole.clone();
    damaged[200] ^= 1;
    for (bytes, check) in [
        (&[][..], Check::Header),
        (b"no filter", Check::Header),
        (&whole[..500], Check::Header),
        (&damaged, Check::Whole),
    ] {
        std::fs::write(path("damaged"), bytes).expect("the folder can be written");
        assert!(open(&path("damaged"), check).is_err());
    }
}

#[test]
fn refused_removal_does_not_copy_borrowed_bytes() {
    for owned in filters().filter(|filter| filter.family().can(Operation::Remove)) {
        let owner = Owner::new(&owned.to_bytes());
        let mut borrowed = AnyFilter::from_owner(owner.clone(), Check::Whole).expect("sound");
        let denied = (2000..5000u64).filter(|key| !owned.contains(key));
        let denied: Vec<u64> = denied.collect();
        assert!(denied.len() > 2000, "{}", denied.len());
        for key in &denied {
            assert!(!borrowed.remove(key).expect("it can"));
        }
        let digests = Digests::of(owned.hashing(), &denied);
        assert_eq!(borrowed.remove_digests(&digests).expect("it can"), 0);
        assert_eq!(Arc::strong_count(&owner.0), 2, "the filter holds the owner");
        assert_eq!(borrowed, owned);
        // The removal of a member copies the bytes and lets go of the owner.
        assert!(borrowed.remove(7).expect("it can"));
        assert_eq!(Arc::strong_count(&owner.0), 1, "the filter owns its cells");
    }
}

#[test]
fn header_check_skips_the_payload_and_whole_check_does_not() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        let header = Header::read(&bytes[..]).expect("sound");
        let last = bytes.len() - 16 - 1;
        bytes[last] ^= 1;
        assert!(AnyFilter::from_owner(bytes.clone(), Check::Header).is_ok());
        let error = AnyFilter::from_owner(bytes.clone(), Check::Whole).expect_err("damaged");
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        bytes[40] ^= 1;
        let error = AnyFilter::from_owner(bytes, Check::Header).expect_err("damaged");
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        assert_eq!(header.family(), filter.family());
        assert_eq!(
            (header.keys(), header.capacity()),
            (filter.len(), filter.capacity())
        );
        assert_eq!(header.size_in_bits(), filter.size_in_bits());
        assert_eq!(header.hashing(), filter.hashing());
    }
}

#[test]
fn short_form_is_short() {
    for filter in filters() {
        let (long, short) = (filter.to_bytes(), filter.to_short_bytes());
        let payload = (filter.size_in_bits() / 8) as usize;
        assert_eq!(long.len() as u64, filter.encoded_len());
        assert!(short.len() - payload <= 80, "{}", short.len() - payload);
        assert_eq!(AnyFilter::from_bytes(&short).expect("sound"), filter);
    }
    let small = Spec::new(Family::Blocked)
        .build_from_keys(0..300)
        .expect("sound");
    let overhead = small.to_short_bytes().len() - (small.size_in_bits() / 8) as usize;
    assert!(overhead <= 24, "{overhead}");
}

#[test]
fn short_form_is_loaded_from_files_and_has_no_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("short.bw");
    let small = Spec::new(Family::Bloom)
        .build_from_keys(0..300)
        .expect("sound");
    std::fs::write(&path, small.to_short_bytes()).expect("can be written");
    assert_eq!(AnyFilter::load(&path).expect("sound"), small);
    let bytes = small.to_short_bytes();
    assert!(matches!(Header::read(&bytes[..]), Err(Error::ShortForm)));
    assert!(matches!(
        AnyFilter::read_from(&bytes[..]),
        Err(Error::ShortForm)
    ));
}

/// A stream that gives a few bytes at a time and counts them.
struct Trickle<'a> {
    bytes: &'a [u8],
    given: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        let count = part.len().min(7).min(self.bytes.len() - self.given);
        part[..count].copy_from_slice(&self.bytes[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[test]
fn stream_is_read_up_to_the_end_of_the_filter() {
    for filter in filters() {
        let mut bytes = filter.to_bytes();
        let end = bytes.len();
        bytes.extend(b"something else");
        let mut stream = Trickle {
            bytes: &bytes,
            given: 0,
        };
        assert_eq!(AnyFilter::read_from(&mut stream).expect("sound"), filter);
        assert_eq!(stream.given, end);
        let mut cut = Trickle {
            bytes: &bytes[..end - 20],
            given: 0,
        };
        assert!(matches!(
            AnyFilter::read_from(&mut cut),
            Err(Error::Length { .. })
        ));
    }
}

#[test]
fn failing_stream_is_an_error_with_its_source() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the cable is cut"))
        }
    }
    let error = AnyFilter::read_from(Broken).expect_err("cannot be read");
    assert!(error.to_string().contains("the cable is cut"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn endless_stream_that_is_no_filter_is_left_at_once() {
    let error = AnyFilter::read_from(io::repeat(0)).expect_err("zeros");
    assert!(matches!(error, Error::NotAFilter), "{error}");
    #[cfg(unix)]
    match AnyFilter::load("/dev/zero") {
        Err(Error::Unreadable { source, .. }) => assert!(matches!(*source, Error::NotAFilter)),
        other => panic!("{other:?}"),
    }
}
