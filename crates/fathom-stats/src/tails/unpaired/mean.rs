//! The ratio of two means of separate results.

use super::{Sides, UnpairedRuns};
use crate::LogRatioInterval;
use crate::distribution::student_t;
use crate::mean::{Moments, SkewnessVerdict, skewness_verdict};
use crate::tails::p_value::p_value;
use crate::tails::rare_runs::{DrawnEnds, FARTHER, Weights, fewest_runs};
use crate::tails::{Shortage, TailRatio};

struct Side {
    /// The logarithm of the largest run: the others are parts of it, so that nothing overflows.
    log_unit: f64,
    parts: Vec<f64>,
    moments: Moments,
    /// The variance of the mean.
    error: f64,
    freedom: f64,
}

/// What runs are worth at least that have an interval.
const LEAST_EFFECTIVE: f64 = 4.0;

impl Side {
    fn of(runs: UnpairedRuns<'_>) -> Side {
        let largest = runs.values().iter().copied().fold(0.0, f64::max);
        let parts: Vec<f64> = runs.values().iter().map(|run| run / largest).collect();
        let one = Moments { n: 1, mean: 1.0, sd: 0.0, skewness: 0.0 };
        let moments = Moments::of(&parts).unwrap_or(one);
        let effective = runs.effective();
        let is_thin = effective < parts.len() as f64;
        // The long-run variance of dependent runs is known from far fewer quantities.
        let freedom = if is_thin { 0.5 * effective } else { effective - 1.0 };
        let error = moments.sd * moments.sd / effective;
        Side { log_unit: largest.ln(), parts, moments, error, freedom }
    }

    /// The variance and the third cumulant of the mean of independent runs, of a side whose mean is one.
    fn cumulants(&self) -> [f64; 2] {
        let Moments { n, mean, sd, skewness } = self.moments;
        let (n, spread) = (n as f64, sd / mean);
        [spread * spread / n, skewness * spread.powi(3) / (n * n)]
    }

    /// Like the run that is farthest up or down, and twice as far out.
    fn farther(&self, is_up: bool) -> f64 {
        let farthest = match is_up {
            true => self.parts.iter().copied().fold(0.0, f64::max),
            false => self.parts.iter().copied().fold(f64::INFINITY, f64::min),
        };
        // Nothing takes less than no time.
        (self.moments.mean + FARTHER * (farthest - self.moments.mean)).max(0.0)
    }

    /// Its mean with weights that chance gives the runs, and with one more far down, or far up.
    fn weighted(&self, weights: &mut Weights, [down, up]: [f64; 2]) -> [f64; 2] {
        let (sum, total) = self.parts.iter().fold((0.0, 0.0), |(sum, total), part| {
            let weight = weights.next();
            (sum + weight * part, total + weight)
        });
        let one = weights.next();
        [down, up].map(|more| (sum + one * more) / (total + one))
    }
}

/// Whether few runs decide the ratio: as in blocks, by the skewness of its estimate.
fn few_runs_decide(subject: &Side, reference: &Side) -> bool {
    let ([up, right], [down, left]) = (subject.cumulants(), reference.cumulants());
    let (variance, third) = (up + down, right - left);
    let n = subject.moments.n.min(reference.moments.n);
    // Of values whose mean is as skewed.
    let skewness = (n as f64).sqrt() * third / variance.powf(1.5);
    let moments = Moments { n, mean: 1.0, sd: 1.0, skewness };
    variance > 0.0 && skewness_verdict(&moments) == SkewnessVerdict::Doubtful
}

