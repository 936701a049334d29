//! A rule in a file.
//!
//! Its parameters are four words:
//!
//! | word | contents |
//! |---|---|
//! | 0 | what it reads: 0 a model, 1 a prefix, 2 a suffix, 3 the length, 4 the first byte; above the lowest byte, the separator |
//! | 1 | the number of weights or of cells, 0 for length and first byte |
//! | 2 | the score where the first cell starts, 32 bits, and above them the logarithm of the scores of a cell |
//! | 3 | the number of classes |
//!
//! The payload has the weights, a byte each, and zeros up to a whole word; then the class of each cell. A class takes as many bits as the largest one needs,
//! and each word has as many whole classes as fit, the first in its lowest bits.

use super::measure::{MOST_CELLS, Measure, Values};
use super::model::{CELLS, LOGS, Model};
use super::rule::{MOST_CLASSES, Rule};

/// The number of parameters of a rule.
const PARAMETERS: usize = 4;

/// What the parameters of a rule say about its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleHead {
    /// What the rule reads.
    kind: u64,
    /// The separator of prefixes and suffixes, else 0.
    separator: u8,
    /// The number of weights, or of cells of prefixes and suffixes, else 0.
    size: usize,
    /// The score where the first cell starts.
    low: i32,
    /// The logarithm of the scores of a cell.
    shift: u32,
    /// The number of classes.
    count: usize,
}

