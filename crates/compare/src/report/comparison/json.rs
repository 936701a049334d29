//! A comparison as JSON.

use crate::measure::{Comparison, Evaluation, Limit, Pace, Row};
use crate::report::json::merge;
use serde_json::{Value, json};

impl Comparison {
    /// The comparison as one object.
    pub fn json(&self) -> Value {
        let limit =
            |limit: &Limit| json!({"bits_per_key": limit.bits_per_key, "unseen_fpr": limit.rate});
        let row = |row: &Row| row.json(self.later.is_some());
        let mut comparison = json!({
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "limit": self.limits.iter().map(limit).collect::<Vec<_>>(),
            "recommended": self.verdict().map(|verdict| verdict.kind().name()),
        });
        if let Some(later) = &self.later {
            comparison["log"] = later.json(self.listed.0);
        }
        comparison
    }
}

impl Row {
    /// Kind, setting and build time, then the fields of `eval`, then fields that only a comparison has. With a log, the last one is what is
    /// wasted later.
    fn json(&self, later: bool) -> Value {
        let measured = self.result.as_ref().ok();
        let evaluation = measured.map(|measured| &measured.evaluation);
        let build = measured.and_then(|measured| measured.build);
        let spread = |pace: Option<Pace>| pace.map(|pace| pace.spread());
        let mut row = merge([
            json!({
                "kind": self.kind.name(),
                "setting": self.setting(),
                "build_ns_per_key": build.map(|build| build.median),
            }),
            Evaluation::json(evaluation),
            json!({
                "budget": self.budget,
                "over_budget": measured.map(|_| self.over_budget),
                "build_spread": spread(build),
                "positive_spread": spread(evaluation.and_then(|all| all.members.pace)),
                "negative_spread": spread(evaluation.and_then(Evaluation::non_member_pace)),
                "error": self.result.as_ref().err(),
            }),
        ]);
        // The evaluation of a filter that was not built has no kind.
        row["kind"] = json!(self.kind.name());
        if later {
            row["wasted"] = json!(evaluation.and_then(Evaluation::wasted));
        }
        row
    }
}
