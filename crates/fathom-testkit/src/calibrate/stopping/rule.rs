//! Rules that end a measurement: Fathom's and others.

use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{Estimate, EstimateRequest, Subject, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::{Confidence, Interval};

/// A rule that ends a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// What `fathom run` does.
    Fathom,
    /// Look after every run, from the first interval on.
    EveryRun,
    /// Look when the runs have grown by this factor, and spend this share of the error.
    Growing(f64, f64),
    /// Look when the runs have grown by a quarter, and stop only if two looks in a row are narrow.
    Twice,
    /// Look next when it should be narrow by what was seen, after a quarter more at least and
    /// twice as many at most.
    Planned,
    /// Look when the runs have grown by a half, and share the error by all looks there may be.
    Shared,
}

/// The fewest samples that have an interval.
const FIRST: usize = 20;

impl Rule {
    pub(super) const OTHERS: [Rule; 8] = [
        Rule::Fathom,
        Rule::EveryRun,
        Rule::Growing(1.25, 1.0),
        Rule::Growing(1.25, 0.7),
        Rule::Growing(1.5, 1.0),
        Rule::Twice,
        Rule::Planned,
        Rule::Shared,
    ];

    pub(super) fn name(self) -> String {
        match self {
            Rule::Fathom => "Fathom's".to_string(),
            Rule::EveryRun => "every run".to_string(),
            Rule::Growing(factor, 1.0) => format!("× {factor}"),
            Rule::Growing(factor, spent) => format!("× {factor}, {:.0}% spent", 100.0 * spent),
            Rule::Twice => "× 1.25, two in a row".to_string(),
            Rule::Planned => "planned".to_string(),
            Rule::Shared => "× 1.5, shared".to_string(),
        }
    }

    /// The share of the error that a look may spend.
    fn spent(self, most: usize) -> f64 {
        match self {
            Rule::Growing(_, spent) => spent,
            Rule::Shared => {
                let looks = (most as f64 / FIRST as f64).ln() / 1.5_f64.ln();
                1.0 / (looks.ceil() + 1.0)
            }
            _ => 1.0,
        }
    }

    /// Measures `values` until the rule stops: the interval, after how many runs, and whether it
    /// was narrow. `stop` has the precision and the limits.
    pub(super) fn measure(
        self,
        values: &[f64],
        stop: &StoppingRule,
        request: &EstimateRequest,
    ) -> Option<(Option<Interval>, usize, bool)> {
        let most = stop.most.min(values.len());
        let mut request = request.clone();
        let alpha = self.spent(most) * request.confidence.alpha();
        request.confidence = Confidence::new(1.0 - alpha).ok()?;
        let mut n = if self == Rule::Fathom { stop.next_look(0)? } else { FIRST };
        let mut was_narrow = false;
        loop {
            let series = Series::new("run", Unit::SECONDS, values[..n].to_vec()).ok()?;
            let subject = if self == Rule::Fathom {
                stop.analyze(series, &request)
            } else {
                analyze(series, &request)
            };
            let is_narrow = match self {
                Rule::Fathom => stop.is_reached(&subject),
                _ => subject.estimates.iter().all(|estimate| {
                    half_width(estimate) <= stop.precision.get() * estimate.value.abs()
                }),
            };
            let is_over = match self {
                Rule::Twice => is_narrow && was_narrow,
                _ => is_narrow,
            };
            if is_over || n >= most {
                return Some((subject.estimates[0].interval(), n, is_narrow));
            }
            was_narrow = is_narrow;
            n = match self {
                Rule::Fathom => stop.next_look(n)?,
                Rule::EveryRun => n + 1,
                Rule::Growing(factor, _) => (n as f64 * factor).ceil() as usize,
                Rule::Twice => (n as f64 * 1.25).ceil() as usize,
                Rule::Shared => (n as f64 * 1.5).ceil() as usize,
                Rule::Planned => planned(&subject, stop, n),
            }
            .min(most);
        }
    }
}

fn planned(subject: &Subject, stop: &StoppingRule, n: usize) -> usize {
    let size = n as f64;
    let estimate = &subject.estimates[0];
    let factor = half_width(estimate) / (stop.precision.get() * estimate.value.abs());
    (size * factor * factor).clamp(1.25 * size, 2.0 * size).ceil() as usize
}

/// Half the width of an interval that holds without a condition.
fn half_width(estimate: &Estimate) -> f64 {
    let interval = estimate.interval().filter(|_| !estimate.if_independent);
    interval.map_or(f64::INFINITY, |found| 0.5 * found.width())
}
