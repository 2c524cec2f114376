//! What metrics did at other places, where nobody asked.

use super::tail::tail;

/// What stands out less needs no past to be seen as ordinary.
const STANDS_OUT: f64 = 3.0;
/// At most so many places of a metric are counted: one that stands out all the time has a usual size
/// that says so.
const MOST: usize = 20;

/// Where else a metric would have been evidence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// How many independent places were looked at.
    places: f64,
    /// How unlikely what stood out was, each by its tail of Student's t.
    tails: Vec<f64>,
}

/// What a usual size is at least.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Least {
    /// By itself.
    pub(crate) size: f64,
    /// Added to it.
    pub(crate) margin: f64,
}

impl Past {
    /// Of a statistic at many places, `NaN` where it is not known. What happens at a place is also in
    /// `reach` places before it and after it.
    /// What is unusual at a place is judged by all that do not overlap it, as a window is. Its usual
    /// size rests on `degrees` of all places, and never on more than `most`.
    pub(crate) fn new(
        values: &[f64],
        places: f64,
        reach: [usize; 2],
        least: Least,
        [degrees, most]: [f64; 2],
    ) -> Past {
        let places = if places.is_finite() { places.max(0.0) } else { 0.0 };
        let mut left = values.to_vec();
        let whole = Sums::of(values);
        let mut tails = Vec::new();
        while tails.len() < MOST {
            // What is not known is never the larger one.
            let largest = left.iter().fold(0.0_f64, |largest, value| value.abs().max(largest));
            let Some(at) = left.iter().position(|value| value.abs() == largest) else { break };
            let near =
                at.saturating_sub(reach[0])..at.saturating_add(reach[1] + 1).min(values.len());
            let others = whole.without(Sums::of(values.get(near.clone()).unwrap_or_default()));
            let z = largest / (others.size().max(least.size) + least.margin);
            if others.count == 0.0 || z.is_nan() || z < STANDS_OUT {
                break;
            }
            // Without it the size is known better, as it is for a window.
            let degrees = degrees * (whole.kurtosis() - 1.0) / (others.kurtosis() - 1.0);
            // What it never did elsewhere is as unusual as anything.
            tails.push(if z.is_finite() { tail(z, degrees.min(most)) } else { 0.0 });
            left.get_mut(near).unwrap_or_default().fill(f64::NAN);
        }
        Past { places, tails }
    }

    /// Of one metric, by another statistic as well.
    #[must_use]
    pub fn and(mut self, other: Past) -> Past {
        self.tails.extend(other.tails);
        // The same places were looked at, as far as both did.
        Past { places: self.places.min(other.places), tails: self.tails }
    }
}

/// Sums of even powers of values, of which some are not known.
#[derive(Clone, Copy)]
struct Sums {
    count: f64,
    squares: f64,
    fourths: f64,
}

impl Sums {
    fn of(values: &[f64]) -> Sums {
        let mut sums = Sums { count: 0.0, squares: 0.0, fourths: 0.0 };
        for square in values.iter().filter(|value| !value.is_nan()).map(|value| value * value) {
            sums.count += 1.0;
            sums.squares += square;
            sums.fourths += square * square;
        }
        sums
    }

    fn without(self, some: Sums) -> Sums {
        Sums {
            count: self.count - some.count,
            squares: (self.squares - some.squares).max(0.0),
            fourths: (self.fourths - some.fourths).max(0.0),
        }
    }

    /// The root mean square.
    fn size(self) -> f64 {
        (self.squares / self.count.max(1.0)).sqrt()
    }

    /// At least that of the normal distribution.
    fn kurtosis(self) -> f64 {
        // NaN is never the larger one.
        (self.count * self.fourths / (self.squares * self.squares)).max(3.0)
    }
}

/// What all metrics did at all places: how often something stands out, whatever the metric.
///
/// Student's t knows the usual size of a metric, not what it does once in a long while. All metrics
/// together have seen that often enough to tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pool {
    places: f64,
    /// Smallest first.
    tails: Vec<f64>,
    /// Whether Student's t had occasion enough to be wrong.
    is_enough: bool,
    /// Student's t alone calls what has a tail below.
    called: f64,
}

/// So many places show whether Student's t calls what is nothing. If it does so in a share s of
/// windows, it has not in N of them and does in the next with probability (1 - s)^N s, which is at most
/// 1/(e N) or so: below 5% from here on.
const ENOUGH: f64 = 8.0;
/// A metric is called something if its q is below this.
pub(crate) const CALLED: f64 = 0.05;

