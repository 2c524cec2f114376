//! What was done to the data, in the order it was done.

use crate::known::brief_condition;
use crate::plural;
use crate::quantity::{Rounding, Scale};
use crate::sentence::coverage_percent;
use fathom_analyze::clean::{Flagged, Labelled, SlowBeginning, Steadiness};
use fathom_analyze::{Aside, Estimate, Levels, Method, Subject};
use fathom_stats::Interval;
use fathom_stats::dependence::DependenceKind;
use fathom_stats::outliers::{OutlierKind, Outlying};
use fathom_stats::steady_state::{Class, SteadyState};

/// "1000 samples; first 120 are warm-up (excluded); 9 outliers flagged (kept); lag-1 autocorrelation
/// 0.63, effective sample size 220".
pub(crate) fn trail(subject: &Subject, assume_independent: bool) -> String {
    let n = subject.series.len();
    let samples = plural(n, "sample");
    let mut steps = vec![match subject.levels {
        Levels::Values => samples,
        Levels::Executions { executions } => {
            format!("{samples} from {executions} executions, each execution counted once")
        }
        Levels::Pooled { executions } => format!("{samples} from {executions} executions, pooled"),
    }];
    if let Some(labelled) = &subject.labelled {
        steps.extend(steadiness(labelled));
        steps.extend(labelled.flagged.as_ref().map(flagged));
    }
    if assume_independent {
        steps.push("assumed independent".to_string());
    } else {
        steps.extend(dependence(subject));
    }
    let mut text = steps.join("; ");
    if let [estimate] = subject.estimates.as_slice() {
        text.push_str(&coverage(estimate));
    }
    text
}

fn steadiness(labelled: &Labelled) -> Option<String> {
    match &labelled.steadiness {
        Steadiness::NotSought => None,
        Steadiness::Told { skipped: 0 } => None,
        Steadiness::Told { skipped } => Some(format!("first {skipped} skipped (as requested)")),
        Steadiness::Found(SteadyState { class, start, disturbances, .. }) => match class {
            Class::Flat if disturbances.is_empty() => None,
            Class::Flat => {
                Some(format!("steady except for {}", plural(disturbances.len(), "disturbance")))
            }
            Class::WarmUp | Class::SlowDown => {
                left_out(labelled).map(|what| format!("first {start} are {what} (excluded)"))
            }
            Class::None => Some("no steady state".to_string()),
        },
    }
}

/// What the samples before the steady state are.
pub(crate) fn left_out(labelled: &Labelled) -> Option<&'static str> {
    match &labelled.steadiness {
        Steadiness::Found(SteadyState { class: Class::SlowDown, .. }) => {
            Some("from before a slow-down")
        }
        Steadiness::Found(_) => labelled.slow_beginning().map(|beginning| match beginning {
            SlowBeginning::WarmUp => "warm-up",
            SlowBeginning::Disturbed(_) => "disturbed by other load",
            SlowBeginning::Unexplained => "slower",
        }),
        Steadiness::Told { skipped: 0 } | Steadiness::NotSought => None,
        Steadiness::Told { .. } => Some("skipped as requested"),
    }
}

fn flagged(flagged: &Flagged) -> String {
    match (flagged.found.indices.len(), flagged.applied) {
        (0, _) => "no outliers".to_string(),
        (n, true) => format!("{} removed", plural(n, "outlier")),
        (n, false) => format!("{} flagged (kept)", plural(n, "outlier")),
    }
}

fn dependence(subject: &Subject) -> Option<String> {
    let found = subject.autocorrelation.as_ref()?;
    let lag1 = found.lag1?;
    let effective =
        subject.estimates.first().and_then(|estimate| estimate.effective_n).or(found.effective_n);
    let mut text = format!("lag-1 autocorrelation {}", short(lag1));
    if let Some(effective) = effective {
        text.push_str(&format!(", effective sample size {effective:.0}"));
    }
    Some(text)
}

/// What kind of dependence the samples show, and what to do about it; `None` where none shows. That
/// only direct neighbours are alike costs little, so it is said only where everything is.
pub(crate) fn dependence_kind(subject: &Subject, is_verbose: bool) -> Option<String> {
    Some(match subject.autocorrelation.as_ref()?.kind? {
        DependenceKind::NotSeen => return None,
        DependenceKind::ShortMemory(memory) if memory <= 1.0 && !is_verbose => return None,
        DependenceKind::Period(period) => {
            let whole = period.fract() == 0.0;
            let period =
                if whole { format!("every {period}") } else { format!("about every {period:.1}") };
            format!(
                "the same pattern comes back {period} samples: look for a timer, garbage \
                 collection or another program, or make one sample last several periods"
            )
        }
        DependenceKind::Alternation => "a high sample follows a low one: look for what one sample \
                                        leaves to the next, or take two of them as one sample"
            .to_string(),
        DependenceKind::Drift => "the level drifts from the first sample to the last: warm up \
                                  longer, or look for heat and changing clock frequencies \
                                  (`fathom doctor`)"
            .to_string(),
        DependenceKind::SlowWandering => {
            "the level wanders slowly, so longer samples do not help: \
                                          run several times as long, pin the program to a core, or \
                                          close other programs"
                .to_string()
        }
        DependenceKind::ShortMemory(memory) => {
            let near = if memory > 1.0 {
                format!("samples up to about {memory} apart are alike")
            } else {
                "neighbouring samples are alike".to_string()
            };
            format!(
                "{near}: make each sample last longer than that (more work, a larger batch), or \
                 pin the program to a core"
            )
        }
    })
}

