//! The settings of a family that is known only at run time. They are listed in `options.rs` of each family, and `filter/setting.rs` has the type.

use crate::choose::makers::Makers;
use crate::filter::family::Family;
use crate::filter::setting::Setting;

impl Setting {
    /// The settings of a family.
    pub fn of(family: Family) -> impl Iterator<Item = Setting> + Clone {
        (Makers::of(family).settings)().into_iter()
    }
}
