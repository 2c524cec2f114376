//! Rules that end a measurement: Fathom's and others.

use fathom_analyze::stopping::StoppingRule;
use fathom_analyze::{Request, Subject, analyze};
use fathom_record::{Series, Unit};
use fathom_stats::{Confidence, Interval};

/// A rule that ends a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// What `fathom run` does.
    Fathom,
    /// Look after every run, at the confidence asked for.
    EveryRun,
    /// Look when the runs have grown by this factor, at the confidence asked for.
    Growing(f64),
    /// The same, and stop only if two looks in a row are narrow.
    Twice(f64),
    /// Look next when it should be narrow by what was seen, after a quarter more at least and
    /// twice as many at most.
    Planned,
    /// Growing, and the error shared by all looks there may be.
    Shared(f64),
}

impl Rule {
    pub(super) const OTHERS: [Rule; 7] = [
        Rule::Fathom,
        Rule::EveryRun,
        Rule::Growing(1.25),
        Rule::Growing(1.5),
        Rule::Twice(1.25),
        Rule::Planned,
        Rule::Shared(1.5),
    ];

    pub(super) fn name(self) -> String {
        match self {
            Rule::Fathom => "Fathom's".to_string(),
            Rule::EveryRun => "every run".to_string(),
            Rule::Growing(factor) => format!("× {factor}"),
            Rule::Twice(factor) => format!("× {factor}, two in a row"),
            Rule::Planned => "planned".to_string(),
            Rule::Shared(factor) => format!("× {factor}, error shared"),
        }
    }

    /// Measures `values` until the rule stops: the interval, after how many runs, and whether it
    /// was narrow. `stop` has the precision and the limits.
    pub(super) fn measure(
        self,
        values: &[f64],
        stop: &StoppingRule,
        request: &Request,
    ) -> Option<(Option<Interval>, usize, bool)> {
        const FIRST: usize = 20;
        let most = stop.most.min(values.len());
        let mut request = request.clone();
        if let Rule::Shared(factor) = self {
            let looks = (most as f64 / FIRST as f64).ln() / factor.ln();
            let alpha = request.confidence.alpha() / (looks.ceil() + 1.0);
            request.confidence = Confidence::new(1.0 - alpha).ok()?;
        }
        let mut n = stop.next_look(0)?;
        let mut was_narrow = false;
        loop {
            let series = Series::new("run", Unit::SECONDS, values[..n].to_vec()).ok()?;
            let subject = if self == Rule::Fathom {
                stop.analyze(series, &request)
            } else {
                analyze(series, &request)
            };
            let is_narrow = stop.is_reached(&subject);
            let is_over = match self {
                Rule::Twice(_) => is_narrow && was_narrow,
                _ => is_narrow,
            };
            if is_over || n >= most {
                return Some((subject.estimates[0].interval(), n, is_narrow));
            }
            was_narrow = is_narrow;
            n = match self {
                Rule::Fathom => stop.next_look(n)?,
                Rule::EveryRun => n + 1,
                Rule::Growing(factor) | Rule::Twice(factor) | Rule::Shared(factor) => {
                    (n as f64 * factor).ceil() as usize
                }
                Rule::Planned => planned(&subject, stop, n),
            }
            .min(most);
        }
    }
}

fn planned(subject: &Subject, stop: &StoppingRule, n: usize) -> usize {
    let size = n as f64;
    let estimate = &subject.estimates[0];
    let half_width = estimate.interval().map_or(f64::INFINITY, |found| 0.5 * found.width());
    let factor = half_width / (stop.precision.get() * estimate.value.abs());
    (size * factor * factor).clamp(1.25 * size, 2.0 * size).ceil() as usize
}
