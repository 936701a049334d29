//! The predicted rates of every kind, and the recommendation, as JSON.

use super::json;
use crate::measure::per;
use bloomwise::Workload;
use bloomwise::planner::{Advice, Row};
use serde_json::{Value, json};

/// The plan as a JSON object.
pub fn to_json(advice: &Advice, workload: &Workload) -> Value {
    let row = |row: &Row| {
        let forecast = row.forecast.as_ref().ok();
        let parameters = forecast.map(|forecast| json::parameters(&forecast.parameters));
        json!({
            "kind": row.family.name(),
            "parameters": parameters,
            "predicted_fpr": forecast.map(|forecast| forecast.unseen),
            "predicted_weighted_fpr": known(row, workload),
            "exact": wrong(row, workload).map(|wrong| wrong == 0),
            "wrong": wrong(row, workload),
            "bits_per_key": bits_per_key(row, workload),
            "lines": forecast.map(|forecast| forecast.lines),
            "unfit": reason(row),
        })
    };
    json!({
        "rows": advice.rows.iter().map(row).collect::<Vec<_>>(),
        "recommended": advice.recommended.name(),
        "why": advice.why,
        "limit": {
            "unseen_fpr": advice.limit.unseen,
            "weighted_fpr": (workload.negatives() > 0).then_some(advice.limit.known),
        },
    })
}

/// The predicted rate on known negatives, if there are any.
pub fn known(row: &Row, workload: &Workload) -> Option<f64> {
    let forecast = row.forecast.as_ref().ok()?;
    (workload.negatives() > 0).then_some(forecast.known)
}

/// The predicted number of wrong known negatives, if there are any negatives and the kind predicts it; 0 is a promise.
pub fn wrong(row: &Row, workload: &Workload) -> Option<u64> {
    let forecast = row.forecast.as_ref().ok()?;
    forecast.wrong.filter(|_| workload.negatives() > 0)
}

/// The size in bits per key, if the filter can be built.
pub fn bits_per_key(row: &Row, workload: &Workload) -> Option<f64> {
    let forecast = row.forecast.as_ref().ok()?;
    per(forecast.bits as f64, workload.keys())
}

/// Why a kind is not suitable: it cannot be built at this size, or does not support a required operation.
pub fn reason(row: &Row) -> Option<String> {
    let impossible = row.forecast.as_ref().err().map(ToString::to_string);
    impossible.or_else(|| row.unfit.clone())
}
