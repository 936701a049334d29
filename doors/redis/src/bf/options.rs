//! What a new filter is like.

use crate::configuration::{ERROR_RATE, EXPANSION, INITIAL_SIZE, MAX_ERROR_RATE};
use crate::ffi::Call;
use crate::hashing::Secret;
use crate::limits::{Budget, TooLarge};
use crate::value::Value;
use bloomwise::{AnyFilter, Family, Size, Spec, Workload};
use std::sync::atomic::Ordering;
use valkey_module::ValkeyError;

/// What a new filter is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The false positive rate.
    pub rate: f64,
    /// The capacity, of the first layer if it grows.
    pub capacity: u64,
    /// How many times the capacity of a layer the next one has; 0 if the filter does not grow.
    pub expansion: u32,
}

impl Options {
    /// What `BF.ADD` creates.
    pub fn configured() -> Self {
        let number = |setting: i64| u64::try_from(setting).unwrap_or(0);
        Options {
            rate: ERROR_RATE.get(),
            capacity: number(INITIAL_SIZE.load(Ordering::Relaxed)),
            expansion: number(EXPANSION.load(Ordering::Relaxed)) as u32,
        }
    }

    /// Sets the rate. Rates above a quarter become a quarter, as in RedisBloom.
    pub fn set_rate(&mut self, rate: f64) {
        self.rate = rate.min(MAX_ERROR_RATE);
    }

    /// Creates the filter, if the budget allows, and replicates that.
    ///
    /// # Errors
    ///
    /// The filter would be too large, or cannot have this rate.
    pub fn create(
        &self,
        call: &Call<'_>,
        budget: &mut Budget,
        secret: &Secret,
    ) -> Result<Value, ValkeyError> {
        let filter = self.filter(budget, secret)?;
        let (rate, capacity) = (self.rate.to_string(), self.capacity.to_string());
        let expansion = self.expansion.to_string();
        let arguments = [
            rate.as_bytes(),
            capacity.as_bytes(),
            b"EXPANSION",
            expansion.as_bytes(),
            b"HASH",
            secret.text.as_bytes(),
        ];
        call.replicate_as("BF.RESERVE", &arguments);
        call.notify("bf.reserve");
        Ok(Value::new(Some(filter), None))
    }

    /// The empty filter, if the budget allows.
    fn filter(&self, budget: &mut Budget, secret: &Secret) -> Result<AnyFilter, ValkeyError> {
        let refused = |error: TooLarge| {
            ValkeyError::String(format!("ERR Insufficient memory to create filter: {error}"))
        };
        let impossible = |error: bloomwise::Error| {
            ValkeyError::String(format!("ERR could not create filter: {error}"))
        };
        let spec = self.spec(secret).map_err(impossible)?;
        let forecast = spec
            .forecast(&Workload::new(self.capacity, 0))
            .map_err(impossible)?;
        let bytes = forecast.bits / 8;
        budget.take(bytes, bytes).map_err(refused)?;
        spec.create().map_err(impossible)
    }

    /// The filter as data.
    fn spec(&self, secret: &Secret) -> bloomwise::Result<Spec> {
        let family = match self.expansion {
            0 => Family::Bloom,
            _ => Family::Growing,
        };
        let spec = Spec::new(family).size(Size::Rate(self.rate));
        let spec = spec.capacity(self.capacity).hashing(secret.hashing);
        match self.expansion {
            0 => Ok(spec),
            expansion => spec.set("expansion", u64::from(expansion)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bloomwise::Filter;

    fn made(options: &Options) -> AnyFilter {
        let secret = Secret::given(Some(b"xxh3:1")).expect("a hashing");
        options
            .filter(&mut Budget::unlimited(), &secret)
            .expect("sound")
    }

    #[test]
    fn filter_that_does_not_grow_has_the_whole_rate() {
        let mut options = Options {
            rate: 0.001,
            capacity: 1000,
            expansion: 2,
        };
        let growing = made(&options);
        assert!(matches!(&growing, AnyFilter::Growing(filter) if filter.expansion() == 2));
        options.expansion = 0;
        let fixed = made(&options);
        assert_eq!(
            (fixed.family(), fixed.capacity()),
            (Family::Bloom, Some(1000))
        );
        assert!(fixed.size_in_bits() < growing.size_in_bits());
    }

    #[test]
    fn impossible_rate_is_an_error() {
        let options = Options {
            rate: 1e-300,
            capacity: 10,
            expansion: 2,
        };
        let secret = Secret::new().expect("random numbers");
        let error = options
            .filter(&mut Budget::unlimited(), &secret)
            .expect_err("too low");
        assert!(
            error.to_string().starts_with("ERR could not create filter"),
            "{error}"
        );
    }
}
