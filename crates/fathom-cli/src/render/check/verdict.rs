//! Whether a property is true of enough executions, in words.

use super::{counted, noun};
use fathom_property::decide::{Counts, Method, Summary, Verdict};
use fathom_property::{CheckReport, Judged, JudgedAs, Stopped, Truth};
use fathom_record::{TimeUnit, Unit};
use fathom_render::percent;
use fathom_render::quantity::{Rounding, Scale};
use fathom_stats::Interval;

/// The answer.
pub(super) fn sentence(report: &CheckReport, property: &str, summary: &Summary) -> String {
    let share = percent(report.probability.get());
    let (sure, many) = (percent(report.confidence.get()), noun(report, 2));
    match summary.verdict {
        Verdict::True => {
            format!("True: {property} holds in at least {share} of {many}, sure at {sure}.")
        }
        Verdict::False => {
            format!("False: {property} holds in fewer than {share} of {many}, sure at {sure}.")
        }
        Verdict::Inconclusive => format!(
            "Cannot tell yet whether {property} holds in at least {share} of {many}, at {sure}."
        ),
    }
}

/// What explains the answer.
pub(super) fn lines(
    report: &CheckReport,
    summary: &Summary,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    let mut lines = vec![tally(report, summary)];
    lines.extend(unclear(report, &summary.counts));
    lines.push(error(summary));
    lines.extend(what_next(report, summary));
    lines.extend(worst(report, time_unit, again));
    if report.unused > 0 {
        let were = if report.unused == 1 { "was" } else { "were" };
        lines.push(format!(
            "{} more {were} done or under way by then and {} not counted",
            report.unused,
            if report.unused == 1 { "is" } else { "are" }
        ));
    }
    lines
}

fn tally(report: &CheckReport, summary: &Summary) -> String {
    let counts = &summary.counts;
    let (samples, satisfied) = (counts.samples(), counts.counted_true());
    let Some(estimate) = summary.estimate else {
        return format!("no {} that counts", noun(report, 1));
    };
    let sure = percent(report.confidence.get());
    let is_same_test = matches!(summary.question.method, Method::Anytime | Method::Exact);
    let bounds = match summary.verdict {
        // One end is what the verdict rests on; two would say less about it.
        Verdict::True if is_same_test => {
            format!(", at least {} of all at {sure}", digits(summary.bounds.lower, Round::Down))
        }
        Verdict::False if is_same_test => {
            format!(", at most {} of all at {sure}", digits(summary.bounds.upper, Round::Up))
        }
        _ => {
            let Interval { lower, upper } = summary.interval;
            let (lower, upper) = (digits(lower, Round::Down), digits(upper, Round::Up));
            format!(" ({lower} to {upper} at {sure})")
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
            VacuousRule::Skip => "left out",
        };
        lines.push(format!(
            "in {} nothing happened that the property speaks of; {how} (--vacuous)",
            counted(report, counts.vacuous)
        ));
    }
    if counts.unknown > 0 {
        lines.push(format!(
            "{} left it open, by a cut or a missing value; the verdict must hold either way",
            counted(report, counts.unknown)
        ));
    }
    let mut failed = |count: usize, how: &str| {
        if count == 0 {
            return;
        }
        lines.push(format!("{} failed and {how}", counted(report, count)));
        let reason = report.judged.iter().find_map(|judged| match &judged.result {
            JudgedAs::Failed(reason) => Some((judged, reason)),
            _ => None,
        });
        if let Some((judged, reason)) = reason {
            lines.push(format!("the first, {}, {reason}", name(judged)));
        }
    };
    failed(counts.failed, "count as false");
    failed(counts.skipped, "do not count: the answer is about those that succeed");
    lines
}