/// Log-ratios with weights that chance gives the runs of both.
fn with_one_more_run(subject: &Side, reference: &Side, alpha: f64) -> DrawnEnds {
    // The same two results have the same interval, whichever is the reference.
    const SEED: u64 = 1;
    let is_turned = subject.parts < reference.parts;
    let (first, second) = if is_turned { (reference, subject) } else { (subject, reference) };
    let more = |side: &Side| [side.farther(false), side.farther(true)];
    let (of_first, of_second) = (more(first), more(second));
    let units = first.log_unit - second.log_unit;
    DrawnEnds::of(alpha, SEED, |weights| {
        let [low, high] = first.weighted(weights, of_first);
        let [below, above] = second.weighted(weights, of_second);
        let (lower, upper) = ((low / above).ln() + units, (high / below).ln() + units);
        if is_turned { [-upper, -lower] } else { [lower, upper] }
    })
}

/// Fieller's interval for the ratio of the means, as logarithms.
fn fieller(subject: &Side, reference: &Side, alpha: f64) -> LogRatioInterval {
    let end = |above: &Side, below: &Side| {
        // The largest ratio r with (above − r·below)² ≤ t²(e_above + r²·e_below).
        let ratio = above.moments.mean / below.moments.mean;
        let (a, b) = (above.error, ratio * ratio * below.error);
        let freedom = (a + b).powi(2) / (a * a / above.freedom + b * b / below.freedom);
        let t = if a + b > 0.0 { -student_t::quantile(freedom.max(1.0), 0.5 * alpha) } else { 0.0 };
        let quadratic = below.moments.mean.powi(2) - t * t * below.error;
        if quadratic <= 0.0 {
            return f64::INFINITY;
        }
        let linear = above.moments.mean * below.moments.mean;
        let rest = above.moments.mean.powi(2) - t * t * above.error;
        let root = (linear * linear - quadratic * rest).max(0.0).sqrt();
        ((linear + root) / quadratic).ln() + above.log_unit - below.log_unit
    };
    LogRatioInterval { lower: -end(reference, subject), upper: end(subject, reference) }
}

pub(super) fn look_at(sides: Sides<'_>) -> TailRatio {
    let n = sides.least();
    let [subject, reference] = [sides.subject, sides.reference].map(Side::of);
    let log_ratio = (subject.moments.mean / reference.moments.mean).ln() + subject.log_unit
        - reference.log_unit;
    let least = sides.subject.effective().min(sides.reference.effective());
    let one_more = few_runs_decide(&subject, &reference)
        .then(|| with_one_more_run(&subject, &reference, sides.alpha));
    let interval = |alpha: f64| {
        if n < fewest_runs(alpha) || least < LEAST_EFFECTIVE {
            return LogRatioInterval::EVERYTHING;
        }
        let LogRatioInterval { mut lower, mut upper } = fieller(&subject, &reference, alpha);
        if let Some([low, high]) = one_more.as_ref().map(|ends| ends.at(alpha)) {
            // Draws take the runs as independent; dependent ones are worth less.
            let widening = sides.thinness().sqrt();
            lower = lower.min(log_ratio - widening * (log_ratio - low));
            upper = upper.max(log_ratio + widening * (high - log_ratio));
        }
        LogRatioInterval {
            lower: lower.min(log_ratio) - sides.tick,
            upper: upper.max(log_ratio) + sides.tick,
        }
    };
    let found = interval(sides.alpha);
    let needed = (LEAST_EFFECTIVE * sides.thinness()).ceil() as usize;
    let fewest = fewest_runs(sides.alpha);
    TailRatio {
        log_ratio,
        interval: found,
        shortage: (!found.is_finite()).then(|| match (n < fewest, least < LEAST_EFFECTIVE) {
            (true, _) => Shortage::RareRuns { needed: fewest },
            (false, true) => Shortage::Dependent { needed: needed.max(n + 1) },
            // A mean that may be zero needs more: how many more is as unknown as its variance.
            (false, false) => Shortage::Blocks { needed: 2 * n },
        }),
        used: n,
        thinness: sides.thinness(),
        shape: 1.0,
        p_value: p_value(|alpha| !interval(alpha).contains(0.0)),
        may_decide: true,
    }
}
