//! Two results that were measured separately.

use super::forecast::Seen;
use super::unpaired_statistic::compare_statistic;
use super::{
    ComparedStatistic, Comparison, Design, Further, Gate, GateOutcome, Margin, RatioAside,
    ShellShare, Verdict,
};
use crate::analyze;
use crate::clean::{Labelled, OutlierPolicy, SteadyStatePolicy};
use crate::decide::stretch;
use crate::{EstimateRequest, IntervalOutcome, Levels, NoInterval, Statistic, Subject, Warning};
use fathom_record::{Series, Startup};
use fathom_stats::{Confidence, Interval, LogRatioInterval, Probability, RatioInterval, quantile};

/// Compares the medians of two results, each cleaned and judged for dependence separately.
///
/// The two intervals of log-medians are combined by the method of variance estimates recovery
/// (Zou and Donner 2008): the distances from the estimates to the ends add as squares. It treats
/// each end apart, so skewed intervals stay skewed.
pub fn compare_unpaired(
    reference: &Subject,
    subject: &Subject,
    request: &EstimateRequest,
    margin: Margin,
    gates: &[Gate],
) -> Result<Comparison, String> {
    check([reference, subject])?;
    let sides = [&reference.series, &subject.series];
    let request = EstimateRequest { statistics: vec![Statistic::MEDIAN], ..request.clone() };
    let [below, above] = sides.map(|series| log_median(series, &request));
    let hidden = [below.is_hidden, above.is_hidden];
    let interval = match hidden {
        [false, false] => combined(&below, &above),
        _ => LogRatioInterval::EVERYTHING,
    };
    let shell = sides.iter().any(|side| side.startup().is_some()).then(|| {
        let [below, above] = sides.map(whole_median);
        let ratio = Some(above / below).filter(|ratio| ratio.is_finite()).unwrap_or(1.0);
        let whole = RatioAside { ratio, interval: RatioInterval::EVERYTHING };
        ShellShare { share: None, whole, hidden }
    });
    let is_hidden = hidden != [false, false];
    let ratio = match &shell {
        Some(shell) if is_hidden => shell.whole.ratio,
        _ => (above.value - below.value).exp(),
    };
    let reasons =
        [(&below, sides[0]), (&above, sides[1])].into_iter().filter_map(|(side, series)| {
            let name = series.name().to_string();
            side.reason.clone().map(|why| Warning::NoIntervalOfSide { name, why })
        });
    let verdict = Verdict::of(interval, margin);
    let judged: Vec<(Gate, GateOutcome)> = gates
        .iter()
        .map(|gate| {
            // What the shell hides is not shown, whatever a gate takes for granted.
            let outcome = if is_hidden { gate.judge(interval) } else { gate.finally(interval) };
            (*gate, outcome)
        })
        .collect();
    let is_open = match judged.as_slice() {
        [] => verdict == Verdict::Inconclusive,
        judged => judged.iter().any(|(_, outcome)| *outcome == GateOutcome::Inconclusive),
    };
    let samples = sides.map(Series::len);
    let fewest = samples[0].min(samples[1]);
    let in_all = if interval.is_finite() {
        let log_ratio = above.value - below.value;
        Seen::once(log_ratio, interval, fewest, request.confidence).needed(margin, gates)
    } else {
        // At least as many as give both an interval.
        below.needed.max(above.needed)
    };
    let more = in_all.filter(|_| is_open).map(|in_all| in_all.saturating_sub(fewest).max(1));
    Ok(Comparison {
        reference: reference.series.name().to_string(),
        subject: subject.series.name().to_string(),
        statistic: ComparedStatistic::Median,
        ratio,
        interval: interval.ratio(),
        quantiles: Vec::new(),
        confidence: request.confidence,
        if_independent: (below.if_independent
            || above.if_independent
            || request.assume_independent)
            && interval != LogRatioInterval::EVERYTHING,
        verdict,
        margin,
        // A median that cannot be told from the shell has no quotient.
        sides: (!is_hidden).then(|| [below.value.exp(), above.value.exp()]),
        p_value: p_value([reference, subject], &request),
        further: more.map(|pairs| Further { pairs, seconds: None }),
        gates: judged,
        design: Design::Unpaired { samples },
        shell,
        builds: None,
        warnings: reasons.collect(),
    })
}

