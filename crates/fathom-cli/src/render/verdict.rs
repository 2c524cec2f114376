//! A comparison for people: the verdict in words, the subjects over one axis, the ratio.

use super::layout::{FAINT, STRONG, WARNING, push_wrapped, visible};
use super::ratio::{ratio_text, ratios, scale_of_ratio};
use super::sentence::percent;
use super::verdict_sentence::{Quantity, sentence};
use super::view::View;
use super::{notes, subject_table};
use crate::progress::rough;
use fathom_analyze::compare::{Comparison, Design, GateOutcome, Paired, Verdict};
use fathom_analyze::{Report, Stopped, Subject};
use fathom_stats::paired::fewest_blocks;
use std::fmt::Write;

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
    text.push_str(&subject_table::table(&report.subjects, 0, view, width));
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
    notes.extend(notes::of_session(report, view));
    if view.verbose {
        for subject in &report.subjects {
            let name = visible(subject.series.name());
            notes.extend(notes::costs(subject, view).map(|line| format!("{name}: {line}")));
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
