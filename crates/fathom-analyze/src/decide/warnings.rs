//! What may be wrong with a subject's estimates, each warning with what to do.

use super::interval::are_outcomes;
use super::{Autocorrelation, Estimate, EstimateRequest, IntervalOutcome, Method, Statistic};
use crate::clean::{Flagged, Labelled, OtherLoad, SlowBeginning, Steadiness, SteadyStatePolicy};
use crate::report::Levels;
use fathom_record::{Series, Unit};
use fathom_stats::dependence::SAMPLES_TO_JUDGE;
use fathom_stats::mean::{Moments, SkewnessVerdict, skewness_verdict};
use fathom_stats::steady_state::{Class, SteadyState};
use fathom_stats::{Interval, Probability, Sides};

/// Independent samples are rarely judged to be worth less than this share of themselves.
const WORTH_A_WARNING: f64 = 0.6;

/// Everything that warnings look at.
pub(super) struct Circumstances<'a> {
    pub(super) series: &'a Series,
    pub(super) levels: Levels,
    pub(super) labelled: &'a Labelled,
    pub(super) autocorrelation: &'a Autocorrelation,
    pub(super) estimates: &'a [Estimate],
    /// The samples whose mean would be taken.
    pub(super) means: &'a [f64],
    pub(super) request: &'a EstimateRequest,
}

