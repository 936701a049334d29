//! How a finished filter answers its known negatives.

use crate::filter::contract::Lookup;
use crate::filter::info::Report;
use crate::keys::cost_sum::CostSum;
use crate::keys::sets::Costed;
use crate::machine::parallel;

/// The report on known negatives, all of which are queried: those that are denied count as guarded.
pub(crate) fn report_on<F: Lookup>(filter: &F, negatives: &[Costed]) -> Report {
    let wrong = |negative: &Costed| filter.query(negative.digest).then_some(negative.cost);
    let lost = parallel::filter_map(negatives, wrong);
    let left = lost.len() as u64;
    let all = negatives.iter().map(|negative| negative.cost);
    let lost: CostSum = lost.into_iter().sum();
    Report {
        guarded: negatives.len() as u64 - left,
        wrong: Some(left),
        weighted_fpr: Some(lost.share_of(all.sum()).unwrap_or(0.0)),
        ..Report::default()
    }
}
