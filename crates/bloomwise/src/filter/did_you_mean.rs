//! Suggests the name that a user probably meant.

/// The name most similar to `typed`, if it differs in at most a third of its letters (missing, extra or wrong ones).
pub(crate) fn did_you_mean<'a>(
    typed: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let near = names.filter_map(|name| {
        let mistakes = distance(typed.as_bytes(), name.as_bytes());
        (3 * mistakes <= name.len()).then_some((mistakes, name))
    });
    near.min_by_key(|&(mistakes, _)| mistakes)
        .map(|(_, name)| name)
}

/// The fewest letters to insert, remove or replace to turn one word into the other (Levenshtein distance).
fn distance(one: &[u8], other: &[u8]) -> usize {
    // Entry `j` of a row is the distance from the letters of `one` so far to the first `j` letters of `other`.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, other) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_letters() {
        for (one, other, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("bloom", "blom", 1),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
        ] {
            assert_eq!(distance(one.as_bytes(), other.as_bytes()), expected);
            assert_eq!(distance(other.as_bytes(), one.as_bytes()), expected);
        }
    }

    #[test]
    fn only_names_that_are_alike_are_suggested() {
        let names = || ["bloom", "blocked", "habf", "k"].into_iter();
        assert_eq!(did_you_mean("Blom", names()), Some("bloom"));
        assert_eq!(did_you_mean("blocket", names()), Some("blocked"));
        assert_eq!(did_you_mean("habff", names()), Some("habf"));
        assert_eq!(did_you_mean("K", names()), Some("k"));
        assert_eq!(did_you_mean("xor", names()), None);
        assert_eq!(did_you_mean("", names()), None);
    }
}
