//! Why was it slow? Whether the planted cause is in the ranking.

use crate::explanation::{q_words, rises, stands_out};
use fathom_explain::Explanation;

/// Parts of the names of metrics that count page faults, from the process, the kernel and perf.
const PAGE_FAULTS: [&str; 3] = ["faults", "minflt", "pgfault"];

/// The planted cause in a ranking: the best-ranked metric of page faults.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cause {
    /// The metric and its place, from 1; that of the metric which it is a near copy of, if it is one.
    /// `None` if no metric of page faults was ranked.
    ranked: Option<RankedCause>,
    /// How many metrics were ranked.
    metrics: usize,
    /// Whether there was enough data outside the window to judge.
    is_enough: bool,
    /// Whether the target rose within the window.
    rises: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct RankedCause {
    name: String,
    place: usize,
    is_significant: bool,
    q: Option<f64>,
}

impl Cause {
    pub(super) fn find(explanation: &Explanation) -> Cause {
        let ranking = &explanation.ranking;
        let is_cause = |name: &str| PAGE_FAULTS.iter().any(|part| name.contains(part));
        let causes = ranking.iter().enumerate().filter(|(_, one)| is_cause(&one.metric.name));
        let found = causes.map(|(index, one)| RankedCause {
            name: one.metric.name.clone(),
            place: one.copy_of.unwrap_or(index) + 1,
            is_significant: stands_out(explanation, one),
            q: one.q_value,
        });
        // The first that is significant, else the first.
        let ranked = found.min_by_key(|cause| (!cause.is_significant, cause.place));
        let rises = explanation.target.change.as_ref().is_some_and(rises);
        Cause { ranked, metrics: ranking.len(), is_enough: explanation.beside.is_enough(), rises }
    }
}

pub(super) fn notices(cause: &Cause, top: usize) -> Vec<String> {
    let mut notices = Vec::new();
    if !cause.rises {
        notices.push(
            "The latency did not rise in the window here: new memory is cheap on this machine, or other \
             load hides its cost."
                .to_string(),
        );
    }
    let metrics = cause.metrics;
    notices.push(match &cause.ranked {
        Some(RankedCause { name, place: 1, is_significant: true, .. }) => format!(
            "The cause is first of {metrics} metrics: {name}. Touching new memory costs a fault \
             for each page, and that is what demo-work did."
        ),
        Some(RankedCause { name, place, is_significant: true, .. }) => {
            let shown = match *place <= top {
                true => String::new(),
                false => format!(" (--top {place} shows it)"),
            };
            format!(
                "The cause, {name}, is significant and ranks {place} of {metrics} metrics{shown}: \
                 touching new memory costs a fault for each page."
            )
        }
        Some(RankedCause { name, q, .. }) if cause.is_enough => format!(
            "The planted cause is page faults, but {name} is not significant here (q {}): this machine was too busy \
             to tell it from chance.",
            q_words(*q)
        ),
        Some(RankedCause { name, .. }) => format!(
            "The planted cause is page faults. There is not enough data outside the window to call {name}, \
             or any other metric, significant."
        ),
        None => "The planted cause is page faults, but no metric that counts them could be ranked here.".to_string(),
    });
    notices.push(
        "A rank says where to look first. It does not prove a cause: this one is known only \
         because it was planted."
            .to_string(),
    );
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(place: usize, is_significant: bool) -> Cause {
        let name = "process.stat.minflt".to_string();
        let q = Some(if is_significant { 0.002 } else { 0.4 });
        let ranked = Some(RankedCause { name, place, is_significant, q });
        Cause { ranked, metrics: 166, is_enough: true, rises: true }
    }

    #[test]
    fn a_cause_is_claimed_only_where_it_is_significant() {
        let text = |cause: &Cause| notices(cause, 5).join(" ");
        let first = text(&cause(1, true));
        assert!(first.contains("first of 166 metrics: process.stat.minflt"), "{first}");
        let third = text(&cause(3, true));
        assert!(third.contains("ranks 3 of 166") && !third.contains("--top"), "{third}");
        let far = text(&cause(12, true));
        assert!(far.contains("(--top 12 shows it)"), "{far}");
        let not = text(&cause(1, false));
        assert!(not.contains("not significant here (q .40)"), "{not}");
        let few = text(&Cause { is_enough: false, ..cause(1, false) });
        assert!(few.contains("not enough data outside the window"), "{few}");
        let none = text(&Cause { ranked: None, ..cause(1, true) });
        assert!(none.contains("no metric that counts them"), "{none}");
        for text in [not, few, none] {
            assert!(!text.contains("is significant and") && !text.contains("is first"), "{text}");
        }
    }

    #[test]
    fn a_latency_that_did_not_rise_is_said() {
        let flat = Cause { rises: false, ..cause(1, true) };
        assert!(notices(&flat, 5)[0].contains("did not rise"));
        assert!(!notices(&cause(1, true), 5)[0].contains("did not rise"));
    }
}
