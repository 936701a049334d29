//! From sets and a plan to solved layers.
//!
//! 1. Solve the fingerprint for the positives.
//! 2. Find the survivors: the known negatives that match it by chance.
//! 3. Solve the guard for positives and survivors, first where it is woven into the fingerprint, then in layers of its own.

use super::chain::{Room, Width, mean_shape, resorted, solve_chain};
use super::layer::{Layer, Thresholds};
use super::lookup::{Layers, accepts_in_all, survivors};
use super::parts::{Columns, Keys, solve};
use super::plan::{GuardPlace, Plan};
use super::rows::{ChainForecast, bumped, layer_rows};
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::keys::costliest::costliest;
use crate::keys::hash::Digest;
use crate::keys::sets::{Costed, KeySets};
use crate::machine::processor::Kernel;

/// Layers that were solved for a set, and their bits.
pub(super) struct Solved {
    /// Fingerprint and guard.
    pub layers: Layers,
    /// The bits of all layers.
    pub bytes: Storage,
    /// The known negatives that match the fingerprint by chance.
    pub survivors: Vec<Costed>,
}

/// The first salt of the guard's own layers. Fingerprint and guard of the same keys must not have the same equations.
const GUARD_SALT: u64 = 1 << 20;

impl Solved {
    /// Solves the sets by `plan`. The first layers of the chains have this salt, or a later one if that fails. Returns `None` if the keys
    /// cannot be solved within the words of the plan.
    pub fn new(sets: &KeySets, plan: &Plan, salt: u64) -> Result<Option<Self>> {
        let kernel = Kernel::current();
        let (woven, thinned) = match plan.guard {
            Some(GuardPlace::Woven { thinned }) => (true, thinned),
            Some(GuardPlace::Apart) | None => (false, [0; 2]),
        };
        // A woven layer is solved twice, so its keys are brought into their order here.
        let reordered = woven && salt > 0;
        let ordered = reordered.then(|| resorted(sets.positives(), salt));
        let positives = ordered.as_deref().unwrap_or(sets.positives());
        let mut bytes = Storage::new(plan.words * 8)?;
        let room = Room {
            first: 0,
            end: plan.words * 64 - plan.guard_bits,
        };
        let keys = (positives, salt);
        let fingerprint = solve_fingerprint(kernel, bytes.padded_mut(), keys, plan.guard, room);
        let Some(fingerprint) = fingerprint else {
            return Ok(None);
        };
        let unguarded = Layers::new(&fingerprint, &[], thinned);
        let survivors = survivors(kernel, &unguarded, bytes.padded(), sets.negatives());
        let mut layers = unguarded;
        if let Some(place) = plan.guard {
            let mut taken = digests_of_costliest(&survivors, plan.max_survivors);
            if reordered {
                taken = resorted(&taken, salt);
            }
            let keys = Keys {
                positives,
                survivors: &taken,
            };
            let room = Room {
                first: room.end,
                end: plan.words * 64,
            };
            let place = (place, &fingerprint[..]);
            let guard = solve_guard(kernel, bytes.padded_mut(), (keys, salt), place, room);
            let Some(guard) = guard else {
                return Ok(None);
            };
            layers = Layers::new(&fingerprint, &guard, thinned);
        }
        Ok(Some(Solved {
            layers,
            bytes,
            survivors,
        }))
    }

    /// The known negatives that are false positives: survivors that the guard accepts.
    pub fn wrong(&self) -> impl Iterator<Item = &Costed> {
        let kernel = Kernel::current();
        let (layers, bytes) = (&self.layers, self.bytes.padded());
        let survivors = self.survivors.iter();
        survivors.filter(move |known| accepts_in_all(kernel, layers, bytes, known.digest))
    }
}

/// The digests of the costliest survivors, at most `most`, in the order of the digests.
fn digests_of_costliest(survivors: &[Costed], most: u64) -> Vec<Digest> {
    let mut kept = costliest(survivors, most);
    kept.sort_unstable_by_key(|costed| costed.digest);
    kept.iter().map(|costed| costed.digest).collect()
}

/// Solves the layers of the fingerprint. Returns `None` if there is no room.
fn solve_fingerprint(
    kernel: Kernel,
    bytes: &mut [u8],
    (positives, salt): (&[Digest], u64),
    guard: Option<GuardPlace>,
    room: Room,
) -> Option<Vec<Layer>> {
    let mut layers = Vec::new();
    let keys = Keys {
        positives,
        survivors: &[],
    };
    if room.end == 0 {
        return Some(layers);
    }
    let Some(GuardPlace::Woven { .. }) = guard else {
        let solved = solve_chain(kernel, bytes, room, (keys, salt), Width::Fill, &mut layers);
        return solved.then_some(layers);
    };
    let rows = layer_rows(keys.len());
    let rest = ChainForecast::new(bumped(keys.len()));
    // The guard takes one bit of each row.
    let taken = rows + Thresholds::Two.words(rows) * 64;
    let bits = room.bits() as f64 - taken as f64 - rest.overhead;
    let columns = (bits / (rows as f64 + rest.rows)).max(0.0);
    let (layer, room) = room.take(salt, mean_shape(rows, 1.0 + columns)?, Thresholds::Two)?;
    let bumped = solve(kernel, &layer, bytes, keys, Columns::All);
    let codes = &mut bytes[layer.codes_byte()..];
    layer.thresholds.write(codes, &bumped.codes, false);
    layers.push(layer);
    let keys = (bumped.keys(), 1);
    solve_chain(kernel, bytes, room, keys, Width::Fill, &mut layers).then_some(layers)
}

/// Solves the guard, and returns the layers of its own. Returns `None` if there is no room.
fn solve_guard(
    kernel: Kernel,
    bytes: &mut [u8],
    (keys, salt): (Keys<'_>, u64),
    (place, fingerprint): (GuardPlace, &[Layer]),
    room: Room,
) -> Option<Vec<Layer>> {
    let mut layers = Vec::new();
    let (GuardPlace::Woven { thinned }, Some(first)) = (place, fingerprint.first()) else {
        // Survivors are twice as dense where the fingerprint has a column less. Another salt spreads them evenly.
        let salt = match fingerprint {
            [] => salt,
            _ => GUARD_SALT + salt,
        };
        let solved = solve_chain(kernel, bytes, room, (keys, salt), Width::One, &mut layers);
        return solved.then_some(layers);
    };
    let bumped = solve(kernel, first, bytes, keys, Columns::Guard { thinned });
    let codes = &mut bytes[first.codes_byte()..];
    first.thresholds.write(codes, &bumped.codes, true);
    let keys = (bumped.keys(), GUARD_SALT);
    solve_chain(kernel, bytes, room, keys, Width::One, &mut layers).then_some(layers)
}