impl Circumstances<'_> {
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        warnings.extend(self.of_resolution());
        let is_constant = !warnings.is_empty();
        warnings.extend(self.of_levels());
        warnings.extend(self.of_steadiness());
        warnings.extend(self.labelled.flagged.as_ref().and_then(of_outliers));
        // That there is no interval follows from what was just said.
        let said = |estimate: &&Estimate| is_constant && estimate.interval().is_none();
        warnings.extend(self.estimates.iter().filter(|e| !said(e)).filter_map(of_estimate));
        warnings.extend(self.of_few());
        warnings.extend(self.of_independence());
        warnings.extend(self.of_skewness());
        warnings.extend(self.of_rates());
        warnings
    }

    fn of_resolution(&self) -> Option<String> {
        let values = self.series.values();
        let first = values.first()?;
        if are_outcomes(values, self.series.unit()) {
            return None;
        }
        (values.len() > 1 && values.iter().all(|value| value == first)).then(|| {
            let unit = self.series.unit().symbol();
            let space = if unit.is_empty() { "" } else { " " };
            format!(
                "all {} samples are {first}{space}{unit}, so the measurement is limited by its \
                 resolution; time a larger batch of work, or use a finer clock",
                values.len(),
            )
        })
    }

    fn of_levels(&self) -> Option<String> {
        match self.levels {
            Levels::Values => None,
            Levels::Pooled { executions } => Some(format!(
                "the values of {executions} executions were pooled as independent samples \
                 (--assume-independent); if executions differ, the intervals are too narrow"
            )),
            Levels::Executions { .. } => {
                let tail = self.estimates.iter().find(|estimate| {
                    matches!(estimate.statistic, Statistic::Quantile(p) if p != Probability::HALF)
                });
                tail.map(|Estimate { statistic, .. }| {
                    format!(
                        "this is the {statistic} of the executions' medians, not of single values; \
                         for single values, use --assume-independent or record one value per \
                         execution"
                    )
                })
            }
        }
    }

    fn of_steadiness(&self) -> Vec<String> {
        let state = match &self.labelled.steadiness {
            Steadiness::Found(state) => state,
            Steadiness::Told { skipped } => return self.of_skipping(*skipped),
            Steadiness::NotSought => return Vec::new(),
        };
        let SteadyState { class, start, change_points, strongly_autocorrelated, .. } = state;
        let mut warnings = Vec::new();
        match class {
            Class::None => warnings.push(format!(
                "no steady state: the level keeps changing ({}), so the estimate covers all samples; \
                 run longer, or find out what changes",
                points(change_points)
            )),
            Class::SlowDown => warnings.push(format!(
                "the level got worse at sample {}, and the estimate covers only the samples from \
                 there on; find out what happened",
                start + 1
            )),
            Class::Flat | Class::WarmUp => {}
        }
        warnings.extend(of_slow_beginning(self.labelled.slow_beginning(), self.labelled));
        if *strongly_autocorrelated && *class != Class::Flat {
            warnings.push(
                "the samples are strongly autocorrelated, so the changes of level may be slow random \
                 drift; run longer"
                    .to_string(),
            );
        }
        warnings
    }

    fn of_skipping(&self, skipped: usize) -> Vec<String> {
        match self.request.steady_state {
            SteadyStatePolicy::Skip(told) if told > skipped => vec![format!(
                "skipping {told} of {} samples leaves only the last one; skip fewer",
                self.labelled.len()
            )],
            _ => Vec::new(),
        }
    }

    /// Intervals that hold on condition.
    fn of_few(&self) -> Option<String> {
        let few = self.estimates.iter().find(|estimate| estimate.if_independent)?;
        // Two standard errors of independent samples: then it is no longer a mere possibility.
        let suspicious = 2.0 / (few.n_used as f64).sqrt();
        let seen = self.autocorrelation.lag1.filter(|lag1| *lag1 > suspicious);
        let enough = match few.outcome {
            IntervalOutcome::Interval { samples_needed: Some(needed), .. }
                if few.n_used >= SAMPLES_TO_JUDGE =>
            {
                format!("about {needed}")
            }
            _ => format!("at least {SAMPLES_TO_JUDGE}"),
        };
        Some(format!(
            "{} samples are too few to check for autocorrelation{}; if there is any, the interval is \
             too narrow; collect {enough}",
            few.n_used,
            seen.map_or(String::new(), |lag1| format!(
                ", and these look correlated (lag-1 {lag1:.2})"
            ))
        ))
    }

    /// Methods that take samples as independent, when they are not.
    fn of_independence(&self) -> Option<String> {
        let effective = self.autocorrelation.effective_n?;
        let n = self.means.len() as f64;
        let careless = self.estimates.iter().find(|estimate| {
            self.request.assume_independent || !estimate.method.handles_dependence()
        })?;
        (effective < WORTH_A_WARNING * n).then(|| {
            let who = if self.request.assume_independent {
                "--assume-independent treats".to_string()
            } else {
                format!("--method {} treats", careless.method)
            };
            format!(
                "{who} these {n} samples as independent, but the effective sample size is about \
                 {effective:.0}; the interval is too narrow; {}",
                if self.request.assume_independent {
                    "remove that option"
                } else {
                    "the default method accounts for autocorrelation"
                }
            )
        })
    }

    fn of_skewness(&self) -> Option<String> {
        let is_judged = |estimate: &Estimate| {
            matches!(estimate.method, Method::T | Method::Z) && estimate.interval().is_some()
        };
        if !self.estimates.iter().any(is_judged) {
            return None;
        }
        let moments = Moments::of(self.means)?;
        (skewness_verdict(&moments) == SkewnessVerdict::Doubtful).then(|| {
            format!(
                "skewness {:.1} is high for {} samples, so the mean's interval may cover less than \
                 {}%; use --statistic median, or --method bca",
                moments.skewness,
                moments.n,
                percent(self.request.confidence.get())
            )
        })
    }

    fn of_rates(&self) -> Option<String> {
        let is_rate = matches!(self.series.unit(), Unit::Other(unit) if unit.contains('/'));
        let has_mean = self.estimates.iter().any(|estimate| estimate.statistic == Statistic::Mean);
        (is_rate && has_mean).then(|| {
            format!(
                "{} looks like a rate, and the arithmetic mean of rates is not the overall rate; \
                 use --statistic harmonic-mean",
                self.series.unit()
            )
        })
    }
}

