//! The one type that renderers see.

mod call_timing;
mod measured_executions;
mod measured_runs;

pub use call_timing::CallTiming;
pub use measured_executions::MeasuredExecutions;
pub use measured_runs::{MeasuredRuns, RunCost};

use crate::clean::{Labelled, OtherLoad};
use crate::compare::Comparison;
use crate::growth::{Growth, InputSize};
use crate::{
    Autocorrelation, Estimate, InstructionReport, Spread, StartupEstimate, Warning, WorkEstimate,
};
use fathom_record::{Environment, Metric, Run, Series, Startup, Throughput};

/// What one command found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The command that made it.
    pub command_line: String,
    /// Where its random numbers started.
    pub seed: u64,
    /// Where it was made.
    pub environment: Environment,
    /// The session it is kept in, if it is.
    pub session: Option<i64>,
    /// What measuring a run cost besides the run, in seconds, where runs were made.
    pub overhead_per_run: Option<f64>,
    /// What timing a function costs here, where functions were timed.
    pub harness: Option<Harness>,
    /// Instructions per call, where they were counted.
    pub instructions: Option<InstructionReport>,
    /// One entry per subject, in the order they were read.
    pub subjects: Vec<Subject>,
    /// Subjects against a reference, where that was asked.
    pub comparisons: Option<Vec<Comparison>>,
    /// What may be wrong with the machine, each with what to do.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// How functions grow with the size of their input.
    #[must_use]
    pub fn growth(&self) -> Vec<Growth> {
        Growth::of_all(&self.subjects)
    }
}

/// What is known of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// The data.
    pub series: Series,
    /// The values of its parameters, where it has any.
    pub parameters: Vec<(String, String)>,
    /// What else its runs cost, where they were measured here.
    pub resources: Vec<Resource>,
    /// Its single runs, where they were measured here.
    pub runs: Option<MeasuredRuns>,
    /// What is known of it besides its times, where it is a function.
    pub function: Option<Function>,
    /// What the shell's start-up took, where a shell ran the commands: it is subtracted from the
    /// values and the estimates.
    pub startup: Option<StartupEstimate>,
    /// What counts as one sample.
    pub levels: Levels,
    /// How the values spread; `None` where it does not apply.
    pub spread: Option<Spread>,
    /// What cleaning found; `None` where it does not apply.
    pub labelled: Option<Labelled>,
    /// How the samples that count depend on each other; `None` where it does not apply.
    pub autocorrelation: Option<Autocorrelation>,
    /// The estimates, in the order they were asked for.
    pub estimates: Vec<Estimate>,
    /// The rate of work, where pairs of work and time were given.
    pub work: Option<WorkEstimate>,
    /// Why measuring stopped.
    pub stopped: StopReason,
    /// What may be wrong, each with what to do.
    pub warnings: Vec<Warning>,
}

impl Subject {
    /// Says how much of the machine other programs used before and in the steady state. A slow
    /// beginning that came from it is not a warm-up, and the warnings say so.
    pub fn tell_load(&mut self, load: OtherLoad) {
        let Some(labelled) = &mut self.labelled else { return };
        let before = labelled.slow_beginning();
        labelled.load = Some(load);
        if before != labelled.slow_beginning() {
            self.warnings.retain(|warning| !warning.is_of_beginning());
            self.warnings.extend(crate::decide::of_slow_beginning(labelled));
        }
    }

    /// Whether an estimate can be told from the start-up of the shell that ran the commands; true
    /// without a shell.
    #[must_use]
    pub fn is_told_from_shell(&self, estimate: &Estimate) -> bool {
        let Some(startup) = &self.startup else { return true };
        match estimate.interval() {
            Some(interval) if interval.lower.is_finite() => interval.lower > 0.0,
            // Without a bound, the runs have to be apart from those of the shell. Four and four are
            // by chance once in 70 cases; fewer have to be apart by as much as the shell takes.
            _ => {
                const ENOUGH: usize = 4;
                let is_enough = self.series.len().min(startup.n_used) >= ENOUGH;
                let factor = if is_enough { 1.0 } else { 2.0 };
                let above = factor * startup.largest - startup.median;
                self.series.values().iter().all(|value| *value > above)
            }
        }
    }
}

