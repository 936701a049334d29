//! One thread: insertion, query and removal beside `Counting`, in equal space, taking turns.

use crate::experiment::sscf::paper;
use crate::experiment::timing::{median, rounds, time};
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::subject::Subject;
use crate::workload::{Set, Source, zipf};
use anyhow::{Result, bail, ensure};
use bloomwise::{AnyFilter, Counting, Digest, Filter, KeySets, Seesaw};
use std::hint::black_box;

const ROUNDS: usize = 15;

const PARTS: [&str; 7] = [
    "insert",
    "member",
    "stranger",
    "mixed",
    "member, batch",
    "stranger, batch",
    "remove",
];

/// What is timed of a filter, one key after the other.
trait Counted: Filter + Clone {
    fn insert(&mut self, digest: Digest);
    fn remove(&mut self, digest: Digest) -> bool;
}

impl Counted for Counting {
    fn insert(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
    fn remove(&mut self, digest: Digest) -> bool {
        self.remove_digest(digest)
    }
}

impl Counted for Seesaw {
    fn insert(&mut self, digest: Digest) {
        self.insert_digest(digest);
    }
    fn remove(&mut self, digest: Digest) -> bool {
        self.remove_digest(digest)
    }
}

/// A way to ask for many keys, which counts the answers "yes", and the keys.
type Pass<'a> = (&'a dyn Fn(&[Digest]) -> usize, &'a [Digest]);

/// Nanoseconds per key of each part, of a filter that is empty at first.
fn times<F: Counted>(empty: &F, set: &Set, mixed: &[Digest]) -> Result<[f64; PARTS.len()]> {
    let mut filter = empty.clone();
    let members = &set.positives;
    let ((), insert) = time(members.len(), || {
        members.iter().for_each(|&digest| filter.insert(digest));
    });
    let ask = |digests: &[Digest]| {
        let yes = digests
            .iter()
            .filter(|&&digest| filter.contains_digest(digest));
        yes.count()
    };
    let batch = |digests: &[Digest]| {
        let mut answers = Vec::new();
        let groups = digests.chunks(1000).map(|group| {
            answers.clear();
            filter.contains_digests(group, &mut answers);
            answers.iter().filter(|&&yes| yes).count()
        });
        groups.sum::<usize>()
    };
    ensure!(ask(members) == members.len(), "a member is denied");
    let queries: [Pass<'_>; 5] = [
        (&ask, members),
        (&ask, &set.unseen),
        (&ask, mixed),
        (&batch, members),
        (&batch, &set.unseen),
    ];
    let [a, b, c, d, e] = queries.map(|(ask, keys)| time(keys.len(), || black_box(ask(keys))).1);
    let (removed, remove) = time(members.len(), || {
        let removed = members.iter().filter(|&&digest| filter.remove(digest));
        removed.count()
    });
    ensure!(removed == members.len(), "a member could not be removed");
    Ok([insert, a, b, c, d, e, remove])
}

fn table(outcome: &mut Outcome, keys: u64, bits: f64) -> Result<()> {
    let set = Set::sized(Source::Users, keys, keys / 20, keys);
    let costed = set.with_costs(&zipf::costs(set.negatives.len(), 1.0, 0))?;
    let negatives = KeySets::new(Vec::new(), costed.negatives().to_vec())?;
    let guarding = |kind: &'static str| Subject::kind(kind).set("guard", 0.05);
    let subjects = [
        Subject::kind("counting"),
        guarding("seesaw"),
        paper(bits),
        guarding("seesaw-adaptive"),
    ];
    let mut filters = Vec::new();
    for subject in &subjects {
        let Some(spec) = subject.spec((bits * keys as f64) as u64)? else {
            bail!("{} is no kind of bloomwise", subject.name);
        };
        // Negatives alone: the filter is sized for the keys to come.
        filters.push(spec.capacity(keys).build(&negatives)?);
    }
    let both = set.positives.iter().zip(&set.unseen);
    let mixed: Vec<Digest> = both
        .map(|(&member, &other)| if member.low & 1 == 0 { member } else { other })
        .collect();
    let all = rounds(ROUNDS, filters.len(), |number| match &filters[number] {
        AnyFilter::Counting(filter) => times(filter, &set, &mixed),
        AnyFilter::Seesaw(filter) => times(filter, &set, &mixed),
        _ => bail!("{} cannot be timed here", subjects[number].name),
    })?;
    let title = format!("{keys} keys, {bits} bits per key, 5 % guarded: ns, and ratio to counting");
    let mut table = Table::new(&title, ["filter"].into_iter().chain(PARTS));
    let names = subjects.iter().map(|subject| subject.name.clone());
    let mut chart = Chart::new(title, Axis::linear("nanoseconds"), Axis::names(names));
    for (number, (subject, times)) in subjects.iter().zip(&all).enumerate() {
        let cells = PARTS.iter().enumerate().map(|(part, name)| {
            let own: Vec<f64> = times.iter().map(|times| times[part]).collect();
            let ratios = times.iter().zip(&all[0]);
            let ratios: Vec<f64> = ratios.map(|(own, base)| own[part] / base[part]).collect();
            chart.point(name, median(&own), number as f64, 0.0);
            Cell::from(format!("{:.2} ({:.2})", median(&own), median(&ratios)))
        });
        let cells: Vec<Cell> = cells.collect();
        table.row([subject.name.as_str().into()].into_iter().chain(cells));
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    Ok(())
}

/// All tables.
pub(super) fn run(outcome: &mut Outcome, keys: u64) -> Result<()> {
    table(outcome, keys, 20.0)?;
    table(outcome, keys, 36.0)?;
    table(outcome, 10 * keys, 36.0)
}
