//! The type of each family: the one place that leads from a [`Family`] to its type.

use super::AnyFilter;
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::builder::{Buildable, Growable};
use crate::filter::codec::Body;
use crate::filter::family::Family;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};

/// What can be made of a type of filters.
pub(crate) trait OfType {
    /// It, for a type whose filters have a fixed set.
    fn fixed<F: Buildable + Body + Into<AnyFilter>>() -> Self;

    /// It, for a type whose filters accept keys after they are made.
    fn growable<F: Growable + Body + Into<AnyFilter>>() -> Self;
}

/// Makes something of the type of a family, for those who know the family at run time only.
pub(crate) fn of_family<T: OfType>(family: Family) -> T {
    match family {
        Family::Bloom | Family::Personalized => T::growable::<Bloom>(),
        Family::Blocked => T::growable::<Blocked>(),
        Family::Counting | Family::PersonalizedCounting => T::growable::<Counting>(),
        Family::Habf | Family::HabfFast | Family::HabfCache => T::growable::<Habf>(),
        Family::Seesaw | Family::SeesawAdaptive => T::growable::<Seesaw>(),
        Family::Balanced => T::growable::<Balanced>(),
        Family::PersonalizedRejecting => T::growable::<PersonalizedRejecting>(),
        Family::Guarded => T::fixed::<Guarded>(),
        Family::Growing => T::growable::<Growing>(),
        Family::Cuckoo => T::growable::<Cuckoo>(),
    }
}
