//! `BW.MISS key item [COST cost] [SINCE stamp]`
//!
//! The filter said "yes", the application looked, and the item was not there. The filter learns from that: it counts what the mistake has cost,
//! and denies the items whose mistakes cost most. A `cuckoo` filter keeps them in its exact table. When that is full, an item waits until its
//! mistakes have cost more than those of another (see the page of `cuckoo::waiting` in the library).
//!
//! # The race
//!
//! Between the look and the report, someone else may have inserted the item. A `cuckoo` filter that took the report would deny an item of
//! the set. So the client asks with `BW.EXISTS key item WITHSTAMP`, and reports with that stamp; the filter refuses if the item may have been
//! inserted since. Whoever adds must store the item first and tell the filter then.
//!
//! A report without a stamp is an error for `cuckoo`. For `seesaw-adaptive` a late report does no harm.
//!
//! # Replicas
//!
//! Only the master knows stamps, and which items wait for room. It replicates what it has made of a report: `BW.GUARD`, with what the item has
//! cost so far. It does not replicate a report that changes nothing.
//!
//! # Memory
//!
//! Waiting takes 8 bytes for each exception that the table has room for, from the first report on that finds none. If the limits do not allow that,
//! nothing waits: each report counts alone.

use super::NOT_FOUND;
use super::exists::{ANY_TIME, NO_STAMPS};
use super::guard::cost;
use crate::arguments::{Cursor, shown};
use crate::census::{MISSES, REFUSED};
use crate::ffi::{Access, Call, Command, Meta, Target};
use crate::limits::Budget;
use crate::reply::Reply;
use crate::value::memory_of;
use bloomwise::cuckoo::Stamp;
use bloomwise::{AnyFilter, Cuckoo, Filter, Operation};
use valkey_module::ValkeyError;

/// Reports a false positive.
pub struct Miss;

impl Command for Miss {
    const META: Meta = Meta {
        name: "bw.miss",
        arity: -3,
        access: Access::Insert,
        fast: true,
        summary: "Reports that an item was not in the set though the filter said so",
        complexity: "O(1)",
    };

    fn run(call: &Call<'_>) -> Result<Reply, ValkeyError> {
        let report = parse(call.rest())?;
        let outcome = call.write_or(
            |_| Err(NOT_FOUND),
            |target| {
                let Target { value, budget, .. } = target;
                value.change(|filter| learn(filter, &report, budget))
            },
        )?;
        let Outcome::Taken { denied, guarded } = outcome else {
            REFUSED.add(1);
            return Ok(Reply::Bool(false));
        };
        MISSES.add(1);
        if let Some(cost) = guarded {
            let cost = cost.to_string();
            call.replicate_as("BW.GUARD", &[report.item, b"COST", cost.as_bytes()]);
            call.notify("bw.miss");
        }
        Ok(Reply::Bool(denied))
    }
}

/// What became of a report.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// The item may have been inserted meanwhile.
    Refused,
    /// The filter has learned.
    Taken {
        /// Whether the filter denies the item now.
        denied: bool,
        /// The cost with which the item was guarded; `None` if the filter is unchanged.
        guarded: Option<f64>,
    },
}

/// What was reported.
#[derive(Debug, PartialEq)]
struct Report<'a> {
    /// The item.
    item: &'a [u8],
    /// What the mistake has cost.
    cost: f64,
    /// When the filter was asked.
    since: Option<Since>,
}

/// When the filter was asked.
#[derive(Debug, PartialEq)]
enum Since {
    /// It does not matter.
    AnyTime,
    /// At this moment.
    Moment(Stamp),
}