/// Compares two results by any statistic.
pub fn compare_unpaired_by(
    statistic: ComparedStatistic,
    reference: &Subject,
    subject: &Subject,
    request: &EstimateRequest,
    margin: Margin,
    gates: &[Gate],
) -> Result<Comparison, String> {
    if statistic.is_median() {
        return compare_unpaired(reference, subject, request, margin, gates);
    }
    check([reference, subject])?;
    compare_statistic([reference, subject], statistic, request, margin, gates)
}

/// Why two results have no ratio, if they have none.
fn check([reference, subject]: [&Subject; 2]) -> Result<(), String> {
    for side in [reference, subject] {
        // What is left without a shell may be nothing at all, and is judged as a whole below.
        let has_shell = side.series.startup().is_some();
        let values = side.series.values().iter().filter(|_| !has_shell);
        if let Some(value) = values.into_iter().find(|value| **value <= 0.0) {
            return Err(format!(
                "\"{}\" contains {value}, and a ratio needs values above 0; compare another metric",
                side.series.name()
            ));
        }
    }
    if reference.series.unit() != subject.series.unit() {
        return Err(format!(
            "\"{}\" is in \"{}\" but \"{}\" is in \"{}\"; only series in the same unit can be compared",
            reference.series.name(),
            reference.series.unit(),
            subject.series.name(),
            subject.series.unit()
        ));
    }
    Ok(())
}

/// Whether two results are one and the same: the same values in the same order.
///
/// A few samples of a coarse clock, or counts that hardly change, can agree by chance, so there must
/// be several different values.
#[must_use]
pub fn are_copies(one: &Series, other: &Series) -> bool {
    const DIFFERENT: usize = 5;
    if one.values() != other.values() {
        return false;
    }
    let mut values = one.values().to_vec();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values.len() >= DIFFERENT
}

/// The samples that count, so that cleaning is not done again at every step; false if that cannot
/// be told from the values alone.
fn cleaned(subject: &Subject) -> (Series, bool) {
    let series = &subject.series;
    let kept = subject.labelled.as_ref().filter(|_| subject.levels == Levels::Values);
    let kept = kept.map(|labelled| labelled.kept(series.values()));
    match kept.map(|kept| Series::new(series.name(), series.unit().clone(), kept)) {
        Some(Ok(kept)) => (with_shell_of(kept, subject), true),
        _ => (series.clone(), false),
    }
}

/// The samples that count with the shell's runs of the same time.
fn with_shell_of(kept: Series, subject: &Subject) -> Series {
    let start = subject.labelled.as_ref().map_or(0, Labelled::start);
    let part = subject
        .series
        .startup()
        .and_then(|startup| Startup::new(stretch(startup, start).to_vec(), startup.subtracted()));
    match part {
        Some(part) => kept.with_startup(part),
        None => kept,
    }
}

/// The median of whole runs, the shell's start-up included.
fn whole_median(series: &Series) -> f64 {
    let mut values = series.clone().with_startup_subtracted(0.0).values().to_vec();
    quantile::of_unsorted(&mut values, Probability::HALF).unwrap_or(1.0)
}

/// The logarithm of a median, which is no ratio.
struct LogMedian {
    value: f64,
    interval: Interval,
    if_independent: bool,
    /// Whether it cannot be told from the start-up of the shell that ran it.
    is_hidden: bool,
    reason: Option<NoInterval>,
    /// How many samples would give an interval, where there is none.
    needed: Option<usize>,
}

fn log_median(series: &Series, request: &EstimateRequest) -> LogMedian {
    let subject = analyze(series.clone(), request);
    let estimate = &subject.estimates[0];
    let is_hidden = !subject.is_told_from_shell(estimate) || estimate.value <= 0.0;
    let log = |end: f64| match end {
        end if !end.is_finite() => end,
        end if end > 0.0 => end.ln(),
        _ => f64::NEG_INFINITY,
    };
    let interval = estimate.interval().unwrap_or(Interval::EVERYTHING);
    let (reason, needed) = match &estimate.outcome {
        IntervalOutcome::Declined { reason, samples_needed } => {
            (Some(reason.clone()), *samples_needed)
        }
        IntervalOutcome::Interval { samples_needed, .. } => (None, *samples_needed),
    };
    let interval = Interval { lower: log(interval.lower), upper: log(interval.upper) };
    let if_independent = estimate.if_independent;
    LogMedian { value: estimate.value.ln(), interval, if_independent, is_hidden, reason, needed }
}

