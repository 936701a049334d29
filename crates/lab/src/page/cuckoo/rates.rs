//! Known and unseen negatives in equal space.

use crate::paper::sscf::paper;
use crate::prelude::*;

/// Bits per key, and known negatives for ten keys.
const CASES: [(f64, u64); 5] = [(11.0, 1), (12.0, 1), (12.0, 10), (20.0, 10), (36.0, 10)];

/// The case of the chart.
const SHOWN: (f64, u64) = (12.0, 10);

/// The filters that remove keys: ours, the paper's seesaw filter, and those that it was compared with.
fn subjects(bits_per_key: f64) -> [Subject; 7] {
    [
        Subject::kind(Family::Cuckoo),
        Subject::kind(Family::Counting),
        Subject::weighted_counting(),
        Subject::stacked_counting(),
        paper(bits_per_key),
        Subject::kind(Family::Seesaw),
        Subject::kind(Family::SeesawAdaptive),
    ]
}

/// The table of rates, and a chart of one size.
pub fn table(options: &Options) -> Result<(Table, Chart)> {
    let keys = options.scaled(1_000_000, 10_000);
    let title = format!("Rates, {keys} keys, negatives with costs by Zipf's law (1.0)");
    let columns = "bits per key | known negatives | filter | bits per key taken {2} | known, wrong {0} | known, by cost {%} | unseen {%}";
    let mut table = Table::new(title, columns);
    let mut chart = Chart::dots(
        format!(
            "False positives at {} bits per key, as many known negatives as keys",
            SHOWN.0
        ),
        Axis::rates("false positives"),
    );
    for (bits, per_ten) in CASES {
        let set = Set::costed([keys, keys * per_ten / 10, keys], 1.0);
        let (sets, negatives) = (set.sets()?, set.negatives.len());
        let subjects = subjects(bits);
        let found = subjects
            .par_iter()
            .map(|subject| subject.answers(&set, &sets, bits));
        let found: Vec<Option<Answers>> = found.collect::<Result<_>>()?;
        for (subject, answers) in subjects.iter().zip(found) {
            // It may not be able to be that small.
            let Some(answers) = answers else { continue };
            let (known, unseen) = (answers.known(&set), answers.unseen);
            if (bits, per_ten) == SHOWN {
                chart.dot("known negatives", &subject.name, known);
                chart.dot("unseen keys", &subject.name, unseen);
            }
            let by_cost = set.costs.as_ref().map(|costs| answers.weighted(costs));
            let wrong = known * negatives as f64;
            let found = (answers.bits_per_key, wrong, by_cost, unseen);
            table.row((bits, negatives, &subject.name, found));
        }
    }
    Ok((table, chart))
}
