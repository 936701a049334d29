//! `SharedCuckoo` with two threads, and a `Cuckoo` behind one lock.

use crate::prelude::*;
use crate::times::throughput::{self, STEPS, Shared};
use bloomwise::Cuckoo;
use bloomwise::cuckoo::SharedCuckoo;
use bloomwise::unstable::Lookup;

impl Shared for SharedCuckoo {
    fn contains(&self, digest: Digest) -> bool {
        self.query(digest)
    }
    fn insert(&self, digest: Digest) -> bool {
        self.insert_digests(&as_digests(&[digest])).is_ok()
    }
    fn remove(&self, digest: Digest) -> bool {
        let removed = self.remove_digests(&as_digests(&[digest]));
        removed.is_ok_and(|removed| removed == 1)
    }
}

/// Operations per microsecond.
pub fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(3_000_000, 5000);
    let steps = options.scaled(STEPS, 2000);
    let builder = Cuckoo::builder(Size::BitsPerKey(12.0)).capacity(keys + 4);
    let filter = builder.build_from_keys((0..keys).map(user))?;
    let title = format!("{keys} keys, 12 bits per key: operations per microsecond, and gain");
    let names = ["`SharedCuckoo`", "`Mutex<Cuckoo>`"];
    throughput::compare(title, names, &filter, SharedCuckoo::new, [keys, steps])
}
