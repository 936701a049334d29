//! Settings with their setters of the [`Builder`]. A family lists its knobs once, and everything else is derived from them.

use crate::filter::builder::{Buildable, Builder};
use crate::filter::info::Value;
use crate::filter::setting::Setting;

/// A preset: its name and its setter.
pub type Preset<F> = (&'static str, fn(Builder<F>) -> Builder<F>);

/// A setting and its setter.
#[derive(Debug)]
pub struct Knob<F: Buildable> {
    /// Name, help and values, as users see them.
    pub(crate) setting: Setting,
    /// The setter of the builder.
    set: Setter<F>,
}

/// A setter of a builder.
#[derive(Debug)]
enum Setter<F: Buildable> {
    /// A setter for a whole number.
    Whole(fn(Builder<F>, u32) -> Builder<F>),
    /// A setter for a real number.
    Real(fn(Builder<F>, f64) -> Builder<F>),
    /// A setter for a word.
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

    /// A setting that is a word. The setter is called only with words listed in [`Setting::values`].
    pub(crate) const fn word(setting: Setting, set: fn(Builder<F>, &str) -> Builder<F>) -> Self {
        let set = Setter::Word(set);
        Knob { setting, set }
    }

    /// The builder with this setting. `value` must come from [`Setting::accept`].
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
