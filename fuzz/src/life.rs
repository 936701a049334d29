//! A filter beside an exact multiset of its keys, through any sequence of legal operations.
//!
//! The laws:
//! - A key of the multiset is always accepted, after each operation.
//! - The filter counts its keys exactly, as long as the family says that it does.
//! - An insertion tells whether the key was denied before. A key of the multiset can be removed. A denied key is never removed, and
//!   the attempt changes nothing.
//! - A union is what the insertion of all keys would have given. An intersection keeps the keys that both have.
//! - A filter that is saved and loaded is equal, and continues alike.
//! - A filter that many threads can use does what the plain one does.

use crate::forms::{borrow, check_saved};
use crate::step::{Form, Name, Step};
use bloomwise::{
    AnyFilter, Check, Digests, Error, Family, Filter, Operation, Persist, SharedSeesaw,
};
use std::collections::BTreeMap;

/// A filter and its keys.
pub struct Life {
    filter: AnyFilter,
    /// An empty filter of the same spec, if the family has one.
    empty: Option<AnyFilter>,
    /// How often each key is in the set.
    held: BTreeMap<Name, u64>,
    /// Whether the filter still counts its keys exactly.
    exact_count: bool,
    /// Whether a file was saved. One is enough: it takes as long as hundreds of other steps.
    saved: bool,
}

impl Life {
    /// A filter that holds each of `held` once.
    pub fn new(
        filter: AnyFilter,
        empty: Option<AnyFilter>,
        held: impl IntoIterator<Item = Name>,
    ) -> Self {
        // It counts a key once, or never if it was a false positive.
        let exact_count = filter.family() != Family::Growing;
        let life = Life {
            filter,
            empty,
            held: held.into_iter().map(|name| (name, 1)).collect(),
            exact_count,
            saved: false,
        };
        life.check();
        life
    }

    /// Panics if a law is broken.
    fn check(&self) {
        for &name in self.held.keys() {
            assert!(self.filter.contains(name.key()), "{name:?} is denied");
        }
        if self.exact_count {
            assert_eq!(self.filter.len(), self.held.values().sum::<u64>());
        }
        if let AnyFilter::Growing(filter) = &self.filter {
            assert!(filter.len() <= self.held.len() as u64);
            assert!(filter.load_factor() <= Some(1.0));
        }
        if let AnyFilter::Counting(filter) = &self.filter {
            for (&name, &held) in &self.held {
                assert!(
                    filter.count(name.key()) >= held.min(15),
                    "the count of {name:?}"
                );
            }
        }
        assert!(
            (0.0..=1.0).contains(&self.filter.rate()),
            "{}",
            self.filter.rate()
        );
    }

    /// Panics if a law is broken that takes longer to check.
    pub fn check_thoroughly(&self) {
        self.check();
        let all = || Name::all().map(Name::key);
        let answers: Vec<bool> = all().map(|key| self.filter.contains(key)).collect();
        assert_eq!(self.filter.contains_batch(all()), answers, "a batch");
        let info = self.filter.info();
        assert!(
            (0.0..=1.0).contains(&info.fill) && (0.0..=1.0).contains(&info.predicted_fpr),
            "{info:?}"
        );
        check_saved(&self.filter);
    }

    /// Takes a step if it is legal, and checks the laws.
    pub fn take(&mut self, step: &Step) {
        match *step {
            Step::Insert(name) => self.insert(name),
            Step::InsertMany(range) => self.insert_many(range.names()),
            Step::Remove(name) => self.remove(name),
            Step::RemoveMany(range) => self.remove_many(range.names()),
            // A cuckoo filter would deny a key of the set.
            Step::Guard(name)
                if self.filter.family() == Family::Cuckoo && self.held.contains_key(&name) => {}
            Step::Guard(name) => {
                let guarded = self.filter.guard(name.key());
                self.legal(guarded, Operation::Guard);
            }
            Step::Union(range) => self.union(range.names()),
            Step::Intersection(range) => self.intersection(range.names()),
            Step::Save(form) => self.save(form),
            Step::Share(range) => self.share(range.names()),
        }
        self.check();
    }

    /// Whether an operation was done. Panics if it fails although the family has it, or the other way round.
    fn legal<T>(&self, result: bloomwise::Result<T>, operation: Operation) -> Option<T> {
        let can = self.filter.family().can(operation);
        match result {
            Ok(done) => {
                assert!(can, "{operation:?}");
                Some(done)
            }
            Err(error) => {
                assert!(
                    !can && matches!(error, Error::Unsupported { .. }),
                    "{error}"
                );
                None
            }
        }
    }

    /// Adds keys to the multiset.
    fn hold(&mut self, names: impl Iterator<Item = Name>) {
        names.for_each(|name| *self.held.entry(name).or_default() += 1);
    }

    /// Takes a key out of the multiset.
    fn release(&mut self, name: Name) {
        let held = self.held.get_mut(&name).expect("the key is held");
        *held -= 1;
        if *held == 0 {
            self.held.remove(&name);
        }
    }

