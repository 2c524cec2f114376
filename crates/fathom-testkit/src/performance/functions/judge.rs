//! What a reader takes from a tool.

use super::super::said::Said;
use super::super::trials::inverse;
use super::tools::Tool;
use fathom_stats::Interval;

/// A way to read a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    /// The verdict of Fathom, and its interval.
    Fathom,
    /// criterion's p < 0.05, and its interval of the change of the mean.
    CriterionP,
    /// criterion's sentence: that performance has regressed or improved.
    CriterionVerdict,
    /// criterion's interval of the change of the median, if it excludes no change.
    CriterionMedian,
    /// divan's printed medians, if they differ by 1%, rounded.
    Divan,
    /// tango's mark of a significant difference.
    Tango,
    /// bench_diff's Welch test on logarithms at 5%, and its interval.
    BenchDiff,
}

/// One reading of a tool: the second function relative to the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Finding {
    pub(super) judge: Judge,
    pub(super) said: Said,
    pub(super) ratio: f64,
    /// Of the ratio, if it gives one.
    pub(super) interval: Option<Interval>,
}

impl Judge {
    const ALL: [Judge; 7] = [
        Judge::Fathom,
        Judge::CriterionP,
        Judge::CriterionVerdict,
        Judge::CriterionMedian,
        Judge::Divan,
        Judge::Tango,
        Judge::BenchDiff,
    ];

    /// The tool that it reads.
    pub(super) fn tool(self) -> Tool {
        match self {
            Judge::Fathom => Tool::Fathom,
            Judge::CriterionP | Judge::CriterionVerdict | Judge::CriterionMedian => Tool::Criterion,
            Judge::Divan => Tool::Divan,
            Judge::Tango => Tool::Tango,
            Judge::BenchDiff => Tool::BenchDiff,
        }
    }

    /// The ways to read a tool.
    pub(super) fn of(tool: Tool) -> impl Iterator<Item = Judge> {
        Judge::ALL.into_iter().filter(move |judge| judge.tool() == tool)
    }

    /// Its name in tables and in what is kept of the trials.
    pub(super) fn name(self) -> &'static str {
        match self {
            Judge::Fathom => "fathom-bench",
            Judge::CriterionP => "criterion, p < 0.05",
            Judge::CriterionVerdict => "criterion, its verdict",
            Judge::CriterionMedian => "criterion, the median's interval",
            Judge::Divan => "divan, medians by eye",
            Judge::Tango => "tango-bench",
            Judge::BenchDiff => "bench_diff",
        }
    }

    /// The one of this name.
    pub(super) fn named(name: &str) -> Option<Judge> {
        Judge::ALL.into_iter().find(|judge| judge.name() == name)
    }
}

impl Finding {
    /// The same of the first function over the second.
    pub(super) fn swapped(self) -> Finding {
        Finding {
            said: self.said.swapped(),
            ratio: 1.0 / self.ratio,
            interval: self.interval.map(inverse),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_read_and_every_name_is_one() {
        assert!(Judge::ALL.into_iter().all(|judge| Judge::named(judge.name()) == Some(judge)));
        assert!(Tool::ALL.into_iter().all(|tool| Judge::of(tool).count() > 0));
    }

    #[test]
    fn the_other_way_round() {
        let interval = Some(Interval { lower: 0.5, upper: 2.0 });
        let finding = Finding { judge: Judge::Fathom, said: Said::Faster, ratio: 0.8, interval };
        let swapped = finding.swapped();
        assert_eq!((swapped.said, swapped.ratio, swapped.interval), (Said::Slower, 1.25, interval));
        assert_eq!(swapped.swapped(), finding);
    }
}
