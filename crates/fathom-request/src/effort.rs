//! How much a measurement may take, where its limits are not set one by one.

use crate::value::Named;
use fathom_analyze::stopping::Precision;
use std::time::Duration;

/// The defaults of precision and limits. Every one of them can be set by its own option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EffortPreset {
    /// The time that hyperfine takes.
    Quick,
    /// Until the answer is known, within half a minute.
    #[default]
    Normal,
    /// Until the answer is known well, within minutes.
    Thorough,
}

impl Named for EffortPreset {
    const ALL: &'static [EffortPreset] =
        &[EffortPreset::Quick, EffortPreset::Normal, EffortPreset::Thorough];

    fn name(self) -> &'static str {
        match self {
            EffortPreset::Quick => "quick",
            EffortPreset::Normal => "normal",
            EffortPreset::Thorough => "thorough",
        }
    }
}

impl EffortPreset {
    /// `run`: how narrow every interval must be.
    #[must_use]
    pub fn precision(self) -> Precision {
        match self {
            EffortPreset::Quick | EffortPreset::Normal => Precision::DEFAULT,
            EffortPreset::Thorough => Precision::FINE,
        }
    }

    /// `run`: how long each command is measured at most.
    #[must_use]
    pub fn time_of_command(self) -> Duration {
        match self {
            EffortPreset::Quick => Duration::from_secs(3),
            EffortPreset::Normal => Duration::from_secs(30),
            EffortPreset::Thorough => Duration::from_secs(120),
        }
    }

    /// `run`: how often each command is run at least, however long that takes.
    #[must_use]
    pub fn fewest_runs(self) -> usize {
        match self {
            EffortPreset::Quick | EffortPreset::Normal => 10,
            EffortPreset::Thorough => 20,
        }
    }

    /// `run`: how long each command may take to be run so often that dependence can be judged.
    #[must_use]
    pub fn time_to_judge(self) -> Duration {
        match self {
            EffortPreset::Quick => self.time_of_command(),
            EffortPreset::Normal => Duration::from_secs(90),
            EffortPreset::Thorough => self.time_of_command(),
        }
    }

    /// `compare`: how long a comparison of this number of commands takes at most.
    #[must_use]
    pub fn time_of_comparison(self, commands: usize) -> Duration {
        match self {
            EffortPreset::Quick => {
                self.time_of_command().saturating_mul(u32::try_from(commands).unwrap_or(u32::MAX))
            }
            EffortPreset::Normal | EffortPreset::Thorough => self.time_of_command(),
        }
    }

    /// `compare`: how many pairs there are at least, however long they take.
    #[must_use]
    pub fn fewest_pairs(self) -> usize {
        2 * match self {
            EffortPreset::Quick => 5,
            EffortPreset::Normal => 10,
            EffortPreset::Thorough => 20,
        }
    }

    /// `compare` of builds: how long each function is measured at most.
    #[must_use]
    pub fn time_of_function(self) -> Duration {
        match self {
            EffortPreset::Quick => Duration::from_millis(500),
            EffortPreset::Normal => Duration::from_secs(2),
            EffortPreset::Thorough => Duration::from_secs(10),
        }
    }

    /// `check`: how many executions there may be if this many can give an answer at all.
    #[must_use]
    pub fn most_executions(self, fewest: u64) -> u64 {
        let (least, times) = match self {
            EffortPreset::Quick => (100, 2),
            EffortPreset::Normal => (1000, 10),
            EffortPreset::Thorough => (10_000, 100),
        };
        fewest.saturating_mul(times).max(least)
    }

    /// `check --estimate` without a precision: how many executions there are if this many give both ends
    /// of the interval.
    #[must_use]
    pub fn executions_of_estimate(self, fewest: u64) -> u64 {
        match self {
            EffortPreset::Quick | EffortPreset::Normal => fewest,
            EffortPreset::Thorough => fewest.saturating_mul(10),
        }
    }

    /// `doctor`: how long it measures.
    #[must_use]
    pub fn time_of_checkup(self) -> Duration {
        Duration::from_secs(match self {
            EffortPreset::Quick => 3,
            EffortPreset::Normal => 10,
            EffortPreset::Thorough => 60,
        })
    }

