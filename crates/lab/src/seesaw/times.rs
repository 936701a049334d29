//! One thread: insertion, query and removal beside `Counting`, in equal space, taking turns.

use crate::experiment::middle;
use crate::known::{Data, spec};
use crate::output::{Axis, Cell, Chart, Outcome, Table};
use crate::race::median;
use bloomwise::{AnyFilter, Counting, Digest, Filter, Seesaw, Spec};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 15;

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

/// Nanoseconds per key: insertion, members, strangers, both in turn, members in a batch, strangers in a batch, removal.
fn times<F: Counted>(empty: &F, data: &Data, mixed: &[Digest]) -> [f64; 7] {
    let mut filter = empty.clone();
    let time = |count: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64 / count as f64
    };
    let members = &data.positives;
    let insert = time(members.len(), &mut || {
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
    assert_eq!(ask(members), members.len(), "a false negative");
    let queries: [Pass<'_>; 5] = [
        (&ask, members),
        (&ask, &data.unseen),
        (&ask, mixed),
        (&batch, members),
        (&batch, &data.unseen),
    ];
    let [a, b, c, d, e] =
        queries.map(|(ask, keys)| time(keys.len(), &mut || _ = black_box(ask(keys))));
    let mut removed = 0;
    let remove = time(members.len(), &mut || {
        removed = members
            .iter()
            .filter(|&&digest| filter.remove(digest))
            .count();
    });
    assert_eq!(removed, members.len(), "a key that is there can be removed");
    [insert, a, b, c, d, e, remove]
}

fn table(outcome: &mut Outcome, keys: u64, bits: f64) {
    let data = Data::new(keys, keys / 20, keys, 1.0);
    let sets = data.sets();
    let empty = |spec: &Spec| {
        let mut filter = spec.build(&sets).expect("sound");
        for &digest in &data.positives {
            match &mut filter {
                AnyFilter::Seesaw(filter) => filter.remove_digest(digest),
                AnyFilter::Counting(filter) => filter.remove_digest(digest),
                _ => false,
            };
        }
        filter
    };
    let wish = |kind, settings| empty(&spec(kind, bits, "", settings));
    let counting = wish("counting", &[]);
    let filters = [
        ("seesaw", wish("seesaw", &[("guard", "0.05")])),
        ("seesaw, paper's setting", wish("seesaw", &super::PAPER)),
        (
            "seesaw-adaptive",
            wish("seesaw-adaptive", &[("guard", "0.05")]),
        ),
    ];
    let both = data.positives.iter().zip(&data.unseen);
    let mixed: Vec<Digest> = both
        .map(|(&member, &other)| if member.low & 1 == 0 { member } else { other })
        .collect();
    let AnyFilter::Counting(counting) = counting else {
        return;
    };
    let mut base = Vec::new();
    let mut all = vec![Vec::new(); filters.len()];
    for _ in 0..ROUNDS {
        base.push(times(&counting, &data, &mixed));
        for ((_, filter), all) in filters.iter().zip(&mut all) {
            if let AnyFilter::Seesaw(filter) = filter {
                all.push(times(filter, &data, &mixed));
            }
        }
    }
    let title = format!("{keys} keys, {bits} bits per key, 5 % guarded: ns, and ratio to counting");
    let parts = [
        "insert",
        "member",
        "stranger",
        "mixed",
        "member, batch",
        "stranger, batch",
        "remove",
    ];
    let mut table = Table::new(&title, ["filter"].into_iter().chain(parts));
    let names = ["counting"]
        .into_iter()
        .chain(filters.iter().map(|(name, _)| *name));
    let names = names.map(str::to_string);
    let mut chart = Chart::new(title, Axis::linear("nanoseconds"), Axis::names(names));
    let mut line = |name: &str, times: &[[f64; 7]]| {
        let number = table.rows().len() as f64;
        for (what, part) in parts.into_iter().enumerate() {
            let of_part: Vec<f64> = times.iter().map(|times| times[what]).collect();
            chart.point(part, middle(&of_part), number, 0.0);
        }
        let cells = [0, 1, 2, 3, 4, 5, 6].map(|what| {
            let ratio = median(times.iter().zip(&base).map(|(a, b)| a[what] / b[what]));
            Cell::from(format!(
                "{} ({ratio})",
                median(times.iter().map(|t| t[what]))
            ))
        });
        table.row([name.into()].into_iter().chain(cells));
    };
    line("counting", &base);
    for ((name, _), times) in filters.iter().zip(&all) {
        line(name, times);
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
}

/// All tables.
pub(super) fn run(outcome: &mut Outcome, keys: u64) {
    table(outcome, keys, 20.0);
    table(outcome, keys, 36.0);
    table(outcome, 10 * keys, 36.0);
}
