//! Does it keep its promise? The verdict, against what is known.

use crate::demo::DemoTruth;
use crate::percent::percent;
use fathom_property::decide::CheckVerdict;
use fathom_property::{CheckReport, CheckStopReason, PropertyAnswer};

pub(super) fn notices(report: &CheckReport, truth: &DemoTruth) -> Vec<String> {
    let PropertyAnswer::Verdict { summary, .. } = &report.answer else {
        return vec!["There is no verdict.".to_string()];
    };
    let facts = Facts {
        verdict: summary.verdict,
        executions: report.judged.len(),
        is_answered: report.stopped == CheckStopReason::Answered,
        has_counterexample: report.counterexample().is_some(),
        asked: report.probability.get(),
        confidence: report.confidence.get(),
    };
    facts.notices(truth)
}

/// What the words depend on.
#[derive(Debug, Clone, Copy)]
struct Facts {
    verdict: CheckVerdict,
    executions: usize,
    /// Whether it stopped because the question was answered.
    is_answered: bool,
    has_counterexample: bool,
    asked: f64,
    confidence: f64,
}

impl Facts {
    fn notices(self, truth: &DemoTruth) -> Vec<String> {
        let level = percent(self.confidence);
        let (asked, planted) = (percent(self.asked), format!("{:.0}%", 100.0 * truth.below_limit));
        let executions = self.executions;
        let mut notices = vec![match self.verdict {
            CheckVerdict::True => format!(
                "That is right: about {planted} of all seeds stay below the limit. {executions} \
                 executions were enough to say \"at least {asked}\" with {level} confidence."
            ),
            CheckVerdict::False => format!(
                "This is wrong: about {planted} of all seeds stay below the limit. {level} confidence \
                 allows for one wrong answer in twenty, and this is one."
            ),
            CheckVerdict::Inconclusive => format!(
                "{executions} executions were not enough to say whether {asked} of all seeds stay below \
                 the limit, so Fathom says neither true nor false. About {planted} do."
            ),
        }];
        if self.is_answered {
            notices.push(
                "Fathom looked after every execution and stopped at once when it knew. Looking so often \
                 does not make a wrong answer more likely."
                    .to_string(),
            );
        }
        if self.has_counterexample {
            notices.push(
                "\"To repeat\" is the command with the seed of the worst execution: you can debug exactly \
                 that one."
                    .to_string(),
            );
        }
        notices
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::truth::EXAMPLE;

    #[test]
    fn every_verdict_has_its_words() {
        let facts = |verdict| Facts {
            verdict,
            executions: 41,
            is_answered: verdict != CheckVerdict::Inconclusive,
            has_counterexample: true,
            asked: 0.8,
            confidence: 0.95,
        };
        let text = |facts: Facts| facts.notices(&EXAMPLE).join(" ");
        let right = text(facts(CheckVerdict::True));
        assert!(right.contains("That is right") && right.contains("41 executions"), "{right}");
        assert!(right.contains("\"at least 80%\" with 95% confidence"), "{right}");
        let wrong = text(facts(CheckVerdict::False));
        assert!(wrong.contains("This is wrong") && !wrong.contains("That is right"), "{wrong}");
        let open = text(facts(CheckVerdict::Inconclusive));
        assert!(open.contains("neither true nor false"), "{open}");
        assert!(!open.contains("stopped at once"), "{open}");
        let without = Facts { has_counterexample: false, ..facts(CheckVerdict::True) };
        assert!(!text(without).contains("To repeat"));
    }
}
