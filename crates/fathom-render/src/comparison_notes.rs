//! What stands below a verdict: what would settle it, its gates, how it was measured.

use crate::condition::condition;
use crate::gate_words::gate_on_statistic;
use crate::layout::visible;
use crate::percent::percent;
use crate::ratio::{ends_as_shown, ratio_ends, ratio_text};
use crate::rough;
use crate::shell_verdict::share_line;
use crate::statistic_sentence::named;
use crate::verdict_sentence::{counted_pairs, pairs as pairs_called};
use fathom_analyze::StopReason;
use fathom_analyze::Subject;
use fathom_analyze::compare::{
    ComparedStatistic, Comparison, Design, Gate, GateOutcome, LayoutArrangement, Layouts, Pairing,
    Verdict, fewest_blocks_among_quantiles, percentile,
};
use fathom_record::{AdvisedOption, FrontEnd, Remedy};
use fathom_stats::Probability;
use fathom_stats::paired::advised_blocks;
use fathom_stats::rarest_shown;
use std::fmt::Write;

/// How much was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// How long it took, where it was done now.
    pub seconds: Option<f64>,
    /// What ended it, where that is known.
    pub stopped: Option<StopReason>,
}

impl Spent {
    /// The option that measures so much: the one that limited it, if the front end has it.
    fn option(&self, pairs: usize, seconds: Option<f64>, front_end: FrontEnd) -> Option<String> {
        let (option, value) = match self.stopped {
            Some(StopReason::Fixed) => (AdvisedOption::Runs, pairs.to_string()),
            Some(StopReason::MaxRuns) => (AdvisedOption::MaxRuns, pairs.to_string()),
            Some(StopReason::Interrupted) => return None,
            _ => (AdvisedOption::MaxTime, format!("{:.0}s", seconds?.ceil())),
        };
        front_end.option(option).map(|name| format!("{name} {value}"))
    }
}

/// What is counted.
fn pairs_of(comparison: &Comparison) -> &'static str {
    match &comparison.design {
        Design::Paired(paired) => pairs_called(paired.pairing),
        Design::Unpaired { .. } => "samples of each command",
    }
}

/// "About 210 more pairs (6 s) would settle it: --max-time 14s"
///
/// The option repeats the comparison with what was measured and what is missing.
#[must_use]
pub fn settle(comparison: &Comparison, spent: Spent, front_end: FrontEnd) -> Option<String> {
    // Of many quantiles some may be open when the verdict is there.
    let is_partly_open =
        comparison.quantiles.iter().any(|one| one.verdict == Verdict::Inconclusive);
    let is_open = match comparison.gated() {
        Some(outcome) => outcome == GateOutcome::Inconclusive,
        None => comparison.verdict == Verdict::Inconclusive || is_partly_open,
    };
    // Nothing more of the same helps where the shell hides the ratio; the verdict says what does.
    let is_hidden = comparison.shell.is_some_and(|shell| shell.is_hidden());
    if !is_open || (is_hidden && comparison.interval.is_finite()) {
        return None;
    }
    let Some(further) = comparison.further else {
        if comparison.verdict != Verdict::Inconclusive && comparison.gated().is_none() {
            return None;
        }
        return too_few(comparison, spent, front_end);
    };
    let pairs = rounded(further.pairs);
    let what = match pairs {
        1 => pairs_of(comparison).replacen("pairs", "pair", 1).replacen("samples", "sample", 1),
        _ => pairs_of(comparison).to_string(),
    };
    let time = further.seconds.map_or(String::new(), |seconds| format!(" ({})", rough(seconds)));
    let goal = match comparison.verdict {
        _ if !comparison.interval.is_finite() => "give an interval",
        Verdict::Inconclusive => "settle it",
        _ if is_partly_open && comparison.gated().is_none() => "settle the rest",
        _ => "settle it",
    };
    let mut line = format!("About {pairs} more {what}{time} would {goal}");
    let in_all = spent.seconds.zip(further.seconds).map(|(so_far, more)| so_far + more);
    const AN_HOUR: f64 = 3600.0;
    if in_all.is_some_and(|seconds| seconds > AN_HOUR) {
        let remedies = [
            Remedy::with("accept a wider", AdvisedOption::Margin, ""),
            Remedy::new("make the machine quieter (`fathom doctor`)"),
        ];
        if let Some(remedies) = Remedy::said(&remedies, front_end) {
            let _ = write!(line, ". To need fewer, {remedies}");
        }
    } else if let Some(option) = spent.option(comparison.pairs() + pairs, in_all, front_end)
        && matches!(comparison.design, Design::Paired(_))
    {
        let _ = write!(line, ": {option}");
    }
    Some(line)
}