impl Pool {
    /// Of every past of so many metrics: one that is in several runs has several.
    #[must_use]
    pub fn new<'p>(pasts: impl IntoIterator<Item = &'p Past>, metrics: usize) -> Pool {
        let mut pool = Pool::default();
        let mut count = 0.0;
        for past in pasts {
            count += 1.0;
            pool.places += past.places;
            pool.tails.extend(&past.tails);
        }
        pool.tails.sort_by(f64::total_cmp);
        // In two families.
        pool.called = CALLED / (2.0 * metrics.max(1) as f64);
        pool.is_enough = count > 0.0 && pool.places >= ENOUGH * count;
        pool
    }

    /// Whether anything can be sure by itself, however clear it is.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.is_enough
    }

    /// Whether Student's t can be believed: it has called nothing anywhere else, or nothing elsewhere
    /// comes near to this. Its logarithm is twice as far away as that of the next: what comes from one
    /// source is closer together.
    fn is_alone(&self, tail: f64) -> bool {
        let next = self.tails.first().copied().unwrap_or(1.0);
        self.is_enough && (next > self.called || tail <= next * next)
    }

    /// How often something at least as unlikely is seen at a place, at the least.
    #[must_use]
    pub fn share(&self, tail: f64) -> f64 {
        if self.is_alone(tail) {
            return 0.0;
        }
        // The one that is asked about included.
        let as_unlikely = self.tails.partition_point(|one| *one <= tail);
        ((1 + as_unlikely) as f64 / (1.0 + self.places)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Least = Least { size: 0.0, margin: 0.0 };

    fn quiet(places: usize) -> Vec<f64> {
        (0..places).map(|n| if n % 2 == 0 { 1.0 } else { -1.0 }).collect()
    }

    #[test]
    fn each_place_is_judged_by_the_others() {
        let mut values = quiet(1000);
        assert!(Past::new(&values, 100.0, [9; 2], NONE, [50.0; 2]).tails.is_empty());
        values[300..310].fill(50.0);
        values[700..705].fill(-8.0);
        values[0] = f64::NAN;
        let past = Past::new(&values, 100.0, [9; 2], NONE, [50.0; 2]);
        // The first by quiet values and the smaller burst; the second by the larger one as well.
        assert_eq!(past.tails.len(), 1, "{past:?}");
        assert!(past.tails[0] < 1e-20, "{past:?}");
        values[300..310].fill(9.0);
        let past = Past::new(&values, 100.0, [9; 2], NONE, [50.0; 2]);
        assert_eq!(past.tails.len(), 2, "{past:?}");
    }

    #[test]
    fn what_never_happened_is_as_unusual_as_anything() {
        let mut values = vec![0.0; 100];
        assert!(Past::new(&values, 10.0, [9; 2], NONE, [10.0; 2]).tails.is_empty());
        values[50] = 1e-3;
        assert_eq!(Past::new(&values, 10.0, [9; 2], NONE, [10.0; 2]).tails, [0.0]);
        let margin = Least { size: 0.0, margin: 1.0 };
        assert!(Past::new(&values, 10.0, [9; 2], margin, [10.0; 2]).tails.is_empty());
        for hostile in [vec![], vec![f64::NAN; 9], vec![5.0; 3]] {
            assert!(Past::new(&hostile, f64::NAN, [9; 2], NONE, [f64::NAN; 2]).tails.is_empty());
        }
    }

    #[test]
    fn the_pool_counts_places() {
        let one = Past { places: 30.0, tails: vec![1e-5, 1e-3] };
        let shape = Past { places: 20.0, tails: vec![1e-9] };
        let pool = Pool::new(&[one.and(shape), Past { places: 79.0, tails: vec![] }], 2);
        let shares = [1e-10, 1e-9, 1e-4, 0.5].map(|tail| pool.share(tail));
        assert_eq!(shares, [0.01, 0.02, 0.03, 0.04]);
        assert_eq!(Pool::default().share(1e-9), 1.0);
    }

    /// Student's t is believed if it was never wrong, for long enough.
    #[test]
    fn a_calm_past_says_nothing_against_it() {
        let past = |places: f64, tails: &[f64]| Past { places, tails: tails.to_vec() };
        let share = |one: Past, other: Past| Pool::new(&[one, other], 2).share(1e-3);
        assert_eq!(share(past(10.0, &[]), past(6.0, &[0.013])), 0.0);
        assert_eq!(share(past(10.0, &[]), past(5.0, &[0.013])), 1.0 / 16.0);
        assert_eq!(share(past(10.0, &[]), past(6.0, &[0.012])), 1.0 / 17.0);
        // Among more metrics it takes more.
        let pool = Pool::new(&[past(10.0, &[]), past(6.0, &[0.012])], 3);
        assert_eq!(pool.share(1e-3), 0.0);
    }

    #[test]
    fn what_is_far_beyond_everything_is_believed() {
        let pool =
            |places: f64, tails: &[f64]| Pool::new(&[Past { places, tails: tails.to_vec() }], 300);
        let some = pool(9.0, &[1e-5, 1e-2]);
        assert_eq!([1e-9, 1e-10].map(|tail| some.share(tail)), [0.1, 0.0]);
        assert!(some.is_enough());
        let few = pool(7.0, &[1e-5]);
        assert_eq!((few.share(1e-12), few.is_enough()), (1.0 / 8.0, false));
        assert!(!Pool::default().is_enough());
    }
}
