//! What the data sets gave.

use super::methods::Method;
use super::shapes::Shape;
use fathom_explain::Correlator;
use fathom_stats::bca::{BootstrapStatistic, Resampling, interval};
use fathom_stats::{Confidence, Interval, Sides};

/// How well every method agreed with the labels, in each data set.
pub(super) struct Found {
    pub(super) methods: Vec<Method>,
    /// By shape and data set, one for each method; `None` where it had nothing to say.
    pub(super) by_shape: Vec<Vec<Vec<Option<f64>>>>,
}

/// A mean over data sets and its 95% interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mean {
    pub(super) value: f64,
    /// `None` if all data sets have the same.
    pub(super) interval: Option<Interval>,
}

impl Mean {
    pub(super) fn of(values: &[f64], seed: u64) -> Mean {
        let value = values.iter().sum::<f64>() / values.len().max(1) as f64;
        let interval = Confidence::new(0.95).ok().and_then(|level| {
            let how = Resampling::seeded(seed);
            interval(values, BootstrapStatistic::Mean, level, Sides::Both, how).ok()
        });
        Mean { value, interval }
    }

    /// Whether the interval is above 0.
    pub(super) fn is_surely_positive(&self) -> bool {
        self.interval.is_some_and(|interval| interval.lower > 0.0)
    }

    pub(super) fn said(&self) -> String {
        match &self.interval {
            Some(interval) => {
                format!(
                    "{} [{}, {}]",
                    short(self.value),
                    short(interval.lower),
                    short(interval.upper)
                )
            }
            None => short(self.value),
        }
    }
}

impl Found {
    fn place(&self, method: Method) -> usize {
        self.methods.iter().position(|one| *one == method).unwrap_or(0)
    }

    /// The data sets of a shape.
    fn sets(&self, shape: Shape) -> &[Vec<Option<f64>>] {
        let place = Shape::ALL.iter().position(|one| *one == shape).unwrap_or(0);
        self.by_shape.get(place).map_or(&[], Vec::as_slice)
    }

    /// How well a method agrees, by data set. A method without scores has ranked nothing: 0.
    pub(super) fn values(&self, shape: Shape, method: Method) -> Vec<f64> {
        let place = self.place(method);
        let value = |set: &Vec<Option<f64>>| set.get(place).copied().flatten().unwrap_or(0.0);
        self.sets(shape).iter().map(value).collect()
    }

    pub(super) fn answers(&self, shape: Shape, method: Method) -> bool {
        let place = self.place(method);
        self.sets(shape).iter().any(|set| set.get(place).copied().flatten().is_some())
    }

    pub(super) fn mean(&self, shape: Shape, method: Method) -> Mean {
        Mean::of(&self.values(shape, method), super::SEED)
    }

    /// Over all seven shapes: the mean of the shapes in each data set, then over data sets.
    pub(super) fn overall(&self, method: Method) -> Mean {
        let by_shape = Shape::ALL.map(|shape| self.values(shape, method));
        let sets = by_shape.first().map_or(0, Vec::len);
        let mean = |set: usize| {
            by_shape.iter().filter_map(|values| values.get(set)).sum::<f64>()
                / by_shape.len() as f64
        };
        Mean::of(&(0..sets).map(mean).collect::<Vec<f64>>(), super::SEED)
    }

    /// The shape in which a method does worst, and how well it does there.
    pub(super) fn worst(&self, method: Method) -> (Shape, f64) {
        let all = Shape::ALL.map(|shape| (shape, self.mean(shape, method).value));
        let worst = all.into_iter().min_by(|a, b| a.1.total_cmp(&b.1));
        worst.unwrap_or((Shape::GrowthWhole, 0.0))
    }

    /// By how much one method is ahead of another: both rank the same data sets.
    pub(super) fn ahead(&self, shape: Shape, one: Correlator, other: Correlator) -> Mean {
        let one = self.values(shape, Method::Ours(one));
        let other = self.values(shape, Method::Ours(other));
        let difference: Vec<f64> = one.iter().zip(&other).map(|(a, b)| a - b).collect();
        Mean::of(&difference, super::SEED)
    }
}

/// Two digits, as the paper has them, without the 0 before the point.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = if text == "-0.00" { "0.00".to_string() } else { text };
    text.replacen("0.", ".", usize::from(value.abs() < 0.995))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_means_have_intervals() {
        let said = [0.884, 1.0, -0.25, -0.001, 0.999, 0.0].map(short);
        assert_eq!(said, [".88", "1.00", "-.25", ".00", "1.00", ".00"]);
        let mean = Mean::of(&[0.1, 0.2, 0.3, 0.2, 0.1, 0.3], 1);
        assert!((mean.value - 0.2).abs() < 1e-12 && mean.is_surely_positive());
        assert_eq!(Mean::of(&[0.0; 5], 1).said(), ".00");
    }
}
