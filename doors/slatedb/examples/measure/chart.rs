//! The chart of wasted reads: a bar for each policy, as SVG.

use crate::outcome::Outcome;
use std::fmt::Write;

/// Pixels from the left edge to the bars, and of the longest bar.
const LEFT: f64 = 230.0;
const LONGEST: f64 = 420.0;

/// Pixels from one bar to the next, and above the first.
const STEP: f64 = 44.0;
const TOP: f64 = 64.0;

/// What the page calls a policy.
fn label(policy: &str) -> String {
    match policy {
        "default" => "SlateDB's default filter".to_string(),
        "guarded" => "guarded, without learning".to_string(),
        "guarded+learning" => "guarded, with learning".to_string(),
        other => other.to_string(),
    }
}

/// The blocks that a thousand missing gets read in vain.
pub fn svg(outcomes: &[Outcome]) -> String {
    let values = outcomes
        .iter()
        .map(|outcome| outcome.missing.per_1000(outcome.missing.blocks));
    let values: Vec<f64> = values.collect();
    let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let height = TOP + STEP * values.len() as f64 + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {height}\" width=\"720\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"15\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"20\" y=\"32\" font-size=\"18\" fill=\"#1c1c1c\">Blocks read in vain, per 1,000 gets of missing keys</text>\n"
    );
    for (number, (outcome, value)) in outcomes.iter().zip(values).enumerate() {
        let y = TOP + STEP * number as f64;
        let (middle, width) = (y + 20.0, (LONGEST * value / most).max(2.0));
        let colour = if number == 0 { "#9a9a9a" } else { "#1f6fb2" };
        let text = format!("{value:.1}");
        let name = label(&outcome.policy);
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\" fill=\"#1c1c1c\">{name}</text>\n\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"30\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"{middle}\" fill=\"#1c1c1c\">{text}</text>",
            LEFT - 12.0,
            LEFT + width + 8.0,
        )
        .expect("a string accepts every write");
    }
    svg + "</svg>\n"
}