fn error(summary: &Summary) -> String {
    let most = digits(summary.error_bound, Round::Up);
    match summary.question.method {
        Method::Anytime => {
            format!("the chance of a wrong answer is below {most} however often one looks")
        }
        Method::Exact => format!(
            "the chance of a wrong answer is below {most}, if nobody looked before the last \
             execution"
        ),
        Method::Spa => format!(
            "the paper's rule; near {} it is wrong in up to {most} of all cases",
            percent(summary.question.probability.get())
        ),
        Method::Wald { indifference } => format!(
            "the chance of a wrong answer is below {most} where the true share is not within {} \
             of {}; nearer than that, either answer may come",
            percent(indifference),
            percent(summary.question.probability.get())
        ),
    }
}

fn what_next(report: &CheckReport, summary: &Summary) -> Option<String> {
    if summary.verdict != Verdict::Inconclusive {
        return None;
    }
    let share = summary.estimate.map_or(String::new(), range);
    let stopped = match report.stopped {
        Stopped::MaxTime => "the time was over; ",
        Stopped::Interrupted => "interrupted; ",
        _ => "",
    };
    let Some(further) = summary.further_samples else {
        return Some(format!(
            "{stopped}the share is so near to {} that no number of executions within reach would \
             settle it; --indifference says how near is near enough",
            percent(report.probability.get())
        ));
    };
    let how = how_to_go_on(report, summary, further);
    Some(format!(
        "{stopped}about {} more would settle it if {share} is the true share{how}",
        counted(report, rounded_up(further))
    ))
}

/// What gives it more executions, where the budget was what ended it.
fn how_to_go_on(report: &CheckReport, summary: &Summary, further: usize) -> String {
    let budget = rounded_up(summary.counts.samples() + further);
    if report.plan.is_none() || report.stopped != Stopped::MaxRuns {
        return String::new();
    }
    let may_go_on = matches!(summary.question.method, Method::Anytime | Method::Wald { .. });
    match report.session {
        Some(id) if may_go_on => format!(": fathom resume {id} --max-runs {budget}"),
        _ => format!(": --max-runs {budget}"),
    }
}

/// The execution that misses by most, or comes nearest to it.
fn worst(
    report: &CheckReport,
    time_unit: Option<TimeUnit>,
    again: &dyn Fn(&Judged) -> Vec<String>,
) -> Vec<String> {
    let known: Vec<Known<'_>> = report.judged.iter().filter_map(Known::of).collect();
    // Margins in different units cannot be ranked.
    let is_one_unit = known.windows(2).all(|pair| pair[0].unit == pair[1].unit);
    let by_margin = |a: &&Known<'_>, b: &&Known<'_>| {
        (a.margin.total_cmp(&b.margin)).then(a.is_true.cmp(&b.is_true))
    };
    let Some(&Known { judged, margin, is_true, unit, part }) =
        known.iter().min_by(by_margin).filter(|_| is_one_unit)
    else {
        return Vec::new();
    };
    let amount = short(margin.abs(), unit, time_unit);
    let whole = match &report.answer {
        fathom_property::Answer::Verdict { property, .. } => property == part,
        fathom_property::Answer::Value { .. } => true,
    };
    let at = if whole { String::new() } else { format!(" at {part}") };
    let mut lines = vec![if !is_true {
        format!("worst: {}, by {amount} on the wrong side{at}", name(judged))
    } else {
        format!("nearest to false: {}, by {amount} on the right side{at}", name(judged))
    }];
    lines.extend(again(judged).into_iter().map(|command| format!("again by: {command}")));
    lines
}

/// An execution of which truth and margin are known.
struct Known<'a> {
    judged: &'a Judged,
    margin: f64,
    is_true: bool,
    unit: &'a str,
    part: &'a str,
}

