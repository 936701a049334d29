//! The first keys of a file: some to show, and whether they look as if the file was misread.
//!
//! A whole line of a log that was taken for a key gives a filter that never answers what its user expects. Two keys in the
//! output suffice to notice that.

use super::shown;

/// How many keys are shown.
const SHOWN: usize = 2;

/// How many keys are looked at.
const LOOKED_AT: u32 = 100;

/// The first keys of a file.
#[derive(Clone, Debug, Default)]
pub struct FirstKeys {
    /// The first two, as text.
    shown: Vec<String>,
    /// The number of keys that were looked at.
    looked_at: u32,
    /// How many of them end in a number after a space, a comma or a semicolon.
    with_number: u32,
}

impl FirstKeys {
    /// Looks at a key, unless enough came before.
    #[inline]
    pub fn see(&mut self, key: &[u8]) {
        if self.looked_at == LOOKED_AT {
            return;
        }
        self.looked_at += 1;
        self.with_number += u32::from(ends_in_a_number(key));
        if self.shown.len() < SHOWN {
            self.shown.push(shown(key));
        }
    }

    /// The first two keys, separated by commas; nothing if there are no keys.
    pub fn text(&self) -> Option<String> {
        (!self.shown.is_empty()).then(|| self.shown.join(", "))
    }

    /// Whether nearly all keys end in a number: costs that a TAB should separate from the keys.
    pub fn have_costs_inside(&self) -> bool {
        self.looked_at > 0 && 10 * self.with_number >= 9 * self.looked_at
    }
}

/// Whether a key ends in a number after a space, a comma or a semicolon.
fn ends_in_a_number(key: &[u8]) -> bool {
    let at = key.iter().rposition(|byte| b" ,;".contains(byte));
    let number = at
        .map(|at| &key[at + 1..])
        .and_then(|number| std::str::from_utf8(number).ok());
    at != Some(0) && number.is_some_and(|number| number.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(keys: &[&str]) -> FirstKeys {
        let mut first = FirstKeys::default();
        keys.iter().for_each(|key| first.see(key.as_bytes()));
        first
    }

    #[test]
    fn two_keys_are_shown_on_one_short_line() {
        assert_eq!(first(&[]).text(), None);
        assert_eq!(
            first(&["ant", "bee", "cow"]).text().as_deref(),
            Some("ant, bee")
        );
        let long = "x".repeat(500);
        let text = first(&[&long, "a\tb\n"]).text().expect("two keys");
        assert_eq!(text, format!("{}…, a\\tb\\n", "x".repeat(48)));
    }

    #[test]
    fn costs_without_a_tab_are_noticed() {
        assert!(first(&["ant 3", "bee 2.5"]).have_costs_inside());
        assert!(first(&["ant,3", "bee; 7"]).have_costs_inside());
        assert!(!first(&["ant", "bee 2"]).have_costs_inside());
        assert!(!first(&["12", "13", " 5"]).have_costs_inside());
        assert!(!first(&[]).have_costs_inside());
    }
}
