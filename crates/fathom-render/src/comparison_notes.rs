//! What stands below a verdict: what would settle it, its gates, how it was measured.

use crate::layout::visible;
use crate::percent::percent;
use crate::ratio::{ratio_text, scale_of_ratio};
use crate::rough;
use fathom_analyze::compare::{Comparison, Design, Gate, GateOutcome, Pairing, Verdict};
use fathom_stats::paired::fewest_blocks;
use std::fmt::Write;

/// What stands side by side.
fn pairs_of(comparison: &Comparison) -> &'static str {
    match &comparison.design {
        Design::Paired(paired) => match paired.pairing {
            Pairing::Runs => "pairs",
            Pairing::Batches => "pairs of batches",
            Pairing::Executions => "pairs of executions",
        },
        Design::Unpaired { .. } => "samples",
    }
}

/// "about 210 more pairs (6 s) would settle a 1% difference: --max-time 8s"
#[must_use]
pub fn settle(comparison: &Comparison, seconds: Option<f64>) -> Option<String> {
    if comparison.verdict != Verdict::Inconclusive {
        return None;
    }
    let Some(further) = comparison.further else {
        return too_few(comparison, seconds);
    };
    let pairs = rounded(further.pairs);
    let what = pairs_of(comparison);
    let mut line =
        format!("about {pairs} more {what} ({}) would settle it", rough(further.seconds));
    if let Some(so_far) = seconds {
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
fn too_few(comparison: &Comparison, seconds: Option<f64>) -> Option<String> {
    let Design::Paired(paired) = &comparison.design else { return None };
    let per_block = paired.pairing.pairs_per_block();
    let fewest = per_block * fewest_blocks(comparison.confidence.alpha());
    let better = 10 * per_block;
    let what = pairs_of(comparison);
    let pairs = comparison.pairs();
    if pairs >= fewest {
        return Some(format!("more {what} are needed; how many cannot be said from these"));
    }
    let sure = percent(comparison.confidence.get());
    let mut line = format!(
        "{pairs} {what} say nothing at {sure}; at least {fewest} are needed, better {better}"
    );
    if let Some(seconds) = seconds.filter(|_| paired.blocks > 0) {
        let budget = (seconds * better as f64 / pairs as f64 * 1.2).ceil();
        let _ = write!(line, ": --max-time {budget:.0}s");
    }
    Some(line)
}

/// Two digits: it is a guess.
fn rounded(count: usize) -> usize {
    let step = 10_usize.pow(count.max(1).ilog10().saturating_sub(1));
    count.div_ceil(step) * step
}

/// What became of a gate.
#[must_use]
pub fn gate_line(gate: Gate, outcome: GateOutcome, subject: &str) -> String {
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

/// How a comparison was measured: how many pairs, what was cancelled, what was set aside.
#[must_use]
pub fn how_measured(comparison: &Comparison, seconds: Option<f64>) -> Vec<String> {
    let paired = match &comparison.design {
        Design::Paired(paired) => paired,
        Design::Unpaired { samples } => {
            return vec![format!(
                "{} and {} samples, measured apart: drift between the two sessions counts as a \
                 difference; measuring both in turn with `fathom compare` cancels it",
                samples[0], samples[1]
            )];
        }
    };
    let time = seconds.map_or(String::new(), |seconds| {
        let decimals = if seconds < 20.0 { 1 } else { 0 };
        format!(" in {seconds:.decimals$} s")
    });
    let order = match paired.pairing {
        Pairing::Runs | Pairing::Batches => ", ABBA or BAAB by coin",
        Pairing::Executions => ", measured in turn, batch by batch",
    };
    let mut text = format!("{} {}{time}{order}", comparison.pairs(), pairs_of(comparison));
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
    let mut lines = vec![text];
    if let Some(all) = &paired.with_all_blocks {
        let what = match paired.pairing {
            Pairing::Runs | Pairing::Batches => "blocks",
            Pairing::Executions => "pairs of executions",
        };
        lines.push(format!(
            "{} of {} {what} ran beside other load and were set aside; with all: {} ({})",
            paired.blocks - paired.used,
            paired.blocks,
            ratio_text(all.ratio, all.interval),
            scale_of_ratio(all.ratio, all.interval).ends(Some(all.interval), false)
        ));
    }
    lines
}

/// What other tools would say in a single look.
#[must_use]
pub fn single_looks(comparison: &Comparison) -> Vec<String> {
    let Design::Paired(paired) = &comparison.design else { return Vec::new() };
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
