//! What a source says beside what was measured.

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
    WithinChance,
    /// Not so here.
    NotReproduced,
}

impl Verdict {
    /// All of them, the welcome ones first.
    pub const ALL: [Verdict; 4] = [
        Verdict::Reproduced,
        Verdict::Better,
        Verdict::WithinChance,
        Verdict::NotReproduced,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Better => "better",
            Verdict::WithinChance => "within chance",
            Verdict::NotReproduced => "not reproduced",
        }
    }
}

/// A claim and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    what: String,
    paper: String,
    ours: String,
    verdict: Verdict,
    why: String,
}

impl Claim {
    /// A published number that is the better the lower it is: a rate, a time, an overhead. `why` explains what a reader
    /// may find odd about the comparison, and is shown unless the two are the same.
    pub fn lower(what: impl Into<String>, paper: Cell, ours: Cell, why: &str) -> Self {
        Self::lower_by_chance(what, paper, ours, 0.0, why)
    }

    /// The same for a number that varies: a difference of up to `chance` proves nothing.
    pub fn lower_by_chance(
        what: impl Into<String>,
        paper: Cell,
        ours: Cell,
        chance: f64,
        why: &str,
    ) -> Self {
        let value = |cell: &Cell| match cell {
            Cell::Number(value, _) => *value,
            _ => f64::NAN,
        };
        let by_chance = (value(&ours) - value(&paper)).abs() <= chance;
        let verdict = match value(&ours) / value(&paper) {
            ratio if (1.0 / SAME..=SAME).contains(&ratio) => Verdict::Reproduced,
            _ if by_chance => Verdict::WithinChance,
            ratio if ratio < 1.0 => Verdict::Better,
            _ => Verdict::NotReproduced,
        };
        let shown = |cell: Cell| match cell {
            Cell::Text(text) | Cell::Number(_, text) => text,
            Cell::Nothing => "-".to_string(),
        };
        Claim {
            what: what.into(),
            paper: shown(paper),
            ours: shown(ours),
            verdict,
            why: match verdict {
                Verdict::Reproduced => String::new(),
                _ => why.to_string(),
            },
        }
    }

    /// A published statement that holds here or does not.
    pub fn holds(
        what: impl Into<String>,
        paper: impl Into<String>,
        ours: impl Into<String>,
        holds: bool,
        why: &str,
    ) -> Self {
        Claim {
            what: what.into(),
            paper: paper.into(),
            ours: ours.into(),
            verdict: match holds {
                true => Verdict::Reproduced,
                false => Verdict::NotReproduced,
            },
            why: why.to_string(),
        }
    }

    /// What became of it.
    pub fn verdict(&self) -> Verdict {
        self.verdict
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
            let (what, paper, ours) = (&claim.what, &claim.paper, &claim.ours);
            let texts = [what, paper, ours, claim.verdict.name(), &remark];
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
            "measured": self.ours,
            "verdict": self.verdict.name(),
            "remark": self.why,
        })
    }

    /// From JSON, unless something is missing.
    pub fn from_json(json: &Value) -> Option<Self> {
        let text = |field: &str| Some(json[field].as_str()?.to_string());
        let verdict = text("verdict")?;
        Some(Claim {
            what: text("claim")?,
            paper: text("paper")?,
            ours: text("measured")?,
            verdict: Verdict::ALL.into_iter().find(|of| of.name() == verdict)?,
            why: text("remark")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_numbers() {
        let of = |ours| Claim::lower("", Cell::rate(0.01), Cell::rate(ours), "why").verdict();
        assert_eq!(of(0.0111), Verdict::Reproduced);
        assert_eq!(of(0.0089), Verdict::Reproduced);
        assert_eq!(of(0.005), Verdict::Better);
        assert_eq!(of(0.012), Verdict::NotReproduced);
        assert_eq!(of(f64::NAN), Verdict::NotReproduced);
        let by_chance = |ours| {
            let (paper, ours) = (Cell::rate(0.01), Cell::rate(ours));
            Claim::lower_by_chance("", paper, ours, 0.003, "").verdict()
        };
        assert_eq!(by_chance(0.0101), Verdict::Reproduced);
        assert_eq!(by_chance(0.0129), Verdict::WithinChance);
        assert_eq!(by_chance(0.0131), Verdict::NotReproduced);
    }

    #[test]
    fn a_remark_stands_once_below_the_claims_it_is_about() {
        let claim = |what, ours, why| Claim::lower(what, Cell::rate(0.01), Cell::rate(ours), why);
        let claims = [
            claim("a", 0.1, "of two"),
            claim("b", 0.01, "not shown"),
            claim("c", 0.2, "of one"),
            claim("d", 0.3, "of two"),
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
