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

    /// Claims side by side.
    pub fn table(claims: &[Claim]) -> Table {
        let columns = ["claim", "paper", "measured", "verdict", "remark"];
        let mut table = Table::new("What the paper says", columns);
        for claim in claims {
            let texts = [&claim.what, &claim.paper, &claim.ours];
            let [what, paper, ours] = texts.map(|text| Cell::from(text.as_str()));
            let verdict = claim.verdict.name().into();
            table.row([what, paper, ours, verdict, claim.why.as_str().into()]);
        }
        table
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
}
