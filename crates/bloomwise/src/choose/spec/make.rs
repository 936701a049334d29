//! From a spec to the builder of its family.

use super::Spec;
use crate::choose::any::AnyFilter;
use crate::error::Result;
use crate::families::balanced::Scheme;
use crate::families::habf::EmptyBits;
use crate::families::personalized::PersonalizedRejecting;
use crate::filter::builder::{Buildable, Builder, Growable};
use crate::filter::family::{Family, Operation};
use crate::filter::forecast::{Forecast, Workload};
use crate::filter::info::{Report, Value};
use crate::keys::sets::KeySets;
use crate::{Balanced, Blocked, Bloom, Counting, Cuckoo, Growing, Guarded, Habf, Seesaw};

/// A builder of any family.
pub(super) trait Build {
    fn forecast(&self, workload: &Workload) -> Result<Forecast>;
    fn create(&self) -> Result<AnyFilter>;
    fn build(&self, sets: &KeySets) -> Result<(AnyFilter, Report)>;
}

impl<F: Growable + Into<AnyFilter>> Build for Builder<F> {
    fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        Builder::forecast(self, workload)
    }

    fn create(&self) -> Result<AnyFilter> {
        Builder::create(self).map(F::into)
    }

    fn build(&self, sets: &KeySets) -> Result<(AnyFilter, Report)> {
        let (filter, report) = self.build_and_report(sets)?;
        Ok((filter.into(), report))
    }
}

impl Build for Builder<Guarded> {
    fn forecast(&self, workload: &Workload) -> Result<Forecast> {
        Builder::forecast(self, workload)
    }

    fn create(&self) -> Result<AnyFilter> {
        Err(Family::Guarded.unsupported(Operation::Insert))
    }

    fn build(&self, sets: &KeySets) -> Result<(AnyFilter, Report)> {
        let (filter, report) = self.build_and_report(sets)?;
        Ok((filter.into(), report))
    }
}

/// A builder with one more option, if it was set.
fn with<B, T>(builder: B, value: Option<T>, set: impl Fn(B, T) -> B) -> B {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}

impl Spec {
    /// The builder of this spec.
    pub(super) fn builder(&self) -> Box<dyn Build> {
        match self.family {
            Family::Bloom | Family::Personalized => Box::new(self.bloom()),
            Family::Blocked => Box::new(self.blocked()),
            Family::Counting | Family::PersonalizedCounting => Box::new(self.counting()),
            Family::Habf | Family::HabfFast | Family::HabfCache => Box::new(self.habf()),
            Family::Seesaw | Family::SeesawAdaptive => Box::new(self.seesaw()),
            Family::Balanced => Box::new(self.balanced()),
            Family::PersonalizedRejecting => Box::new(self.rejecting()),
            Family::Guarded => Box::new(self.guarded()),
            Family::Growing => Box::new(self.growing()),
            Family::Cuckoo => Box::new(self.cuckoo()),
        }
    }

    /// A builder with what all families have.
    fn plain<F: Buildable>(&self) -> Builder<F> {
        let builder = Builder::new(self.size);
        let builder = with(builder, self.capacity, Builder::capacity);
        with(builder, self.hashing, Builder::hashing)
    }

    fn bloom(&self) -> Builder<Bloom> {
        let builder = with(self.plain(), self.whole("k"), Builder::<Bloom>::functions);
        if self.family == Family::Personalized {
            builder.personalized()
        } else {
            builder
        }
    }

    fn blocked(&self) -> Builder<Blocked> {
        let builder = with(self.plain(), self.whole("k"), Builder::<Blocked>::functions);
        with(builder, self.whole("block"), Builder::<Blocked>::block_bits)
    }

    fn counting(&self) -> Builder<Counting> {
        let builder = with(
            self.plain(),
            self.whole("k"),
            Builder::<Counting>::functions,
        );
        if self.family == Family::PersonalizedCounting {
            builder.personalized()
        } else {
            builder
        }
    }

    fn rejecting(&self) -> Builder<PersonalizedRejecting> {
        type Rejecting = Builder<PersonalizedRejecting>;
        let builder = with(self.plain(), self.whole("k"), Rejecting::functions);
        let builder = with(builder, self.whole("threshold"), Rejecting::threshold);
        with(builder, self.whole("list"), Rejecting::list)
    }

    fn balanced(&self) -> Builder<Balanced> {
        type Own = Builder<Balanced>;
        let builder = with(self.plain(), self.whole("k"), Own::functions);
        let builder = with(builder, self.whole("block"), Own::block_bits);
        let scheme = self.word("scheme").and_then(Scheme::from_name);
        let builder = with(builder, scheme, Own::scheme);
        let builder = with(builder, self.real("reads"), Own::reads);
        let builder = with(builder, self.whole("choices"), Own::choices);
        with(builder, self.real("overflow"), Own::overflow)
    }

    fn seesaw(&self) -> Builder<Seesaw> {
        type Own = Builder<Seesaw>;
        let mut builder: Own = self.plain();
        if self.family == Family::SeesawAdaptive {
            builder = builder.adaptive();
        }
        let builder = with(builder, self.whole("k"), Own::functions);
        let builder = with(builder, self.real("guard"), Own::guard);
        let builder = with(builder, self.real("alpha"), Own::alpha);
        let builder = with(builder, self.whole("count-bits"), Own::count_bits);
        let builder = with(builder, self.whole("index-bits"), Own::index_bits);
        with(builder, self.real("unseen-share"), Own::unseen_share)
    }

    fn habf(&self) -> Builder<Habf> {
        type Own = Builder<Habf>;
        let builder: Own = self.plain();
        let builder = match self.family {
            Family::HabfFast => builder.fast(),
            Family::HabfCache => builder.cache(),
            _ => builder,
        };
        let builder = if self.paper { builder.paper() } else { builder };
        let builder = with(builder, self.whole("k"), Own::functions);
        let builder = with(builder, self.whole("cell-bits"), Own::cell_bits);
        let builder = with(builder, self.real("ratio"), Own::ratio);
        let builder = with(builder, self.whole("segment-bits"), Own::segment_bits);
        let builder = with(builder, self.whole("passes"), Own::passes);
        let empty = self.word("empty").and_then(EmptyBits::from_name);
        with(builder, empty, Own::empty_bits)
    }

    fn guarded(&self) -> Builder<Guarded> {
        type Own = Builder<Guarded>;
        with(self.plain(), self.real("unseen-share"), Own::unseen_share)
    }

    fn growing(&self) -> Builder<Growing> {
        type Own = Builder<Growing>;
        let builder = with(self.plain(), self.whole("k"), Own::functions);
        with(builder, self.whole("expansion"), Own::expansion)
    }

    fn cuckoo(&self) -> Builder<Cuckoo> {
        type Own = Builder<Cuckoo>;
        let builder = with(self.plain(), self.whole("fingerprint"), Own::fingerprint);
        with(builder, self.real("exceptions"), Own::exceptions)
    }

    /// The value of a setting.
    fn value(&self, name: &str) -> Option<&Value> {
        let set = self.values.iter().find(|(set, _)| *set == name);
        set.map(|(_, value)| value)
    }

    /// The value of a setting that is a whole number.
    fn whole(&self, name: &str) -> Option<u32> {
        match self.value(name) {
            Some(&Value::Whole(number)) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// The value of a setting that is a real number.
    fn real(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(&Value::Real(number)) => Some(number),
            _ => None,
        }
    }

    /// The value of a setting that is a word.
    fn word(&self, name: &str) -> Option<&str> {
        match self.value(name) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }
}
