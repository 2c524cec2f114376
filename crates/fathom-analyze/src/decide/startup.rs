//! What commands took without the shell that ran them.
//!
//! Under `-S` a shell runs each command, and the empty shell alternates with them. What is reported
//! is a statistic of the runs minus the median of the empty shell, and the interval carries both
//! uncertainties: the distances from the estimates to the ends add as squares (Zou and Donner 2008),
//! each end apart. See `docs/methods/shell-startup.md`.

use super::interval::{self, DecidedInterval};
use super::{Aside, Estimate, EstimateRequest, IntervalOutcome, Method, NoInterval, Statistic};
use fathom_record::Startup;
use fathom_stats::{Interval, Sides};

/// What the empty shell took, and how well that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartupEstimate {
    /// The median, which is subtracted from every run.
    pub median: f64,
    /// Where it lies; `None` where no interval can be given.
    pub interval: Option<Interval>,
    /// The largest of the runs that count.
    pub largest: f64,
    /// How many runs of the empty shell count.
    pub n_used: usize,
}

/// The empty shell's median, with the ends that a difference needs.
pub(super) struct ShellMedian {
    pub(super) summary: StartupEstimate,
    outcome: IntervalOutcome,
    /// Whether its interval takes the empty runs as independent because they are too few to judge.
    if_independent: bool,
}

impl ShellMedian {
    /// From the empty runs of the same stretch of time as the samples that count, which begin with
    /// number `start`.
    pub(super) fn of(startup: &Startup, start: usize, request: &EstimateRequest) -> ShellMedian {
        let values = stretch(startup, start).to_vec();
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let n_used = values.len();
        let median = Statistic::MEDIAN;
        let method = request.method.unwrap_or(Method::Exact);
        let method = if method.serve(median, Sides::Both).is_ok() { method } else { Method::Exact };
        // To bound a difference from below takes what is subtracted from above.
        let sides = match request.sides {
            Sides::Both => Sides::Both,
            Sides::Lower => Sides::Upper,
            Sides::Upper => Sides::Lower,
        };
        let request = EstimateRequest { sides, ..request.clone() };
        let among = values.clone();
        let DecidedInterval { value, outcome, if_independent, .. } =
            interval::find(values, &among, median, method, &request);
        let interval = match &outcome {
            IntervalOutcome::Interval { interval, .. } => Some(*interval),
            IntervalOutcome::Declined { .. } => None,
        };
        let summary = StartupEstimate { median: value, interval, largest, n_used };
        ShellMedian { summary, outcome, if_independent }
    }

    /// Makes an estimate from whole runs one without the shell.
    pub(super) fn subtract_from(&self, estimate: &mut Estimate) {
        let value = estimate.value;
        estimate.outcome = self.without(value, &estimate.outcome);
        estimate.value = value - self.summary.median;
        estimate.range.lower -= self.summary.median;
        estimate.range.upper -= self.summary.median;
        estimate.if_independent =
            estimate.interval().is_some() && (estimate.if_independent || self.if_independent);
        let asides = [&mut estimate.with_everything, &mut estimate.with_outliers_removed];
        for aside in asides.into_iter().flatten() {
            *aside = self.aside(aside);
        }
    }

    fn aside(&self, aside: &Aside) -> Aside {
        let both = aside.interval.zip(self.summary.interval);
        Aside {
            value: aside.value - self.summary.median,
            interval: both.map(|(whole, shell)| {
                difference((aside.value, whole), (self.summary.median, shell))
            }),
            n_used: aside.n_used,
            if_independent: aside.if_independent || self.if_independent,
        }
    }

    fn without(&self, value: f64, whole: &IntervalOutcome) -> IntervalOutcome {
        match (whole, &self.outcome) {
            (IntervalOutcome::Declined { .. }, _) => whole.clone(),
            (_, IntervalOutcome::Declined { reason, samples_needed }) => {
                IntervalOutcome::Declined {
                    reason: NoInterval::OfShell(Box::new(reason.clone())),
                    samples_needed: *samples_needed,
                }
            }
            (
                IntervalOutcome::Interval { interval, samples_needed, .. },
                IntervalOutcome::Interval { interval: shell, samples_needed: shell_needs, .. },
            ) => IntervalOutcome::Interval {
                interval: difference((value, *interval), (self.summary.median, *shell)),
                // Neither end is an order statistic any more.
                coverage: None,
                ranks: None,
                samples_needed: (*samples_needed).max(*shell_needs),
            },
        }
    }
}

