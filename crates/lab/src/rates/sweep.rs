//! Builds and queries filters of many kinds at many places: the one loop behind all figures on rates.
//!
//! A place is a point on the horizontal axis of a figure: a size, and the filters of that size. All skews of the costs are measured at each
//! place. A filter that ignores costs is built once, one that uses only their ranks once for each order, all others once for each order and
//! skew.

use super::rates::{Built, Rates};
use crate::prelude::*;

/// A point on the horizontal axis of a figure.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it is.
    pub x: f64,
    /// The size of all filters.
    pub bits_per_key: f64,
    /// The filters.
    pub contenders: Vec<Subject>,
}

impl Place {
    /// The same filters at each size.
    pub fn sizes(sizes: &[f64], contenders: impl Fn(f64) -> Vec<Subject>) -> Vec<Self> {
        let place = |&size: &f64| Place {
            x: size,
            bits_per_key: size,
            contenders: contenders(size),
        };
        sizes.iter().map(place).collect()
    }
}

/// The rates of a filter at a place, with one skew.
#[derive(Clone, Debug)]
pub struct Found {
    /// The skew of the costs.
    pub skew: f64,
    /// The place on the horizontal axis.
    pub x: f64,
    /// The name of the filter.
    pub name: String,
    /// The rates; `None` where the filter cannot have the size.
    pub rates: Option<Rates>,
}

/// The rates of all filters at all places.
#[derive(Clone, Debug, Default)]
pub struct Grid(pub Vec<Found>);

impl Grid {
    fn push(&mut self, skew: f64, x: f64, subject: &Subject, rates: Option<Rates>) {
        let name = subject.name.clone();
        self.0.push(Found {
            skew,
            x,
            name,
            rates,
        });
    }

    /// The rates of the filter `name` at `x`. Their absence is an error.
    pub fn at(&self, name: &str, skew: f64, x: f64) -> Result<Rates> {
        let is_it = |found: &&Found| found.name == name && found.skew == skew && found.x == x;
        let found = self.0.iter().find(is_it).and_then(|found| found.rates);
        found.with_context(|| format!("no rates for {name} at {x}, skew {skew}"))
    }

    /// The rates of the filter `name` from place to place.
    pub fn line(&self, name: &str, skew: f64) -> Vec<(f64, Rates)> {
        let of_line = |found: &&Found| found.name == name && found.skew == skew;
        let found = self.0.iter().filter(of_line);
        let rates = found.filter_map(|found| Some((found.x, found.rates?)));
        rates.collect()
    }
}

/// Measures all contenders at all `places`, with costs by Zipf's law in `orders` orders. With skew 0 there is only one.
pub fn sweep(set: &Set, skews: &[f64], orders: u64, places: &[Place]) -> Result<Grid> {
    let contenders = |at: usize| places[at].contenders.iter().map(move |one| (at, one));
    let tasks: Vec<(usize, &Subject)> = (0..places.len()).flat_map(contenders).collect();
    // For each task, what was built for each skew.
    let none = || skews.iter().map(|_| Vec::new()).collect();
    let mut built: Vec<Vec<Vec<Built>>> = tasks.iter().map(|_| none()).collect();
    for seed in 0..orders {
        for (number, &skew) in skews.iter().enumerate() {
            let due = |subject: &Subject| match subject.costs {
                Costs::Ignored => seed == 0 && number == 0,
                Costs::Ranks(_) => number == 0 && (seed == 0 || skew > 0.0),
                _ => seed == 0 || skew > 0.0,
            };
            let due = (0..tasks.len()).filter(|&task| due(tasks[task].1));
            let due: Vec<usize> = due.collect();
            if due.is_empty() {
                continue;
            }
            let costs = zipf::costs(set.negatives.len(), skew, seed);
            let sets = set.with_costs(&costs)?;
            let found = due.par_iter().map(|&task| {
                let (at, subject) = tasks[task];
                build(set, &sets, &costs, places[at].bits_per_key, subject)
            });
            let found: Vec<Option<Built>> = found.collect::<Result<_>>()?;
            for (task, found) in due.into_iter().zip(found) {
                built[task][number].extend(found);
            }
        }
    }
    let mut grid = Grid::default();
    for (number, &skew) in skews.iter().enumerate() {
        let sorted = zipf::by_rank(set.negatives.len(), skew);
        for ((at, subject), built) in tasks.iter().zip(&built) {
            // The builds of the first skew serve all.
            let number = if built[number].is_empty() { 0 } else { number };
            let built: Vec<&Built> = built[number].iter().collect();
            let rates = Rates::of(&built, &sorted, set);
            grid.push(skew, places[*at].x, subject, rates);
        }
    }
    Ok(grid)
}

