//! Outcomes, and how they count.

use crate::judgement::Truth;

/// The outcome of one execution, or one tuple of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionOutcome {
    /// It is true.
    True,
    /// It is not.
    False,
    /// It refers to events that did not occur.
    Vacuous,
    /// What was seen does not say.
    Unknown,
    /// The execution failed, and failures count as false.
    Failed,
    /// The execution failed, and failures do not count.
    Skipped,
}

impl From<Truth> for ExecutionOutcome {
    fn from(truth: Truth) -> ExecutionOutcome {
        match truth {
            Truth::True => ExecutionOutcome::True,
            Truth::False => ExecutionOutcome::False,
            Truth::Vacuous => ExecutionOutcome::Vacuous,
            Truth::Unknown => ExecutionOutcome::Unknown,
        }
    }
}

/// How vacuous outcomes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VacuousRule {
    /// As true: the property asks nothing of such an execution.
    #[default]
    True,
    /// As false.
    False,
    /// Not at all: the question is then about executions in which there are occurrences.
    Skip,
}

/// How many outcomes of each kind there were, and how they count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// That satisfy the property.
    pub satisfied: usize,
    /// That do not.
    pub violated: usize,
    /// Without occurrences.
    pub vacuous: usize,
    /// Undecided by what was seen.
    pub unknown: usize,
    /// Failed, counted as false.
    pub failed: usize,
    /// Failed, not counted.
    pub skipped: usize,
    /// How the vacuous ones count.
    pub vacuous_rule: VacuousRule,
}

impl Counts {
    /// None yet.
    #[must_use]
    pub fn new(vacuous_rule: VacuousRule) -> Counts {
        Counts { vacuous_rule, ..Counts::default() }
    }

    /// One more; whether it is a sample.
    pub(super) fn add(&mut self, outcome: ExecutionOutcome) -> bool {
        let before = self.samples();
        let count = match outcome {
            ExecutionOutcome::True => &mut self.satisfied,
            ExecutionOutcome::False => &mut self.violated,
            ExecutionOutcome::Vacuous => &mut self.vacuous,
            ExecutionOutcome::Unknown => &mut self.unknown,
            ExecutionOutcome::Failed => &mut self.failed,
            ExecutionOutcome::Skipped => &mut self.skipped,
        };
        *count += 1;
        self.samples() > before
    }

    /// How many count.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.counted_true() + self.counted_false() + self.unknown
    }

    /// How many count as true.
    #[must_use]
    pub fn counted_true(&self) -> usize {
        self.satisfied + self.vacuous_if(VacuousRule::True)
    }

    /// How many count as false.
    #[must_use]
    pub fn counted_false(&self) -> usize {
        self.violated + self.failed + self.vacuous_if(VacuousRule::False)
    }

    /// How many could be true at most: the unknown ones too.
    #[must_use]
    pub fn possibly_true(&self) -> usize {
        self.counted_true() + self.unknown
    }

    fn vacuous_if(&self, rule: VacuousRule) -> usize {
        if self.vacuous_rule == rule { self.vacuous } else { 0 }
    }
}
