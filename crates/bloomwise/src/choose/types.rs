//! Maps a family to its type, and to functions of that type: reading a filter, and building filters from a [`Spec`].
//!
//! [`Types::of`] is the only place that maps a [`Family`] to its type.

use crate::choose::any::AnyFilter;
use crate::choose::spec::Spec;
use crate::error::Result;
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::codec::{Body, Head, Parameters, Payload};
use crate::filter::family::{Family, Operation};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::setting::Setting;
use crate::keys::sets::KeySets;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};

/// Functions of a family's type, for code that knows the family only at run time.
pub(crate) struct Types {
    /// Reads the filter of a file, see [`Body::read`].
    pub read: fn(&Head, &mut Parameters<'_>, &mut Payload<'_>) -> Result<AnyFilter>,
    /// See [`Spec::forecast`].
    pub forecast: fn(&Spec, &Workload) -> Result<Forecast>,
    /// See [`Spec::create`].
    pub create: fn(&Spec) -> Result<AnyFilter>,
    /// See [`Spec::build_and_report`].
    pub build: fn(&Spec, &KeySets) -> Result<(AnyFilter, Report)>,
    /// The settings.
    pub settings: fn() -> Vec<Setting>,
    /// The names of the presets.
    pub presets: fn() -> Vec<&'static str>,
}

impl Types {
    /// The functions of a family's type.
    pub fn of(family: Family) -> Types {
        match family {
            Family::Bloom | Family::Personalized => Types::growable::<Bloom>(),
            Family::Blocked => Types::growable::<Blocked>(),
            Family::Counting | Family::PersonalizedCounting => Types::growable::<Counting>(),
            Family::Habf | Family::HabfFast | Family::HabfCache => Types::growable::<Habf>(),
            Family::Seesaw | Family::SeesawAdaptive => Types::growable::<Seesaw>(),
            Family::Balanced => Types::growable::<Balanced>(),
            Family::PersonalizedRejecting => Types::growable::<PersonalizedRejecting>(),
            Family::Guarded => Types::fixed::<Guarded>(),
            Family::Growing => Types::growable::<Growing>(),
            Family::Cuckoo => Types::growable::<Cuckoo>(),
        }
    }

    /// The functions of a type whose filters accept keys after they are built.
    fn growable<F: Growable + Body + Into<AnyFilter>>() -> Types {
        Types {
            create: |spec| builder::<F>(spec).create().map(F::into),
            ..Types::fixed::<F>()
        }
    }

    /// The functions of a type whose filters have a fixed set.
    fn fixed<F: Buildable + Body + Into<AnyFilter>>() -> Types {
        Types {
            read: |head, parameters, payload| F::read(head, parameters, payload).map(F::into),
            forecast: |spec, workload| builder::<F>(spec).forecast(workload),
            create: |spec| Err(spec.family().unsupported(Operation::Insert)),
            build: |spec, sets| {
                let (filter, report) = builder::<F>(spec).build_and_report(sets)?;
                Ok((filter.into(), report))
            },
            settings: || F::SETTINGS.iter().map(|knob| knob.setting).collect(),
            presets: || F::PRESETS.iter().map(|(name, _)| *name).collect(),
        }
    }
}

/// The builder that a spec describes.
fn builder<F: Buildable>(spec: &Spec) -> Builder<F> {
    let mut builder = F::of_kind(Builder::new(spec.size), spec.family);
    builder.capacity = spec.capacity;
    builder.hashing = spec.hashing;
    let chosen = |(name, _): &&(&str, _)| spec.preset == Some(*name);
    if let Some((_, set)) = F::PRESETS.iter().find(chosen) {
        builder = set(builder);
    }
    let set = F::SETTINGS.iter().filter_map(|knob| {
        let value = spec.value(knob.setting.name)?;
        Some((knob, value))
    });
    set.fold(builder, |builder, (knob, value)| knob.apply(builder, value))
}

impl Setting {
    /// The settings of a family.
    pub fn of(family: Family) -> impl Iterator<Item = Setting> + Clone {
        (Types::of(family).settings)().into_iter()
    }
}
