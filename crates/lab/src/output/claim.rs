//! Claims: what a source says, beside what was measured. The verdict follows the one rule in [`super::verdict`].
//!
//! A claim that sets a filter of this library beside a published number ([`Claim::ours`]) is no verdict on the paper and is not counted as
//! one. A *headline* stands in the summary of a document.

use super::verdict::{self, Says, Verdict};
use super::{Table, percent};
use crate::statistics::Spread;
use serde::{Deserialize, Serialize};

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    #[serde(rename = "claim")]
    what: String,
    paper: String,
    measured: String,
    verdict: Verdict,
    /// What the verdict rests on.
    rests_on: String,
    /// Why the numbers differ, if that is known.
    remark: String,
    ours: bool,
    headline: bool,
}

impl Claim {
    /// A claim with a verdict that the rule gave.
    pub fn new(
        what: impl Into<String>,
        paper: impl Into<String>,
        measured: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        Claim {
            what: what.into(),
            paper: paper.into(),
            measured: measured.into(),
            verdict,
            rests_on: String::new(),
            remark: String::new(),
            ours: false,
            headline: false,
        }
    }

    /// A published number, and the measured one with the deviation that chance makes. `shown` writes both.
    pub fn number(
        what: impl Into<String>,
        says: Says,
        paper: f64,
        measured: impl Into<Spread>,
        shown: impl Fn(f64) -> String,
    ) -> Self {
        let measured = measured.into();
        let word = match says {
            Says::Equal => "",
            Says::AtLeast => "at least ",
            Says::AtMost => "at most ",
        };
        let verdict = Verdict::of(says, paper, measured);
        let paper = format!("{word}{}", shown(paper));
        Self::new(what, paper, shown(measured.mean), verdict)
    }

    /// A published rate.
    pub fn rate(what: impl Into<String>, paper: f64, measured: impl Into<Spread>) -> Self {
        Self::number(what, Says::Equal, paper, measured, percent)
    }

    /// A published ratio, with two decimals.
    pub fn ratio(
        what: impl Into<String>,
        says: Says,
        paper: f64,
        measured: impl Into<Spread>,
    ) -> Self {
        Self::number(what, says, paper, measured, |ratio| format!("{ratio:.2}"))
    }

    /// A published statement about several places.
    pub fn everywhere(
        what: impl Into<String>,
        paper: impl Into<String>,
        places: impl IntoIterator<Item = Verdict>,
    ) -> Self {
        let places: Vec<Verdict> = places.into_iter().collect();
        let holds = places
            .iter()
            .filter(|&&place| place != Verdict::NotReproduced);
        let measured = format!("at {} of {}", holds.count(), places.len());
        Self::new(what, paper, measured, Verdict::worst(places))
    }

    /// A published place, or several, of the lowest value of a line.
    pub fn optimum(what: impl Into<String>, published: &[f64], line: &[(f64, Spread)]) -> Self {
        let list = |places: &[f64]| {
            let places: Vec<String> = places.iter().map(f64::to_string).collect();
            places.join(", ")
        };
        let (verdict, best, good) = verdict::optimum(line, published);
        let measured = format!("{best}; within 15 %: {}", list(&good));
        Self::new(what, list(published), measured, verdict)
    }

    /// Says what the verdict rests on.
    pub fn rests_on(mut self, basis: impl Into<String>) -> Self {
        self.rests_on = basis.into();
        self
    }

    /// Adds the reason for a difference. It is shown only if the claim is not reproduced.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        if self.verdict != Verdict::Reproduced {
            self.remark = reason.into();
        }
        self
    }

    /// Marks the claim as one about a filter of this library instead of the paper's.
    pub fn ours(mut self) -> Self {
        self.ours = true;
        self
    }

    /// Puts the claim into the summary of a document.
    pub fn headline(mut self) -> Self {
        self.headline = true;
        self
    }

    /// The verdict; `None` if the claim is about a filter of this library.
    pub fn verdict(&self) -> Option<Verdict> {
        (!self.ours).then_some(self.verdict)
    }

    /// The cells of a row in the summary; `None` if the claim is no headline.
    pub fn summary(&self) -> Option<[String; 4]> {
        let [what, paper, measured] = [&self.what, &self.paper, &self.measured].map(String::clone);
        let verdict = format!("**{}**", self.verdict.name());
        self.headline.then_some([what, paper, measured, verdict])
    }

    /// A table of `claims`. Remarks follow below it, each once, even if several claims refer to it.
    pub fn markdown(claims: &[Claim]) -> String {
        let mut remarks: Vec<&str> = Vec::new();
        let mut table = Table::new("", "claim | paper | measured | verdict | rests on | remark");
        for claim in claims {
            let remark = match claim.remark.as_str() {
                "" => String::new(),
                why => {
                    let place = remarks.iter().position(|&known| known == why);
                    let place = place.unwrap_or_else(|| {
                        remarks.push(why);
                        remarks.len() - 1
                    });
                    (place + 1).to_string()
                }
            };
            let mark = if claim.ours { "*ours:* " } else { "" };
            let what = format!("{mark}{}", claim.what);
            let found = [&claim.paper, &claim.measured];
            table.row((what, found, claim.verdict.name(), &claim.rests_on, remark));
        }
        let mut text = table.markdown();
        for (number, remark) in (1..).zip(remarks) {
            let start = if number == 1 { "\n" } else { "" };
            text += &format!("{start}{number}. {remark}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remark_is_printed_once_below_its_claims() {
        let of = |mean: f64, why| Claim::rate("", 0.01, mean).because(why);
        let claims = [
            of(0.1, "of two"),
            of(0.01, "not shown"),
            of(0.2, "of one").ours(),
            of(0.3, "of two").headline(),
        ];
        let text = Claim::markdown(&claims);
        let (table, remarks) = text.split_once("\n\n").expect("remarks");
        assert_eq!(remarks, "1. of two\n2. of one\n");
        let ends = table.lines().skip(2).map(|line| &line[line.len() - 5..]);
        assert!(ends.eq(["| 1 |", " |  |", "| 2 |", "| 1 |"]), "{table}");
        for claim in &claims {
            let json = serde_json::to_value(claim).expect("is data");
            assert_eq!(
                serde_json::from_value::<Claim>(json).expect("is a claim"),
                *claim
            );
        }
        assert!(serde_json::from_str::<Claim>("{ \"claim\": \"a\" }").is_err());
        assert!(claims[0].summary().is_none() && claims[3].summary().is_some());
        assert_eq!(claims[2].verdict(), None);
    }
}
