//! Instructions per call of functions, counted more than once, and what two such counts say.
//!
//! A count has no noise of the machine in it. If it is the same every time, a difference between two
//! functions is a fact and no estimate. If it is not, because a hash is seeded at random or threads
//! wait for each other, all that is known is the range of the counts.

use crate::compare::{Gate, GateOutcome};
use fathom_stats::LogRatioInterval;

/// What counting found.
#[derive(Debug, Clone, PartialEq)]
pub struct InstructionReport {
    /// What counted.
    pub counter: InstructionCounter,
    /// The functions, in the order of the suite; of two builds, the old one before the new one.
    pub functions: Vec<CountedFunction>,
    /// Functions against a reference.
    pub comparisons: Vec<ComparedCounts>,
}

/// What counts instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstructionCounter {
    /// The processor's own counter.
    Processor,
    /// valgrind, which executes the program step by step.
    Valgrind,
}

impl InstructionCounter {
    /// All of them.
    pub const ALL: [InstructionCounter; 2] =
        [InstructionCounter::Processor, InstructionCounter::Valgrind];

    /// The name in JSON and in sentences.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            InstructionCounter::Processor => "processor",
            InstructionCounter::Valgrind => "valgrind",
        }
    }
}

/// A function whose instructions were counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedFunction {
    name: String,
    calls: u64,
    counts: Vec<f64>,
}

impl CountedFunction {
    /// A function with the instructions per call of every count, each the mean over this many calls;
    /// `None` if there are no counts, or some are no numbers.
    ///
    /// ```
    /// use fathom_analyze::CountedFunction;
    /// let counted = CountedFunction::new("parse", 100, vec![210.0, 212.0, 210.0]).unwrap();
    /// assert_eq!((counted.lower(), counted.upper(), counted.middle()), (210.0, 212.0, 210.0));
    /// assert!(!counted.is_repeated());
    /// ```
    pub fn new(name: impl Into<String>, calls: u64, counts: Vec<f64>) -> Option<CountedFunction> {
        let is_number = |count: &f64| count.is_finite() && *count >= 0.0;
        let is_complete = !counts.is_empty() && counts.iter().all(is_number);
        is_complete.then(|| CountedFunction { name: name.into(), calls, counts })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Of how many calls each count is the mean.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Instructions per call, count by count.
    #[must_use]
    pub fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// The smallest count.
    #[must_use]
    pub fn lower(&self) -> f64 {
        self.counts.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The largest count.
    #[must_use]
    pub fn upper(&self) -> f64 {
        self.counts.iter().copied().fold(0.0, f64::max)
    }

    /// The count in the middle.
    #[must_use]
    pub fn middle(&self) -> f64 {
        let half = fathom_stats::Probability::HALF;
        let mut counts = self.counts.clone();
        fathom_stats::quantile::of_unsorted(&mut counts, half).unwrap_or(0.0)
    }

    /// Whether every count was the same.
    #[must_use]
    pub fn is_repeated(&self) -> bool {
        self.counts.iter().all(|count| *count == self.counts[0])
    }
}

/// A function against a reference.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedCounts {
    /// The name of the reference.
    pub reference: String,
    /// The name of the function.
    pub subject: String,
    /// The middle count over that of the reference.
    pub ratio: f64,
    /// The logarithms of the smallest and the largest ratio of a count and one of the reference.
    pub between: LogRatioInterval,
    /// The gates, with their outcomes.
    pub gates: Vec<(Gate, GateOutcome)>,
}

/// What two counts say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountVerdict {
    /// Every count is larger than every one of the reference.
    More,
    /// Every count is smaller.
    Fewer,
    /// All counts of both are the same number.
    Same,
    /// The counts of both overlap.
    Overlap,
}

impl CountVerdict {
    /// All of them.
    pub const ALL: [CountVerdict; 4] =
        [CountVerdict::More, CountVerdict::Fewer, CountVerdict::Same, CountVerdict::Overlap];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CountVerdict::More => "more",
            CountVerdict::Fewer => "fewer",
            CountVerdict::Same => "same",
            CountVerdict::Overlap => "overlap",
        }
    }
}

