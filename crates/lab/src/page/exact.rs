//! Filters that are exact on known negatives: how many bytes they need for that, and what they cost.
//!
//! `guarded` is compared with the crate `clubcard`, a Bloom cascade and a stacked filter, on the same sets with 1 to 100 known negatives per
//! key. The size of a clubcard follows from the sets. For the others the least size without an error is searched, to
//! half a percent. A filter of the least size has no bits to spare for unseen keys, so `guarded` is shown at the
//! clubcard's size too.

use crate::filter::Clubcard;
use crate::prelude::*;
use bloomwise::guarded::theory::limit_bits;

/// Known negatives per key, and keys.
const PLACES: [(u64, u64); 4] = [
    (1, 1_000_000),
    (4, 1_000_000),
    (20, 500_000),
    (100, 200_000),
];

/// Keys of a timed round, and rounds.
const TIMED: usize = 100_000;
const ROUNDS: usize = 9;

/// The least size is searched to this share.
const STEP: f64 = 1.005;

/// Bits per key that no filter can do without: the limit at the rate on unseen keys where it is lowest, `1 / (1 + r)`. It is the entropy of the
/// set in its universe.
fn limit(negatives_per_key: f64) -> f64 {
    limit_bits(1.0 / (1.0 + negatives_per_key), negatives_per_key)
}

/// The least size at which the filter has no error, in bits per key.
fn least(subject: &Subject, sets: &KeySets, set: &Set, lowest: f64) -> Result<f64> {
    let exact = |per_key: f64| -> Result<bool> {
        let filter = match subject.build(sets, set.bits(per_key)) {
            Err(error) if error.is::<TooSmall>() => return Ok(false),
            built => built.with_context(|| subject.name.clone())?,
        };
        let wrong = |&digest: &Digest| filter.may_contain(digest);
        Ok(!set.negatives.par_iter().any(wrong))
    };
    let (mut low, mut high) = (lowest, lowest);
    while !exact(high)? {
        (low, high) = (high, 1.5 * high);
        ensure!(high < 1000.0, "{} has errors at any size", subject.name);
    }
    while high / low > STEP {
        let middle = (low * high).sqrt();
        if exact(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// A filter, its name and the seconds that its build took on one thread.
struct Entry {
    name: String,
    filter: Box<dyn DigestFilter>,
    seconds: f64,
}

/// Builds a filter on one thread.
fn entry(
    name: &str,
    build: impl FnOnce() -> Result<Box<dyn DigestFilter>> + Send,
) -> Result<Entry> {
    let (filter, nanoseconds) = on_threads(1, || time(1, build))?;
    Ok(Entry {
        name: name.to_string(),
        filter: filter?,
        seconds: nanoseconds / 1e9,
    })
}

/// All filters of a set.
fn entries(set: &Set, sets: &KeySets, lowest: f64) -> Result<Vec<Entry>> {
    let guarded = Subject::kind(Family::Guarded);
    let clubcard = entry("clubcard", || Ok(Box::new(Clubcard::build(sets)?)))?;
    let bits = clubcard.filter.bits();
    let same = entry("guarded, as large as the clubcard", || {
        guarded.build(sets, bits)
    })?;
    let mut entries = vec![same, clubcard];
    for subject in [guarded, Subject::cascade(), Subject::stacked()] {
        let per_key = least(&subject, sets, set, lowest)?;
        let name = format!("{}, least size", subject.name);
        entries.push(entry(&name, || subject.build(sets, set.bits(per_key)))?);
    }
    Ok(entries)
}

/// Nanoseconds per query of members, known negatives and unseen keys.
fn times(entries: &[Entry], set: &Set) -> Result<Turns<3>> {
    let keys = [&set.positives, &set.negatives, &set.unseen].map(|digests| strided(digests, TIMED));
    Turns::take(ROUNDS, entries.len(), |number| {
        let filter = entries[number].filter.as_ref();
        Ok(keys.each_ref().map(|keys| {
            let accepted = keys.iter().filter(|&&digest| filter.may_contain(digest));
            time(keys.len(), || black_box(accepted.count())).1
        }))
    })
}

/// Runs the experiment.
pub fn run(options: &Options) -> Result<Outcome> {
    let mut outcome = Outcome::new(
        "Filters that are exact on known negatives: guarded, the crate clubcard, a Bloom cascade and a stacked filter, on the same sets of YCSB keys. Builds on one thread. Query times are ratios to the first row of each table, median of rounds in turns; members / known negatives / unseen keys.",
    );
    let x = Axis::log("known negatives per key");
    let title = "Bits per key without an error on known negatives";
    let mut chart = Chart::new(title, x, Axis::log("bits per key"));
    for (ratio, keys) in PLACES {
        let keys = options.scaled(keys, 2000);
        let set = Set::sized(Source::Users, keys, ratio * keys, 1_000_000);
        let sets = set.with_equal_costs()?;
        let lowest = limit(ratio as f64);
        let entries = entries(&set, &sets, lowest)?;
        let times = times(&entries, &set)?;
        let title = format!(
            "Known negatives per key: {ratio}. {keys} keys; the limit is {lowest:.3} bits per key"
        );
        let columns = "filter | bytes | bits per key {3} | times the limit {3} | known errors | unseen {%} | build, ns per key and negative {0} | query, ratio";
        let mut table = Table::new(title, columns);
        for (number, entry) in entries.iter().enumerate() {
            let filter = entry.filter.as_ref();
            let answers = Answers::of(filter, &set).with_context(|| entry.name.clone())?;
            let per_key = answers.bits_per_key;
            let wrong = answers.known(&set) * set.negatives.len() as f64;
            let ratios = times
                .median_ratios(number, 0)
                .map(|ratio| format!("{ratio:.2}"));
            let build = 1e9 * entry.seconds / (keys + ratio * keys) as f64;
            if number > 0 {
                chart.point(&entry.name, ratio as f64, per_key, 0.0);
            }
            let size = (filter.bits().div_ceil(8), per_key, per_key / lowest);
            let found = (wrong.round(), answers.unseen, build, ratios.join(" / "));
            table.row((&entry.name, size, found));
        }
        chart.point("limit", ratio as f64, lowest, 0.0);
        outcome.tables.push(table);
    }
    outcome.charts.push(chart);
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_the_entropy_of_the_set_in_its_universe() {
        assert!((limit(1.0) - 2.0).abs() < 1e-12);
        // 2.6 negatives per key need 3.1 bits.
        assert!((limit(2.6) - 3.1).abs() < 0.05);
    }

    #[test]
    fn least_size_is_exact_and_slightly_less_is_not() {
        let set = Set::sized(Source::Users, 5000, 20_000, 100);
        let sets = set.with_equal_costs().expect("valid");
        let subject = Subject::cascade();
        let found = least(&subject, &sets, &set, limit(4.0)).expect("exists");
        assert!(found > limit(4.0) && found < 3.0 * limit(4.0), "{found}");
        assert!(subject.build(&sets, set.bits(found)).is_ok());
        assert!(subject.build(&sets, set.bits(0.9 * found)).is_err());
    }
}
