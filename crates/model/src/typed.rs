//! A case through the builder of its own type, as a program would write it that knows its family.
//!
//! The filter must equal the one that [`bloomwise::Spec`] makes.

use super::case::Case;
use bloomwise::balanced::Scheme;
use bloomwise::habf::EmptyBits;
use bloomwise::info::Value;
use bloomwise::personalized::PersonalizedRejecting;
use bloomwise::unstable::{Buildable, Growable};
use bloomwise::{
    AnyFilter, Balanced, Blocked, Bloom, Builder, Counting, Cuckoo, Family, Growing, Guarded, Habf,
    KeySets, Result, Seesaw,
};

/// The filter of a case: built from `sets`, or empty. `None` if this file does not know the family's builder.
pub fn make(case: &Case, sets: Option<&KeySets>) -> Option<Result<AnyFilter>> {
    let size = case.size;
    Some(match case.family {
        Family::Bloom => finish(with_settings(case, Bloom::builder(size), bloom), sets),
        Family::Personalized => {
            let builder = Bloom::builder(size).personalized();
            finish(with_settings(case, builder, bloom), sets)
        }
        Family::Counting => finish(with_settings(case, Counting::builder(size), counting), sets),
        Family::PersonalizedCounting => {
            let builder = Counting::builder(size).personalized();
            finish(with_settings(case, builder, counting), sets)
        }
        Family::Blocked => finish(with_settings(case, Blocked::builder(size), blocked), sets),
        Family::Balanced => finish(with_settings(case, Balanced::builder(size), balanced), sets),
        Family::Growing => finish(with_settings(case, Growing::builder(size), growing), sets),
        Family::Cuckoo => finish(with_settings(case, Cuckoo::builder(size), cuckoo), sets),
        Family::PersonalizedRejecting => {
            let builder = PersonalizedRejecting::builder(size);
            finish(with_settings(case, builder, rejecting), sets)
        }
        Family::Habf | Family::HabfFast | Family::HabfCache => {
            let builder = Habf::builder(size);
            let builder = match case.family {
                Family::HabfFast => builder.fast(),
                Family::HabfCache => builder.cache(),
                _ => builder,
            };
            let builder = if case.paper { builder.paper() } else { builder };
            finish(with_settings(case, builder, habf), sets)
        }
        Family::Seesaw | Family::SeesawAdaptive => {
            let mut builder = Seesaw::builder(size);
            if case.family == Family::SeesawAdaptive {
                builder = builder.adaptive();
            }
            if let Some(segments) = case.segments {
                builder = builder.segments(segments);
            }
            finish(with_settings(case, builder, seesaw), sets)
        }
        Family::Guarded => {
            let builder = with_settings(case, Guarded::builder(size), guarded);
            // A guarded filter has a fixed set, so there is no empty one to insert into.
            let none = KeySets::empty(case.hashing);
            builder.build(sets.unwrap_or(&none)).map(AnyFilter::from)
        }
        _ => return None,
    })
}

/// Passes capacity, hashing and settings of a case on to a builder. `set` sets the setting of a name.
fn with_settings<F: Buildable>(
    case: &Case,
    builder: Builder<F>,
    set: fn(Builder<F>, &str, &Value) -> Builder<F>,
) -> Builder<F> {
    let mut builder = builder.hashing(case.hashing);
    if let Some(capacity) = case.capacity {
        builder = builder.capacity(capacity);
    }
    let settings = case.settings.iter();
    settings.fold(builder, |builder, (name, value)| set(builder, name, value))
}

/// Ends a builder.
fn finish<F: Growable + Into<AnyFilter>>(
    builder: Builder<F>,
    sets: Option<&KeySets>,
) -> Result<AnyFilter> {
    match sets {
        Some(sets) => builder.build(sets).map(F::into),
        None => builder.create().map(F::into),
    }
}

fn bloom(builder: Builder<Bloom>, name: &str, value: &Value) -> Builder<Bloom> {
    match name {
        "k" => builder.functions(whole(value)),
        _ => unknown(name),
    }
}

fn counting(builder: Builder<Counting>, name: &str, value: &Value) -> Builder<Counting> {
    match name {
        "k" => builder.functions(whole(value)),
        _ => unknown(name),
    }
}

