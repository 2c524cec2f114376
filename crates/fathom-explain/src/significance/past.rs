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
    /// Of a statistic at many places, `NaN` where it is not known. Places closer than `reach` overlap.
    /// What is unusual at a place is judged by all that do not overlap it, as a window is.
    pub(crate) fn new(
        values: &[f64],
        places: f64,
        reach: usize,
        least: Least,
        degrees: f64,
    ) -> Past {
        let mut left = values.to_vec();
        let square = |value: &f64| if value.is_nan() { 0.0 } else { value * value };
        let whole: f64 = values.iter().map(square).sum();
        let count = values.iter().filter(|value| !value.is_nan()).count();
        let mut tails = Vec::new();
        while tails.len() < MOST {
            // What is not known is never the larger one.
            let largest = left.iter().fold(0.0_f64, |largest, value| value.abs().max(largest));
            let Some(at) = left.iter().position(|value| value.abs() == largest) else { break };
            let near = at.saturating_sub(reach.saturating_sub(1))..(at + reach).min(values.len());
            let around = values.get(near.clone()).unwrap_or_default();
            let known = around.iter().filter(|value| !value.is_nan()).count();
            let others = (whole - around.iter().map(square).sum::<f64>()).max(0.0);
            let size = (others / (count - known).max(1) as f64).sqrt().max(least.size);
            let z = largest / (size + least.margin);
            if count == known || z.is_nan() || z < STANDS_OUT {
                break;
            }
            // What it never did elsewhere is as unusual as anything.
            tails.push(if z.is_finite() { tail(z, degrees) } else { 0.0 });
            left.get_mut(near).unwrap_or_default().fill(f64::NAN);
        }
        Past { places: if places.is_finite() { places.max(0.0) } else { 0.0 }, tails }
    }

    /// Of one metric, by another statistic as well.
    #[must_use]
    pub fn and(mut self, other: Past) -> Past {
        self.tails.extend(other.tails);
        // The same places were looked at, as far as both did.
        Past { places: self.places.min(other.places), tails: self.tails }
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
}

impl Pool {
    /// Of the past of every metric.
    #[must_use]
    pub fn new<'p>(metrics: impl IntoIterator<Item = &'p Past>) -> Pool {
        let mut pool = Pool::default();
        for past in metrics {
            pool.places += past.places;
            pool.tails.extend(&past.tails);
        }
        pool.tails.sort_by(f64::total_cmp);
        pool
    }

    /// How often something at least as unlikely was seen at a place, this one included.
    #[must_use]
    pub fn share(&self, tail: f64) -> f64 {
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
        assert!(Past::new(&values, 100.0, 10, NONE, 50.0).tails.is_empty());
        values[300..310].fill(50.0);
        values[700..705].fill(-8.0);
        values[0] = f64::NAN;
        let past = Past::new(&values, 100.0, 10, NONE, 50.0);
        // The first by quiet values and the smaller burst; the second by the larger one as well.
        assert_eq!(past.tails.len(), 1, "{past:?}");
        assert!(past.tails[0] < 1e-20, "{past:?}");
        values[300..310].fill(9.0);
        let past = Past::new(&values, 100.0, 10, NONE, 50.0);
        assert_eq!(past.tails.len(), 2, "{past:?}");
    }

    #[test]
    fn what_never_happened_is_as_unusual_as_anything() {
        let mut values = vec![0.0; 100];
        assert!(Past::new(&values, 10.0, 10, NONE, 10.0).tails.is_empty());
        values[50] = 1e-3;
        assert_eq!(Past::new(&values, 10.0, 10, NONE, 10.0).tails, [0.0]);
        let margin = Least { size: 0.0, margin: 1.0 };
        assert!(Past::new(&values, 10.0, 10, margin, 10.0).tails.is_empty());
        for hostile in [vec![], vec![f64::NAN; 9], vec![5.0; 3]] {
            assert!(Past::new(&hostile, f64::NAN, 10, NONE, f64::NAN).tails.is_empty());
        }
    }

    #[test]
    fn the_pool_counts_places() {
        let one = Past { places: 30.0, tails: vec![1e-5, 1e-3] };
        let shape = Past { places: 20.0, tails: vec![1e-9] };
        let pool = Pool::new(&[one.and(shape), Past { places: 79.0, tails: vec![] }]);
        let shares = [1e-12, 1e-9, 1e-4, 0.5].map(|tail| pool.share(tail));
        assert_eq!(shares, [0.01, 0.02, 0.03, 0.04]);
        assert_eq!(Pool::default().share(1e-9), 1.0);
    }
}
