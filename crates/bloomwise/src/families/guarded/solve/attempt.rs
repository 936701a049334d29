//! One attempt to build a filter by a plan.
//!
//! 1. Solve the fingerprint for the positives.
//! 2. Find the survivors: the known negatives that match it by chance.
//! 3. Solve the guard for positives and survivors, first where it is woven into the fingerprint, then in layers of its own.

use super::super::Guarded;
use super::super::lookup::{Survivors, query_fn};
use super::super::plan::{Place, Plan};
use super::super::query::layer::Layer;
use super::super::query::reader::Grouping;
use super::super::query::thresholds::Thresholds;
use super::super::rows::{ChainForecast, bumped, layer_rows};
use super::chain::{Room, Width, mean_shape, resorted, solve_chain};
use super::layer::{Columns, Keys, solve};
use crate::cells::storage::Storage;
use crate::error::Result;
use crate::filter::profile::Profile;
use crate::kernel;
use crate::keys::hash::Digest;
use crate::keys::sets::{Costed, KeySets};
use crate::machine::parallel;
use crate::machine::processor::Kernel;

/// A filter, and the known negatives that match its fingerprint.
pub(in super::super) struct Attempt {
    pub filter: Guarded,
    pub survivors: Vec<Costed>,
}

/// The first salt of the guard's own layers. Fingerprint and guard of the same keys must not have the same equations.
const GUARD_SALT: u64 = 1 << 20;

/// Builds a filter by `plan`. The first layers of its chains have this salt, or a later one if that fails. Returns `None` if
/// its keys cannot be solved within its words.
pub(in super::super) fn attempt(
    sets: &KeySets,
    plan: &Plan,
    salt: u64,
    profile: Profile,
) -> Result<Option<Attempt>> {
    let processor = Kernel::current();
    // A woven layer is solved twice, so its keys are brought into their order here.
    let mut ordered = None;
    let mut filter = Guarded {
        fingerprint: Vec::new(),
        guard: Vec::new(),
        thinned: [0; 2],
        woven: false,
        final_first: false,
        grouping: Grouping::default(),
        bytes: Storage::new(plan.words * 8)?,
        negatives: sets.negatives().len() as u64,
        wrong: 0,
        profile,
        kernel: processor,
        query_fn: query_fn(processor, Grouping::default()),
    };
    if let Some(Place::Woven { thinned }) = plan.guard {
        filter.thinned = thinned;
        ordered = (salt > 0).then(|| resorted(sets.positives(), salt));
    }
    let positives = ordered.as_deref().unwrap_or(sets.positives());
    let room = Room {
        first: 0,
        end: plan.words * 64 - plan.guard_bits,
    };
    let bytes = filter.bytes.padded_mut();
    let keys = (positives, salt);
    let Some(fingerprint) = solve_fingerprint(processor, bytes, keys, plan.guard, room) else {
        return Ok(None);
    };
    filter.set_layers(&fingerprint, &[]);
    let survivors = parallel::flat_map_chunks(sets.negatives(), |negatives| {
        kernel::run(processor, Survivors(&filter), negatives)
    });
    if let Some(place) = plan.guard {
        let mut taken = costliest(&survivors, plan.max_survivors);
        if ordered.is_some() {
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
        let bytes = filter.bytes.padded_mut();
        let place = (place, &fingerprint[..]);
        let Some(guard) = solve_guard(processor, bytes, (keys, salt), place, room) else {
            return Ok(None);
        };
        filter.set_layers(&fingerprint, &guard);
    }
    Ok(Some(Attempt { filter, survivors }))
}

/// The digests of the costliest survivors, at most `most`, in the order of the digests.
fn costliest(survivors: &[Costed], most: u64) -> Vec<Digest> {
    let digests = |survivors: &[Costed]| survivors.iter().map(|costed| costed.digest).collect();
    if survivors.len() as u64 <= most {
        return digests(survivors);
    }
    let mut by_cost = survivors.to_vec();
    // The sort is stable: equal costs stay in the order of the digests.
    by_cost.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    by_cost.truncate(most as usize);
    by_cost.sort_by_key(|costed| costed.digest);
    digests(&by_cost)
}

/// Solves the layers of the fingerprint. Returns `None` if there is no room.
fn solve_fingerprint(
    kernel: Kernel,
    bytes: &mut [u8],
    (positives, salt): (&[Digest], u64),
    guard: Option<Place>,
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
    let Some(Place::Woven { .. }) = guard else {
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
    let solved = solve(kernel, &layer, bytes, keys, Columns::All);
    let codes = &mut bytes[layer.codes_byte()..];
    layer.thresholds.write(codes, &solved.codes, false);
    layers.push(layer);
    let keys = (solved.keys(), 1);
    solve_chain(kernel, bytes, room, keys, Width::Fill, &mut layers).then_some(layers)
}

/// Solves the guard, and returns the layers of its own. Returns `None` if there is no room.
fn solve_guard(
    kernel: Kernel,
    bytes: &mut [u8],
    (keys, salt): (Keys<'_>, u64),
    (place, fingerprint): (Place, &[Layer]),
    room: Room,
) -> Option<Vec<Layer>> {
    let mut layers = Vec::new();
    let (Place::Woven { thinned }, Some(first)) = (place, fingerprint.first()) else {
        // Survivors are twice as dense where the fingerprint has a column less. Another salt spreads them evenly.
        let salt = match fingerprint {
            [] => salt,
            _ => GUARD_SALT + salt,
        };
        let solved = solve_chain(kernel, bytes, room, (keys, salt), Width::One, &mut layers);
        return solved.then_some(layers);
    };
    let solved = solve(kernel, first, bytes, keys, Columns::Guard { thinned });
    let codes = &mut bytes[first.codes_byte()..];
    first.thresholds.write(codes, &solved.codes, true);
    let keys = (solved.keys(), GUARD_SALT);
    solve_chain(kernel, bytes, room, keys, Width::One, &mut layers).then_some(layers)
}