fn combined(reference: &LogMedian, subject: &LogMedian) -> LogRatioInterval {
    let ratio = subject.value - reference.value;
    let down =
        (subject.value - subject.interval.lower).hypot(reference.interval.upper - reference.value);
    let up =
        (subject.interval.upper - subject.value).hypot(reference.value - reference.interval.lower);
    LogRatioInterval { lower: ratio - down, upper: ratio + up }
}

/// The smallest 1 − C at which the interval leaves out "no difference", by bisection; `None` if
/// not even a confidence of one half has an interval.
fn p_value(sides: [&Subject; 2], request: &EstimateRequest) -> Option<f64> {
    const STEPS: usize = 16;
    let cleaned = sides.map(cleaned);
    let [(_, is_clean), (_, is_clean_too)] = &cleaned;
    let request = if *is_clean && *is_clean_too {
        let steady_state = SteadyStatePolicy::Off;
        EstimateRequest { steady_state, outliers: OutlierPolicy::Keep, ..request.clone() }
    } else {
        request.clone()
    };
    let is_out = |confidence: f64| {
        let confidence = Confidence::new(confidence).ok()?;
        let request = EstimateRequest { confidence, ..request.clone() };
        let [below, above] = [0, 1].map(|side: usize| log_median(&cleaned[side].0, &request));
        let is_hidden = below.is_hidden || above.is_hidden;
        Some(!is_hidden && !combined(&below, &above).contains(0.0))
    };
    let (mut surely_out, mut surely_in) = (0.5, 1.0 - 1e-6);
    if !is_out(surely_out)? {
        return Some(0.5);
    }
    if is_out(surely_in)? {
        return Some(1.0 - surely_in);
    }
    for _ in 0..STEPS {
        // Halving the distance to 1 in the logarithm: p-values matter by their order of magnitude.
        let middle = 1.0 - ((1.0 - surely_out) * (1.0 - surely_in)).sqrt();
        if is_out(middle)? { surely_out = middle } else { surely_in = middle }
    }
    Some(1.0 - surely_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Unit;

    /// 60 values with this median.
    fn near(level: f64) -> Vec<f64> {
        (0..60).map(|i| level * (1.0 + 0.0002 * f64::from(i * 37 % 101 - 50))).collect()
    }

    fn compared(reference: Series, subject: Series) -> Comparison {
        let request = EstimateRequest::default();
        let [reference, subject] = [reference, subject].map(|series| analyze(series, &request));
        compare_unpaired(&reference, &subject, &request, Margin::DEFAULT, &[]).unwrap()
    }

    fn series(name: &str, values: Vec<f64>) -> Series {
        Series::new(name, Unit::SECONDS, values).unwrap()
    }

    /// The medians are shown unless the shell hides one of them.
    #[test]
    fn medians_without_the_shell_are_shown_where_they_are_known() {
        let found = compared(series("old", near(1.0)), series("new", near(1.5)));
        let [old, new] = found.sides.unwrap();
        assert!((new / old - found.ratio).abs() < 1e-12 && (found.ratio - 1.5).abs() < 0.01);
        let shell = |level: f64| Startup::new(near(level), 0.0).unwrap();
        let hidden = series("new", near(1.5)).with_startup(shell(1.5));
        let found = compared(series("old", near(2.0)).with_startup(shell(1.0)), hidden);
        assert_eq!(found.sides, None);
        assert!((found.ratio - 0.75).abs() < 0.01, "of whole runs: {}", found.ratio);
    }

    /// The two sides are cleaned in different ways; each has its warm-up cut off.
    #[test]
    fn the_p_value_agrees_with_the_interval_where_one_side_has_executions() {
        let warming = |level: f64| {
            let mut values = near(level);
            values[..24].iter_mut().for_each(|value| *value *= 0.5);
            values
        };
        let twice = |values: Vec<f64>| values.into_iter().flat_map(|value| [value, value]);
        let several = series("new", twice(warming(1.02)).collect());
        let several = several.with_executions(vec![2; 60]).unwrap();
        let found = compared(series("old", warming(1.0)), several);
        assert!(!found.interval.contains(1.0), "{:?}", found.interval);
        assert!(found.p_value.unwrap() < 0.05, "{:?}", found.p_value);
    }
}
