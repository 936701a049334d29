//! Maps a family to functions of its type that build filters from a [`Spec`].

use crate::choose::spec::Spec;
use crate::compose::any::AnyFilter;
use crate::compose::any::types::{OfType, of_family};
use crate::error::Result;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::codec::Body;
use crate::filter::family::{Family, Operation};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::Report;
use crate::filter::setting::Setting;
use crate::keys::sets::KeySets;

/// Functions of a family's type, for code that knows the family only at run time.
pub(crate) struct Makers {
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

impl Makers {
    /// The functions of a family's type.
    pub fn of(family: Family) -> Makers {
        of_family(family)
    }
}

impl OfType for Makers {
    fn growable<F: Growable + Body + Into<AnyFilter>>() -> Makers {
        Makers {
            create: |spec| builder::<F>(spec).create().map(F::into),
            ..Makers::fixed::<F>()
        }
    }

    fn fixed<F: Buildable + Body + Into<AnyFilter>>() -> Makers {
        Makers {
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
