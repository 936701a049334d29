//! The slow model of a chain: a model of a Bloom filter for each layer.

use super::cells::CellsModel;
use bloomwise::info::Value;
use bloomwise::keys::Digest;
use bloomwise::{AnyFilter, Family, Filter, Size, Spec};

#[derive(Clone)]
pub struct GrowingModel {
    /// The layers, each with the number of its keys and its capacity.
    layers: Vec<(CellsModel, u64, u64)>,
    expansion: u64,
    /// The rate of the newest layer at its capacity.
    rate: f64,
}

impl GrowingModel {
    /// The model of a filter without keys.
    pub fn of(filter: &AnyFilter) -> Option<Self> {
        let info = filter.info();
        let whole = |name: &str| match info.parameter(name) {
            Some(Value::Whole(value)) => Some(*value),
            _ => None,
        };
        let (expansion, bits, k) = (whole("expansion")?, whole("bits")?, whole("k")?);
        assert!(filter.is_empty());
        let capacity = info.capacity.expect("it has one");
        let spec = Spec::new(Family::Bloom).size(Size::Bits(bits));
        let spec = spec.set("k", k).expect("its own").capacity(capacity);
        let mut first = spec.create().expect("its own shape");
        assert_eq!(first.size_in_bits(), bits);
        let model = CellsModel::of(&first);
        // The rate at capacity is what a filter of that many keys predicts.
        let rate = match info.target_rate {
            Some(rate) => rate / 2.0,
            None => {
                first.extend(0..capacity).expect("it grows");
                first.rate()
            }
        };
        Some(GrowingModel {
            layers: vec![(model, 0, capacity)],
            expansion,
            rate,
        })
    }

    pub fn insert(&mut self, digest: Digest) {
        if self.contains(digest) {
            return;
        }
        let (_, keys, capacity) = self.layers[self.layers.len() - 1];
        if keys == capacity {
            let doubles = self.layers.len() >= 32;
            let capacity = capacity * self.expansion.max(if doubles { 2 } else { 1 });
            self.rate = (self.rate / 2.0).max(1e-18);
            let spec = Spec::new(Family::Bloom).size(Size::Rate(self.rate));
            let layer = spec.capacity(capacity).create().expect("small");
            self.layers.push((CellsModel::of(&layer), 0, capacity));
        }
        let newest = self.layers.last_mut().expect("there is one");
        newest.0.insert(digest);
        newest.1 += 1;
    }

    pub fn contains(&self, digest: Digest) -> bool {
        self.layers
            .iter()
            .any(|(layer, _, _)| layer.contains(digest))
    }
}
