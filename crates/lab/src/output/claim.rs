//! Claims: what a source says, beside what was measured.
//!
//! There are three sorts. A claim about a paper's own filter can be *better* here than published. A claim about a
//! filter the paper compares with, or about a fact, is either the same here or not. A claim that sets a filter of this
//! library beside a published number ([`Claim::ours`]) is no verdict on the paper and is not counted as one.

use super::{Cell, Table};
use serde_json::{Value, json};

/// Two numbers count as the same if they differ at most by this factor. Different keys, different hash functions, and
/// numbers that a text gives with two or three digits cause about as much difference.
const SAME: f64 = 1.15;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same here as published.
    Reproduced,
    /// Better here than published.
    Better,
    /// Different here, but chance alone can explain the difference.
    WithinChance,
    /// Not the same here.
    NotReproduced,
}

impl Verdict {
    /// All verdicts, the favourable ones first.
    pub const ALL: [Verdict; 4] = [
        Verdict::Reproduced,
        Verdict::Better,
        Verdict::WithinChance,
        Verdict::NotReproduced,
    ];

    /// The verdict as text.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::WithinChance => "within chance",
            Verdict::NotReproduced => "not reproduced",
        }
    }

    /// The verdict on a number where lower is better. A difference of at most `chance` proves nothing.
    fn of(paper: f64, ours: f64, chance: f64) -> Self {
        match ours / paper {
            ratio if (1.0 / SAME..=SAME).contains(&ratio) => Verdict::Reproduced,
            _ if (ours - paper).abs() <= chance => Verdict::WithinChance,
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
    /// A published number of a paper's own filter where lower is better: a rate, a time, an overhead. A difference of
    /// at most `chance` proves nothing. `why` explains a surprising comparison; it is shown unless the numbers are the
    /// same.
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

    /// A published number of a filter that the paper compares with, or of a fact. It is the same here, or it is not.
    /// The parameters are those of [`Claim::lower`].
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

    /// Marks the claim as one about a filter of this library instead of the paper's.
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
        Self::statement(what, paper, measured, Some(holds), why)
    }

    /// A published statement. `holds` is `None` if chance leaves it undecided.
    pub fn statement(
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
                None => Verdict::WithinChance,
            },
            why: why.to_string(),
            ours: false,
        }
    }

    /// The verdict; `None` if the claim is about a filter of this library.
    pub fn verdict(&self) -> Option<Verdict> {
        (!self.ours).then_some(self.verdict)
    }

    /// A table of `claims`. Remarks follow below it, each once, even if several claims refer to it.
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
            let what = if claim.ours {
                &format!("*ours:* {}", claim.what)
            } else {
                &claim.what
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

    /// The claim as JSON.
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

    /// Reads a claim from JSON; `None` if a field is missing or wrong.
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

    /// A claim that a rate is 1 %.
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
    fn verdict_follows_the_numbers() {
        let of = |measured| claim(measured, 0.0).verdict();
        assert_eq!(of(0.0111), Some(Verdict::Reproduced));
        assert_eq!(of(0.0089), Some(Verdict::Reproduced));
        assert_eq!(of(0.005), Some(Verdict::Better));
        assert_eq!(of(0.012), Some(Verdict::NotReproduced));
        assert_eq!(of(f64::NAN), Some(Verdict::NotReproduced));
        let by_chance = |measured| claim(measured, 0.003).verdict();
        assert_eq!(by_chance(0.0101), Some(Verdict::Reproduced));
        assert_eq!(by_chance(0.0129), Some(Verdict::WithinChance));
        assert_eq!(by_chance(0.0131), Some(Verdict::NotReproduced));
        assert_eq!(claim(0.005, 0.0).ours().verdict(), None);
        let same = |measured| Claim::same("", Cell::rate(0.01), Cell::rate(measured), 0.0, "");
        assert_eq!(same(0.0111).verdict(), Some(Verdict::Reproduced));
        assert_eq!(same(0.005).verdict(), Some(Verdict::NotReproduced));
    }

    #[test]
    fn remark_is_printed_once_below_its_claims() {
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