    /// What it means for `check`, in a line.
    #[must_use]
    pub fn of_check(self) -> &'static str {
        match self {
            EffortPreset::Quick => "Up to 100, or twice the fewest that can answer",
            EffortPreset::Normal => "Up to 1000, or 10 times the fewest that can answer",
            EffortPreset::Thorough => "Up to 10000, or 100 times the fewest that can answer",
        }
    }

    /// What it means for `doctor`, in a line.
    #[must_use]
    pub fn of_doctor(self) -> &'static str {
        match self {
            EffortPreset::Quick => "Measure for 3s",
            EffortPreset::Normal => "Measure for 10s",
            EffortPreset::Thorough => "Measure for 60s: smaller differences, rarer stalls",
        }
    }

    /// What it means for `run`, in a line.
    #[must_use]
    pub fn of_run(self) -> &'static str {
        match self {
            EffortPreset::Quick => "As long as hyperfine: 3s, at least 10 runs of each",
            EffortPreset::Normal => "Until 2% precise, up to 30s, at least 10 runs of each",
            EffortPreset::Thorough => "Until 0.5% precise, up to 120s, at least 20 runs of each",
        }
    }

    /// What it means for `compare`, in a line.
    #[must_use]
    pub fn of_compare(self) -> &'static str {
        match self {
            EffortPreset::Quick => "Up to 3s per command, at least 10 pairs; functions 0.5s",
            EffortPreset::Normal => "Up to 30s, at least 20 pairs; functions 2s",
            EffortPreset::Thorough => "Up to 120s, at least 40 pairs; functions 10s",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::OptionValue;

    /// A line of help says the numbers that hold.
    #[test]
    fn the_lines_of_help_are_true() {
        for effort in EffortPreset::ALL.iter().copied() {
            let line = effort.of_run();
            let time = effort.time_of_command().text();
            assert!(line.contains(&time), "{line}: {time}");
            assert!(line.contains(&format!("least {} runs", effort.fewest_runs())), "{line}");
            if effort != EffortPreset::Quick {
                let precision = format!("{} precise", effort.precision().text());
                assert!(line.contains(&precision), "{line}: {precision}");
            }
            let line = effort.of_compare();
            assert!(line.contains(&format!("Up to {time}")), "{line}: {time}");
            assert!(line.contains(&format!("least {} pairs", effort.fewest_pairs())), "{line}");
            let of_function = effort.time_of_function().as_secs_f64();
            assert!(line.ends_with(&format!("functions {of_function}s")), "{line}");
            let executions = format!("Up to {}, or ", effort.most_executions(1));
            assert!(effort.of_check().starts_with(&executions), "{executions}");
            let times = effort.most_executions(1 << 20) >> 20;
            let times = if times == 2 { "twice".to_string() } else { format!("{times} times") };
            assert!(effort.of_check().contains(&format!("or {times} the fewest")), "{times}");
            let time = format!("Measure for {}", effort.time_of_checkup().text());
            assert!(effort.of_doctor().starts_with(&time), "{time}");
            // Help indents it by 22 columns of 80.
            for line in
                [effort.of_run(), effort.of_compare(), effort.of_check(), effort.of_doctor()]
            {
                assert!(line.len() <= 58, "{line}");
            }
        }
    }

    #[test]
    fn more_effort_is_never_less() {
        for two in EffortPreset::ALL.windows(2) {
            let [less, more] = [two[0], two[1]];
            assert!(less.time_of_command() < more.time_of_command());
            assert!(less.time_of_comparison(2) < more.time_of_comparison(2));
            assert!(less.time_of_function() < more.time_of_function());
            assert!(less.fewest_runs() <= more.fewest_runs());
            assert!(less.fewest_pairs() < more.fewest_pairs());
            assert!(less.most_executions(30) < more.most_executions(30));
            assert!(less.executions_of_estimate(30) <= more.executions_of_estimate(30));
            assert!(less.time_of_checkup() < more.time_of_checkup());
            assert!(less.precision() >= more.precision());
        }
    }

    #[test]
    fn normal_is_the_default() {
        assert_eq!(EffortPreset::default(), EffortPreset::Normal);
        assert_eq!(EffortPreset::read("quick"), Ok(EffortPreset::Quick));
        assert!(EffortPreset::read("slow").unwrap_err().contains("thorough"));
    }
}
