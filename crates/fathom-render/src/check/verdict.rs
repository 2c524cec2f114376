//! Whether a property is true of enough executions, in words.

use super::execution_lines::{counterexample, worst};
use super::share::{Round, digits, range};
use super::{alike, counted, independence, noun};
use crate::percent;
use fathom_property::decide::{CheckSummary, CheckVerdict, Counts, Method};
use fathom_property::{CheckReport, CheckStopReason, Judged, PropertyAnswer};
use fathom_record::TimeUnit;
use fathom_stats::Interval;

/// The answer.
pub(super) fn sentence(report: &CheckReport, property: &str, summary: &CheckSummary) -> String {
    let share = percent(report.probability.get());
    let (sure, many) = (percent(report.confidence.get()), noun(report, 2));
    let whose = match summary.counts.skipped {
        0 => many,
        _ => format!("{many} that succeed"),
    };
    let of_all = of_all(report, summary);
    let counts = &summary.counts;
    let did = (counts.samples() > 0)
        .then(|| format!("{} of {} did", counts.counted_true(), counts.samples()));
    let but = alike(report).map_or(String::new(), |alike| format!(", although {alike}"));
    let known = did.as_ref().map_or(String::new(), |did| format!("; {did}"));
    let how = format!("({sure} confidence{known}){but}{of_all}.");
    match summary.verdict {
        CheckVerdict::True if is_untested(report) => format!(
            "True, but never tested: at least {share} of {whose} satisfy `{property}` {how}"
        ),
        CheckVerdict::True => {
            format!("True: at least {share} of {whose} satisfy `{property}` {how}")
        }
        CheckVerdict::False => {
            format!("False: fewer than {share} of {whose} satisfy `{property}` {how}")
        }
        CheckVerdict::Inconclusive => {
            let did = did.map_or(String::new(), |did| format!(" ({did})"));
            let because = alike(report).map_or(String::new(), |alike| format!(": {alike}"));
            format!(
                "Inconclusive: cannot tell with {sure} confidence whether at least {share} of {whose} \
                 satisfy `{property}`{did}{because}."
            )
        }
    }
}

/// What a verdict about the executions that succeed means for all.
pub(super) fn of_all(report: &CheckReport, summary: &CheckSummary) -> String {
    let Some(PropertyAnswer::Verdict { summary: all, .. }) = &report.of_all else {
        return String::new();
    };
    match all.verdict {
        verdict if verdict == summary.verdict => {
            "; the same holds for all, whatever the failed ones would have given".to_string()
        }
        _ => "; including the failed ones, it is inconclusive".to_string(),
    }
}

fn is_untested(report: &CheckReport) -> bool {
    let PropertyAnswer::Verdict { summary, .. } = &report.answer else { return false };
    let counts = &summary.counts;
    counts.vacuous > 0 && counts.satisfied + counts.violated + counts.failed + counts.unknown == 0
}

/// What explains the answer.
pub(super) fn lines(
    report: &CheckReport,
    summary: &CheckSummary,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    let mut lines = vec![tally(report, summary)];
    lines.extend(unclear(report, &summary.counts));
    // The page of several questions says it of all of them.
    let is_alone = report.sharing.is_none();
    lines.extend(is_alone.then(|| error(summary)));
    lines.extend(what_next(report, summary));
    lines.extend(independence(report));
    lines.extend(match summary.verdict {
        CheckVerdict::False => counterexample(report, time_unit, again),
        _ => worst(report, time_unit, again),
    });
    if report.unused > 0 && is_alone {
        let were = if report.unused == 1 { "was" } else { "were" };
        lines.push(format!(
            "{} more {were} finished or running by then and not counted",
            report.unused,
        ));
    }
    lines
}

fn tally(report: &CheckReport, summary: &CheckSummary) -> String {
    let counts = &summary.counts;
    let (samples, satisfied) = (counts.samples(), counts.counted_true());
    let Some(estimate) = summary.estimate else {
        return format!("no {} counts", noun(report, 1));
    };
    let sure = percent(report.confidence.get());
    let whole = match counts.skipped {
        0 => "of all",
        _ => "of those that succeed",
    };
    // Of several questions the table has the interval: no second one beside it.
    let is_same_test = matches!(summary.question.method, Method::Anytime | Method::Exact)
        && report.sharing.is_none();
    let bounds = match summary.verdict {
        // One end is what the verdict rests on; two would say less about it.
        CheckVerdict::True if is_same_test => {
            format!(
                ", at least {} {whole} with {sure} confidence",
                digits(summary.bounds.lower, Round::Down)
            )
        }
        CheckVerdict::False if is_same_test => {
            format!(
                ", at most {} {whole} with {sure} confidence",
                digits(summary.bounds.upper, Round::Up)
            )
        }
        _ => {
            let Interval { lower, upper } = summary.interval;
            let (lower, upper) = (digits(lower, Round::Down), digits(upper, Round::Up));
            format!(" ({sure} CI {lower} to {upper})")
        }
    };
    format!("{}, {satisfied} true: {}{bounds}", counted(report, samples), range(estimate))
}

