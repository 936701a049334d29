//! A setting together with the setter of the [`Builder`] that it stands for. A family lists its knobs once; everything else is derived from them.

use crate::filter::builder::{Buildable, Builder};
use crate::filter::info::Value;
use crate::filter::setting::Setting;

/// A preset: its name, and the setter that it stands for.
pub type Preset<F> = (&'static str, fn(Builder<F>) -> Builder<F>);

/// A setting, and the setter that it stands for.
#[derive(Debug)]
pub struct Knob<F: Buildable> {
    /// What users see.
    pub(crate) setting: Setting,
    /// The setter of the builder.
    set: Setter<F>,
}

/// A setter of a builder.
#[derive(Debug)]
enum Setter<F: Buildable> {
    Whole(fn(Builder<F>, u32) -> Builder<F>),
    Real(fn(Builder<F>, f64) -> Builder<F>),
    Word(fn(Builder<F>, &str) -> Builder<F>),
}

impl<F: Buildable> Knob<F> {
    /// A setting that is a whole number.
    pub(crate) const fn whole(setting: Setting, set: fn(Builder<F>, u32) -> Builder<F>) -> Self {
        let set = Setter::Whole(set);
        Knob { setting, set }
    }

    /// A setting that is a real number.
    pub(crate) const fn real(setting: Setting, set: fn(Builder<F>, f64) -> Builder<F>) -> Self {
        let set = Setter::Real(set);
        Knob { setting, set }
    }

    /// A setting that is a word. The setter gets words that [`Setting::values`] has.
    pub(crate) const fn word(setting: Setting, set: fn(Builder<F>, &str) -> Builder<F>) -> Self {
        let set = Setter::Word(set);
        Knob { setting, set }
    }

    /// The builder with this setting, if `value` has the form that [`Setting::accept`] gives it.
    pub(crate) fn apply(&self, builder: Builder<F>, value: &Value) -> Builder<F> {
        match (&self.set, value) {
            (Setter::Whole(set), &Value::Whole(number)) => match u32::try_from(number) {
                Ok(number) => set(builder, number),
                Err(_) => builder,
            },
            (Setter::Real(set), &Value::Real(number)) => set(builder, number),
            (Setter::Word(set), Value::Word(word)) => set(builder, word),
            _ => builder,
        }
    }
}
