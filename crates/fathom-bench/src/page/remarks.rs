//! What must be said besides the numbers.

use fathom_analyze::{Levels, Report, StopReason, Subject, Warning};
use fathom_record::FrontEnd;
use fathom_render::View;
use fathom_render::layout::{FAINT, WARNING, push_warning, push_wrapped, visible};
use std::collections::BTreeSet;

/// Remarks on a function besides its times.
pub(super) fn remarks(subject: &Subject, view: &View, width: usize) -> String {
    let mut text = String::new();
    let name = visible(subject.series.name());
    if subject.function.as_ref().is_some_and(|function| function.is_zero) {
        let line = format!(
            "warning: {name}: it takes no longer than an empty loop, so it was probably optimized \
             away; wrap its input and result in black_box(...)"
        );
        push_wrapped(&mut text, &line, "  ", WARNING, width);
        return text;
    }
    if view.is_verbose() {
        for warning in &subject.warnings {
            let warning = format!("{name}: {}", warning.said(view.front_end));
            push_warning(&mut text, &warning, width);
        }
        push_wrapped(&mut text, &format!("{name}: {}", how(subject)), "  ", FAINT, width);
    }
    text
}

/// How a function was measured.
fn how(subject: &Subject) -> String {
    let calls = subject.function.as_ref().map_or(1, |function| function.calls_per_batch);
    let mut text = format!("{} batches of {calls} calls", subject.series.len());
    if let Levels::Executions { executions } = subject.levels {
        text.push_str(&format!(" in {executions} executions"));
    }
    text.push_str(match subject.stopped {
        StopReason::Precision => ", stopped when precise enough",
        StopReason::Verdict => ", stopped at the verdict",
        StopReason::MaxTime | StopReason::MaxRuns => ", time limit reached",
        StopReason::Interrupted => ", interrupted",
        StopReason::Fixed => "",
    });
    let function = subject.function.as_ref();
    let shares = [
        ("other programs used", function.and_then(|function| function.others)),
        ("the hypervisor took", function.and_then(|function| function.stolen)),
    ];
    for (who, share) in shares {
        if let Some(share) = share {
            text.push_str(&format!("; {who} {:.0}% of the CPU", 100.0 * share));
        }
    }
    text
}

/// What was measured where it was not time.
pub(crate) fn measured_instead(report: &Report) -> Option<String> {
    let others = report.subjects.iter().filter(|subject| !subject.series.is_wall_time());
    let metrics: BTreeSet<&str> = others.filter_map(|subject| subject.series.metric()).collect();
    let metrics: Vec<String> = metrics.into_iter().map(visible).collect();
    (!metrics.is_empty()).then(|| format!("measured: {}, not wall time", metrics.join(", ")))
}

/// Machine and comparisons; what is known of single functions stands beside them.
pub(super) fn warnings(report: &Report, front_end: FrontEnd) -> Vec<String> {
    const NOTABLE_OTHERS: f64 = 0.1;
    const NOTABLE_STEAL: f64 = 0.02;
    let said = |warning: &Warning| warning.said(front_end);
    let mut warnings: Vec<String> = report.warnings.iter().map(said).collect();
    let worst = |of: fn(&fathom_analyze::Function) -> Option<f64>, notable: f64| {
        let shares = report.subjects.iter().filter_map(|subject| {
            let share = of(subject.function.as_ref()?)?;
            Some((share, subject.series.name()))
        });
        shares.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(share, _)| *share >= notable)
    };
    if let Some((share, name)) = worst(|function| function.others, NOTABLE_OTHERS) {
        warnings.push(format!(
            "other programs used up to {:.0}% of the CPU while measuring ({}); close them (see `top`) \
             and measure again",
            100.0 * share,
            visible(name)
        ));
    }
    if let Some((share, name)) = worst(|function| function.stolen, NOTABLE_STEAL) {
        warnings.push(format!(
            "the hypervisor took up to {:.0}% of the CPU time while measuring ({}); measure longer, \
             or on a dedicated machine",
            100.0 * share,
            visible(name)
        ));
    }
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    warnings.extend(comparisons.iter().flat_map(|found| found.warnings.iter().map(said)));
    warnings
}
