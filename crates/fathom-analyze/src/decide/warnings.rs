//! What may be wrong with a subject's estimates, each warning with what to do.

use super::independent::Independent;
use super::{Estimate, Method, Outcome, Request, Statistic};
use crate::report::Levels;
use fathom_record::Series;
use fathom_stats::mean::{Moments, SkewnessVerdict, skewness_verdict};
use fathom_stats::{Interval, Probability, Sides};

pub(super) fn warnings(
    series: &Series,
    independent: &Independent<'_>,
    estimates: &[Estimate],
    request: &Request,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let values = series.values();
    if values.len() > 1 && values.iter().all(|&value| value == values[0]) {
        warnings.push(format!(
            "resolution-limited: all {} samples are {}{}; time a larger batch of work, or use a \
             finer clock",
            values.len(),
            values[0],
            with_space(series.unit().symbol()),
        ));
    }
    match independent.levels() {
        Levels::Pooled { executions } => warnings.push(format!(
            "values of {executions} executions were pooled as if they were independent \
             (--assume-independent); the intervals are too narrow if executions differ"
        )),
        Levels::Executions { .. } => {
            let tail = estimates.iter().find(|estimate| {
                matches!(estimate.statistic, Statistic::Quantile(p) if p != Probability::HALF)
            });
            if let Some(Estimate { statistic, .. }) = tail {
                warnings.push(format!(
                    "{statistic} is the {statistic} of the executions' medians, not of single \
                     values; for those use --assume-independent, or one value per execution"
                ));
            }
        }
        Levels::Values => {}
    }
    for estimate in estimates {
        warnings.extend(of_estimate(estimate));
    }
    if estimates.iter().any(|estimate| matches!(estimate.method, Method::T | Method::Z)) {
        warnings.extend(of_skewness(&independent.samples(Statistic::Mean), request));
    }
    warnings
}

fn of_estimate(estimate: &Estimate) -> Option<String> {
    let Estimate { statistic, method, n_used, .. } = estimate;
    match &estimate.outcome {
        Outcome::Declined { reason } => Some(format!(
            "no {method} interval for the {statistic}: {reason}; {}",
            match (method, statistic) {
                (Method::Bca, Statistic::Quantile(_)) =>
                    "use --method exact, which takes duplicates",
                _ => "use --statistic median, whose interval takes duplicates",
            }
        )),
        Outcome::Interval { interval, samples_needed: Some(needed), .. } => Some(format!(
            "{n_used} {} too few for {} of the {statistic} at {}%; at least {needed} are needed",
            if *n_used == 1 { "sample is" } else { "samples are" },
            missing_ends(interval, estimate.sides),
            percent(estimate.confidence.get()),
        )),
        Outcome::Interval { coverage: Some(coverage), .. } if *method == Method::Spa => {
            let asked = estimate.confidence.get();
            (*coverage < asked).then(|| {
                format!(
                    "the SPA interval of the {statistic} covers {:.1}%, not {}%: each of its ends \
                     is one-sided; --method exact keeps its word",
                    100.0 * coverage,
                    percent(asked)
                )
            })
        }
        Outcome::Interval { .. } => None,
    }
}

fn of_skewness(samples: &[f64], request: &Request) -> Option<String> {
    let moments = Moments::of(samples)?;
    (skewness_verdict(&moments) == SkewnessVerdict::Doubtful).then(|| {
        format!(
            "skewness {:.1} is high for {} samples: the mean's interval may cover less than \
             {}%; use --statistic median, or --method bca",
            moments.skewness,
            moments.n,
            percent(request.confidence.get())
        )
    })
}

fn missing_ends(interval: &Interval, sides: Sides) -> &'static str {
    let missing_lower = sides != Sides::Upper && interval.lower == f64::NEG_INFINITY;
    let missing_upper = sides != Sides::Lower && interval.upper == f64::INFINITY;
    match (missing_lower, missing_upper) {
        (true, false) => "a lower end",
        (false, true) => "an upper end",
        _ => "an interval",
    }
}

/// 0.95 as "95", 0.999 as "99.9".
fn percent(level: f64) -> f64 {
    (level * 1e12).round() / 1e10
}

fn with_space(symbol: &str) -> String {
    if symbol.is_empty() { String::new() } else { format!(" {symbol}") }
}