impl ComparedCounts {
    /// Compares two; `None` if one of them executes nothing, so that there is no ratio.
    ///
    /// ```
    /// use fathom_analyze::{ComparedCounts, CountVerdict, CountedFunction};
    /// let old = CountedFunction::new("old", 100, vec![200.0, 200.0]).unwrap();
    /// let new = CountedFunction::new("new", 100, vec![210.0, 212.0]).unwrap();
    /// let found = ComparedCounts::of(&old, &new, &[]).unwrap();
    /// assert_eq!(found.verdict(), CountVerdict::More);
    /// ```
    #[must_use]
    pub fn of(
        reference: &CountedFunction,
        subject: &CountedFunction,
        gates: &[Gate],
    ) -> Option<ComparedCounts> {
        if reference.lower() <= 0.0 || subject.lower() <= 0.0 {
            return None;
        }
        let between = LogRatioInterval {
            lower: log_ratio(subject.lower(), reference.upper()),
            upper: log_ratio(subject.upper(), reference.lower()),
        };
        Some(ComparedCounts {
            reference: reference.name.clone(),
            subject: subject.name.clone(),
            ratio: subject.middle() / reference.middle(),
            between,
            gates: gates.iter().map(|gate| (*gate, gate.finally(between))).collect(),
        })
    }

    /// What the counts say.
    #[must_use]
    pub fn verdict(&self) -> CountVerdict {
        let LogRatioInterval { lower, upper } = self.between;
        match (lower, upper) {
            (lower, _) if lower > 0.0 => CountVerdict::More,
            (_, upper) if upper < 0.0 => CountVerdict::Fewer,
            (0.0, 0.0) => CountVerdict::Same,
            _ => CountVerdict::Overlap,
        }
    }
}

/// As the limits of gates are computed: 1020 is not more than 2% above 1000.
fn log_ratio(subject: f64, reference: f64) -> f64 {
    ((subject - reference) / reference).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Margin;

    fn counted(counts: &[f64]) -> CountedFunction {
        CountedFunction::new("f", 10, counts.to_vec()).unwrap()
    }

    #[test]
    fn counts_are_numbers() {
        assert_eq!(CountedFunction::new("f", 1, vec![]), None);
        assert_eq!(CountedFunction::new("f", 1, vec![1.0, f64::NAN]), None);
        assert_eq!(CountedFunction::new("f", 1, vec![-1.0]), None);
        assert!(counted(&[3.0, 3.0]).is_repeated());
    }

    #[test]
    fn a_gate_is_exact_where_counts_repeat_and_open_where_they_do_not() {
        let two = [Gate::NotSlower(Margin::new(0.02).unwrap())];
        let outcome = |old: &[f64], new: &[f64]| {
            ComparedCounts::of(&counted(old), &counted(new), &two).unwrap().gates[0].1
        };
        assert_eq!(outcome(&[1000.0], &[1020.0]), GateOutcome::Passed);
        assert_eq!(outcome(&[1000.0], &[1021.0]), GateOutcome::Failed);
        assert_eq!(outcome(&[1000.0, 1010.0], &[1000.0, 1030.0]), GateOutcome::Passed);
        assert_eq!(outcome(&[1000.0, 1010.0], &[1000.0, 1060.0]), GateOutcome::Inconclusive);
        assert_eq!(outcome(&[1000.0, 1010.0], &[1040.0, 1300.0]), GateOutcome::Failed);
    }

    #[test]
    fn what_overlaps_is_not_told_apart() {
        let verdict = |old: &[f64], new: &[f64]| {
            ComparedCounts::of(&counted(old), &counted(new), &[]).unwrap().verdict()
        };
        assert_eq!(verdict(&[7.0, 7.0], &[7.0, 7.0]), CountVerdict::Same);
        assert_eq!(verdict(&[7.0, 8.0], &[7.0, 8.0]), CountVerdict::Overlap);
        assert_eq!(verdict(&[7.0, 8.0], &[9.0]), CountVerdict::More);
        assert_eq!(verdict(&[7.0, 8.0], &[6.0]), CountVerdict::Fewer);
        assert_eq!(ComparedCounts::of(&counted(&[0.0]), &counted(&[1.0]), &[]), None);
    }
}