/// What timing a function costs, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harness {
    /// The smallest step of the clock.
    pub clock_grain: f64,
    /// What two readings of the clock read by themselves; subtracted from every batch.
    pub clock_cost: f64,
    /// What a turn of the loop takes around nothing: nothing shorter can be told from nothing.
    pub loop_floor: f64,
    /// What the loop adds to a call that takes longer than that; subtracted from every call.
    pub loop_overhead: f64,
}

/// What is known of a function besides its times.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// How many calls a batch had; a sample is the time of a batch divided by it.
    pub calls_per_batch: u64,
    /// Whether the calls took no longer than the loop around nothing.
    pub is_zero: bool,
    /// What the time of a call is; `None` where it is not known.
    pub timing: Option<CallTiming>,
    /// Which executions the interval is about; `None` where it is not known, and between builds.
    pub executions: Option<MeasuredExecutions>,
    /// How much one call does.
    pub throughput: Option<Throughput>,
    /// How large its input is, where that is known.
    pub input: Option<InputSize>,
    /// What one call asks of the allocator, where that is counted.
    pub allocations: Option<AllocationsPerCall>,
    /// The share of the machine's time that the hypervisor took meanwhile, where it is known.
    pub stolen: Option<f64>,
    /// The share of the machine's time that other programs used meanwhile, where it is known.
    pub others: Option<f64>,
}

/// What one call asks of the allocator, on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllocationsPerCall {
    /// How often.
    pub count: f64,
    /// How much.
    pub bytes: f64,
    /// How many calls were counted; `None` in documents that do not say it.
    pub calls: Option<u64>,
}

/// What counts as one sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// Every value.
    Values,
    /// Every execution of several values, because the values of one are not independent.
    Executions {
        /// How many.
        executions: usize,
    },
    /// Every value although executions are known, because the user said so.
    Pooled {
        /// How many executions were pooled.
        executions: usize,
    },
}

impl Levels {
    /// The names of all that may count as one sample.
    pub const NAMES: [&'static str; 2] = ["value", "execution"];

    /// The name in JSON of what counts as one sample.
    #[must_use]
    pub fn name(self) -> &'static str {
        let [value, execution] = Levels::NAMES;
        match self {
            Levels::Values | Levels::Pooled { .. } => value,
            Levels::Executions { .. } => execution,
        }
    }
}

/// What runs cost besides what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Which.
    pub metric: Metric,
    /// The middle of all runs.
    pub median: f64,
    /// The least of all runs.
    pub smallest: f64,
    /// The most of all runs.
    pub largest: f64,
}

impl Resource {
    /// Summarises a metric of runs; `None` if they do not have it.
    #[must_use]
    pub fn of(metric: Metric, runs: &[&Run]) -> Option<Resource> {
        let mut values: Vec<f64> = runs.iter().filter_map(|run| metric.of(run)).collect();
        values.sort_by(f64::total_cmp);
        let (&smallest, &largest) = values.first().zip(values.last())?;
        let median = fathom_stats::quantile::of_sorted(&values, fathom_stats::Probability::HALF)?;
        Some(Resource { metric, median, smallest, largest })
    }

    /// The same without the start-up of the shell that ran the commands: its median, as of what is
    /// judged.
    #[must_use]
    pub fn without(self, startup: &Startup) -> Resource {
        let mut values = startup.values().to_vec();
        let half = fathom_stats::Probability::HALF;
        let shell = fathom_stats::quantile::of_unsorted(&mut values, half).unwrap_or(0.0);
        let Resource { metric, median, smallest, largest } = self;
        Resource {
            metric,
            median: median - shell,
            smallest: smallest - shell,
            largest: largest - shell,
        }
    }
}

/// Why measuring stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The data came as they are, or as many runs as asked were made.
    Fixed,
    /// Every interval was as narrow as asked.
    Precision,
    /// A comparison was settled.
    Verdict,
    /// The time was over.
    MaxTime,
    /// The runs were used up.
    MaxRuns,
    /// The user or a failure ended it.
    Interrupted,
}

impl StopReason {
    /// All of them.
    pub const ALL: [StopReason; 6] = [
        StopReason::Precision,
        StopReason::Verdict,
        StopReason::MaxTime,
        StopReason::MaxRuns,
        StopReason::Interrupted,
        StopReason::Fixed,
    ];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Fixed => "fixed",
            StopReason::Precision => "precision",
            StopReason::Verdict => "verdict",
            StopReason::MaxTime => "max_time",
            StopReason::MaxRuns => "max_runs",
            StopReason::Interrupted => "interrupted",
        }
    }
}