fn blocked(builder: Builder<Blocked>, name: &str, value: &Value) -> Builder<Blocked> {
    match name {
        "k" => builder.functions(whole(value)),
        "block" => builder.block_bits(whole(value)),
        _ => unknown(name),
    }
}

fn growing(builder: Builder<Growing>, name: &str, value: &Value) -> Builder<Growing> {
    match name {
        "k" => builder.functions(whole(value)),
        "expansion" => builder.expansion(whole(value)),
        _ => unknown(name),
    }
}

fn cuckoo(builder: Builder<Cuckoo>, name: &str, value: &Value) -> Builder<Cuckoo> {
    match name {
        "fingerprint" => builder.fingerprint(whole(value)),
        "exceptions" => builder.exceptions(real(value)),
        _ => unknown(name),
    }
}

type Rejecting = Builder<PersonalizedRejecting>;

fn rejecting(builder: Rejecting, name: &str, value: &Value) -> Rejecting {
    match name {
        "k" => builder.functions(whole(value)),
        "threshold" => builder.threshold(whole(value)),
        "list" => builder.list(whole(value)),
        _ => unknown(name),
    }
}

fn balanced(builder: Builder<Balanced>, name: &str, value: &Value) -> Builder<Balanced> {
    match name {
        "k" => builder.functions(whole(value)),
        "block" => builder.block_bits(whole(value)),
        "scheme" => match Scheme::from_name(&value.to_string()) {
            Some(scheme) => builder.scheme(scheme),
            None => unknown(name),
        },
        "reads" => builder.reads(real(value)),
        "choices" => builder.choices(whole(value)),
        "overflow" => builder.overflow(real(value)),
        _ => unknown(name),
    }
}

fn habf(builder: Builder<Habf>, name: &str, value: &Value) -> Builder<Habf> {
    match name {
        "k" => builder.functions(whole(value)),
        "cell-bits" => builder.cell_bits(whole(value)),
        "ratio" => builder.ratio(real(value)),
        "segment-bits" => builder.segment_bits(whole(value)),
        "passes" => builder.passes(whole(value)),
        "empty" => match EmptyBits::from_name(&value.to_string()) {
            Some(empty) => builder.empty_bits(empty),
            None => unknown(name),
        },
        _ => unknown(name),
    }
}

fn seesaw(builder: Builder<Seesaw>, name: &str, value: &Value) -> Builder<Seesaw> {
    match name {
        "k" => builder.functions(whole(value)),
        "guard" => builder.guard(real(value)),
        "alpha" => builder.alpha(real(value)),
        "count-bits" => builder.count_bits(whole(value)),
        "index-bits" => builder.index_bits(whole(value)),
        "unseen-share" => builder.unseen_share(real(value)),
        _ => unknown(name),
    }
}

fn guarded(builder: Builder<Guarded>, name: &str, value: &Value) -> Builder<Guarded> {
    match name {
        "unseen-share" => builder.unseen_share(real(value)),
        _ => unknown(name),
    }
}

/// A setting that is whole; [`super::settings`] draws small ones.
fn whole(value: &Value) -> u32 {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| unreachable!("{value} is not a small whole number"))
}

/// A setting that is real.
fn real(value: &Value) -> f64 {
    let number = value.as_f64();
    number.unwrap_or_else(|| unreachable!("{value} is not a number"))
}

/// Ends the life: the setting has no line here yet.
fn unknown(name: &str) -> ! {
    unreachable!("no builder of a life sets {name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draw, Scale};

    #[test]
    fn every_family_is_made_by_its_own_builder() {
        let mut left = Family::ALL.to_vec();
        for seed in 0..1000 {
            let case = Case::draw(Scale::Tiny, &mut Draw::Seed(seed));
            let none = KeySets::empty(case.hashing);
            let (family, made) = (case.family, make(&case, Some(&none)));
            assert!(
                made.is_some(),
                "add the builder of {} to this file",
                family.name()
            );
            left.retain(|&other| other != family);
        }
        assert!(left.is_empty(), "{left:?} are never drawn");
    }
}