/// What it takes to say anything at all.
fn too_few(comparison: &Comparison, spent: Spent, front_end: FrontEnd) -> Option<String> {
    let Design::Paired(paired) = &comparison.design else { return None };
    let per_block = paired.pairing.pairs_per_block();
    let alpha = comparison.confidence.alpha();
    let fewest_blocks = comparison.statistic.fewest_blocks(alpha, per_block);
    let fewest = per_block * fewest_blocks;
    let better = per_block * advised_blocks(alpha).max(fewest_blocks);
    let what = pairs_of(comparison);
    let pairs = comparison.pairs();
    if comparison.interval.is_finite() {
        let mut line = "More pairs are unlikely to settle it".to_string();
        let remedy = Remedy::with("accept a wider", AdvisedOption::Margin, "or limit");
        if let Some(remedy) = Remedy::said(&[remedy], front_end) {
            let _ = write!(line, ": {remedy}");
        }
        return Some(line);
    }
    if pairs >= fewest {
        return Some(format!("More {what} are needed; these are too few to estimate how many"));
    }
    let sure = percent(comparison.confidence.get());
    let mut line = format!("A {sure} CI needs at least {fewest} {what}, better {better}");
    let budget = spent.seconds.filter(|_| paired.blocks > 0);
    let budget = budget.map(|seconds| seconds * better as f64 / pairs as f64 * 1.2);
    if let Some(option) = spent.option(better, budget, front_end) {
        let _ = write!(line, ": {option}");
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
pub fn gate_line(
    comparison: &Comparison,
    gate: Gate,
    outcome: GateOutcome,
    front_end: FrontEnd,
) -> String {
    let subject = visible(&comparison.subject);
    let limit = percent(gate.margin().get());
    let flag = match gate {
        Gate::NotSlower(_) => "--fail-if-slower",
        Gate::Equivalent(_) => "--require-equivalent",
    };
    let upper = comparison.interval.upper();
    let is_hidden = comparison.shell.is_some_and(|shell| shell.is_hidden());
    let said = match (gate, outcome) {
        (_, GateOutcome::Passed) if comparison.is_excused(gate) => {
            format!("passed, the machine code of {subject} is unchanged")
        }
        (_, GateOutcome::Inconclusive) if is_hidden => {
            "INCONCLUSIVE, the shell's start-up hides the commands' own time".to_string()
        }
        _ if !comparison.statistic.is_median() => gate_on_statistic(comparison, gate, outcome),
        (Gate::NotSlower(_), GateOutcome::Failed) => {
            format!("FAILED, {subject} is slower by more than {limit}")
        }
        (Gate::NotSlower(margin), GateOutcome::Passed)
            if comparison.interval.log().upper <= margin.log() =>
        {
            format!("passed, {subject} is not slower by more than {limit}")
        }
        (Gate::NotSlower(margin), GateOutcome::Passed) => format!(
            "passed, no evidence of a slowdown above {limit}, and one above {} is ruled out",
            percent(2.0 * margin.get())
        ),
        (Gate::NotSlower(margin), GateOutcome::Inconclusive) => {
            let mut said = if upper.is_finite() {
                let most = ends_as_shown(comparison.ratio, comparison.interval).upper();
                format!(
                    "INCONCLUSIVE, a slowdown of up to {} is possible, more than twice the limit",
                    percent(((most - 1.0) * 1e6).round() / 1e6)
                )
            } else {
                "INCONCLUSIVE, without an interval a slowdown would go unnoticed".to_string()
            };
            if margin.get() == 0.0 {
                said.push_str("; even equal commands cannot pass a limit of 0%, so use 1%");
            }
            said
        }
        (Gate::Equivalent(_), GateOutcome::Failed) => {
            format!("FAILED, the difference is larger than {limit}")
        }
        (Gate::Equivalent(_), GateOutcome::Passed) => "passed".to_string(),
        (Gate::Equivalent(_), GateOutcome::Inconclusive) => {
            format!("INCONCLUSIVE, the difference may be larger or smaller than {limit}")
        }
    };
    let mut line = format!("gate {flag} {limit}: {said}");
    if let Some(condition) = condition(comparison).filter(|_| outcome != GateOutcome::Inconclusive)
    {
        let _ = write!(line, ", {condition}");
    }
    if let Some(other) = comparison.gate_of_all_blocks(gate, outcome) {
        let _ = write!(line, " (with all blocks: {})", other.name());
    }
    if outcome == GateOutcome::Inconclusive {
        let otherwise = front_end.option(AdvisedOption::AllowInconclusive);
        let otherwise = otherwise.map_or(String::new(), |option| format!("; 0 with {option}"));
        let _ = write!(line, " (exit code 3{otherwise})");
    }
    line
}

/// How a comparison was measured: how many pairs, what was cancelled, what was set aside.
#[must_use]
pub fn how_measured(comparison: &Comparison, seconds: Option<f64>) -> Vec<String> {
    let paired = match &comparison.design {
        Design::Paired(paired) => paired,
        Design::Unpaired { samples } => {
            let mut lines = vec![format!(
                "{} and {} samples from separate sessions, so drift between the sessions counts as a \
                 difference; measure both side by side with `fathom compare` to cancel it",
                samples[0], samples[1]
            )];
            lines.extend(what_a_mean_shows(comparison, samples[0].min(samples[1]), "samples"));
            return lines;
        }
    };
    let time = seconds.map_or(String::new(), |seconds| {
        let decimals = if seconds < 20.0 { 1 } else { 0 };
        format!(" in {seconds:.decimals$} s")
    });
    let order = match paired.pairing {
        Pairing::Runs | Pairing::Batches => " in random ABBA/BAAB order",
        Pairing::SingleRuns => " in random AB/BA order",
        Pairing::Executions | Pairing::Layouts => ", measured alternately, batch by batch",
    };
    let mut text = format!("{}{time}{order}", counted_pairs(paired.pairs, paired.pairing));
    const NOTABLE: f64 = 0.02;
    if paired.drift > NOTABLE {
        let _ = write!(text, "; drift of {:.0}% cancelled by pairing", 100.0 * paired.drift);
    }
    if paired.widened_by > 1.05 {
        // The guard widens before it is sure; words claim no more than the page's correlogram.
        let is_sure = paired.lag1 > 1.96 / (paired.used.max(1) as f64).sqrt();
        let widened = 100.0 * (paired.widened_by - 1.0);
        let _ = match comparison.statistic {
            ComparedStatistic::Median => write!(
                text,
                "; neighbouring blocks {} correlated (lag-1 {:.2}), interval widened by {widened:.0}%",
                if is_sure { "are" } else { "may be" },
                paired.lag1,
            ),
            _ => write!(
                text,
                "; neighbouring blocks may depend on each other, interval widened by {widened:.0}%"
            ),
        };
    }
    let mut lines = vec![text];
    lines.extend(of_statistic(comparison));
    lines.extend(share_line(comparison));
    if let Some(all) = &paired.with_all_blocks {
        let what = match paired.pairing {
            Pairing::Runs | Pairing::Batches => "blocks",
            Pairing::SingleRuns => "pairs",
            Pairing::Executions => "pairs of executions",
            Pairing::Layouts => "pairs of layouts",
        };
        lines.push(format!(
            "{} of {} {what} ran under other load and were excluded; with all {what}: {} ({})",
            paired.blocks - paired.used,
            paired.blocks,
            ratio_text(all.ratio, all.interval),
            ratio_ends(all.ratio, all.interval)
        ));
    }
    lines
}

/// What a statistic of runs assumes, or what it takes.
fn of_statistic(comparison: &Comparison) -> Option<String> {
    let Design::Paired(paired) = &comparison.design else { return None };
    match comparison.statistic {
        ComparedStatistic::Minimum if !is_of_units(paired.pairing) => Some(
            "the interval of a minimum assumes that noise slows both alike; --statistic p5 does not"
                .to_string(),
        ),
        ComparedStatistic::Mean if paired.pairing == Pairing::Batches => {
            what_a_mean_shows(comparison, paired.pairs, "batches")
        }
        ComparedStatistic::Mean if !is_of_units(paired.pairing) => {
            what_a_mean_shows(comparison, paired.pairs, "runs")
        }
        ComparedStatistic::Quantiles => {
            let per_block = paired.pairing.pairs_per_block();
            let alpha = comparison.confidence.alpha();
            let missing: Vec<String> = [0.99, 0.999]
                .into_iter()
                .filter_map(|level| Probability::new(level).ok())
                .filter(|level| comparison.quantiles.iter().all(|one| one.p != *level))
                .filter_map(|level| {
                    let blocks = fewest_blocks_among_quantiles(level, alpha, per_block)?;
                    let pairs = per_block * blocks;
                    Some(format!("{} needs at least {pairs} pairs", percentile(level)))
                })
                .collect();
            (!missing.is_empty()).then(|| missing.join(", "))
        }
        _ => None,
    }
}

/// How rare what may be missing from means is: no interval can allow for runs that did not happen.
fn what_a_mean_shows(comparison: &Comparison, count: usize, what: &str) -> Option<String> {
    let is_mean = comparison.statistic == ComparedStatistic::Mean;
    if !is_mean || !comparison.interval.is_finite() {
        return None;
    }
    let one_in = rarest_shown(count, comparison.confidence.alpha())?;
    Some(format!(
        "a mean includes rare long {what}: {count} of each show those of one in {one_in}; rarer ones may \
         be missing"
    ))
}

/// Whether what stands side by side has a statistic of its own: then nothing is assumed of it.
fn is_of_units(pairing: Pairing) -> bool {
    matches!(pairing, Pairing::Executions | Pairing::Layouts)
}

/// That the samples of functions are batches of calls, where that makes another statistic.
#[must_use]
pub fn of_batches(comparison: &Comparison, subjects: &[Subject]) -> Option<String> {
    if !comparison.statistic.depends_on_batches() {
        return None;
    }
    let calls = |name: &str| {
        let subject = subjects.iter().find(|subject| subject.series.name() == name)?;
        Some(subject.function.as_ref()?.calls_per_batch)
    };
    let calls = [calls(&comparison.reference)?, calls(&comparison.subject)?];
    let most = calls[0].max(calls[1]);
    let least = calls[0].min(calls[1]);
    let of = match (least, most) {
        (_, 1) => return None,
        (least, most) if least == most => format!("{most} calls"),
        (least, most) => format!("{least} and {most} calls"),
    };
    let name = named(comparison.statistic);
    let (is, verb) = match comparison.statistic {
        ComparedStatistic::Quantiles => (name, "are"),
        _ => (format!("the {name}"), "is"),
    };
    Some(format!(
        "{is} {verb} of batches of {of}, timed together: single slow calls are averaged with the others \
         of their batch"
    ))
}

/// In which layouts of memory two builds were measured, and whether they are the same code.
#[must_use]
pub fn of_builds(comparison: &Comparison) -> Option<String> {
    let builds = comparison.builds.as_ref()?;
    Some(match &builds.layouts {
        Layouts::One { why: None } => "this layout only: the answer holds for these two \
                                       executables, not for the code wherever it lies"
            .to_string(),
        Layouts::One { why: Some(why) } => format!(
            "this layout only ({}): the answer holds for these two executables, not for the code \
             wherever it lies",
            visible(why)
        ),
        Layouts::Several { count, executions, arrangement } => {
            let how = match arrangement {
                LayoutArrangement::Shuffled => "functions and data in random order",
                LayoutArrangement::Padded => {
                    "code moved by random distances, because the linker \
                                              cannot shuffle it"
                }
            };
            let each = match executions {
                1 => "one execution of each".to_string(),
                several => format!("{several} executions of each"),
            };
            format!("{count} layouts of each build: {how}; {each}")
        }
    })
}

/// What other tools would say in a single look.
#[must_use]
pub fn single_looks(comparison: &Comparison) -> Vec<String> {
    let Design::Paired(paired) = &comparison.design else { return Vec::new() };
    // They are tests of log-ratios.
    if !comparison.statistic.is_median() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let tests = &paired.tests;
    let p = |p: f64| if p < 0.001 { "p < .001".to_string() } else { format!("p = {p:.3}") };
    let mut single = Vec::new();
    if let Some(value) = tests.signed_rank_p {
        single.push(format!("signed-rank test {}", p(value)));
    }
    if let Some(mean) = &tests.mean_ln {
        let ratio = mean.mean.exp();
        let value = mean.p_value.map_or(String::new(), |value| format!(", t-test {}", p(value)));
        single.push(format!("mean log ratio gives {ratio:.4}{value}"));
    }
    single.push(format!(
        "sign test {}:{} {}",
        tests.sign.slower,
        tests.sign.faster,
        p(tests.sign.p_value)
    ));
    lines.push(format!("classical tests, as if looked at once: {}", single.join("; ")));
    lines
}
