//! What a source says beside what was measured.
//!
//! A claim is of a paper's own filter, which can be *better* here than published; or of a filter it is compared with, or a fact,
//! which is the same here or is not; or it sets a filter of this library beside a published number, and then it is no
//! verdict on the paper and is not counted as one ([`Claim::ours`]).

use super::{Cell, Table};
use serde_json::{Value, json};

/// Numbers that differ by no more than this, as a factor, count as the same: about what other keys, other hash
/// functions and readings off a text with two or three digits make.
const SAME: f64 = 1.15;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same here.
    Reproduced,
    /// Better here than published.
    Better,
    /// Another number here, but chance alone can make as much of a difference.
    CannotTell,
    /// Not so here.
    NotReproduced,
}

impl Verdict {
    /// All of them, the welcome ones first.
    pub const ALL: [Verdict; 4] = [
        Verdict::Reproduced,
        Verdict::Better,
        Verdict::CannotTell,
        Verdict::NotReproduced,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::CannotTell => "cannot be told",
            Verdict::NotReproduced => "not reproduced",
        }
    }

    /// Of a number, if a difference of up to `chance` proves nothing.
    fn of(paper: f64, ours: f64, chance: f64) -> Self {
        match ours / paper {
            ratio if (1.0 / SAME..=SAME).contains(&ratio) => Verdict::Reproduced,
            _ if (ours - paper).abs() <= chance => Verdict::CannotTell,
            ratio if ratio < 1.0 => Verdict::Better,
            _ => Verdict::NotReproduced,
        }
    }
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    what: String,
    paper: String,
    measured: String,
    verdict: Verdict,
    why: String,
    ours: bool,
}

impl Claim {
    /// A published number of a paper's own filter that is the better the lower it is: a rate, a time, an overhead. A
    /// difference of up to `chance` proves nothing. `why` explains what a reader may find odd about the comparison, and is shown
    /// unless the two are the same.
    pub fn lower(
        what: impl Into<String>,
        paper: Cell,
        measured: Cell,
        chance: f64,
        why: &str,
    ) -> Self {
        let verdict = Verdict::of(paper.value(), measured.value(), chance);
        Claim {
            what: what.into(),
            paper: paper.shown().to_string(),
            measured: measured.shown().to_string(),
            verdict,
            why: match verdict {
                Verdict::Reproduced => String::new(),
                _ => why.to_string(),
            },
            ours: false,
        }
    }

    /// A published number of a filter that the paper's is compared with, or of a fact: it is the same here, or it is not.
    pub fn same(
        what: impl Into<String>,
        paper: Cell,
        measured: Cell,
        chance: f64,
        why: &str,
    ) -> Self {
        let mut claim = Self::lower(what, paper, measured, chance, why);
        if claim.verdict == Verdict::Better {
            claim.verdict = Verdict::NotReproduced;
        }
        claim
    }

    /// Says that what was measured is a filter of this library, not of the paper.
    pub fn ours(mut self) -> Self {
        self.ours = true;
        self
    }

    /// A published statement that holds here or does not.
    pub fn holds(
        what: impl Into<String>,
        paper: impl Into<String>,
        measured: impl Into<String>,
        holds: bool,
        why: &str,
    ) -> Self {
        Self::told(what, paper, measured, Some(holds), why)
    }

    /// The same where chance may leave it open.
    pub fn told(
        what: impl Into<String>,
        paper: impl Into<String>,
        measured: impl Into<String>,
        holds: Option<bool>,
        why: &str,
    ) -> Self {
        Claim {
            what: what.into(),
            paper: paper.into(),
            measured: measured.into(),
            verdict: match holds {
                Some(true) => Verdict::Reproduced,
                Some(false) => Verdict::NotReproduced,
                None => Verdict::CannotTell,
            },
            why: why.to_string(),
            ours: false,
        }
    }

    /// What became of it, unless it is about a filter of this library.
    pub fn verdict(&self) -> Option<Verdict> {
        (!self.ours).then_some(self.verdict)
    }

