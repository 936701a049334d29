//! The same idea on a Bloom filter: a list of its mistakes among the known negatives, 128 bits each, beside HABF in equal space.
//!
//! A Bloom filter of `b` bits per key with a rate `p(b)` and `r` known negatives per key needs `b + 128 r p(b)` bits per key to be right on all.

use crate::prelude::*;

/// Bits of a digest in the list.
const LISTED: f64 = 128.0;

/// The table of rates.
pub fn table(options: &Options) -> Result<Table> {
    let keys = options.scaled(300_000, 5000);
    let title =
        format!("A Bloom filter with a list of its mistakes, beside habf and guarded, {keys} keys");
    let columns = "negatives per key | bits per key | filter | known, wrong {0} | unseen {%} | of that: bits per key of the Bloom filter {2}";
    let mut table = Table::new(title, columns);
    for per_key in [1, 10] {
        let set = Set::sized(Source::Users, keys, per_key * keys, keys);
        let sets = set.with_equal_costs()?;
        for bits in [8.0, 10.0, 12.0, 16.0] {
            for family in [Family::Habf, Family::Guarded] {
                let [wrong, unseen] = build(family, &set, &sets, bits)?;
                table.row((per_key, bits, family.name(), wrong, unseen, "-"));
            }
            let (wrong, unseen, own) = listed(&set, &sets, bits)?;
            let own = own.map_or(Cell::from("-"), Cell::from);
            table.row((per_key, bits, "bloom and a list", wrong, unseen, own));
        }
    }
    Ok(table)
}

/// How many known negatives are wrong, and the rate on unseen keys.
fn build(family: Family, set: &Set, sets: &KeySets, bits: f64) -> Result<[f64; 2]> {
    let spec = Spec::new(family).size(Size::BitsPerKey(bits));
    let answers = Answers::of(&spec.build(sets)?, set)?;
    let wrong = answers.known(set) * set.negatives.len() as f64;
    Ok([wrong, answers.unseen])
}

/// The same for a Bloom filter with a list, and the bits per key of the Bloom filter: the largest that leaves room for all mistakes. If there
/// is none, half of the space is for the list.
fn listed(set: &Set, sets: &KeySets, bits: f64) -> Result<(f64, f64, Option<f64>)> {
    let keys = set.positives.len() as f64;
    let mut own = bits - 0.05;
    while own > bits / 2.0 {
        let [wrong, unseen] = build(Family::Bloom, set, sets, own)?;
        if own + LISTED * wrong / keys <= bits {
            return Ok((0.0, unseen, Some(own)));
        }
        own -= 0.05;
    }
    let [wrong, unseen] = build(Family::Bloom, set, sets, bits / 2.0)?;
    let room = bits / 2.0 * keys / LISTED;
    Ok(((wrong - room).max(0.0), unseen, None))
}
