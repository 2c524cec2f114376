//! What it costs to have a shell start a command.

use crate::laboratory::{Execution, Invocation, Laboratory, LaboratoryError};
use fathom_record::{Ending, Usage};

/// The shell's share of a run.
///
/// Measured as a program that does nothing, started by the shell, against the same program started
/// directly, in turns. Timing an empty shell instead would count its exit, which a shell that
/// replaces itself by its last command never does; that subtracts too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShellCost {
    /// From start to end.
    pub wall_ns: u64,
    /// Processor time in the shell.
    pub user_ns: u64,
    /// Processor time in the kernel.
    pub system_ns: u64,
}

/// Why a shell's cost is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShellCostError {
    /// The shell cannot be started.
    #[error("the shell {shell} cannot be started: {reason}")]
    CannotStart {
        /// Which.
        shell: String,
        /// Why.
        reason: String,
    },
    /// It ran a program that does nothing, and failed.
    #[error(
        "the shell {shell} does not run `true` with -c; use a shell that does, such as -S bash"
    )]
    Fails {
        /// Which.
        shell: String,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Pairs of runs; the median over as many is within a few microseconds.
const PAIRS: usize = 40;
/// Before these, caches fill.
const WARMUP: usize = 3;
const NOTHING: &str = "/bin/true";

impl ShellCost {
    /// Measures a shell.
    pub fn measure(
        laboratory: &mut dyn Laboratory,
        shell: &[String],
        cpu: Option<usize>,
    ) -> Result<ShellCost, ShellCostError> {
        let name = shell.first().cloned().unwrap_or_default();
        let by_shell = {
            let mut words = shell.to_vec();
            words.extend(["-c".to_string(), NOTHING.to_string()]);
            Invocation { words, cpu, ..Invocation::default() }
        };
        let direct = Invocation { words: vec![NOTHING.into()], cpu, ..Invocation::default() };
        let mut costs: [Vec<u64>; 3] = Default::default();
        for pair in 0..WARMUP + PAIRS {
            let [with, without] = [&by_shell, &direct].map(|invocation| {
                match laboratory.execute(invocation, &mut || {}) {
                    Ok(Execution { ending: Ending::Exited(0), usage, .. }) => Ok(usage),
                    Ok(_) => Err(ShellCostError::Fails { shell: name.clone() }),
                    Err(LaboratoryError::Interrupted) => Err(ShellCostError::Interrupted),
                    Err(error) => Err(ShellCostError::CannotStart {
                        shell: name.clone(),
                        reason: error.to_string(),
                    }),
                }
            });
            let (with, without) = (with?, without?);
            if laboratory.is_interrupted() {
                return Err(ShellCostError::Interrupted);
            }
            if pair >= WARMUP {
                costs[0].push(with.wall_ns.saturating_sub(without.wall_ns));
                costs[1].push(with.user_ns.saturating_sub(without.user_ns));
                costs[2].push(with.system_ns.saturating_sub(without.system_ns));
            }
        }
        let [wall_ns, user_ns, system_ns] = costs.map(|mut costs| {
            costs.sort_unstable();
            costs[costs.len() / 2]
        });
        Ok(ShellCost { wall_ns, user_ns, system_ns })
    }

    /// What a run cost without the shell. Wall time stays above zero, because nothing takes no
    /// time.
    #[must_use]
    pub fn without(self, usage: Usage) -> Usage {
        Usage {
            wall_ns: usage.wall_ns.saturating_sub(self.wall_ns).max(1),
            user_ns: usage.user_ns.saturating_sub(self.user_ns),
            system_ns: usage.system_ns.saturating_sub(self.system_ns),
            ..usage
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine on which a shell takes 3 ms more than what it starts, now and then much more.
    struct Machine {
        runs: u64,
        ending: Ending,
    }

    impl Laboratory for Machine {
        fn now_ns(&self) -> u64 {
            0
        }

        fn grain_ns(&self) -> u64 {
            1
        }

        fn execute(
            &mut self,
            invocation: &Invocation,
            _watch: &mut dyn FnMut(),
        ) -> Result<Execution, LaboratoryError> {
            self.runs += 1;
            let is_shell = invocation.words.len() > 1;
            let stall = if self.runs.is_multiple_of(7) { 50_000_000 } else { 0 };
            let wall_ns = if is_shell { 4_000_000 + stall } else { 1_000_000 };
            let usage = Usage { wall_ns, user_ns: wall_ns / 4, ..Usage::default() };
            Ok(Execution {
                ending: if is_shell { self.ending } else { Ending::Exited(0) },
                usage,
                counters: Vec::new(),
                stdout: Vec::new(),
                stderr_tail: Vec::new(),
            })
        }

        fn is_interrupted(&self) -> bool {
            false
        }
    }

    #[test]
    fn what_the_shell_adds_is_found_and_subtracted() {
        let mut machine = Machine { runs: 0, ending: Ending::Exited(0) };
        let cost = ShellCost::measure(&mut machine, &["sh".to_string()], None).unwrap();
        assert_eq!(cost, ShellCost { wall_ns: 3_000_000, user_ns: 750_000, system_ns: 0 });
        let run = Usage { wall_ns: 10_000_000, user_ns: 1_000_000, ..Usage::default() };
        let without = cost.without(run);
        assert_eq!((without.wall_ns, without.user_ns), (7_000_000, 250_000));
        // Less than the shell alone is still some time.
        assert_eq!(cost.without(Usage::default()).wall_ns, 1);
    }

    #[test]
    fn a_shell_that_cannot_run_a_program_is_named() {
        let mut machine = Machine { runs: 0, ending: Ending::Exited(2) };
        let error = ShellCost::measure(&mut machine, &["fish".to_string()], None).unwrap_err();
        assert!(error.to_string().contains("fish"), "{error}");
    }
}
