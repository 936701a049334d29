//! `SharedCuckoo` with two threads, and a `Cuckoo` behind one lock.

use crate::experiment::throughput::{self, ROUNDS, STEPS, Shared, turns};
use crate::options::Options;
use crate::output::Table;
use crate::workload::{as_digests, user};
use anyhow::Result;
use bloomwise::unstable::Lookup;
use bloomwise::{AnyFilter, Cuckoo, Digest, Hashing, SharedCuckoo, Size};
use std::sync::Mutex;

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
pub(super) fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(3_000_000, 5000);
    let steps = options.scaled(STEPS, 2000);
    let digest = |n: u64| Hashing::default().digest(user(n));
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let builder = Cuckoo::builder(Size::BitsPerKey(12.0)).capacity(keys + 4);
    let filter = builder.build_from_keys((0..keys).map(user))?;
    let shared = [(); 2].map(|()| SharedCuckoo::new(filter.clone()));
    let locked = [(); 2].map(|()| Mutex::new(AnyFilter::from(filter.clone())));
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        rates[0].push(turns(shared.each_ref(), &members, &others)?);
        rates[1].push(turns(locked.each_ref(), &members, &others)?);
    }
    let title = format!("{keys} keys, 12 bits per key: operations per microsecond, and gain");
    let [shared, locked] = rates;
    let filters = [("`SharedCuckoo`", shared), ("`Mutex<Cuckoo>`", locked)];
    Ok(throughput::table(title, &filters))
}