    fn insert(&mut self, name: Name) {
        let new = !self.filter.contains(name.key());
        let inserted = self.filter.insert(name.key());
        if let Err(Error::Full { .. }) = inserted {
            return;
        }
        if let Some(said) = self.legal(inserted, Operation::Insert) {
            assert_eq!(said, new, "an insertion tells whether the key is new");
            self.hold([name].into_iter());
        }
    }

    fn insert_many(&mut self, names: impl Iterator<Item = Name> + Clone) {
        let before = self.filter.len();
        let inserted = self.filter.extend(names.clone().map(Name::key));
        if let Err(Error::Full { .. }) = inserted {
            // Those before the first that found no room are there.
            let fitted = self.filter.len() - before;
            return self.hold(names.take(fitted as usize));
        }
        if self.legal(inserted, Operation::Insert).is_some() {
            self.hold(names);
        }
    }

    fn remove(&mut self, name: Name) {
        let held = self.held.contains_key(&name);
        // A removal of a false positive is not legal.
        if !held && self.filter.contains(name.key()) {
            return;
        }
        let before = (!held).then(|| self.filter.clone());
        let removed = self.filter.remove(name.key());
        if let Some(removed) = self.legal(removed, Operation::Remove) {
            assert_eq!(
                removed, held,
                "a key that is there is removed, and no other"
            );
            if held {
                self.release(name);
            }
        }
        if let Some(before) = before {
            assert!(before == self.filter, "a denied key changes nothing");
        }
    }

    fn remove_many(&mut self, names: impl Iterator<Item = Name>) {
        let names: Vec<Name> = names.filter(|name| self.held.contains_key(name)).collect();
        let digests = Digests::of(self.filter.hashing(), names.iter().map(|name| name.key()));
        let removed = self.filter.remove_digests(&digests);
        if let Some(removed) = self.legal(removed, Operation::Remove) {
            assert_eq!(removed, names.len() as u64);
            names.into_iter().for_each(|name| self.release(name));
        }
    }

    /// The filter of these keys that is built like this one.
    fn another(&self, names: impl Iterator<Item = Name>) -> Option<AnyFilter> {
        let mut other = self.empty.clone()?;
        match other.extend(names.map(Name::key)) {
            Err(Error::Full { .. }) => return None,
            extended => extended.expect("it can be created, so it grows"),
        }
        Some(other)
    }

    fn union(&mut self, names: impl Iterator<Item = Name> + Clone) {
        let Some(other) = self.another(names.clone()) else {
            return;
        };
        let before = self.filter.clone();
        match self.filter.union(&other) {
            Ok(()) => {
                let mut expected = before;
                expected
                    .extend(names.clone().map(Name::key))
                    .expect("it grows");
                assert!(expected == self.filter, "a union is what insertions give");
                self.hold(names);
            }
            // A filter that is built from a set has the size for that set, if no capacity was given.
            Err(error) => {
                let can = self.filter.family().can(Operation::Union);
                assert!(!can || matches!(error, Error::Mismatch { .. }), "{error}");
                assert!(before == self.filter, "a refused union changes nothing");
            }
        }
    }

    fn intersection(&mut self, names: impl Iterator<Item = Name> + Clone) {
        let other = self.another(names.clone());
        let (AnyFilter::Bloom(filter), Some(AnyFilter::Bloom(other))) = (&mut self.filter, other)
        else {
            return;
        };
        if filter.intersection(&other).is_ok() {
            self.held
                .retain(|held, _| names.clone().any(|name| name == *held));
            self.exact_count = false;
        }
    }

    fn save(&mut self, form: Form) {
        let (long, short) = (self.filter.to_bytes(), self.filter.to_short_bytes());
        let loaded = match form {
            Form::Long => AnyFilter::from_bytes(&long),
            Form::Short => AnyFilter::from_bytes(&short),
            Form::Stream => AnyFilter::read_from(&long[..]),
            Form::Borrowed => borrow(&long, Check::Whole),
            Form::Unchecked => borrow(&short, Check::Header),
            Form::File if self.saved => return,
            Form::File => {
                self.saved = true;
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("filter");
                self.filter.save(&path).expect("a file can be written");
                AnyFilter::load(&path)
            }
        };
        let loaded = loaded.expect("what was saved can be loaded");
        assert!(loaded == self.filter, "a loaded filter is equal");
        self.filter = loaded;
    }

    fn share(&mut self, names: impl Iterator<Item = Name> + Clone) {
        let AnyFilter::Seesaw(filter) = &self.filter else {
            return;
        };
        let shared = SharedSeesaw::new(filter.clone());
        for name in names.clone() {
            let new = !shared.contains(name.key());
            assert_eq!(
                shared.insert(name.key()),
                new,
                "an insertion tells whether the key is new"
            );
        }
        self.insert_many(names);
        assert!(
            AnyFilter::from(shared.snapshot().expect("memory")) == self.filter,
            "a snapshot"
        );
        self.filter = shared.into_inner().into();
    }
}