/// A slow beginning that may be no warm-up: a level that changed is said to have changed.
pub(crate) fn of_slow_beginning(
    beginning: Option<SlowBeginning>,
    labelled: &Labelled,
) -> Option<String> {
    let (start, n) = (labelled.start(), labelled.len());
    match beginning? {
        SlowBeginning::WarmUp => None,
        SlowBeginning::Disturbed(OtherLoad { before, after }) => Some(format!(
            "other programs used {:.0}% of the CPU during the first {start} of {n} samples ({:.0}% \
             afterwards), so those samples were excluded; measure again on a quiet machine",
            100.0 * before,
            100.0 * after
        )),
        SlowBeginning::Unexplained => Some(format!(
            "the first {start} of {n} samples are slower than the rest and were excluded; that is \
             long for a warm-up, so something else may have changed, such as other load; measure \
             again, or include them with --steady-state off"
        )),
    }
}

fn of_outliers(flagged: &Flagged) -> Option<String> {
    const MANY: f64 = 0.05;
    const A_FEW: usize = 3;
    let count = flagged.found.indices.len();
    let share = count as f64 / flagged.among.max(1) as f64;
    (share > MANY).then(|| {
        let what = if flagged.applied { "removed" } else { "flagged" };
        let meaning = if count < A_FEW {
            "one stall matters a lot in so few samples; collect more"
        } else {
            "that many suggest a second mode or a heavy tail, which is part of the data; look at \
             the histogram"
        };
        format!(
            "{count} of {} samples ({:.0}%) {what} as outliers: {meaning}, and prefer the median",
            flagged.among,
            100.0 * share
        )
    })
}

fn of_estimate(estimate: &Estimate) -> Option<String> {
    let Estimate { statistic, method, n_used, .. } = estimate;
    match &estimate.outcome {
        IntervalOutcome::Declined { reason, .. } => {
            Some(format!("no interval for the {statistic} by {method}: {reason}"))
        }
        IntervalOutcome::Interval { interval, samples_needed: Some(needed), .. } => {
            // A condition has a warning of its own, which says how many.
            let missing = missing_ends(interval, estimate.sides)?;
            let worth = estimate
                .effective_n
                .filter(|effective| *effective < 0.95 * *n_used as f64)
                .map_or(String::new(), |effective| {
                    format!(" (effective sample size {effective:.0})")
                });
            let (noun, verb) = if *n_used == 1 { ("sample", "is") } else { ("samples", "are") };
            Some(format!(
                "{n_used} {noun}{worth} {verb} too few for {missing} of the {statistic} at {}% \
                 confidence; about {needed} are needed",
                percent(estimate.confidence.get()),
            ))
        }
        IntervalOutcome::Interval { coverage: Some(coverage), .. } if *method == Method::Spa => {
            let asked = estimate.confidence.get();
            (*coverage < asked).then(|| {
                format!(
                    "the SPA interval of the {statistic} covers {:.1}%, not {}%, because it combines \
                     two one-sided bounds; use --method exact for full coverage",
                    100.0 * coverage,
                    percent(asked)
                )
            })
        }
        IntervalOutcome::Interval { .. } => None,
    }
}

fn missing_ends(interval: &Interval, sides: Sides) -> Option<&'static str> {
    let missing_lower = sides != Sides::Upper && interval.lower == f64::NEG_INFINITY;
    let missing_upper = sides != Sides::Lower && interval.upper == f64::INFINITY;
    match (missing_lower, missing_upper) {
        (false, false) => None,
        (true, false) => Some("a lower bound"),
        (false, true) => Some("an upper bound"),
        (true, true) => Some("an interval"),
    }
}

/// A few change points, counted from 1.
fn points(change_points: &[usize]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> =
        change_points.iter().take(SHOWN).map(|point| (point + 1).to_string()).collect();
    let more = change_points.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("at sample {}{rest}", shown.join(", "))
}

/// 0.95 as "95", 0.999 as "99.9".
fn percent(level: f64) -> f64 {
    (level * 1e12).round() / 1e10
}
