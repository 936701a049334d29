//! `SharedSeesaw`, and a `Seesaw` behind one lock, with two threads.

use crate::experiment::throughput::{self, ROUNDS, STEPS, Shared, turns};
use crate::options::Options;
use crate::output::{Outcome, Table};
use crate::workload::{as_digests, user};
use anyhow::Result;
use bloomwise::unstable::Lookup;
use bloomwise::{AnyFilter, Digest, Hashing, Seesaw, SharedSeesaw, Size};
use std::sync::Mutex;

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

fn table(keys: u64, steps: u64) -> Result<Table> {
    let digest = |n: u64| Hashing::default().digest(user(n));
    let members: Vec<Digest> = (0..keys).map(digest).collect();
    let others: Vec<Digest> = (keys..keys + 2 * steps).map(digest).collect();
    let builder = Seesaw::builder(Size::BitsPerKey(36.0)).adaptive();
    let filter = builder.build_from_keys((0..keys).map(user))?;
    let shared = [(); 2].map(|()| SharedSeesaw::new(filter.clone()));
    let locked = [(); 2].map(|()| Mutex::new(AnyFilter::from(filter.clone())));
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        rates[0].push(turns(shared.each_ref(), &members, &others)?);
        rates[1].push(turns(locked.each_ref(), &members, &others)?);
    }
    let title = format!("{keys} keys, 36 bits per key: operations per microsecond, and gain");
    let [shared, locked] = rates;
    let filters = [("`SharedSeesaw`", shared), ("`Mutex<Seesaw>`", locked)];
    Ok(throughput::table(title, &filters))
}

/// Adds both tables to `outcome`.
pub(super) fn run(outcome: &mut Outcome, options: &Options, keys: u64) -> Result<()> {
    let steps = options.scaled(STEPS, 2000);
    outcome.tables.push(table(keys, steps)?);
    outcome.tables.push(table(10 * keys, steps)?);
    Ok(())
}
