//! The error that several questions about the same executions share.
//!
//! Of the two claims about a property, "at least F" and "less than F", one is wrong: so each property
//! has one verdict that would be an error, and Holm's procedure cannot hand on the share of a
//! property that is decided. What can be handed on is this: if t properties are decided as true and
//! nothing went wrong yet, at most n − t are false, and only those can wrongly be called true. Half of
//! the error is for wrong "true", divided by the properties that are not decided as true; the other
//! half is for wrong "false" in the same way. `docs/methods/check.md` has the proof.

use super::{Counts, ProportionQuestion};
use fathom_stats::proportion::{Decision, IndifferenceError, Rule};
use fathom_stats::{Confidence, LevelError};

/// Whether several questions share one error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorSharing {
    /// The confidence is that of all answers together.
    #[default]
    Shared,
    /// The confidence is that of each answer for itself.
    PerQuestion,
}

/// The confidence that each of several answers needs, so that all hold together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedError {
    confidence: Confidence,
    sharing: ErrorSharing,
    properties: usize,
    questions: usize,
}

/// The confidence that a verdict needs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerdictLevels {
    /// To decide that the property is true.
    pub if_true: Confidence,
    /// To decide that it is false.
    pub if_false: Confidence,
}

impl SharedError {
    /// The error 1 − C of so many properties and estimates.
    ///
    /// # Errors
    /// The confidence is so near to 1 that no number lies between the confidence of a question and 1.
    pub fn new(
        confidence: Confidence,
        sharing: ErrorSharing,
        properties: usize,
        estimates: usize,
    ) -> Result<SharedError, LevelError> {
        let questions = (properties + estimates).max(1);
        let error = SharedError { confidence, sharing, properties, questions };
        error.part(error.of_verdict(properties))?;
        error.part(1.0 / questions as f64)?;
        Ok(error)
    }

    /// The confidence that was asked for.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// The confidence of each interval.
    #[must_use]
    pub fn of_interval(&self) -> Confidence {
        self.part_or_all(1.0 / self.questions as f64)
    }

    /// The confidence that a verdict needs when so many properties are decided as true and as false.
    #[must_use]
    pub fn levels(&self, decided_true: usize, decided_false: usize) -> VerdictLevels {
        let open = |decided: usize| self.properties.saturating_sub(decided);
        VerdictLevels {
            if_true: self.part_or_all(self.of_verdict(open(decided_true))),
            if_false: self.part_or_all(self.of_verdict(open(decided_false))),
        }
    }

    /// The highest confidence that a verdict needs, which is that of the first.
    #[must_use]
    pub fn strictest(&self) -> Confidence {
        self.levels(0, 0).if_true
    }

    /// The part of the error for one of `open` properties that could still be decided so.
    fn of_verdict(&self, open: usize) -> f64 {
        let all = self.properties as f64 / self.questions as f64;
        match self.properties {
            0 => 1.0 / self.questions as f64,
            1 => all,
            // If all are false, no verdict can wrongly be "false": then the whole error is for "true",
            // and each of the n has 1/n of it, more than the half of it divided by n − 1.
            properties => 0.5 * all / open.clamp(1, properties - 1) as f64,
        }
    }

    fn part(&self, part: f64) -> Result<Confidence, LevelError> {
        match self.sharing {
            ErrorSharing::PerQuestion => Ok(self.confidence),
            ErrorSharing::Shared if part >= 1.0 => Ok(self.confidence),
            ErrorSharing::Shared => Confidence::new(1.0 - self.confidence.alpha() * part),
        }
    }

    /// What is smallest was tried when this was made.
    fn part_or_all(&self, part: f64) -> Confidence {
        self.part(part).unwrap_or(self.confidence)
    }
}

impl VerdictLevels {
    /// The same confidence for both.
    #[must_use]
    pub fn both(confidence: Confidence) -> VerdictLevels {
        VerdictLevels { if_true: confidence, if_false: confidence }
    }

    /// The question with the confidence that this decision needs.
    #[must_use]
    pub fn question(&self, decision: Decision, question: ProportionQuestion) -> ProportionQuestion {
        let confidence = match decision {
            Decision::Positive => self.if_true,
            Decision::Negative => self.if_false,
        };
        ProportionQuestion { confidence, ..question }
    }

