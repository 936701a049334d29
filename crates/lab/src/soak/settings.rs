//! Random settings that a family accepts.
//!
//! The list of settings is the library's own ([`Setting::of`]), so a setting that is new there is missing here until it
//! gets its line; a test says so. Each value is valid by itself. Some combinations are not: the library refuses those with
//! an error, and the soak counts them.

use super::random::Random;
use bloomwise::{Family, Setting, Value};

/// Values for some of the settings of `family`, for a filter of `keys` keys. A third of the settings is set on average.
pub fn draw(family: Family, keys: usize, random: &mut Random) -> Vec<(&'static str, Value)> {
    let settings = Setting::of(family).iter();
    let drawn = settings.filter_map(|setting| {
        let value = value(setting.name, family, keys, random)?;
        random.one_in(3).then_some((setting.name, value))
    });
    drawn.collect()
}

/// A value of the setting `name`; `None` if the soak does not know it.
fn value(name: &str, family: Family, keys: usize, random: &mut Random) -> Option<Value> {
    let habf = matches!(family, Family::Habf | Family::HabfFast | Family::HabfCache);
    let whole = |number: usize| Value::Whole(number as u64);
    Some(match name {
        // Habf has a limit that depends on the bits of a cell; 6 is always possible with the default.
        "k" if habf => whole(1 + random.below(6)),
        "k" => whole(random.count(32)),
        "block" => whole(random.pick(&[256, 512])),
        "threshold" => whole(random.count(6)),
        "list" => whole(random.below(keys / 50 + 2)),
        "cell-bits" if family == Family::HabfCache => whole(4),
        "cell-bits" => whole(4 + random.below(3)),
        "ratio" => Value::Real(random.between(0.0, 0.9)),
        "segment-bits" => whole(random.magnitude(4096.0, 1e6) as usize),
        "passes" => whole(random.below(8)),
        "empty" => Value::from(random.pick(&["watch", "blind", "never"])),
        "scheme" => Value::from(random.pick(&["single", "sequential", "mht"])),
        "reads" => Value::Real(random.between(1.0, 1.5)),
        "choices" => whole(1 + random.below(5)),
        "overflow" => Value::Real(random.between(0.0, 0.5)),
        "guard" => Value::Real(random.magnitude(0.001, 10.0)),
        "alpha" => Value::Real(random.between(0.0, 0.5)),
        "count-bits" => whole(1 + random.below(8)),
        "index-bits" => whole(1 + random.below(4)),
        "expansion" => whole(random.count(10)),
        "fingerprint" => whole(7 + random.below(26)),
        "exceptions" => Value::Real(random.between(0.0, 0.9)),
        "unseen-share" => Value::Real(random.between(0.0, 1.0)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Spec;

    #[test]
    fn every_setting_is_drawn_and_accepted() {
        let mut random = Random::new(0);
        for family in Family::ALL {
            let mut drawn = std::collections::BTreeSet::new();
            for _ in 0..100 {
                for (name, value) in draw(family, 1000, &mut random) {
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
