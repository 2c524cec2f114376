//! Comparisons of commands that a shell ran: what its start-up hides, and how much of the runs it is.

use crate::layout::visible;
use crate::percent::percent;
use crate::ratio::{ratio_ends, ratio_text};
use crate::verdict_sentence::Quantity;
use fathom_analyze::compare::{Comparison, RatioAside, Verdict};

/// What to do where the shell hides what is asked.
pub(crate) const REMEDY: &str = "Run without -S, or time more work per run.";

/// The verdict where the shell hides the ratio, so that only whole runs are compared.
pub(crate) fn hidden_verdict(comparison: &Comparison, quantity: Quantity<'_>) -> Option<String> {
    let shell = comparison.shell.filter(|shell| shell.is_hidden())?;
    let RatioAside { ratio, interval } = shell.whole;
    let (reference, subject) = (visible(&comparison.reference), visible(&comparison.subject));
    let is_measured = shell.share.is_some_and(|share| share.interval.is_finite());
    if !interval.is_finite() && shell.share.is_some() {
        // As without a shell: there is nothing to say yet.
        return None;
    }
    let who = match shell.hidden {
        _ if shell.share.is_some() && !is_measured => {
            "too few runs of the empty shell to subtract its start-up time".to_string()
        }
        [true, true] => {
            format!("neither {reference} nor {subject} can be separated from the shell's start-up")
        }
        [true, false] => format!("{reference} cannot be separated from the shell's start-up"),
        _ => format!("{subject} cannot be separated from the shell's start-up"),
    };
    let sure = percent(comparison.confidence.get());
    let whole = || {
        let times = ratio_text(ratio, interval);
        let ends = ratio_ends(ratio, interval);
        match quantity {
            Quantity::Time => format!(
                "including it, {subject} takes {times} times as long as {reference} ({sure} CI {ends})"
            ),
            Quantity::Other(name) => format!(
                "including it, {subject} has {times} times the {name} of {reference} ({sure} CI {ends})"
            ),
        }
    };
    let than = match (comparison.verdict, quantity) {
        (Verdict::Slower, Quantity::Time) => "slower than",
        (Verdict::Slower, Quantity::Other(_)) => "higher than",
        (Verdict::Faster, Quantity::Time) => "faster than",
        (Verdict::Faster, Quantity::Other(_)) => "lower than",
        _ if !interval.is_finite() => {
            return Some(format!("Inconclusive: {who}, so there is no ratio. {REMEDY}"));
        }
        _ => return Some(format!("Inconclusive: {who}; {}. {REMEDY}", whole())),
    };
    Some(format!(
        "{subject} is {than} {reference}, but the size of the difference is unknown: {who}; {}. \
         {REMEDY}",
        whole()
    ))
}

/// How much of the runs is the shell, where that is left out of the ratio.
pub(crate) fn share_line(comparison: &Comparison) -> Option<String> {
    let shell = comparison.shell.filter(|shell| !shell.is_hidden())?;
    let RatioAside { ratio, interval } = shell.share?;
    let whole = shell.whole;
    Some(format!(
        "the shell's start-up is {} of each run of {} ({} to {}) and is excluded from the ratio; \
         including it, the ratio is {} ({})",
        percent(rounded(ratio)),
        visible(&comparison.reference),
        percent(rounded(interval.ends().lower)),
        percent(rounded(interval.ends().upper)),
        ratio_text(whole.ratio, whole.interval),
        ratio_ends(whole.ratio, whole.interval)
    ))
}

/// A share to a tenth of a percent.
fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

/// The verdict in a table, which has no room for a sentence.
#[cfg(feature = "pages")]
pub(crate) fn verdict_cell(comparison: &Comparison) -> String {
    let verdict = comparison.verdict.name();
    match comparison.shell {
        Some(shell) if shell.is_hidden() => format!("{verdict} (with the shell's start-up)"),
        _ => verdict.to_string(),
    }
}
