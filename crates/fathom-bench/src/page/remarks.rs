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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{report, subject};
    use fathom_analyze::Function;
    use fathom_record::{Series, Unit};
    use fathom_render::Detail;
    use fathom_render::layout::plain;

    fn with(name: &str, change: impl FnOnce(&mut Function)) -> Subject {
        let mut subject = subject(name, 1e-6);
        change(subject.function.as_mut().unwrap());
        subject
    }

    #[test]
    fn how_it_was_measured_is_said_in_full() {
        let said = |stopped, levels| {
            let subject = Subject {
                stopped,
                levels,
                ..with("f", |function| (function.stolen, function.others) = (None, None))
            };
            how(&subject)
        };
        let values = Levels::Values;
        let ends = StopReason::ALL.map(|stopped| said(stopped, values));
        assert_eq!(
            ends,
            [
                "200 batches of 81 calls, stopped when precise enough",
                "200 batches of 81 calls, stopped at the verdict",
                "200 batches of 81 calls, time limit reached",
                "200 batches of 81 calls, time limit reached",
                "200 batches of 81 calls, interrupted",
                "200 batches of 81 calls",
            ]
        );
        let executions = Levels::Executions { executions: 12 };
        let over = said(StopReason::Fixed, executions);
        assert_eq!(over, "200 batches of 81 calls in 12 executions");
        let busy =
            with("f", |function| (function.stolen, function.others) = (Some(0.02), Some(0.1)));
        assert!(
            how(&busy).ends_with(
                "; other programs used 10% of the CPU; the hypervisor took 2% of the CPU"
            ),
            "{}",
            how(&busy)
        );
    }

    #[test]
    fn remarks_are_for_those_who_want_everything() {
        let mut odd = with("f", |_| ());
        odd.warnings = vec!["it is odd".to_string().into()];
        let everything = View { detail: Detail::Everything, ..View::default() };
        assert_eq!(remarks(&odd, &View::default(), 80), "");
        let text = plain(&remarks(&odd, &everything, 80));
        assert!(text.starts_with("  warning: f: it is odd\n  f: 200 batches"), "{text}");
        let gone = with("gone", |function| function.is_zero = true);
        let text = plain(&remarks(&gone, &View::default(), 200));
        assert!(
            text.starts_with("  warning: gone: it takes no longer than an empty loop"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn the_worst_disturbance_is_named_from_a_threshold_on() {
        let said = |shares: &[(f64, f64)]| {
            let subjects = shares.iter().enumerate().map(|(n, (others, stolen))| {
                with(&format!("f{n}"), |function| {
                    (function.others, function.stolen) = (Some(*others), Some(*stolen));
                })
            });
            warnings(&report(subjects.collect(), Vec::new()), FrontEnd::FATHOM)
        };
        assert_eq!(said(&[(0.099, 0.019)]), [""; 0]);
        let others = said(&[(0.1, 0.0), (0.3, 0.0), (0.2, 0.0)]);
        assert_eq!(others.len(), 1);
        let start = "other programs used up to 30% of the CPU while measuring (f1); close them";
        assert!(others[0].starts_with(start), "{}", others[0]);
        let stolen = said(&[(0.0, 0.05), (0.0, 0.02)]);
        assert_eq!(stolen.len(), 1);
        let start = "the hypervisor took up to 5% of the CPU time while measuring (f0); measure";
        assert!(stolen[0].starts_with(start), "{}", stolen[0]);
        assert_eq!(said(&[(0.1, 0.02)]).len(), 2);
    }

    #[test]
    fn what_is_no_time_is_named_once() {
        let times = report(vec![subject("a", 1e-6)], Vec::new());
        assert_eq!(measured_instead(&times), None);
        let of = |metric: &str| {
            let series = Series::new("b", Unit::parse("faults"), vec![1.0, 2.0]).unwrap();
            Subject { series: series.with_metric(metric), ..subject("b", 1e-6) }
        };
        let subjects = vec![subject("a", 1e-6), of("faults"), of("cycles"), of("faults")];
        let said = measured_instead(&report(subjects, Vec::new()));
        assert_eq!(said.as_deref(), Some("measured: cycles, faults, not wall time"));
    }
}