/// What did not simply come out true or false.
fn unclear(report: &CheckReport, counts: &Counts) -> Vec<String> {
    use fathom_property::decide::VacuousRule;
    let mut lines = Vec::new();
    if counts.vacuous > 0 {
        let how = match counts.vacuous_rule {
            VacuousRule::True => "counted as true",
            VacuousRule::False => "counted as false",
            VacuousRule::Skip => "excluded",
        };
        lines.push(format!(
            "{} never triggered the property; {how} (--vacuous)",
            counted(report, counts.vacuous)
        ));
    }
    let cut = report.tally().cut;
    if cut > 0 {
        let were = if cut == 1 { "was" } else { "were" };
        lines.push(format!(
            "{} {were} cut short by --timeout or a signal, so totals are unknown",
            counted(report, cut)
        ));
    }
    let held = report.conditions.iter().filter(|one| one.held_in < one.of);
    lines.extend(held.map(|one| {
        let executions = noun(report, one.of);
        format!("`{}` held in {} of {} {executions}", one.condition, one.held_in, one.of)
    }));
    if counts.unknown > 0 {
        lines.push(format!(
            "{} undecided (cut short or missing a value); the verdict has to hold either way",
            counted(report, counts.unknown)
        ));
    }
    let mut failed = |count: usize, how: &str| {
        if count == 0 {
            return;
        }
        lines.push(format!("{} failed{how}", counted(report, count)));
    };
    failed(counts.failed, " (counted as false)");
    failed(counts.skipped, " (excluded): the answer covers only those that succeed");
    lines
}

fn error(summary: &CheckSummary) -> String {
    let most = digits(summary.error_bound, Round::Up);
    if summary.dependence.is_some() {
        return format!(
            "the chance of a wrong answer is at most about {most}, as far as the effective sample \
             size is known"
        );
    }
    match summary.question.method {
        Method::Anytime => {
            format!("the chance of a wrong answer is below {most}, however often you look")
        }
        Method::Exact => format!(
            "the chance of a wrong answer is below {most}, provided nobody looked before the last \
             execution"
        ),
        Method::Spa => format!(
            "the SPA paper's rule; near {} it is wrong in up to {most} of cases",
            percent(summary.question.probability.get())
        ),
        Method::Wald { indifference } => format!(
            "the chance of a wrong answer is below {most} unless the true share is within {} of {}; \
             closer than that, either answer is possible",
            percent(indifference),
            percent(summary.question.probability.get())
        ),
    }
}

pub(super) fn what_next(report: &CheckReport, summary: &CheckSummary) -> Option<String> {
    // More of the same execution would settle nothing.
    if summary.verdict != CheckVerdict::Inconclusive || report.is_one_execution() {
        return None;
    }
    let share = summary.estimate.map_or(String::new(), range);
    let stopped = match report.stopped {
        CheckStopReason::MaxTime => "time limit reached; ",
        CheckStopReason::Interrupted => "interrupted; ",
        CheckStopReason::Dependent => {
            "stopped early: with this autocorrelation, even the largest allowed number would not be \
             enough; "
        }
        _ => "",
    };
    let Some(further) = summary.further_samples else {
        return Some(format!("{stopped}{}", why_no_number(report, summary)?));
    };
    let how = how_to_go_on(report, summary, further);
    Some(format!(
        "{stopped}about {} more {} would settle it if {share} is the true share{how}",
        rounded_up(further),
        noun(report, rounded_up(further))
    ))
}

/// Why it cannot be said how many more executions would settle it.
fn why_no_number(report: &CheckReport, summary: &CheckSummary) -> Option<String> {
    /// A share that is known this well is near what it is near to.
    const NEAR: f64 = 0.02;
    let estimate = summary.estimate?;
    let f = report.probability.get();
    let asked = percent(f);
    if summary.counts.unknown > 0 && estimate.lower <= f && f <= estimate.upper {
        return Some(format!(
            "the undecided ones decide it: the share is {} with them; find out why they are \
             undecided, since more of the same would not settle it",
            range(estimate)
        ));
    }
    let Interval { lower, upper } = summary.interval;
    if f - lower <= NEAR && upper - f <= NEAR {
        return Some(format!(
            "the share is so close to {asked} that no practical number of {} would settle it; set \
             --indifference to say how close is close enough",
            noun(report, 2)
        ));
    }
    if estimate.upper < f - NEAR || f + NEAR < estimate.lower {
        return Some("these are too few to estimate how many more would settle it".to_string());
    }
    Some(format!(
        "the observed share, {}, is the required one, so the number needed is unknown; set \
         --indifference to say how close to {asked} is close enough",
        range(estimate)
    ))
}

/// What gives it more executions, where their number was what ended it.
fn how_to_go_on(report: &CheckReport, summary: &CheckSummary, further: usize) -> String {
    if report.plan.is_none() {
        return String::new();
    }
    // Some may not count, now as before.
    let (all, samples) = (report.judged.len(), summary.counts.samples().max(1));
    let budget = rounded_up(all + (further * all).div_ceil(samples));
    let may_go_on = matches!(summary.question.method, Method::Anytime | Method::Wald { .. });
    match (report.stopped, report.session) {
        (CheckStopReason::MaxRuns | CheckStopReason::Dependent, Some(id)) if may_go_on => {
            format!(": fathom resume {id} --max-runs {budget}")
        }
        (CheckStopReason::MaxRuns | CheckStopReason::Dependent, _) => {
            format!(": --max-runs {budget}")
        }
        (CheckStopReason::Fixed, _) => format!(": start again with --runs {budget}"),
        _ => String::new(),
    }
}

/// Two digits, upwards: a budget is a round number.
fn rounded_up(count: usize) -> usize {
    let mut step = 1;
    while count / step >= 100 {
        step *= 10;
    }
    count.div_ceil(step) * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_round_numbers() {
        assert_eq!(rounded_up(1234), 1300);
        assert_eq!(rounded_up(87), 87);
    }
}
