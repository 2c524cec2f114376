//! How far chance moves a mean, for values that depend on each other.

/// Dependence is looked for in neighbours up to this many values apart.
const LAGS: usize = 4;
/// Correlations are at most this far from 0.
const CLOSEST: f64 = 0.999_99;
/// Of a random walk the sum has no bound; this is far enough.
const LARGEST: f64 = 1e5;

/// Products of what a fit leaves, of values 0 to 4 apart, summed up over a stretch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Products {
    sums: [f64; LAGS + 1],
    count: usize,
}

impl Products {
    /// Of what is left in one stretch.
    pub(crate) fn of(left: &[f64]) -> Products {
        let lag = |lag: usize| left.iter().zip(left.iter().skip(lag)).map(|(a, b)| a * b).sum();
        Products { sums: std::array::from_fn(lag), count: left.len() }
    }

    /// Of how many values.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Of two stretches.
    pub(crate) fn and(mut self, other: &Products) -> Products {
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        self.count += other.count;
        self
    }
}

/// The noise of a series around what was fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noise {
    /// The variance of a value.
    pub(crate) variance: f64,
    /// By how much dependence makes the variance of a sum larger.
    pub(crate) factor: f64,
}

impl Noise {
    /// From what a fit of this many numbers left.
    ///
    /// A fit takes away what it follows, and of dependent values it follows much: f numbers in n
    /// take the share f · factor / n. That is given back, which changes the factor; after some
    /// rounds it stays.
    pub(crate) fn of(products: &Products, fitted: usize) -> Noise {
        let n = products.count.max(1) as f64;
        let [square, rest @ ..] = products.sums;
        let orders = (products.count / 30).clamp(1, LAGS);
        let mut factor = 1.0;
        let mut taken = 0.0;
        if square > 0.0 {
            for _ in 0..12 {
                taken = (factor * fitted as f64 / n).min(0.5);
                let correlations: Vec<f64> = rest
                    .iter()
                    .take(orders)
                    .map(|sum| (sum / square * (1.0 - taken) + taken).clamp(-CLOSEST, CLOSEST))
                    .collect();
                factor = inflation(&correlations).clamp(1.0, LARGEST);
            }
        }
        Noise { variance: square / n / (1.0 - taken), factor }
    }

    /// The variance of the mean of this many values.
    pub(crate) fn of_mean(&self, length: usize) -> f64 {
        self.variance * (self.factor / length.max(1) as f64).min(1.0)
    }
}

/// The largest inflation that an autoregression of any of these orders has, by Levinson's recursion.
fn inflation(correlations: &[f64]) -> f64 {
    let mut largest = 1.0_f64;
    let mut weights: Vec<f64> = Vec::new();
    let mut left = 1.0;
    for (order, &correlation) in correlations.iter().enumerate() {
        let before: f64 =
            weights.iter().zip(correlations.iter().take(order).rev()).map(|(w, r)| w * r).sum();
        let partial: f64 = ((correlation - before) / left).clamp(-CLOSEST, CLOSEST);
        let turned: Vec<f64> = weights.iter().rev().copied().collect();
        weights.iter_mut().zip(turned).for_each(|(weight, mirror)| *weight -= partial * mirror);
        weights.push(partial);
        left *= 1.0 - partial * partial;
        let gain = 1.0 - weights.iter().sum::<f64>();
        if gain <= 0.0 {
            return LARGEST;
        }
        largest = largest.max(left / (gain * gain));
    }
    largest
}
