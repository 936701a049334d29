//! The type of a family's filters, for code that knows the family only at run time: [`of_family`] maps one to the other.

use super::AnyFilter;
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::builder::{Buildable, Growable};
use crate::filter::codec::Body;
use crate::filter::family::Family;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};

/// A value that is made for a type of filters, for example a table of its functions.
pub(crate) trait OfType {
    /// The value for a type whose filters have a fixed set.
    fn fixed<F: Buildable + Body + Into<AnyFilter>>() -> Self;

    /// The value for a type whose filters accept keys after they are built.
    fn growable<F: Growable + Body + Into<AnyFilter>>() -> Self;
}

/// The value for a family's type, for code that knows the family only at run time.
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
