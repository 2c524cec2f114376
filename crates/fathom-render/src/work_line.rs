//! Time over work: a rate with the set-up time separated, in words and as a line.

use crate::growth::size_text;
use crate::known::condition;
use crate::layout::visible;
use crate::percent::percent;
use crate::plot::Plot;
use crate::plural;
use crate::quantity::{Rounding, Scale};
use crate::view::View;
use fathom_analyze::{StopReason, Subject, WorkEstimate, WorkPoint};
use fathom_record::Unit;
use fathom_stats::Interval;
use fathom_stats::work_rate::{WorkRate, WorkRateError};

/// How the rate is written.
fn scale_of_rate(work: &WorkEstimate, found: &WorkRate) -> Scale {
    Scale::prefixed(&Unit::Other(work.rate_unit()), found.rate, None)
        .for_interval(found.rate, work.rate_interval())
}

/// How the set-up time is written.
fn scale_of_setup(work: &WorkEstimate, found: &WorkRate, view: &View) -> Scale {
    // The interval of one that is about zero says more of its size than it does itself.
    let interval = work.setup_interval();
    let end = interval.map(|Interval { lower, upper }| match upper.is_finite() {
        true => upper.abs(),
        false => lower.abs(),
    });
    let of_end = end.filter(|end| end.is_finite() && !work.has_setup());
    let typical = of_end.unwrap_or(found.setup);
    Scale::new(&work.time, typical, view.time_unit).for_interval(found.setup, interval)
}

/// "copy does 148.2 MB/s (95% CI 146.0 to 150.1), after 2.0 s of set-up."
pub(crate) fn sentence(name: &str, work: &WorkEstimate, view: &View) -> String {
    let found = match &work.found {
        Ok(found) => found,
        Err(error) => return cannot_tell(name, work, error),
    };
    let rate = scale_of_rate(work, found);
    // Where the line is bent, there is no rate of all amounts.
    let average = if work.is_curved() { " on average" } else { "" };
    format!(
        "{name} does {}{average} ({}){}.",
        rate.with_unit(found.rate, Rounding::Nearest),
        known(work, found, &rate),
        after(work, found, view)
    )
}

/// "95% CI 146.0 to 150.1", "at least 146.0 with 95% confidence", "no interval".
fn known(work: &WorkEstimate, found: &WorkRate, rate: &Scale) -> String {
    let Some(interval) = work.rate_interval() else { return "no interval".to_string() };
    let ends = rate.ends(Some(interval), false);
    let level = percent(work.confidence.get());
    let condition = condition(found.if_independent);
    match interval.is_finite() {
        true => format!("{level} CI {ends}{condition}"),
        false => format!("{ends} with {level} confidence{condition}"),
    }
}

/// ", after 2.0 s of set-up"; what is known of a set-up time that may be zero.
fn after(work: &WorkEstimate, found: &WorkRate, view: &View) -> String {
    let scale = scale_of_setup(work, found, view);
    match work.setup_interval() {
        Some(_) if work.has_setup() => {
            format!(", after {} of set-up", scale.with_unit(found.setup, Rounding::Nearest))
        }
        Some(Interval { upper, .. }) if upper.is_finite() && upper > 0.0 => {
            format!(", after at most {} of set-up", scale.with_unit(upper, Rounding::Up))
        }
        None if found.setup > 0.0 => {
            format!(", after about {} of set-up", scale.with_unit(found.setup, Rounding::Nearest))
        }
        _ => String::new(),
    }
}

fn cannot_tell(name: &str, work: &WorkEstimate, error: &WorkRateError) -> String {
    let WorkRateError::NoSlope { least } = error else {
        return format!("Cannot tell how fast {name} works: {error}.");
    };
    let bound = least.map_or(String::new(), |least| {
        let scale = Scale::prefixed(&Unit::Other(work.rate_unit()), least, None);
        let level = percent(work.confidence.get());
        let condition = condition(work.n_used < fathom_stats::dependence::SAMPLES_TO_JUDGE);
        let least = scale.with_unit(least, Rounding::Down);
        format!(" It does at least {least} with {level} confidence{condition}.")
    });
    format!("Cannot tell how fast {name} works: {error}.{bound}")
}

/// How many runs, how measuring ended, and what the line is.
#[must_use]
pub fn notes(subject: &Subject, work: &WorkEstimate, view: &View) -> Vec<String> {
    let points = work.points(&subject.series);
    let amounts = plural(points.len(), "amount");
    let mut first = vec![match (points.first(), points.last()) {
        (Some(low), Some(high)) if points.len() > 1 => {
            let [low, high] = [low, high].map(|end| size_text(end.amount));
            format!("{}, {amounts} of work ({low} to {high})", plural(work.n_used, "run"))
        }
        _ => format!("{}, {amounts} of work", plural(work.n_used, "run")),
    }];
    let Ok(found) = &work.found else {
        first.extend(ending(subject, None));
        return vec![first.join("; ")];
    };
    first.push(format!("effective sample size {:.0}", found.effective));
    first.extend(ending(subject, work.relative_half_width()));
    let mut notes = vec![first.join("; ")];
    let setup = scale_of_setup(work, found, view);
    let mut line = Vec::new();
    line.extend(work.setup_interval().map(|interval| {
        let level = percent(work.confidence.get());
        match interval.is_finite() {
            true => format!("set-up time {level} CI {}", setup.ends(Some(interval), true)),
            false => {
                format!("set-up time {} with {level} confidence", setup.ends(Some(interval), true))
            }
        }
    }));
    line.extend(work.setup_declined());
    line.extend(cost(work, found, view));
    line.extend(found.curvature_p.map(|p| {
        let p = if p < 0.001 { "< 0.001".to_string() } else { format!("= {p:.3}") };
        format!("curvature p {p}")
    }));
    if !line.is_empty() {
        notes.push(line.join("; "));
    }
    if view.is_verbose() {
        notes.extend(of_points(&points, work, view));
    }
    notes
}

