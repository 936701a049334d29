//! Slow models of the families, obviously right: one `Vec` entry per cell, arithmetic on `u128`, nothing packed, nothing
//! shared with the library but the digest. Lives in small filters compare every answer with theirs.

mod balanced;
mod cells;
mod cuckoo;
mod growing;
mod guarded;
mod habf;
pub mod seesaw;

use balanced::BalancedModel;
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Family, Filter};
use cells::CellsModel;
use cuckoo::CuckooModel;
use growing::GrowingModel;
use guarded::GuardedModel;
use habf::HabfModel;
use seesaw::SeesawModel;

/// A model of one of the families.
#[derive(Clone)]
pub enum Model {
    /// An array of bits or counters.
    Cells(CellsModel),
    /// Evenly filled blocks.
    Balanced(BalancedModel),
    /// Buckets of fingerprints.
    Cuckoo(CuckooModel),
    /// A chain of Bloom filters.
    Growing(GrowingModel),
    /// Solved equations.
    Guarded(GuardedModel),
    /// Bits, and cells that replace functions of keys.
    Habf(HabfModel),
    /// Counters with marks.
    Seesaw(SeesawModel),
}

impl Model {
    /// The model of an empty filter. For families that are built with negatives, the filter may hold keys. `None` if the family has no model.
    pub fn of(filter: &AnyFilter) -> Option<Self> {
        match filter.family() {
            Family::Bloom
            | Family::Blocked
            | Family::Counting
            | Family::Personalized
            | Family::PersonalizedCounting
            | Family::PersonalizedRejecting => Some(Model::Cells(CellsModel::of(filter))),
            Family::Balanced => BalancedModel::of(filter).map(Model::Balanced),
            Family::Cuckoo => CuckooModel::of(filter).map(Model::Cuckoo),
            Family::Growing => GrowingModel::of(filter).map(Model::Growing),
            Family::Guarded => Some(Model::Guarded(GuardedModel::of(filter))),
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                Some(Model::Habf(HabfModel::of(filter)))
            }
            Family::Seesaw | Family::SeesawAdaptive => SeesawModel::of(filter).map(Model::Seesaw),
            _ => None,
        }
    }

    /// Adds a key. `false`, and nothing changes, if there is no room for it.
    pub fn insert(&mut self, digest: Digest) -> bool {
        match self {
            Model::Cuckoo(model) => return model.insert(digest),
            Model::Cells(model) => model.insert(digest),
            Model::Balanced(model) => model.insert(digest),
            Model::Growing(model) => model.insert(digest),
            Model::Habf(model) => model.insert(digest),
            Model::Seesaw(model) => model.insert(digest),
            Model::Guarded(_) => unreachable!("a fixed set"),
        }
        true
    }

    /// Removes a key that is in the set.
    pub fn remove(&mut self, digest: Digest) {
        match self {
            Model::Cells(model) => model.remove(digest),
            Model::Cuckoo(model) => model.remove(digest),
            Model::Seesaw(model) => model.remove(digest),
            _ => unreachable!("the family cannot remove keys"),
        }
    }

    /// Guards a key.
    pub fn guard(&mut self, digest: Digest) {
        match self {
            Model::Cuckoo(model) => model.guard(digest),
            Model::Seesaw(model) => model.guard(digest),
            _ => unreachable!("the family cannot guard keys"),
        }
    }

    /// The answer of a filter.
    pub fn contains(&self, digest: Digest) -> bool {
        match self {
            Model::Cells(model) => model.contains(digest),
            Model::Balanced(model) => model.contains(digest),
            Model::Cuckoo(model) => model.contains(digest),
            Model::Growing(model) => model.contains(digest),
            Model::Guarded(model) => model.contains(digest),
            Model::Habf(model) => model.contains(digest),
            Model::Seesaw(model) => model.contains(digest),
        }
    }
}

/// The upper and the lower half of a digest.
fn halves(digest: Digest) -> (u64, u64) {
    let bits = u128::from(digest);
    ((bits >> 64) as u64, bits as u64)
}

/// Function `i` of a digest, as `docs/format.md` has it.
fn function(digest: Digest, i: u128) -> u64 {
    let modulus = 1u128 << 64;
    let (high, low) = halves(digest);
    let left = u128::from(low) ^ (i * 0x9E37_79B9_7F4A_7C15 % modulus);
    let right = (u128::from(high) + i * 0xBB67_AE85_84CA_A73B) % modulus;
    let product = left * right;
    (product % modulus) as u64 ^ (product / modulus) as u64
}

fn scale(hash: u64, n: u128) -> u128 {
    u128::from(hash) * n / (1 << 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::{Hashing, KeySets, Size, Spec};

    #[test]
    fn every_family_has_a_model() {
        let none = KeySets::empty(Hashing::default());
        for family in Family::ALL {
            let spec = Spec::new(family).size(Size::Bits(1 << 15)).capacity(8);
            let filter = spec.build(&none).expect("an empty filter");
            let model = Model::of(&filter);
            assert!(
                model.is_some(),
                "write a slow model of {} in crates/model/src/naive",
                family.name()
            );
        }
    }
}