    /// Claims side by side, and below them what is to be said of them: each remark once, however many claims it is about.
    pub fn markdown(claims: &[Claim]) -> String {
        let mut remarks: Vec<&str> = Vec::new();
        let mut table = Table::new("", ["claim", "paper", "measured", "verdict", "remark"]);
        for claim in claims {
            let remark = match claim.why.as_str() {
                "" => String::new(),
                why => {
                    let place = remarks.iter().position(|&known| known == why);
                    let place = place.unwrap_or_else(|| {
                        remarks.push(why);
                        remarks.len() - 1
                    });
                    format!("{}", place + 1)
                }
            };
            let what = match claim.ours {
                true => &format!("*ours:* {}", claim.what),
                false => &claim.what,
            };
            let (paper, measured) = (&claim.paper, &claim.measured);
            let texts = [what, paper, measured, claim.verdict.name(), &remark];
            table.row(texts.map(Cell::from));
        }
        let mut text = table.markdown();
        for (number, remark) in (1..).zip(remarks) {
            let start = if number == 1 { "\n" } else { "" };
            text += &format!("{start}{number}. {remark}\n");
        }
        text
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "claim": self.what,
            "paper": self.paper,
            "measured": self.measured,
            "verdict": self.verdict.name(),
            "remark": self.why,
            "ours": self.ours,
        })
    }

    /// From JSON, unless something is missing.
    pub fn from_json(json: &Value) -> Option<Self> {
        let text = |field: &str| Some(json[field].as_str()?.to_string());
        let verdict = text("verdict")?;
        Some(Claim {
            what: text("claim")?,
            paper: text("paper")?,
            measured: text("measured")?,
            verdict: Verdict::ALL.into_iter().find(|of| of.name() == verdict)?,
            why: text("remark")?,
            ours: json["ours"].as_bool()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim of a rate of 1 %.
    fn claim(measured: f64, chance: f64) -> Claim {
        Claim::lower(
            "what",
            Cell::rate(0.01),
            Cell::rate(measured),
            chance,
            "why",
        )
    }

    #[test]
    fn verdicts_follow_the_numbers() {
        let of = |measured| claim(measured, 0.0).verdict();
        assert_eq!(of(0.0111), Some(Verdict::Reproduced));
        assert_eq!(of(0.0089), Some(Verdict::Reproduced));
        assert_eq!(of(0.005), Some(Verdict::Better));
        assert_eq!(of(0.012), Some(Verdict::NotReproduced));
        assert_eq!(of(f64::NAN), Some(Verdict::NotReproduced));
        let by_chance = |measured| claim(measured, 0.003).verdict();
        assert_eq!(by_chance(0.0101), Some(Verdict::Reproduced));
        assert_eq!(by_chance(0.0129), Some(Verdict::CannotTell));
        assert_eq!(by_chance(0.0131), Some(Verdict::NotReproduced));
        assert_eq!(claim(0.005, 0.0).ours().verdict(), None);
        let same = |measured| Claim::same("", Cell::rate(0.01), Cell::rate(measured), 0.0, "");
        assert_eq!(same(0.0111).verdict(), Some(Verdict::Reproduced));
        assert_eq!(same(0.005).verdict(), Some(Verdict::NotReproduced));
    }

    #[test]
    fn a_remark_stands_once_below_the_claims_it_is_about() {
        let of = |measured, why| Claim::lower("", Cell::rate(0.01), Cell::rate(measured), 0.0, why);
        let claims = [
            of(0.1, "of two"),
            of(0.01, "not shown"),
            of(0.2, "of one").ours(),
            of(0.3, "of two"),
        ];
        let text = Claim::markdown(&claims);
        let (table, remarks) = text.split_once("\n\n").expect("remarks");
        assert_eq!(remarks, "1. of two\n2. of one\n");
        let ends: Vec<_> = table
            .lines()
            .skip(2)
            .map(|line| &line[line.len() - 5..])
            .collect();
        assert_eq!(ends, ["| 1 |", " |  |", "| 2 |", "| 1 |"]);
        for claim in &claims {
            assert_eq!(Claim::from_json(&claim.json()).as_ref(), Some(claim));
        }
        assert_eq!(Claim::from_json(&json!({ "claim": "a" })), None);
    }
}