/// "3.957 ms per block": one over the rate, with its interval.
fn cost(work: &WorkEstimate, found: &WorkRate, view: &View) -> Option<String> {
    let interval = work.rate_interval()?;
    // The ends trade places.
    let ends = Interval { lower: interval.upper.recip(), upper: interval.lower.recip() };
    let ends = Interval {
        lower: if ends.lower > 0.0 { ends.lower } else { f64::NEG_INFINITY },
        upper: if ends.upper > 0.0 { ends.upper } else { f64::INFINITY },
    };
    let value = found.rate.recip();
    let scale = Scale::new(&work.time, value, view.time_unit).for_interval(value, Some(ends));
    let per = visible(&work.work);
    Some(format!("{} per {per}", scale.with_unit(value, Rounding::Nearest)))
}

/// The mean of each amount, and what the line gives it.
fn of_points(points: &[WorkPoint], work: &WorkEstimate, view: &View) -> Vec<String> {
    const MOST: usize = 20;
    if points.len() > MOST {
        return Vec::new();
    }
    let means: Vec<f64> = points.iter().map(|point| point.mean).collect();
    let scale = Scale::for_column(&work.time, &means, view.time_unit);
    let of_point = |point: &WorkPoint| {
        let mean = scale.number(point.mean, Rounding::Nearest);
        let line = work.time_of(point.amount).map(|time| scale.with_unit(time, Rounding::Nearest));
        let line = line.map_or(String::new(), |time| format!(", the line {time}"));
        let (amount, runs) = (size_text(point.amount), plural(point.runs, "run"));
        format!("{} = {amount}: mean {mean}{line} ({runs})", visible(&work.work))
    };
    points.iter().map(of_point).collect()
}

/// Why measuring stopped, where that is not plain.
fn ending(subject: &Subject, share: Option<f64>) -> Option<String> {
    let within = share.map(|share| format!(" with the rate within ±{:.1}%", 100.0 * share));
    let within = within.unwrap_or_default();
    Some(match subject.stopped {
        StopReason::Precision => format!("stopped{within}"),
        StopReason::MaxTime => format!("time limit reached{within}"),
        StopReason::MaxRuns => format!("run limit reached{within}"),
        StopReason::Interrupted => "interrupted".to_string(),
        StopReason::Fixed | StopReason::Verdict => return None,
    })
}

/// The mean times over the amounts of work, and the line: where it begins is the set-up time. Empty
/// where nothing can be drawn.
pub(crate) fn plot(
    subject: &Subject,
    work: &WorkEstimate,
    view: &View,
    width: usize,
) -> Vec<String> {
    let points = work.points(&subject.series);
    let most = points.last().map_or(0.0, |point| point.amount);
    let highest = points.iter().map(|point| point.mean).fold(0.0, f64::max);
    let is_drawn =
        points.len() > 1 && points.iter().all(|one| one.amount >= 0.0 && one.mean >= 0.0);
    if !is_drawn || most <= 0.0 || highest <= 0.0 {
        return Vec::new();
    }
    let scale = Scale::new(&work.time, highest, view.time_unit).for_interval(highest, None);
    let curve = |share: f64| work.time_of(share * most).map(|time| time / highest);
    let marks: Vec<(f64, f64)> =
        points.iter().map(|one| (one.amount / most, one.mean / highest)).collect();
    Plot {
        heights: [scale.with_unit(highest, Rounding::Nearest), "0".to_string()],
        widths: ["0".to_string(), format!("{} {}", size_text(most), visible(&work.work))],
    }
    .lines(&curve, &marks, width)
}

/// The rate and the set-up time with their intervals, as rows of tables: `None` for what is unknown.
pub(crate) fn rows(work: &WorkEstimate) -> [WorkRow; 2] {
    let found = work.found.as_ref().ok();
    [
        WorkRow {
            statistic: "work-rate",
            unit: Unit::Other(work.rate_unit()),
            value: found.map(|found| found.rate),
            interval: work.rate_interval(),
        },
        WorkRow {
            statistic: "set-up",
            unit: work.time.clone(),
            value: found.map(|found| found.setup),
            interval: work.setup_interval(),
        },
    ]
}

/// The rate, or the set-up time.
pub(crate) struct WorkRow {
    pub(crate) statistic: &'static str,
    pub(crate) unit: Unit,
    pub(crate) value: Option<f64>,
    pub(crate) interval: Option<Interval>,
}
