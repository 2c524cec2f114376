//! How often a reading of a tool was right.

use super::super::reading::median;
use super::super::said::Said;
use super::super::share::Share;
use super::super::trials::{Condition, Effect};
use super::judge::{Finding, Judge};
use super::plan::Task;
use super::trial::Outcome;
use super::work::{Size, Work};

/// A reading of a tool at one size under one condition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) outcomes: &'a [Outcome],
    pub(super) work: &'a Work,
    pub(super) judge: Judge,
    pub(super) size: Size,
    pub(super) condition: Condition,
}

impl<'a> Cell<'a> {
    /// What was found, with the effect that was there.
    fn findings(self) -> impl Iterator<Item = (Effect, &'a Finding)> {
        let outcomes = self.outcomes.iter().filter(move |o| o.plan.condition == self.condition);
        outcomes.flat_map(move |outcome| {
            let effect = match outcome.plan.task {
                Task::Compare { size, effect, .. } if size == self.size => Some(effect),
                Task::Compare { .. } | Task::Time => None,
            };
            let findings = outcome.findings.iter().filter(move |f| f.judge == self.judge);
            effect
                .into_iter()
                .flat_map(move |effect| findings.clone().map(move |finding| (effect, finding)))
        })
    }

    fn of(self, effect: Effect) -> impl Iterator<Item = &'a Finding> {
        self.findings().filter(move |(known, _)| *known == effect).map(|(_, finding)| finding)
    }

    /// How often a difference is seen where there is none.
    pub(super) fn false_positives(self) -> Share {
        let is_false = |f: &Finding| matches!(f.said, Said::Slower | Said::Faster);
        Share::of(self.of(Effect::NONE).map(is_false))
    }

    /// How often the slower function is said to be slower.
    pub(super) fn found(self, effect: Effect) -> Share {
        Share::of(self.of(effect).map(|finding| finding.said == Said::Slower))
    }

    /// How often it is said to be faster.
    pub(super) fn opposite(self, effect: Effect) -> usize {
        self.of(effect).filter(|finding| finding.said == Said::Faster).count()
    }

    /// The median error of the ratio, as a share of the true one, over all effects.
    pub(super) fn error(self) -> f64 {
        let error = |(effect, finding): (Effect, &Finding)| {
            (finding.ratio / self.work.ratio(self.size, effect) - 1.0).abs()
        };
        median(&self.findings().map(error).collect::<Vec<f64>>())
    }

    /// How often the interval covers the true ratio, over all effects; of none where it gives none.
    pub(super) fn coverage(self) -> Share {
        let covers = |(effect, finding): (Effect, &Finding)| {
            finding.interval.map(|i| i.contains(self.work.ratio(self.size, effect)))
        };
        Share::of(self.findings().filter_map(covers))
    }

    /// Half of the median width of the interval; not a number where it gives none.
    pub(super) fn half_width(self) -> f64 {
        let widths = self.findings().filter_map(|(_, f)| Some(0.5 * f.interval?.width()));
        median(&widths.collect::<Vec<f64>>())
    }

    /// Seconds of the tool for each comparison.
    pub(super) fn seconds(self) -> Vec<f64> {
        let is_it = |outcome: &&Outcome| {
            let size = matches!(outcome.plan.task, Task::Compare { size, .. } if size == self.size);
            size && outcome.plan.condition == self.condition
                && outcome.plan.tool == self.judge.tool()
        };
        self.outcomes.iter().filter(is_it).map(|outcome| outcome.seconds).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Plan;
    use super::super::tools::Tool;
    use super::super::work::tests::example;
    use super::*;
    use fathom_stats::Interval;

    fn outcome(size: Size, effect: Effect, said: Said, ratio: f64) -> Outcome {
        let task = Task::Compare { size, effect, slower_first: true };
        let condition = Condition::Quiet;
        let plan = Plan { tool: Tool::Fathom, condition, task, phase: 0.0, seed: 0 };
        let interval = Some(Interval { lower: ratio - 0.002, upper: ratio + 0.002 });
        let findings = vec![Finding { judge: Judge::Fathom, said, ratio, interval }];
        Outcome { plan, findings, time: None, seconds: 2.0 }
    }

    #[test]
    fn what_counts() {
        let (short, one) = (Size::Short, Effect::ONE);
        let outcomes = [
            outcome(short, Effect::NONE, Said::Slower, 1.004),
            outcome(short, Effect::NONE, Said::Faster, 0.996),
            outcome(short, Effect::NONE, Said::Equivalent, 1.001),
            outcome(short, Effect::NONE, Said::Nothing, 1.0),
            outcome(short, one, Said::Slower, 1.01),
            outcome(short, one, Said::Faster, 0.99),
            outcome(short, one, Said::Equivalent, 1.008),
            // Another size.
            outcome(Size::Long, one, Said::Slower, 1.01),
        ];
        let work = example();
        let cell = Cell {
            outcomes: &outcomes,
            work: &work,
            judge: Judge::Fathom,
            size: short,
            condition: Condition::Quiet,
        };
        assert_eq!(cell.false_positives(), Share { hits: 2, of: 4 });
        assert_eq!(cell.found(one), Share { hits: 1, of: 3 });
        assert_eq!((cell.opposite(one), cell.found(Effect(2)).of), (1, 0));
        // 1.001, 1.0 and 1.01 cover; 1.008 does too, since the truth is 1.0099.
        assert_eq!(cell.coverage(), Share { hits: 4, of: 7 });
        assert!((cell.error() - (1.0 - 1.008 / 1.0099)).abs() < 1e-12, "{}", cell.error());
        assert!((cell.half_width() - 0.002).abs() < 1e-12);
        assert_eq!(cell.seconds(), [2.0; 7]);
        let noisy = Cell { condition: Condition::Noisy, ..cell };
        assert_eq!((noisy.coverage().of, noisy.seconds().len()), (0, 0));
        let other = Cell { judge: Judge::Divan, ..cell };
        assert!(other.false_positives().of == 0 && other.error().is_nan());
    }
}