/// The empty runs next to the samples that count, one for each.
pub(crate) fn stretch(startup: &Startup, start: usize) -> &[f64] {
    let values = startup.values();
    match values.get(start..) {
        Some(rest) if !rest.is_empty() => rest,
        _ => values,
    }
}

fn difference((value, of): (f64, Interval), (shell, of_shell): (f64, Interval)) -> Interval {
    let down = (value - of.lower).hypot(of_shell.upper - shell);
    let up = (of.upper - value).hypot(shell - of_shell.lower);
    Interval { lower: value - shell - down, upper: value - shell + up }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze;
    use fathom_record::{Series, Unit};

    fn near(level: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| level + 0.01 * ((i * 37 % 101) as f64 / 50.0 - 1.0)).collect()
    }

    fn run(level: f64, n: usize) -> crate::Subject {
        let series = Series::new("x", Unit::SECONDS, near(level, n)).unwrap();
        let startup = Startup::new(near(1.0, n + 1)[1..].to_vec(), 0.0).unwrap();
        analyze(series.with_startup(startup), &EstimateRequest::default())
    }

    #[test]
    fn the_interval_is_wider_than_that_of_the_runs_alone() {
        let subject = run(3.0, 60);
        let estimate = &subject.estimates[0];
        let alone = Series::new("x", Unit::SECONDS, near(3.0, 60)).unwrap();
        let alone = analyze(alone, &EstimateRequest::default());
        let width = |estimate: &Estimate| estimate.interval().unwrap().width();
        assert!((estimate.value - 2.0).abs() < 0.01);
        assert!(width(estimate) > 1.2 * width(&alone.estimates[0]));
        assert!(estimate.interval().unwrap().contains(estimate.value));
        // What is shown next to the estimate is what it is about.
        let mut shown = subject.series.values().to_vec();
        let median =
            fathom_stats::quantile::of_unsorted(&mut shown, fathom_stats::Probability::HALF);
        assert!((median.unwrap() - estimate.value).abs() < 1e-12);
        assert!(subject.is_told_from_shell(estimate));
    }

    #[test]
    fn no_difference_is_no_time_and_may_be_less() {
        let subject = run(0.999, 60);
        let estimate = &subject.estimates[0];
        assert!(estimate.value < 0.0, "nothing is clamped: {}", estimate.value);
        let interval = estimate.interval().unwrap();
        assert!(interval.lower < 0.0 && interval.upper > 0.0);
        assert!(!subject.is_told_from_shell(estimate));
    }

    #[test]
    fn a_few_runs_are_told_from_the_shell_by_their_ranges() {
        // Three runs that are apart may be so by chance, four hardly.
        for (n, level, is_told) in
            [(3, 3.0, true), (3, 1.001, false), (3, 1.1, false), (4, 1.1, true), (1, 3.0, true)]
        {
            let subject = run(level, n);
            let estimate = &subject.estimates[0];
            assert_eq!(subject.is_told_from_shell(estimate), is_told, "{n} {level}");
        }
    }

    #[test]
    fn the_shell_of_the_steady_state_is_subtracted() {
        let warming = |steady: f64| {
            let slow = near(steady + 5.0, 30);
            slow.into_iter().chain(near(steady, 120)).collect::<Vec<f64>>()
        };
        let series = Series::new("x", Unit::SECONDS, warming(3.0)).unwrap();
        let startup = Startup::new(warming(1.0), 0.0).unwrap();
        let subject = analyze(series.with_startup(startup), &EstimateRequest::default());
        let start = subject.labelled.as_ref().unwrap().start();
        assert!(start >= 30, "{start}");
        assert_eq!(subject.startup.unwrap().n_used, 150 - start);
        assert!((subject.startup.unwrap().median - 1.0).abs() < 0.01);
    }

    #[test]
    fn the_range_is_without_the_shell_too() {
        let startup = Startup::new(vec![2.0; 40], 0.0).unwrap();
        let series = Series::new("x", Unit::SECONDS, near(3.0, 40)).unwrap();
        let subject = analyze(series.with_startup(startup), &EstimateRequest::default());
        let range = subject.estimates[0].range;
        assert!((range.lower - 0.99).abs() < 0.01 && (range.upper - 1.01).abs() < 0.01);
    }
}