/// 0.63, -0.08.
fn short(coefficient: f64) -> String {
    // Adding zero turns -0 into 0.
    let rounded = (coefficient * 100.0).round() / 100.0 + 0.0;
    format!("{rounded:.2}")
}

fn coverage(estimate: &Estimate) -> String {
    let bounded = estimate.interval().is_some_and(|interval| interval != Interval::EVERYTHING);
    match estimate.coverage() {
        Some(coverage) if bounded && estimate.effective_n.is_none() => {
            let promise = match estimate.method {
                Method::Sequence => "valid at every look, coverage at this one",
                Method::Subsession => {
                    let coverage = coverage_percent(coverage, 0);
                    return format!("; coverage about {coverage} on such series (simulated)");
                }
                _ => "exact coverage",
            };
            let condition = brief_condition(estimate.if_independent);
            format!("; {promise} {}{condition}", coverage_percent(coverage, 1))
        }
        _ => String::new(),
    }
}

/// What other choices of samples give: "median with all 1000 samples: 12.43 s (12.39 to
/// 12.50 s)".
pub(crate) fn asides(subject: &Subject, estimate: &Estimate, scale: &Scale) -> Vec<String> {
    let mut lines = Vec::new();
    let label = estimate.statistic;
    if let Some(aside) = &estimate.with_everything {
        lines.push(format!("{label} with all {} samples: {}", aside.n_used, numbers(aside, scale)));
    }
    if let Some(aside) = &estimate.with_outliers_removed {
        let flagged = subject.labelled.as_ref().map_or(0, |labelled| labelled.outliers().len());
        lines.push(format!(
            "{label} without the {}: {}",
            plural(flagged, "outlier"),
            numbers(aside, scale)
        ));
    }
    lines
}

fn numbers(aside: &Aside, scale: &Scale) -> String {
    let scale = scale.clone().for_interval(aside.value, aside.interval);
    let value = scale.with_unit(aside.value, Rounding::Nearest);
    match aside.interval {
        Some(interval) if interval.is_finite() => format!(
            "{value} ({} to {}){}",
            scale.number(interval.lower, Rounding::Down),
            scale.number(interval.upper, Rounding::Up),
            brief_condition(aside.if_independent)
        ),
        _ => value,
    }
}

/// Where the flagged samples are: how they lie in time, the first of them, the cut.
pub(crate) fn outlier_detail(flagged: &Flagged, scale: &Scale) -> Option<String> {
    const SHOWN: usize = 8;
    const UNLIKELY: f64 = 0.01;
    let indices = &flagged.found.indices;
    if indices.is_empty() {
        return None;
    }
    let shown: Vec<String> =
        indices.iter().take(SHOWN).map(|index| (index + 1).to_string()).collect();
    let more = indices.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let share = 100.0 * indices.len() as f64 / flagged.among.max(1) as f64;
    let cut = flagged.found.cut_height.map_or(String::new(), |cut| {
        format!(", cut-off {}", scale.with_unit(cut, Rounding::Nearest))
    });
    let in_time = match flagged.found.clustered_in_time {
        Some(time) if time.p_value < UNLIKELY => "; clustered in time",
        _ => "",
    };
    let company = company(&flagged.outlying).map_or(String::new(), |words| format!(", {words}"));
    let factors = factors(&flagged.outlying);
    Some(format!(
        "outliers: {share:.1}%{cut}{company}{factors}, samples {}{rest}{in_time}",
        shown.join(", ")
    ))
}

/// "6 standalone, 3 clustered"; nothing where the rule has no clusters.
fn company(outlying: &[Outlying]) -> Option<String> {
    let of = |kind: OutlierKind| outlying.iter().filter(|one| one.kind() == Some(kind)).count();
    let counted = OutlierKind::ALL.map(|kind| (of(kind), kind.name()));
    let words: Vec<String> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// ", local outlier factors 2.3 to 41".
fn factors(outlying: &[Outlying]) -> String {
    let each = || outlying.iter().map(|one| one.factor);
    let [least, most] =
        [each().fold(f64::INFINITY, f64::min), each().fold(0.0, f64::max)].map(brief);
    match least == most {
        true => format!(", local outlier factor {least}"),
        false => format!(", local outlier factors {least} to {most}"),
    }
}

/// 0.98, 2.3, 41, 1.2e9.
fn brief(factor: f64) -> String {
    match factor {
        0.0..0.995 => format!("{factor:.2}"),
        0.0..9.95 => format!("{factor:.1}"),
        0.0..1e6 => format!("{factor:.0}"),
        _ => format!("{factor:.1e}"),
    }
}
