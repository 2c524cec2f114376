//! What happens on the tour, as data.

use super::{DemoClosing, DemoStep, DemoTruth};
use fathom_analyze::Report;
use fathom_explain::Explanation;
use fathom_property::{CheckReport, Judged};
use fathom_record::Timestamp;
use fathom_record::trace::Recording;

/// One part of the tour, in the order in which it happens.
pub enum DemoScene<'a> {
    /// The tour begins.
    Opening {
        /// With how many steps.
        steps: usize,
    },
    /// A step begins.
    Step {
        /// Which.
        step: DemoStep,
        /// Its number, from 1.
        number: usize,
        /// Of how many.
        of: usize,
    },
    /// A command is about to run.
    Question {
        /// What it is for.
        question: DemoQuestion,
        /// The command as it is typed, word by word.
        command: &'a [String],
    },
    /// Its answer.
    Answer(DemoAnswer<'a>),
    /// As much of an answer as there is: the user or a failure ended it.
    Partial(DemoAnswer<'a>),
    /// A step could not be taken, or not to its end.
    Skipped {
        /// Which.
        step: DemoStep,
        /// Why.
        why: &'a str,
    },
    /// The tour is over.
    Closing(DemoClosing<'a>),
}

/// What a command of the tour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoQuestion {
    /// How fast is it?
    Measure,
    /// Which runs count?
    Clean,
    /// Is the version that does more work slower?
    Difference,
    /// Is a program slower than itself?
    Same,
    /// Does it stay below a limit?
    Check,
    /// What happens while it runs?
    Record,
    /// Why was it slow for a while?
    Explain,
}

/// An answer, as the command that gives it has it.
#[derive(Clone, Copy)]
pub enum DemoAnswer<'a> {
    /// A program was timed.
    Measured(&'a Report),
    /// A program that starts slowly was measured.
    Cleaned(&'a Report),
    /// Two commands were compared.
    Decided {
        /// The report.
        report: &'a Report,
        /// How long that took.
        seconds: Option<f64>,
        /// Whether both are the same command.
        is_same: bool,
    },
    /// A property was checked.
    Checked {
        /// The report.
        report: &'a CheckReport,
        /// The commands that repeat an execution.
        again: &'a dyn Fn(&Judged) -> Vec<String>,
    },
    /// Metrics were recorded.
    Recorded(&'a Recording),
    /// Metrics were ranked.
    Explained {
        /// The ranking.
        explanation: &'a Explanation,
        /// When its times begin, if people know them so.
        origin: Option<Timestamp>,
        /// How many metrics are shown.
        top: usize,
    },
}

impl DemoQuestion {
    /// What is about to run, and what is known about it.
    pub(super) fn introduction(self, truth: &DemoTruth) -> String {
        match self {
            DemoQuestion::Measure => {
                format!("Here demo-work does {} units of work in every run.", truth.units)
            }
            DemoQuestion::Clean => format!(
                "Now the first {} runs do {} times the work, as if caches were cold, and so does \
                 run {}. Fathom is not told. --on cpu-time measures CPU time, which other \
                 programs disturb less than elapsed time.",
                truth.slow_start, truth.slow_factor, truth.slow_run
            ),
            DemoQuestion::Difference => format!(
                "The second command does {:.0}% more work than the first. Is it slower?",
                100.0 * truth.more_work()
            ),
            DemoQuestion::Same => {
                "The same command twice: there is nothing to find. Does Fathom find something?"
                    .to_string()
            }
            DemoQuestion::Check => format!(
                "With --seed, demo-work does a random amount of work and prints it. Do at least 80% \
                 of all seeds need fewer than {} units?",
                truth.limit
            ),
            DemoQuestion::Record => {
                let [from, to] = truth.churn_words();
                format!(
                    "Now demo-work serves requests for {} s and prints how long each one took. \
                     Between {from} and {to}, each request also touches {} MB of new memory. \
                     Fathom records what this machine counts meanwhile.",
                    truth.serve.as_secs_f64(),
                    truth.churn_megabytes
                )
            }
            DemoQuestion::Explain => {
                let [from, to] = truth.churn_words();
                format!("What changed together with the latency between {from} and {to}?")
            }
        }
    }
}
