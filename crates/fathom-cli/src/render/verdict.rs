//! A comparison for people: the verdict in words, the subjects over one axis, the ratio.

use super::human;
use super::layout::{FAINT, STRONG, WARNING, padded, push_wrapped, shortened, visible};
use super::quantity::{Rounding, Scale};
use super::sentence::percent;
use super::view::View;
use crate::progress::rough;
use fathom_analyze::compare::{Comparison, Design, GateOutcome, Paired, Verdict};
use fathom_analyze::{Report, Stopped, Subject};
use fathom_record::{Metric, Unit};
use fathom_stats::Interval;
use fathom_stats::paired::fewest_blocks;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// What the renderer needs besides the report.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circumstances {
    /// How long measuring took, where it was done now.
    pub(crate) seconds: Option<f64>,
}

/// Renders a comparison in `width` columns.
pub(crate) fn render(
    report: &Report,
    comparisons: &[Comparison],
    circumstances: Circumstances,
    view: &View,
    width: usize,
) -> String {
    let mut text = String::new();
    let quantity = Quantity::of(report.subjects.first());
    for comparison in comparisons {
        push_wrapped(&mut text, &sentence(comparison, quantity), "", STRONG, width);
        if let Some(line) = settle(comparison, circumstances) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
        for (gate, outcome) in &comparison.gates {
            let line = gate_line(*gate, *outcome, &comparison.subject);
            let style = if *outcome == GateOutcome::Passed { FAINT } else { WARNING };
            push_wrapped(&mut text, &line, "  ", style, width);
        }
    }
    if view.quiet {
        return text;
    }
    text.push('\n');
    text.push_str(&human::table(&report.subjects, 0, view, width));
    text.push_str(&ratios(comparisons, width));
    text.push('\n');
    for line in notes(report, comparisons, circumstances, view) {
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    for line in warnings(report, comparisons) {
        push_wrapped(&mut text, &format!("warning: {line}"), "  ", WARNING, width);
    }
    text
}

/// How a metric is spoken of.
#[derive(Debug, Clone, Copy)]
enum Quantity<'a> {
    Time,
    Other(&'a str),
}

impl<'a> Quantity<'a> {
    fn of(subject: Option<&'a Subject>) -> Quantity<'a> {
        let Some(subject) = subject else { return Quantity::Time };
        let is_time = matches!(subject.series.unit(), Unit::Time(_));
        match subject.series.metric() {
            Some(metric) if metric != Metric::WallTime.to_string() => {
                Quantity::Other(metric.strip_prefix("metric:").unwrap_or(metric))
            }
            None if !is_time => Quantity::Other("value"),
            _ => Quantity::Time,
        }
    }

    fn more(self) -> String {
        match self {
            Quantity::Time => "more time".to_string(),
            Quantity::Other(name) => format!("more {name}"),
        }
    }
}

fn sentence(comparison: &Comparison, quantity: Quantity<'_>) -> String {
    let subject = visible(&comparison.subject);
    let reference = visible(&comparison.reference);
    let sure = percent(comparison.confidence.get());
    let Interval { lower, upper } = comparison.interval;
    let ends = || format!("{} to {}", signed(lower, Rounding::Down), signed(upper, Rounding::Up));
    match comparison.verdict {
        Verdict::Slower | Verdict::Faster if is_large(comparison.interval) => {
            many_times(comparison, quantity, &subject, &reference)
        }
        Verdict::Slower => {
            let how = match quantity {
                Quantity::Time => "slower".to_string(),
                Quantity::Other(name) => format!("higher in {name}"),
            };
            format!(
                "{subject} is {} {how} than {reference} ({} to {}), sure at {sure}.",
                share(comparison.ratio - 1.0, comparison.interval, Rounding::Nearest),
                share(lower - 1.0, comparison.interval, Rounding::Down),
                share(upper - 1.0, comparison.interval, Rounding::Up),
            )
        }
        Verdict::Faster => {
            let numbers = [
                share(1.0 - comparison.ratio, comparison.interval, Rounding::Nearest),
                share(1.0 - upper, comparison.interval, Rounding::Down),
                share(1.0 - lower, comparison.interval, Rounding::Up),
            ];
            let [by, least, most] = numbers;
            match quantity {
                Quantity::Time => format!(
                    "{subject} is faster than {reference}: it takes {by} less time ({least} to \
                     {most}), sure at {sure}."
                ),
                Quantity::Other(name) => format!(
                    "{subject} is {by} lower in {name} than {reference} ({least} to {most}), sure \
                     at {sure}."
                ),
            }
        }
        Verdict::Equivalent => {
            let what = match quantity {
                Quantity::Time => "take the same time".to_string(),
                Quantity::Other(name) => format!("have the same {name}"),
            };
            let although = if comparison.is_measurable() {
                ", although a difference is measurable"
            } else {
                ""
            };
            format!(
                "{reference} and {subject} {what} within {} ({}), sure at {sure}{although}.",
                percent(comparison.margin.get()),
                ends()
            )
        }
        Verdict::Inconclusive if !lower.is_finite() || !upper.is_finite() => {
            format!("Cannot tell: too little was measured to compare {subject} with {reference}.")
        }
        Verdict::Inconclusive => {
            let change = |ratio: f64, rounding| match ratio < 1.0 {
                // Outwards, whichever way that is.
                true => format!("{} less", share(1.0 - ratio, comparison.interval, Rounding::Up)),
                false => format!("{} more", share(ratio - 1.0, comparison.interval, rounding)),
            };
            let kind = match quantity {
                Quantity::Time => "takes",
                Quantity::Other(_) => "has",
            };
            format!(
                "Cannot tell yet: {subject} {kind} between {} and {} than {reference}, at {sure}.",
                change(lower, Rounding::Up),
                change(upper, Rounding::Up).replace("more", &quantity.more()),
            )
        }
    }
}

/// Percentages are for small differences; who is ten times as fast wants to hear that.
fn is_large(interval: Interval) -> bool {
    interval.lower > 2.0 || interval.upper < 0.5
}

fn many_times(
    comparison: &Comparison,
    quantity: Quantity<'_>,
    subject: &str,
    reference: &str,
) -> String {
    let Interval { lower, upper } = comparison.interval;
    let sure = percent(comparison.confidence.get());
    let is_less = upper < 1.0;
    let (ratio, ends) = if is_less {
        (1.0 / comparison.ratio, Interval { lower: 1.0 / upper, upper: 1.0 / lower })
    } else {
        (comparison.ratio, comparison.interval)
    };
    let scale = Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(ends));
    let times = scale.number(ratio, Rounding::Nearest);
    let ends = scale.ends(Some(ends), false);
    match (quantity, is_less) {
        (Quantity::Time, true) => {
            format!("{subject} is {times} times as fast as {reference} ({ends}), sure at {sure}.")
        }
        (Quantity::Time, false) => {
            format!(
                "{subject} takes {times} times as long as {reference} ({ends}), sure at {sure}."
            )
        }
        (Quantity::Other(name), true) => format!(
            "{subject} has {name} {times} times lower than {reference} ({ends}), sure at {sure}."
        ),
        (Quantity::Other(name), false) => format!(
            "{subject} has {times} times the {name} of {reference} ({ends}), sure at {sure}."
        ),
    }
}

/// "about 210 more pairs (6 s) would settle a 1% difference: --max-time 8s"
fn settle(comparison: &Comparison, circumstances: Circumstances) -> Option<String> {
    if comparison.verdict != Verdict::Inconclusive {
        return None;
    }
    let Some(further) = comparison.further else {
        return too_few(comparison, circumstances);
    };
    let pairs = rounded(further.pairs);
    let mut line = format!("about {pairs} more pairs ({}) would settle it", rough(further.seconds));
    if let Some(so_far) = circumstances.seconds {
        let budget = (so_far + 1.5 * further.seconds).ceil();
        const AN_HOUR: f64 = 3600.0;
        if budget <= AN_HOUR {
            let _ = write!(line, ": --max-time {budget:.0}s");
        } else {
            line.push_str(
                "; that is long: give a wider --margin, or make the machine quieter (`fathom doctor`)",
            );
        }
    }
    Some(line)
}

/// What it takes to say anything at all.
fn too_few(comparison: &Comparison, circumstances: Circumstances) -> Option<String> {
    let Design::Paired(paired) = &comparison.design else { return None };
    let fewest = 2 * fewest_blocks(comparison.confidence.alpha());
    let pairs = comparison.pairs();
    if pairs >= fewest {
        return Some("more pairs are needed; how many cannot be said from these".to_string());
    }
    let sure = percent(comparison.confidence.get());
    let mut line =
        format!("{pairs} pairs say nothing at {sure}; at least {fewest} are needed, better 20");
    if let Some(seconds) = circumstances.seconds.filter(|_| paired.blocks > 0) {
        let budget = (seconds * 20.0 / pairs as f64 * 1.2).ceil();
        let _ = write!(line, ": --max-time {budget:.0}s");
    }
    Some(line)
}

/// Two digits: it is a guess.
fn rounded(count: usize) -> usize {
    let step = 10_usize.pow(count.max(1).ilog10().saturating_sub(1));
    count.div_ceil(step) * step
}

fn gate_line(gate: fathom_analyze::compare::Gate, outcome: GateOutcome, subject: &str) -> String {
    use fathom_analyze::compare::Gate;
    let subject = visible(subject);
    let (flag, limit) = match gate {
        Gate::NotSlower(limit) => ("--fail-if-slower", percent(limit.get())),
        Gate::Equivalent(margin) => ("--require-equivalent", percent(margin.get())),
    };
    match (gate, outcome) {
        (Gate::NotSlower(_), GateOutcome::Failed) => {
            format!("gate {flag} {limit}: FAILED, {subject} is proven slower by more than that")
        }
        (Gate::NotSlower(_), _) => {
            format!("gate {flag} {limit}: passed, no such slowdown is proven")
        }
        (Gate::Equivalent(_), GateOutcome::Failed) => {
            format!("gate {flag} {limit}: FAILED, the difference is proven to be larger")
        }
        (Gate::Equivalent(_), GateOutcome::Passed) => format!("gate {flag} {limit}: passed"),
        (Gate::Equivalent(_), GateOutcome::Open) => {
            format!("gate {flag} {limit}: NOT SHOWN within the budget")
        }
    }
}

/// A share as a percentage with the digits that the interval supports.
fn share(share: f64, interval: Interval, rounding: Rounding) -> String {
    format!("{}%", scale_of(interval).number(100.0 * share, rounding))
}

/// "+0.3%", "-0.4%".
fn signed(ratio: f64, rounding: Rounding) -> String {
    let percents = 100.0 * (ratio - 1.0);
    let scale = Scale::new(&Unit::Unknown, percents, None)
        .for_interval(percents, Some(Interval { lower: percents - 0.5, upper: percents + 0.5 }));
    let number = scale.number(percents, rounding);
    if number.starts_with('-') { format!("{number}%") } else { format!("+{number}%") }
}

/// One digit of the half width is enough in a sentence, unless an end would then look like no
/// difference; and hundredths of a percent are as fine as anybody wants it.
fn scale_of(interval: Interval) -> Scale {
    const FINEST: f64 = 0.25;
    let percents = Interval { lower: 100.0 * interval.lower, upper: 100.0 * interval.upper };
    let nearest = (percents.lower - 100.0).abs().min((percents.upper - 100.0).abs());
    let half = (5.0 * 0.5 * percents.width()).min(10.0 * nearest).max(FINEST);
    let middle = 0.5 * percents.lower + 0.5 * percents.upper;
    let wider = Interval { lower: middle - half, upper: middle + half };
    Scale::new(&Unit::Unknown, half, None).for_interval(half, Some(wider))
}

/// The digits that a ratio's interval supports, to four decimals at most.
fn scale_of_ratio(ratio: f64, interval: Interval) -> Scale {
    let half = (0.5 * interval.width()).max(2e-3 * ratio);
    let wider = Interval { lower: ratio - half, upper: ratio + half };
    Scale::new(&Unit::Unknown, ratio, None).for_interval(ratio, Some(wider))
}

pub(super) fn ratio_text(ratio: f64, interval: Interval) -> String {
    scale_of_ratio(ratio, interval).number(ratio, Rounding::Nearest)
}

pub(super) fn ratio_ends(comparison: &Comparison) -> String {
    let Comparison { ratio, interval, .. } = comparison;
    scale_of_ratio(*ratio, *interval).ends(Some(*interval), false)
}

/// The ratios over one axis on which 1 is marked.
fn ratios(comparisons: &[Comparison], width: usize) -> String {
    let shown: Vec<&Comparison> =
        comparisons.iter().filter(|comparison| comparison.interval.is_finite()).collect();
    if shown.is_empty() {
        return String::new();
    }
    let low = shown.iter().map(|found| found.interval.lower).fold(1.0, f64::min);
    let high = shown.iter().map(|found| found.interval.upper).fold(1.0, f64::max);
    if low >= high {
        return String::new();
    }
    let several = shown.len() > 1;
    let label = |found: &Comparison| match several {
        true => format!("{} / reference", shortened(&visible(&found.subject), 20)),
        false => "ratio".to_string(),
    };
    let labels: Vec<String> = shown.iter().map(|found| label(found)).collect();
    let numbers: Vec<String> =
        shown.iter().map(|found| ratio_text(found.ratio, found.interval)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let (label_width, number_width) = (widest(&labels), widest(&numbers));
    let room = width.saturating_sub(label_width + number_width + 10).clamp(12, 48);
    let place = |ratio: f64| {
        let share = (ratio.ln() - low.ln()) / (high.ln() - low.ln());
        (share * (room - 1) as f64).round() as usize
    };
    let one = place(1.0);
    let mut text = String::from("\n");
    for ((found, label), number) in shown.iter().zip(&labels).zip(&numbers) {
        let (from, to) = (place(found.interval.lower), place(found.interval.upper));
        let at = place(found.ratio);
        let line: String = (0..room)
            .map(|column| match column {
                c if c == at => '●',
                c if c == from && from < to => '├',
                c if c == to && from < to => '┤',
                c if c > from && c < to => '─',
                c if c == one => '┆',
                _ => ' ',
            })
            .collect();
        let _ = writeln!(
            text,
            "  {}  {}  {}",
            padded(label, label_width, true),
            padded(number, number_width, false),
            line.trim_end()
        );
    }
    // The axis: its ends, and where nothing changes.
    let indent = label_width + number_width + 6;
    let scale = Scale::new(&Unit::Unknown, high, None)
        .for_interval(high, Some(Interval { lower: low, upper: high }));
    let left = scale.number(low, Rounding::Nearest);
    let right = scale.number(high, Rounding::Nearest);
    let mut axis = vec![' '; room + right.width()];
    let mut write_at = |column: usize, label: &str| {
        let end = column + label.width();
        let is_free = axis
            .get(column.saturating_sub(1)..(end + 1).min(axis.len()))
            .is_some_and(|part| part.iter().all(|c| *c == ' '));
        if is_free {
            for (cell, letter) in axis.iter_mut().skip(column).zip(label.chars()) {
                *cell = letter;
            }
        }
    };
    write_at(one.min(room - 1), "1");
    if low < 1.0 {
        write_at(0, &left);
    }
    if high > 1.0 {
        write_at((room).saturating_sub(right.width()), &right);
    }
    let axis: String = axis.into_iter().collect();
    let _ = writeln!(text, "{}{FAINT}{}{FAINT:#}", " ".repeat(indent), axis.trim_end());
    text
}

fn notes(
    report: &Report,
    comparisons: &[Comparison],
    circumstances: Circumstances,
    view: &View,
) -> Vec<String> {
    let mut notes = Vec::new();
    for comparison in comparisons {
        let several = comparisons.len() > 1;
        let name =
            if several { format!("{}: ", visible(&comparison.subject)) } else { String::new() };
        match &comparison.design {
            Design::Unpaired { samples } => notes.push(format!(
                "{name}{} and {} samples, measured apart: drift between the two sessions counts as \
                 a difference; `fathom compare` of both commands cancels it",
                samples[0], samples[1]
            )),
            Design::Paired(paired) => {
                notes.push(format!("{name}{}", how_measured(comparison, paired, circumstances)));
                if let Some(all) = &paired.with_all_blocks {
                    notes.push(format!(
                        "{name}{} of {} blocks ran beside other load and were set aside; with all: \
                         {} ({})",
                        paired.blocks - paired.used,
                        paired.blocks,
                        ratio_text(all.ratio, all.interval),
                        scale_of_ratio(all.ratio, all.interval).ends(Some(all.interval), false)
                    ));
                }
                if view.verbose {
                    notes.extend(tests(paired).into_iter().map(|line| format!("{name}{line}")));
                }
            }
        }
    }
    notes.extend(flagged(report));
    if report.subjects.iter().any(|subject| subject.stopped == Stopped::Interrupted) {
        notes.push("interrupted: this is what was measured until then".to_string());
    }
    notes.extend(human::of_session(report, view));
    if view.verbose {
        for subject in &report.subjects {
            let name = visible(subject.series.name());
            notes.extend(human::costs(subject, view).map(|line| format!("{name}: {line}")));
        }
    }
    notes
}

fn how_measured(comparison: &Comparison, paired: &Paired, circumstances: Circumstances) -> String {
    let time = circumstances.seconds.map_or(String::new(), |seconds| {
        let decimals = if seconds < 20.0 { 1 } else { 0 };
        format!(" in {seconds:.decimals$} s")
    });
    let mut text = format!("{} pairs{time}, ABBA or BAAB by coin", comparison.pairs());
    const NOTABLE: f64 = 0.02;
    if paired.drift > NOTABLE {
        let _ = write!(text, "; drift of {:.0}% cancelled by pairing", 100.0 * paired.drift);
    }
    if paired.widened_by > 1.05 {
        let _ = write!(
            text,
            "; neighbouring blocks are alike (lag-1 {:.2}), interval widened by {:.0}%",
            paired.lag1,
            100.0 * (paired.widened_by - 1.0)
        );
    }
    text
}

fn tests(paired: &Paired) -> Vec<String> {
    let mut lines = Vec::new();
    let tests = &paired.tests;
    let p = |p: f64| if p < 0.001 { "p < .001".to_string() } else { format!("p = {p:.3}") };
    let mut single = Vec::new();
    if let Some(value) = tests.signed_rank_p {
        single.push(format!("signed rank {}", p(value)));
    }
    if let Some(mean) = &tests.mean_ln {
        let ratio = mean.mean.exp();
        let value = mean.p_value.map_or(String::new(), |value| format!(", t {}", p(value)));
        single.push(format!("mean ln gives {ratio:.4}{value}"));
    }
    single.push(format!(
        "sign {}:{} {}",
        tests.sign.slower,
        tests.sign.faster,
        p(tests.sign.p_value)
    ));
    lines.push(format!("in a single look: {}", single.join("; ")));
    lines
}

fn flagged(report: &Report) -> Option<String> {
    let count = |subject: &Subject| {
        subject.labelled.as_ref().map_or(0, |labelled| labelled.outliers().len())
    };
    let flagged: usize = report.subjects.iter().map(count).sum();
    let runs: usize = report.subjects.iter().map(|subject| subject.series.len()).sum();
    (flagged > 0).then(|| format!("{flagged} of {runs} runs flagged as outliers (kept)"))
}

fn warnings(report: &Report, comparisons: &[Comparison]) -> Vec<String> {
    // Subjects with the same trouble share a line.
    let mut shared: Vec<(&String, Vec<String>)> = Vec::new();
    for subject in &report.subjects {
        let name = visible(subject.series.name());
        for warning in &subject.warnings {
            match shared.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, names)) => names.push(name.clone()),
                None => shared.push((warning, vec![name.clone()])),
            }
        }
    }
    let mut warnings: Vec<String> = shared
        .into_iter()
        .map(|(warning, names)| format!("{}: {warning}", names.join(", ")))
        .collect();
    for comparison in comparisons {
        warnings.extend(comparison.warnings.iter().cloned());
    }
    warnings.extend(report.warnings.iter().cloned());
    warnings
}
