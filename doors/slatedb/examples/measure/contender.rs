//! A policy, its store, and what was measured of them so far.

use crate::outcome::{Outcome, Reads};
use crate::stage::Stage;
use crate::workload::Workload;
use anyhow::{Context, Result, ensure};
use bloomwise::{Family, Size, Spec};
use bloomwise_slatedb::{Misses, Policy};
use slatedb::{BloomFilterPolicy, FilterPolicy};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a read asks for.
#[derive(Clone, Copy, PartialEq)]
pub enum Sort {
    Missing,
    Present,
}

pub struct Contender {
    name: String,
    /// None is SlateDB's default policy.
    policy: Option<Policy>,
    /// Where missing keys are reported, if the policy learns.
    misses: Option<Misses>,
    pub stage: Stage,
    workload: Workload,
    keys: u64,
    /// Seconds of all flushes and of all compactions.
    flush: f64,
    compaction: f64,
    missing: Reads,
    present: Reads,
    /// Microseconds of every read, by sort.
    times: [Vec<f64>; 2],
}

impl Contender {
    /// The policy of this name with an empty store: `default`, or a kind of filter, with `+learning` if it learns.
    pub async fn new(
        name: &str,
        bits_per_key: u32,
        block_cache: u64,
        keys: u64,
        round: u64,
    ) -> Result<Self> {
        let (kind, misses) = match name.strip_suffix("+learning") {
            Some(kind) => (
                kind,
                Some(Misses::new(64 << 20, Duration::from_secs(86_400))?),
            ),
            None => (name, None),
        };
        let (policy, policies) = if kind == "default" {
            let default: Arc<dyn FilterPolicy> = Arc::new(BloomFilterPolicy::new(bits_per_key));
            (None, vec![default])
        } else {
            let known = Family::ALL.iter().find(|family| family.name() == kind);
            let family = *known.with_context(|| format!("there is no kind {kind:?}"))?;
            let spec = Spec::new(family).size(Size::BitsPerKey(f64::from(bits_per_key)));
            let mut policy = Policy::new(spec)?;
            if let Some(misses) = &misses {
                policy = policy.learning_from(misses);
            }
            let policies = policy.policies();
            (Some(policy), policies)
        };
        Ok(Contender {
            name: name.to_string(),
            policy,
            misses,
            stage: Stage::new(policies, block_cache).await?,
            workload: Workload::new(keys, round),
            keys,
            flush: 0.0,
            compaction: 0.0,
            missing: Reads::default(),
            present: Reads::default(),
            times: [Vec::new(), Vec::new()],
        })
    }

    /// Writes the keys of these numbers as a table.
    pub async fn write(&mut self, numbers: std::ops::Range<u64>) -> Result<()> {
        let keys = numbers.map(|n| self.workload.key(n));
        self.flush += self.stage.write(keys).await?;
        Ok(())
    }

    /// Merges all tables.
    pub async fn compact(&mut self) {
        self.compaction += self.stage.compact().await;
    }

    /// Reads this many keys, of the first `written` ones or missing ones. A report is a part of the time of its read.
    pub async fn read(&mut self, sort: Sort, reads: u64, written: u64) -> Result<()> {
        let before = self.stage.cost();
        for _ in 0..reads {
            let key = match sort {
                Sort::Missing => self.workload.missing(),
                Sort::Present => self.workload.present(written),
            };
            let start = Instant::now();
            let value = self.stage.db.get(&key).await?;
            if let (None, Some(misses)) = (&value, &self.misses) {
                misses.missed(&key);
            }
            self.times[sort as usize].push(start.elapsed().as_secs_f64() * 1e6);
            let right = value.is_some() == (sort == Sort::Present);
            ensure!(right, "{}: a wrong answer for {key}", self.name);
        }
        let after = self.stage.cost();
        let sum = match sort {
            Sort::Missing => &mut self.missing,
            Sort::Present => &mut self.present,
        };
        sum.gets += reads;
        sum.wasted += after.wasted - before.wasted;
        sum.requests += after.requests - before.requests;
        sum.blocks += after.blocks - before.blocks;
        Ok(())
    }

    /// Forgets what reads have cost so far.
    pub fn start_again(&mut self) {
        (self.missing, self.present) = Default::default();
        self.times = Default::default();
    }

    /// Closes the store. What was measured.
    pub async fn finish(self) -> Result<Outcome> {
        let (filter_bytes, tables) = self.stage.filters();
        let counts = self
            .policy
            .map(|policy| policy.counts())
            .unwrap_or_default();
        ensure!(counts.damaged + counts.failed == 0, "{counts:?}");
        self.stage.db.close().await?;
        let [missing, present] = self.times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            let at = |share: usize| vec![times[times.len() * share / 100]];
            (at(50), at(99))
        });
        Ok(Outcome {
            policy: self.name,
            keys: self.keys,
            tables,
            filter_bytes,
            negatives: counts.negatives,
            flush: vec![self.flush],
            compaction: vec![self.compaction],
            missing: Reads {
                p50: missing.0,
                p99: missing.1,
                ..self.missing
            },
            present: Reads {
                p50: present.0,
                p99: present.1,
                ..self.present
            },
        })
    }
}
