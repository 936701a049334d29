//! `SharedSeesaw`, and a `Seesaw` behind one lock, with two threads.

use crate::prelude::*;
use crate::times::throughput::{self, Shared};
use bloomwise::Seesaw;
use bloomwise::seesaw::SharedSeesaw;
use bloomwise::unstable::Lookup;

impl Shared for SharedSeesaw {
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
pub fn table(keys: u64, steps: u64) -> Result<Table> {
    let builder = Seesaw::builder(Size::BitsPerKey(36.0)).adaptive();
    let filter = builder.build_from_keys((0..keys).map(user))?;
    let title = format!("{keys} keys, 36 bits per key: operations per microsecond, and gain");
    let names = ["`SharedSeesaw`", "`Mutex<Seesaw>`"];
    throughput::compare(title, names, &filter, SharedSeesaw::new, [keys, steps])
}
