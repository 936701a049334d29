//! Insertion, query and removal on one thread against `Counting`, in equal space, in turns.

use crate::paper::sscf::paper;
use crate::prelude::*;
use bloomwise::unstable::Lookup;
use bloomwise::{Insert, Remove};

const ROUNDS: usize = 9;

const PARTS: [&str; 7] = [
    "insert",
    "member",
    "non-member",
    "mixed",
    "member, batch",
    "non-member, batch",
    "remove",
];

/// A function that queries many keys and counts the positive answers, and the keys to pass to it.
type Pass<'a> = (&'a dyn Fn(&[Digest]) -> usize, &'a [Digest]);

/// Nanoseconds per key of each part, starting from `empty`.
fn times<F: Insert + Remove + Lookup + Clone>(
    empty: &F,
    set: &Set,
    mixed: &[Digest],
) -> Result<[f64; PARTS.len()]> {
    let mut filter = empty.clone();
    let members = &set.positives;
    let (done, insert) = time(members.len(), || {
        let mut members = members.iter();
        members.try_for_each(|&digest| filter.insert_digests(&as_digests(&[digest])))
    });
    done?;
    let query = |digests: &[Digest]| {
        let yes = digests.iter().filter(|&&digest| filter.query(digest));
        yes.count()
    };
    let batch = |digests: &[Digest]| {
        let mut answers = [false; 1000];
        let groups = digests.chunks(answers.len()).map(|group| {
            let answers = &mut answers[..group.len()];
            filter.query_batch(group, answers);
            answers.iter().filter(|&&yes| yes).count()
        });
        groups.sum::<usize>()
    };
    ensure!(
        query(members) == members.len(),
        "the filter does not find a key of its set"
    );
    let queries: [Pass<'_>; 5] = [
        (&query, members),
        (&query, &set.unseen),
        (&query, mixed),
        (&batch, members),
        (&batch, &set.unseen),
    ];
    let [a, b, c, d, e] =
        queries.map(|(query, keys)| time(keys.len(), || black_box(query(keys))).1);
    let (removed, remove) = time(members.len(), || {
        let removed = members.iter();
        let removed = removed.map(|&digest| filter.remove_digests(&as_digests(&[digest])));
        removed.sum::<bloomwise::Result<u64>>()
    });
    ensure!(
        removed? == members.len() as u64,
        "a key of the set could not be removed"
    );
    Ok([insert, a, b, c, d, e, remove])
}

fn table(outcome: &mut Outcome, keys: u64, bits: f64) -> Result<()> {
    let set = Set::sized(Source::Users, keys, keys / 20, keys);
    let costs = zipf::costs(set.negatives.len(), 1.0, 0);
    let mut negatives = KeySets::builder(Hashing::default());
    negatives.negative_digests(&as_digests(&set.negatives), &costs)?;
    let negatives = negatives.build()?;
    let guarding = |family: Family| Subject::kind(family).set("guard", 0.05);
    let subjects = [
        Subject::kind(Family::Counting),
        guarding(Family::Seesaw),
        paper(bits),
        guarding(Family::SeesawAdaptive),
    ];
    let mut filters = Vec::new();
    for subject in &subjects {
        // Only negatives: the filter is sized for the keys to come.
        let spec = subject.spec(set.bits(bits))?.capacity(keys);
        filters.push(spec.build(&negatives)?);
    }
    let both = set.positives.iter().zip(&set.unseen);
    let even = |digest: Digest| u128::from(digest).is_multiple_of(2);
    let mixed = both.map(|(&member, &other)| if even(member) { member } else { other });
    let mixed: Vec<Digest> = mixed.collect();
    let turns = Turns::take(ROUNDS, filters.len(), |number| match &filters[number] {
        AnyFilter::Counting(filter) => times(filter, &set, &mixed),
        AnyFilter::Seesaw(filter) => times(filter, &set, &mixed),
        _ => bail!("{} has no removal to time", subjects[number].name),
    })?;
    let title = format!("{keys} keys, {bits} bits per key, 5 % guarded: ns, and ratio to counting");
    let mut table = Table::new(&title, "filter").and(&PARTS, "");
    let mut chart = Chart::dots(title, Axis::linear("nanoseconds"));
    for (number, Subject { name, .. }) in subjects.iter().enumerate() {
        let (own, ratios) = (turns.medians(number), turns.median_ratios(number, 0));
        for (part, time) in PARTS.into_iter().zip(own) {
            chart.dot(part, name, time);
        }
        let both = own.iter().zip(ratios);
        let shown = both.map(|(own, ratio)| format!("{own:.2} ({ratio:.2})"));
        table.row((name, shown.collect::<Vec<_>>()));
    }
    outcome.tables.push(table);
    outcome.charts.push(chart);
    Ok(())
}

/// Adds all tables to `outcome`.
pub fn run(outcome: &mut Outcome, keys: u64) -> Result<()> {
    table(outcome, keys, 20.0)?;
    table(outcome, keys, 36.0)?;
    table(outcome, 10 * keys, 36.0)
}
