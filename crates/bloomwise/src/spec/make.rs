//! From a spec to the builder of its family, and to the filter.

use super::Spec;
use crate::any::AnyFilter;
use crate::balanced::{BalancedBuilder, Scheme};
use crate::builder::Builder;
use crate::error::Result;
use crate::family::Family;
use crate::filter::Value;
use crate::guarded::GuardedBuilder;
use crate::habf::HabfBuilder;
use crate::key::KeySets;
use crate::personalized::PersonalizedRejecting;
use crate::seesaw::SeesawBuilder;
use crate::{Balanced, Blocked, Bloom, Counting, Guarded, Habf, Seesaw};

/// A builder with one wish more, if there is one.
fn with<B, T>(builder: B, wish: Option<T>, set: impl Fn(B, T) -> B) -> B {
    match wish {
        Some(wish) => set(builder, wish),
        None => builder,
    }
}

impl Spec {
    /// The empty filter for so many keys.
    pub(super) fn plan(&self, capacity: u64) -> Result<AnyFilter> {
        let size = self.size;
        match self.family {
            Family::Bloom => {
                let builder = self.wishes(Bloom::builder(capacity, size));
                builder.build().map(AnyFilter::Bloom)
            }
            Family::Blocked => {
                let builder = self.wishes(Blocked::builder(capacity, size));
                let builder = with(builder, self.whole("block"), Builder::block_bits);
                builder.build().map(AnyFilter::Blocked)
            }
            Family::Counting => {
                let builder = self.wishes(Counting::builder(capacity, size));
                builder.build().map(AnyFilter::Counting)
            }
            Family::Habf | Family::HabfFast | Family::HabfCache => {
                let builder = self.habf().capacity(capacity);
                builder.build(&KeySets::default()).map(AnyFilter::Habf)
            }
            Family::Seesaw | Family::SeesawAdaptive => {
                let builder = self.seesaw(capacity);
                builder.build(&KeySets::default()).map(AnyFilter::Seesaw)
            }
            Family::Balanced => self.balanced(capacity).build().map(AnyFilter::Balanced),
            Family::Guarded => {
                let builder = self.guarded().capacity(capacity);
                builder.build(&KeySets::default()).map(AnyFilter::Guarded)
            }
            Family::Personalized => {
                let builder = self.wishes(Bloom::builder(capacity, size)).personalized();
                builder.build().map(AnyFilter::Bloom)
            }
            Family::PersonalizedCounting => {
                let builder = self.wishes(Counting::builder(capacity, size));
                builder.personalized().build().map(AnyFilter::Counting)
            }
            Family::PersonalizedRejecting => {
                let builder = self.wishes(PersonalizedRejecting::builder(capacity, size));
                let builder = with(builder, self.whole("threshold"), Builder::threshold);
                let builder = with(builder, self.whole("list"), Builder::list);
                builder.build().map(AnyFilter::PersonalizedRejecting)
            }
        }
    }

    /// The wishes that all plain families share.
    fn wishes<F>(&self, builder: Builder<F>) -> Builder<F> {
        let builder = builder.hashing(self.hashing);
        with(builder, self.whole("k"), Builder::functions)
    }

    /// The wishes for a balanced filter.
    fn balanced(&self, capacity: u64) -> BalancedBuilder {
        let builder = Balanced::builder(capacity, self.size).hashing(self.hashing);
        let builder = with(builder, self.whole("k"), BalancedBuilder::functions);
        let builder = with(builder, self.whole("block"), BalancedBuilder::block_bits);
        let scheme = self.word("scheme").and_then(Scheme::named);
        let builder = with(builder, scheme, BalancedBuilder::scheme);
        let builder = with(builder, self.real("reads"), BalancedBuilder::reads);
        let builder = with(builder, self.whole("choices"), BalancedBuilder::choices);
        with(builder, self.real("overflow"), BalancedBuilder::overflow)
    }

    /// The wishes for a seesaw filter.
    pub(super) fn seesaw(&self, capacity: u64) -> SeesawBuilder {
        let builder = Seesaw::builder(capacity, self.size).hashing(self.hashing);
        let builder = match self.family {
            Family::SeesawAdaptive => builder.adaptive(),
            _ => builder,
        };
        let builder = with(builder, self.whole("k"), SeesawBuilder::functions);
        let builder = with(builder, self.real("guard"), SeesawBuilder::guard);
        let builder = with(builder, self.real("alpha"), SeesawBuilder::alpha);
        let builder = with(builder, self.whole("count-bits"), SeesawBuilder::count_bits);
        let builder = with(builder, self.whole("index-bits"), SeesawBuilder::index_bits);
        let unseen_share = self.real("unseen-share");
        with(builder, unseen_share, SeesawBuilder::unseen_share)
    }

    /// The wishes for a hash adaptive filter.
    pub(super) fn habf(&self) -> HabfBuilder {
        let builder = Habf::builder(self.size).hashing(self.hashing);
        let builder = match self.family {
            Family::HabfFast => builder.fast(),
            Family::HabfCache => builder.cache(),
            _ => builder,
        };
        let builder = if self.paper { builder.paper() } else { builder };
        let builder = with(builder, self.capacity, HabfBuilder::capacity);
        let builder = with(builder, self.whole("k"), HabfBuilder::functions);
        let builder = with(builder, self.whole("cell-bits"), HabfBuilder::cell_bits);
        let builder = with(builder, self.real("ratio"), HabfBuilder::ratio);
        let segment_bits = self.whole("segment-bits");
        let builder = with(builder, segment_bits, HabfBuilder::segment_bits);
        let builder = with(builder, self.whole("passes"), HabfBuilder::passes);
        with(builder, self.word("empty"), HabfBuilder::empties)
    }

    /// The wishes for a guarded filter.
    pub(super) fn guarded(&self) -> GuardedBuilder {
        let builder = Guarded::builder(self.size).hashing(self.hashing);
        let builder = with(builder, self.capacity, GuardedBuilder::capacity);
        let builder = with(builder, self.whole("arity"), GuardedBuilder::arity);
        with(
            builder,
            self.real("unseen-share"),
            GuardedBuilder::unseen_share,
        )
    }

    /// What a setting was set to.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        let set = self.values.iter().find(|(set, _)| *set == name);
        set.map(|(_, value)| value)
    }

    /// The whole number a setting was set to.
    fn whole(&self, name: &str) -> Option<u32> {
        match self.value(name) {
            Some(&Value::Whole(number)) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// The real number a setting was set to.
    fn real(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(&Value::Real(number)) => Some(number),
            _ => None,
        }
    }

    /// The word a setting was set to.
    fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Some(&Value::Word(word)) => Some(word),
            _ => None,
        }
    }
}