impl<'a> Known<'a> {
    fn of(judged: &'a Judged) -> Option<Known<'a>> {
        let JudgedAs::Property { truth, robustness, decided_by } = &judged.result else {
            return None;
        };
        let is_true = match truth {
            Truth::True => true,
            Truth::False => false,
            Truth::Vacuous | Truth::Unknown => return None,
        };
        let margin = robustness.known().filter(|value| value.is_finite())?;
        let (unit, part) = decided_by.as_ref()?;
        Some(Known { judged, margin, is_true, unit, part })
    }
}

/// Every execution, a line each.
pub(super) fn every_execution(report: &CheckReport, time_unit: Option<TimeUnit>) -> Vec<String> {
    report.judged.iter().map(|judged| one_execution(judged, time_unit)).collect()
}

fn one_execution(judged: &Judged, time_unit: Option<TimeUnit>) -> String {
    let name = name(judged);
    let seeds: Vec<String> = judged.seeds.iter().map(u32::to_string).collect();
    let seeds =
        if seeds.is_empty() { String::new() } else { format!(", seed {}", seeds.join(" ")) };
    let result = match &judged.result {
        JudgedAs::Property { truth, robustness, decided_by } => {
            let truth = truth.name();
            let unit = decided_by.as_ref().map_or("", |(unit, _)| unit.as_str());
            match robustness.known().filter(|value| value.is_finite()) {
                Some(value) => format!("{truth}, margin {}", short(value, unit, time_unit)),
                None => truth.to_string(),
            }
        }
        JudgedAs::Value(bounds) => match bounds.known() {
            Some(value) => format!("{value}"),
            None => "unknown".to_string(),
        },
        JudgedAs::Failed(reason) => format!("failed: {reason}"),
    };
    format!("{name}{seeds}: {result}")
}

/// Four digits without zeros at the end.
fn short(value: f64, unit: &str, time_unit: Option<TimeUnit>) -> String {
    let text = Scale::new(&Unit::parse(unit), value, time_unit).with_unit(value, Rounding::Nearest);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number = match number.contains('.') && !number.contains('e') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    };
    if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
}

/// What an execution or a tuple is called: its file, or its number.
fn name(judged: &Judged) -> String {
    match (&judged.source, judged.runs.as_slice()) {
        (Some(source), _) => source.clone(),
        (None, [run]) => format!("run {run}"),
        (None, runs) => {
            let numbers: Vec<String> = runs.iter().map(u64::to_string).collect();
            format!("runs {}", numbers.join(" and "))
        }
    }
}

fn range(Interval { lower, upper }: Interval) -> String {
    let (low, high) = (digits(lower, Round::Nearest), digits(upper, Round::Nearest));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Which way to round: what is printed as an end still covers.
#[derive(Clone, Copy)]
pub(super) enum Round {
    Nearest,
    Down,
    Up,
}

/// A share with three digits, more where it is near 0 or 1.
pub(super) fn digits(share: f64, round: Round) -> String {
    let distance = 100.0 * share.min(1.0 - share).max(1e-9);
    let decimals = if distance >= 1.0 { 1 } else { (-distance.log10()).ceil() as i32 };
    let step = 10_f64.powi(decimals);
    let scaled = share * 100.0 * step;
    let scaled = match round {
        Round::Nearest => scaled.round(),
        Round::Down => (scaled + 1e-7).floor(),
        Round::Up => (scaled - 1e-7).ceil(),
    };
    percent(scaled / step / 100.0)
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
    fn amounts_are_short() {
        assert_eq!(short(0.02, "", None), "0.02");
        assert_eq!(short(2.0, "W", None), "2 W");
        assert_eq!(short(20.0 / 3.0, "cycles", None), "6.667 cycles");
        assert_eq!(short(1200.0, "", None), "1200");
    }

    #[test]
    fn shares_have_the_digits_they_need() {
        assert_eq!(digits(0.945_945, Round::Nearest), "94.6%");
        assert_eq!(digits(0.836_1, Round::Down), "83.6%");
        assert_eq!(digits(0.9991, Round::Up), "99.91%");
        assert_eq!(digits(0.999_940_5, Round::Up), "99.995%");
        assert_eq!(digits(0.004_21, Round::Nearest), "0.4%");
        assert_eq!(digits(0.1, Round::Up), "10%");
        assert_eq!(digits(0.05, Round::Up), "5%");
        assert_eq!(digits(1.0, Round::Nearest), "100%");
        assert_eq!(digits(0.0, Round::Down), "0%");
        assert_eq!(rounded_up(1234), 1300);
        assert_eq!(rounded_up(87), 87);
    }
}
