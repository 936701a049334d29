//! Random settings that a family accepts.
//!
//! The list of settings and their values is the library's own ([`Setting::of`]). Each value is valid by itself. Some combinations are not: the library refuses those with
//! an error, and the life is over.

use super::draw::Draw;
use bloomwise::Family;
use bloomwise::info::Value;
use bloomwise::settings::{Setting, Values};

/// Settings that leave the library nothing to search for. A search takes as long as hundreds of operations on a small filter.
pub fn fixed(family: Family) -> Vec<(&'static str, Value)> {
    use Value::{Real, Whole};
    match family {
        Family::Balanced => vec![
            ("k", Whole(4)),
            ("scheme", Value::from("mht")),
            ("reads", Real(1.5)),
            ("choices", Whole(2)),
            ("overflow", Real(0.1)),
        ],
        Family::Habf | Family::HabfFast | Family::HabfCache => vec![
            ("k", Whole(3)),
            ("ratio", Real(0.2)),
            ("cell-bits", Whole(4)),
        ],
        Family::Seesaw | Family::SeesawAdaptive => vec![
            ("k", Whole(3)),
            ("guard", Real(1.0)),
            ("alpha", Real(0.2)),
            ("count-bits", Whole(2)),
            ("index-bits", Whole(1)),
        ],
        Family::Cuckoo => vec![("fingerprint", Whole(8))],
        _ => (Setting::of(family))
            .filter(|setting| setting.name == "k")
            .map(|setting| (setting.name, Whole(4)))
            .collect(),
    }
}

/// Values for some of the settings of `family`, for a filter of `keys` keys. A third of the settings is set on average.
pub fn some(family: Family, keys: usize, draw: &mut Draw<'_>) -> Vec<(&'static str, Value)> {
    let drawn = Setting::of(family).filter_map(|setting| {
        let value = value(&setting, family, keys, draw);
        draw.one_in(3).then_some((setting.name, value))
    });
    drawn.collect()
}

/// A value of a setting: any that it accepts, or one of those that leave small filters possible and builds quick.
fn value(setting: &Setting, family: Family, keys: usize, draw: &mut Draw<'_>) -> Value {
    let habf = matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache);
    let whole = |number: usize| Value::Whole(number as u64);
    match setting.name {
        // Habf has a limit that depends on the bits of a cell; 6 is always possible with the default.
        "k" if habf => whole(1 + draw.below(6)),
        "k" => whole(draw.count(32)),
        "threshold" => whole(draw.count(6)),
        "list" => whole(draw.below(keys / 50 + 2)),
        "cell-bits" if family == Family::HabfCache => whole(4),
        "cell-bits" => whole(4 + draw.below(3)),
        "segment-bits" => whole(draw.magnitude(4096.0, 1e6) as usize),
        "passes" => whole(draw.below(8)),
        "reads" => Value::Real(draw.between(1.0, 1.5)),
        "choices" => whole(1 + draw.below(5)),
        "guard" => Value::Real(draw.magnitude(0.001, 10.0)),
        "expansion" => whole(draw.count(10)),
        _ => any(setting.values, draw),
    }
}

/// One of these values; of many whole numbers, one of the smallest.
fn any(values: Values, draw: &mut Draw<'_>) -> Value {
    match values {
        Values::Whole(least, most) => {
            let others = (most - least).min(32) as usize;
            Value::Whole(u64::from(least) + draw.below(others + 1) as u64)
        }
        Values::OneOf(numbers) => Value::Whole(u64::from(draw.pick(numbers))),
        Values::Real(least, most) => Value::Real(draw.between(least, most)),
        Values::Word(words) => Value::from(draw.pick(words)),
        other => unreachable!("no life draws from {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Spec;

    #[test]
    fn every_setting_is_drawn_and_accepted() {
        let mut draw = Draw::Seed(0);
        for family in Family::ALL {
            let mut drawn = std::collections::BTreeSet::new();
            for _ in 0..100 {
                for (name, value) in some(family, 1000, &mut draw) {
                    let spec = Spec::new(family).set(name, value.clone());
                    assert!(spec.is_ok(), "{family:?}, {name} = {value}");
                    drawn.insert(name);
                }
            }
            for setting in Setting::of(family) {
                assert!(
                    drawn.contains(setting.name),
                    "{family:?} has {}",
                    setting.name
                );
            }
        }
    }
}
