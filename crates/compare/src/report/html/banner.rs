//! The top of the page: what to ship, how to build it, what it saves and what it costs.

use super::markup::prose;
use crate::report::chart::Escaped;
use crate::report::comparison::Verdict;

/// The banner. `command` builds the filter.
pub fn banner(verdict: &Verdict<'_>, command: &str) -> String {
    let saves = verdict.saves().map_or(String::new(), |saves| {
        format!("<p class=\"saves\">{}</p>\n", prose(&saves))
    });
    let costs: String = (verdict.costs().iter())
        .map(|cost| format!("<li>{}</li>\n", prose(cost)))
        .collect();
    format!(
        "<section class=\"banner\">\n<h2>{}</h2>\n{saves}<pre tabindex=\"0\"><code>{}</code></pre>\n\
         <h3>What it costs</h3>\n<ul>\n{costs}</ul>\n</section>\n",
        prose(&verdict.headline()),
        Escaped(command)
    )
}