/// Reads the arguments after the key.
fn parse<'a>(arguments: &'a [&'a [u8]]) -> Result<Report<'a>, ValkeyError> {
    let mut cursor = Cursor::new(arguments);
    let mut report = Report {
        item: cursor.expect()?,
        cost: 1.0,
        since: None,
    };
    while let Some(next) = cursor.peek() {
        if cursor.skip("COST") {
            report.cost = cost(cursor.expect()?)?;
        } else if cursor.skip("SINCE") {
            let text = String::from_utf8_lossy(cursor.expect()?);
            report.since = Some(match &*text {
                ANY_TIME => Since::AnyTime,
                text => Since::Moment(text.parse().map_err(|_| wrong_stamp(text))?),
            });
        } else {
            let text = format!("ERR unknown argument '{}'; give COST or SINCE", shown(next));
            return Err(ValkeyError::String(text));
        }
    }
    Ok(report)
}

/// The error for a stamp that no filter has given.
fn wrong_stamp(text: &str) -> ValkeyError {
    let text = shown(text.as_bytes());
    ValkeyError::String(format!(
        "ERR '{text}' is not a stamp; give one that BW.EXISTS ... WITHSTAMP has returned"
    ))
}

/// Tells the filter.
fn learn(
    filter: &mut AnyFilter,
    report: &Report<'_>,
    budget: &mut Budget,
) -> Result<Outcome, ValkeyError> {
    filter.check_operation(Operation::Guard)?;
    let memory = memory_of(filter);
    let (item, cost) = (report.item, report.cost);
    match (filter, &report.since) {
        (AnyFilter::Cuckoo(filter), Some(Since::Moment(stamp))) => {
            if filter.may_have_been_inserted(item, *stamp) {
                return Ok(Outcome::Refused);
            }
            let waiting = filter.bytes_for_waiting();
            if waiting > 0 && budget.take(memory + waiting, waiting).is_err() {
                return learn_at_once(filter, report);
            }
            let reported = filter.report_mistake(item, cost)?;
            Ok(Outcome::Taken {
                denied: reported.denied,
                guarded: reported.guarded,
            })
        }
        (AnyFilter::Cuckoo(_), _) => Err(ValkeyError::Str(
            "ERR a cuckoo filter needs SINCE and a stamp of BW.EXISTS WITHSTAMP; use BW.GUARD if nobody inserts items meanwhile",
        )),
        (AnyFilter::Seesaw(filter), _) => {
            filter.guard(item)?;
            Ok(Outcome::Taken {
                denied: !filter.contains(item),
                guarded: Some(cost),
            })
        }
        _ => Err(NO_STAMPS),
    }
}

/// Tells a filter that has no memory for items that wait.
fn learn_at_once(filter: &mut Cuckoo, report: &Report<'_>) -> Result<Outcome, ValkeyError> {
    if !filter.contains(report.item) {
        return Ok(Outcome::Taken {
            denied: true,
            guarded: None,
        });
    }
    Ok(Outcome::Taken {
        denied: filter.guard(report.item, report.cost)?,
        guarded: Some(report.cost),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Family, Size, Spec};

    fn filter(family: Family) -> AnyFilter {
        let spec = Spec::new(family).size(Size::BitsPerKey(40.0));
        spec.capacity(1000).create().expect("sound")
    }

    #[test]
    fn arguments_come_in_any_order() {
        let arguments: [&[u8]; 5] = [b"COST", b"since", b"1f-a", b"cost", b"3"];
        let report = parse(&arguments).expect("sound");
        assert_eq!((report.item, report.cost), (&b"COST"[..], 3.0));
        assert!(matches!(report.since, Some(Since::Moment(_))));
        assert_eq!(
            parse(&[b"a", b"SINCE", b"*"]).expect("sound").since,
            Some(Since::AnyTime)
        );
        for wrong in ["a SINCE x", "a what", "a COST -1", "a SINCE"] {
            let arguments: Vec<&[u8]> = wrong.split(' ').map(str::as_bytes).collect();
            assert!(parse(&arguments).is_err(), "{wrong}");
        }
        assert!(parse(&[]).is_err());
    }

    #[test]
    fn late_report_does_not_deny_an_item_that_has_come() {
        let mut filter = filter(Family::Cuckoo);
        let AnyFilter::Cuckoo(cuckoo) = &filter else {
            panic!("a cuckoo filter");
        };
        let since = Some(Since::Moment(cuckoo.stamp()));
        filter.insert("a").expect("room");
        let report = Report {
            item: b"a",
            cost: 1.0,
            since,
        };
        assert_eq!(
            learn(&mut filter, &report, &mut Budget::unlimited()).expect("sound"),
            Outcome::Refused
        );
        assert!(filter.contains("a"));
        let untimed = Report {
            item: b"b",
            cost: 1.0,
            since: None,
        };
        assert!(
            learn(&mut filter, &untimed, &mut Budget::unlimited()).is_err(),
            "no stamp"
        );
    }

    #[test]
    fn without_memory_to_wait_each_report_counts_alone() {
        let spec = Spec::new(Family::Cuckoo).size(Size::BitsPerKey(12.0));
        let mut filter = spec.capacity(1000).create().expect("sound");
        let texts = |range: std::ops::Range<u32>| range.map(|item| item.to_string());
        for item in texts(0..1000) {
            filter.insert(item).expect("room");
        }
        let others = texts(1000..100_000).filter(|item| filter.contains(item));
        let items: Vec<String> = others.take(100).collect();
        let since = |filter: &AnyFilter| match filter {
            AnyFilter::Cuckoo(filter) => Some(Since::Moment(filter.stamp())),
            _ => None,
        };
        let mut none = Budget::unlimited();
        none.spend(u64::MAX).expect("all");
        for item in &items {
            let report = Report {
                item: item.as_bytes(),
                cost: 1.0,
                since: since(&filter),
            };
            let outcome = learn(&mut filter, &report, &mut none).expect("a report");
            assert!(matches!(outcome, Outcome::Taken { .. }));
        }
        let AnyFilter::Cuckoo(cuckoo) = &filter else {
            panic!("a cuckoo filter");
        };
        assert!(
            cuckoo.bytes_for_waiting() > 0,
            "the table is full, and nothing waits"
        );
        assert!(texts(0..1000).all(|item| filter.contains(item)));
    }

    #[test]
    fn other_kinds_take_any_report_or_none() {
        let report = |since| Report {
            item: b"a",
            cost: 1.0,
            since,
        };
        let mut seesaw = filter(Family::SeesawAdaptive);
        seesaw.insert("a").expect("room");
        for since in [None, Some(Since::AnyTime)] {
            let outcome =
                learn(&mut seesaw, &report(since), &mut Budget::unlimited()).expect("harmless");
            let taken = Outcome::Taken {
                denied: false,
                guarded: Some(1.0),
            };
            assert_eq!(outcome, taken, "it is in the set");
        }
        assert!(
            learn(
                &mut filter(Family::Bloom),
                &report(None),
                &mut Budget::unlimited()
            )
            .is_err()
        );
    }
}