impl RuleHead {
    /// The head of a rule.
    pub fn of(rule: &Rule) -> Self {
        let (kind, separator, size, low, shift) = match rule.measure() {
            Measure::Learned(model) => (0, 0, model.weights.len(), model.low, model.shift),
            Measure::Prefix(values) => (1, values.separator, values.cells, 0, 0),
            Measure::Suffix(values) => (2, values.separator, values.cells, 0, 0),
            Measure::Length => (3, 0, 0, 0, 0),
            Measure::First => (4, 0, 0, 0, 0),
        };
        let count = rule.classes();
        RuleHead {
            kind,
            separator,
            size,
            low,
            shift,
            count,
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> [u64; PARAMETERS] {
        let low = u64::from(self.low.cast_unsigned());
        [
            self.kind | u64::from(self.separator) << 8,
            self.size as u64,
            low | u64::from(self.shift) << 32,
            self.count as u64,
        ]
    }

    /// The head with these parameters; `None` if no rule has them.
    pub fn from_parameters([reads, size, scale, count]: [u64; PARAMETERS]) -> Option<Self> {
        let head = RuleHead {
            kind: reads & 0xFF,
            separator: u8::try_from(reads >> 8).ok()?,
            size: usize::try_from(size).ok()?,
            low: (scale as u32).cast_signed(),
            shift: u32::try_from(scale >> 32).ok()?,
            count: usize::try_from(count).ok()?,
        };
        let scaled = head.low != 0 || head.shift != 0;
        let separated = head.separator != 0;
        let valid = match head.kind {
            0 => {
                let log = head.size.is_power_of_two().then(|| head.size.ilog2());
                log.is_some_and(|log| LOGS.contains(&log)) && !separated && head.shift < i32::BITS
            }
            1 | 2 => (1..=MOST_CELLS).contains(&head.size) && !scaled,
            3 | 4 => head.size == 0 && !scaled && !separated,
            _ => false,
        };
        (valid && (1..=MOST_CLASSES).contains(&head.count)).then_some(head)
    }

    /// The words of the weights.
    fn weight_words(&self) -> usize {
        match self.kind {
            0 => self.size / 8,
            _ => 0,
        }
    }

    /// The number of cells.
    fn cells(&self) -> usize {
        match self.kind {
            0 => CELLS,
            1 | 2 => self.size,
            _ => 256,
        }
    }

    /// The bits of a class in the table.
    fn class_bits(&self) -> u32 {
        usize::BITS - (self.count - 1).leading_zeros()
    }

    /// The number of words of the payload.
    pub fn payload_words(&self) -> u64 {
        let table = match self.class_bits() {
            0 => 0,
            bits => self.cells().div_ceil((u64::BITS / bits) as usize),
        };
        (self.weight_words() + table) as u64
    }

    /// The rule with this payload, which must have [`RuleHead::payload_words`] words; `None` if no rule has it.
    pub fn read(&self, payload: &[u64]) -> Option<Rule> {
        let (weights, table) = payload.split_at_checked(self.weight_words())?;
        let values = Values {
            separator: self.separator,
            cells: self.size,
        };
        let measure = match self.kind {
            0 => {
                let bytes = weights.iter().flat_map(|word| word.to_le_bytes());
                Measure::Learned(Model {
                    weights: bytes.map(u8::cast_signed).collect(),
                    low: self.low,
                    shift: self.shift,
                })
            }
            1 => Measure::Prefix(values),
            2 => Measure::Suffix(values),
            3 => Measure::Length,
            _ => Measure::First,
        };
        let bits = self.class_bits();
        let table: Box<[u8]> = match bits {
            0 => vec![0; self.cells()].into(),
            _ => {
                let places = (0..u64::BITS / bits).map(|place| place * bits);
                let classes = table.iter().flat_map(|word| {
                    places
                        .clone()
                        .map(move |shift| (word >> shift) & ((1 << bits) - 1))
                });
                classes
                    .take(self.cells())
                    .map(|class| class as u8)
                    .collect()
            }
        };
        Rule::new(measure, table, self.count)
    }

    /// The payload of a rule with this head.
    pub fn write(&self, rule: &Rule) -> Vec<u64> {
        let mut payload = Vec::new();
        if let Measure::Learned(model) = rule.measure() {
            let (words, _) = model.weights.as_chunks::<8>();
            let words = words.iter().map(|bytes| bytes.map(i8::cast_unsigned));
            payload.extend(words.map(u64::from_le_bytes));
        }
        if let Some(each) = u64::BITS.checked_div(self.class_bits()) {
            let words = rule.table().chunks(each as usize);
            payload.extend(words.map(|classes| {
                let classes = classes.iter().rev();
                classes.fold(0, |word, &class| {
                    word << self.class_bits() | u64::from(class)
                })
            }));
        }
        payload
    }
}

impl Rule {
    /// The rule as words: its parameters, then its payload.
    pub fn to_words(&self) -> Vec<u64> {
        let head = RuleHead::of(self);
        let mut words = head.parameters().to_vec();
        words.extend(head.write(self));
        words
    }

    /// The rule that [`Rule::to_words`] wrote; `None` if no rule has these words.
    pub fn from_words(words: &[u64]) -> Option<Self> {
        let (parameters, payload) = words.split_first_chunk()?;
        let head = RuleHead::from_parameters(*parameters)?;
        let whole = payload.len() as u64 == head.payload_words();
        head.read(payload).filter(|_| whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::classes::{Reads, Sample};
    use crate::keys::hash::Hashing;

    fn rules() -> Vec<Rule> {
        let kinds = [
            Reads::Learned,
            Reads::Prefix(b'7'),
            Reads::Suffix(b'3'),
            Reads::Length,
            Reads::First,
        ];
        let learn = |(reads, classes)| {
            let mut sample = Sample::new(Hashing::default());
            for n in 0..3000 {
                sample.positive(format!("{}", n * n));
                sample.negative(format!("no {n}"));
            }
            Rule::learn(sample, reads, classes, 300)
        };
        let all = kinds
            .into_iter()
            .flat_map(|kind| [2, 5, 32].map(|classes| (kind, classes)));
        all.map(|one| learn(one).expect("two kinds of keys"))
            .collect()
    }

    #[test]
    fn rules_survive_the_way_through_words() {
        for rule in rules() {
            let words = rule.to_words();
            assert_eq!(words.len(), PARAMETERS + rule.size_in_bits() as usize / 64);
            assert_eq!(Rule::from_words(&words), Some(rule));
            assert_eq!(Rule::from_words(&words[1..]), None);
            assert_eq!(Rule::from_words(&[&words[..], &[0]].concat()), None);
        }
    }

    #[test]
    fn forged_rules_give_a_class_or_are_refused() {
        for rule in rules() {
            let words = rule.to_words();
            for at in (0..words.len()).filter(|at| at % 7 == 0 || *at < 9) {
                for bits in [u64::MAX, 0x0123_4567_89AB_CDEF, 1 << 50, 1 << 20, 8, 1] {
                    let mut forged = words.clone();
                    forged[at] ^= bits;
                    let Some(forged) = Rule::from_words(&forged) else {
                        continue;
                    };
                    for key in ["", "ant", "7ee", "a long key that has several blocks"] {
                        assert!(forged.class(key) < forged.classes());
                    }
                }
            }
        }
    }
}