/// Measures all contenders at all `places`, with the given costs in one order.
pub fn sweep_with_costs(set: &Set, costs: &[f64], places: &[Place]) -> Result<Grid> {
    let sets = set.with_costs(costs)?;
    let mut grid = Grid::default();
    for place in places {
        for subject in &place.contenders {
            let mut built = build(set, &sets, costs, place.bits_per_key, subject)?;
            // The costs are what they are: no other order of them is of interest.
            built.iter_mut().for_each(|built| built.classes = None);
            let rates = built.and_then(|built| Rates::of(&[&built], costs, set));
            grid.push(f64::NAN, place.x, subject, rates);
        }
    }
    Ok(grid)
}

/// Builds a filter and queries it for all keys; `None` if it cannot have the size.
fn build(
    set: &Set,
    sets: &KeySets,
    costs: &[f64],
    bits_per_key: f64,
    subject: &Subject,
) -> Result<Option<Built>> {
    let (filter, top_class) = match subject.build_with_top_class(sets, set.bits(bits_per_key)) {
        Err(error) if error.is::<TooSmall>() => return Ok(None),
        built => built.with_context(|| subject.name.clone())?,
    };
    let answers = Answers::of(filter.as_ref(), set);
    let answers = answers.with_context(|| subject.name.clone())?;
    // Equal costs have only one order.
    let equal = costs.first() == costs.last();
    let top_class = if equal { Some(0) } else { top_class };
    Ok(Some(Built::new(answers, top_class, costs)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Source;
    use bloomwise::Family;

    fn places(size: f64, contenders: Vec<Subject>) -> Vec<Place> {
        Place::sizes(&[size], |_| contenders.clone())
    }

    #[test]
    fn filter_that_ignores_costs_has_its_plain_rate_at_every_skew() {
        let set = Set::sized(Source::Users, 5000, 5000, 5000);
        let contenders = vec![Subject::kind(Family::Bloom), Subject::kind(Family::Guarded)];
        let grid = sweep(&set, &[0.0, 1.0], 3, &places(8.0, contenders)).expect("valid");
        let [equal, skewed] = [0.0, 1.0].map(|skew| grid.at("bloom", skew, 8.0).expect("measured"));
        assert!((skewed.known.mean - equal.plain).abs() < 1e-12);
        assert!(
            skewed.known.deviation > 0.5 * skewed.known.mean,
            "few negatives hold most of the cost"
        );
        assert!(equal.orders.is_none() && skewed.orders.expect("ten orders").count == 10);
        // Ten orders, as in the paper, cannot distinguish 2 % from 3 %. With equal costs they can.
        assert!(skewed.published(false).deviation > 0.005);
        assert!(equal.published(false).deviation < 0.005);
        let guarded = grid.at("guarded", 1.0, 8.0).expect("measured");
        assert_eq!(guarded.known, Spread::default());
        assert!(guarded.unseen > 0.0 && grid.at("habf", 1.0, 8.0).is_err());
        let small = sweep(&set, &[0.0], 1, &places(1.0, vec![Subject::xor()])).expect("valid");
        assert!(
            small.0[0].rates.is_none(),
            "an Xor filter needs more than one bit per key"
        );
    }

    #[test]
    fn rate_over_all_orders_matches_the_mean_of_many_shuffles() {
        let set = Set::sized(Source::Users, 4000, 4000, 100);
        let classes = Subject::paper(Family::Habf);
        let shuffled = classes.clone().named("shuffled").using(Costs::Values);
        let many = 300;
        let grid = sweep(&set, &[1.0], many, &places(7.0, vec![classes, shuffled])).expect("valid");
        let [classes, shuffled] = ["habf, paper's parameters", "shuffled"]
            .map(|name| grid.at(name, 1.0, 7.0).expect("measured"));
        let apart = (classes.known.mean - shuffled.known.mean).abs();
        assert!(apart < 4.0 * shuffled.error, "{classes:?}, {shuffled:?}");
        assert!(
            classes.error < shuffled.error,
            "the error is smaller than that of the shuffles alone"
        );
    }

    #[test]
    fn build_of_a_filter_that_uses_ranks_serves_all_skews() {
        let set = Set::sized(Source::Users, 4000, 4000, 100);
        let guarding = Subject::stacked_counting_with(0.05);
        let alone = |skew: f64| {
            let places = places(20.0, vec![guarding.clone()]);
            let grid = sweep(&set, &[skew], 2, &places).expect("valid");
            grid.at("stacked counting", skew, 20.0)
                .expect("measured")
                .known
        };
        let together = sweep(&set, &[1.0, 2.0], 2, &places(20.0, vec![guarding.clone()]));
        let together = together.expect("valid");
        for skew in [1.0, 2.0] {
            let found = together
                .at("stacked counting", skew, 20.0)
                .expect("measured");
            assert_eq!(found.known, alone(skew));
        }
    }
}