    /// What outcomes decide by a question's rules at these levels. Unknown outcomes count against
    /// either decision.
    pub(super) fn decision(
        &self,
        counts: &Counts,
        question: ProportionQuestion,
        rule: impl Fn(ProportionQuestion) -> Result<Rule, IndifferenceError>,
    ) -> Result<Option<Decision>, IndifferenceError> {
        let samples = counts.samples();
        for (decision, successes) in [
            (Decision::Positive, counts.counted_true()),
            (Decision::Negative, counts.possibly_true()),
        ] {
            let rule = rule(self.question(decision, question))?;
            if rule.decision(successes, samples) == Some(decision) {
                return Ok(Some(decision));
            }
        }
        Ok(None)
    }
}

/// The levels after these decisions.
pub(super) fn levels_after(error: &SharedError, decisions: &[Option<Decision>]) -> VerdictLevels {
    let count = |which| decisions.iter().flatten().filter(|&&made| made == which).count();
    error.levels(count(Decision::Positive), count(Decision::Negative))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shared(c: f64, properties: usize, estimates: usize) -> SharedError {
        let confidence = Confidence::new(c).unwrap();
        SharedError::new(confidence, ErrorSharing::Shared, properties, estimates).unwrap()
    }

    fn alpha(confidence: Confidence) -> f64 {
        confidence.alpha()
    }

    #[test]
    fn one_question_has_all_of_the_error() {
        let one = shared(0.95, 1, 0);
        assert_eq!(one.levels(0, 0), VerdictLevels::both(Confidence::DEFAULT));
        assert_eq!(one.of_interval(), Confidence::DEFAULT);
    }

    #[test]
    fn what_is_decided_leaves_more_for_the_others() {
        let many = shared(0.95, 20, 0);
        let close = |found: Confidence, error: f64| {
            assert!((alpha(found) - error).abs() < 1e-12, "{} {error}", alpha(found));
        };
        close(many.strictest(), 0.05 / 38.0);
        close(many.of_interval(), 0.05 / 20.0);
        let late = many.levels(19, 0);
        close(late.if_true, 0.05 / 2.0);
        close(late.if_false, 0.05 / 38.0);
        // Two properties and two estimates: half of the error is for the properties.
        close(shared(0.95, 2, 2).strictest(), 0.05 / 4.0);
    }

    #[test]
    fn questions_for_themselves_share_nothing() {
        let each = SharedError::new(Confidence::DEFAULT, ErrorSharing::PerQuestion, 20, 3).unwrap();
        assert_eq!(each.levels(7, 2), VerdictLevels::both(Confidence::DEFAULT));
        assert_eq!(each.of_interval(), Confidence::DEFAULT);
    }

    #[test]
    fn a_confidence_that_cannot_be_shared_is_refused() {
        let nearly = Confidence::new(1.0 - 1e-16).unwrap();
        assert!(SharedError::new(nearly, ErrorSharing::Shared, 1000, 0).is_err());
        assert!(SharedError::new(nearly, ErrorSharing::PerQuestion, 1000, 0).is_ok());
    }

    proptest! {
        /// However many properties are really true: the errors of all wrong verdicts, at the levels
        /// that right ones leave, and those of the estimates' intervals add up to 1 − C.
        #[test]
        fn errors_add_up(
            c in 0.5..0.999_f64,
            really_true in 0..30_usize,
            really_false in 0..30_usize,
            estimates in 0..5_usize,
        ) {
            prop_assume!(really_true + really_false + estimates > 0);
            let error = shared(c, really_true + really_false, estimates);
            let last = error.levels(really_true, really_false);
            let wrong = really_false as f64 * alpha(last.if_true)
                + really_true as f64 * alpha(last.if_false)
                + estimates as f64 * alpha(error.of_interval());
            prop_assert!(wrong <= 1.0 - c + 1e-9, "{wrong}");
        }

        /// A verdict never makes another one harder.
        #[test]
        fn levels_only_fall(c in 0.5..0.999_f64, n in 2..30_usize, t in 0..30_usize) {
            let error = shared(c, n, 0);
            let t = t.min(n - 1);
            let (now, then) = (error.levels(t, 0), error.levels(t + 1, 0));
            prop_assert!(then.if_true <= now.if_true && then.if_false <= now.if_false);
        }
    }
}
