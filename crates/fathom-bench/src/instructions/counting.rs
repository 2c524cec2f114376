//! Workers that count, and what they say.

use super::valgrind::Valgrind;
use crate::command_line::WORKER;
use crate::duel::opponent::{Opponent, Refusal};
use crate::selection::BenchFilters;
use fathom_analyze::{CountedFunction, InstructionCounter};
use fathom_sys::signals::Interrupt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How many processes count each function.
pub(super) const PROCESSES: usize = 2;
/// What a suite makes before its first function takes many times as long in valgrind.
const PATIENCE: Duration = Duration::from_secs(300);

/// How to count here.
pub(super) struct Counting {
    /// Where valgrind is, unless the processor counts.
    valgrind: Option<Valgrind>,
    word: Option<&'static str>,
    interrupt: Option<Interrupt>,
}

/// The calls of a batch and the counts of each process, or why there are none.
type Counts = Result<(u64, Vec<f64>), String>;

/// The counts of a build, function by function, or why there are none.
// Not a map: for a few dozen names it would cost everybody who builds benches more than it saves.
#[derive(Debug, Default)]
pub(super) struct CountedBuild {
    functions: Vec<(String, Result<CountedFunction, String>)>,
}

impl CountedBuild {
    pub(super) fn has(&self, name: &str) -> bool {
        self.functions.iter().any(|(one, _)| one == name)
    }

    pub(super) fn found(&mut self, name: &str) -> Option<Result<CountedFunction, String>> {
        let place = self.functions.iter().position(|(one, _)| one == name)?;
        Some(self.functions.swap_remove(place).1)
    }
}

impl Counting {
    /// Finds what counts; what to install if there is nothing.
    pub(super) fn prepare(selection: &BenchFilters) -> Result<Counting, String> {
        let valgrind = match processor() {
            Ok(()) => None,
            Err(why) => Some(Valgrind::find(&why)?),
        };
        let word = selection.word_for_workers();
        Ok(Counting { valgrind, word, interrupt: Interrupt::install().ok() })
    }

    pub(super) fn counter(&self) -> InstructionCounter {
        match self.valgrind {
            None => InstructionCounter::Processor,
            Some(_) => InstructionCounter::Valgrind,
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(Interrupt::requested)
    }

    /// Counts the functions of these names in several processes of a program. The label follows the
    /// names where there are two builds.
    pub(super) fn build(
        &self,
        program: &Path,
        label: Option<&str>,
        names: &[&str],
        show: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> Result<CountedBuild, String> {
        let mut all: Vec<(&str, Counts)> = Vec::new();
        for process in 1..=PROCESSES {
            show(&|| format!("starting process {process} of {PROCESSES}"));
            let mut worker = self.start(program)?;
            let functions = worker.functions.clone();
            for name in names {
                let Some(place) = functions.iter().position(|one| one == name) else { continue };
                if self.is_interrupted() {
                    break;
                }
                let before = all.iter().position(|(one, _)| one == name);
                if before.is_some_and(|before| all[before].1.is_err()) {
                    continue;
                }
                show(&|| {
                    format!("{name}: counting instructions, process {process} of {PROCESSES}")
                });
                let found = worker.count(place);
                if self.is_interrupted() {
                    // Ctrl-C ended the worker, too; half a count is none.
                    break;
                }
                if let Err(Refusal::Gone(_)) = &found {
                    worker = self.start(program)?;
                }
                let place = before.unwrap_or_else(|| {
                    all.push((name, Ok((0, Vec::new()))));
                    all.len() - 1
                });
                match (found, &mut all[place].1) {
                    (Ok(found), Ok((calls, counts))) => {
                        *calls = if *calls == 0 { found.calls } else { found.calls.min(*calls) };
                        counts.extend(found.per_call);
                    }
                    (Err(refusal), so_far) => *so_far = Err(self.why(refusal)),
                    (Ok(_), Err(_)) => (),
                }
            }
        }
        let functions = all.into_iter().filter_map(|(name, found)| {
            let shown = label.map_or(name.to_string(), |label| format!("{name} ({label})"));
            let counted = match found {
                Ok((calls, counts)) => Ok(CountedFunction::new(shown, calls, counts)?),
                Err(why) => Err(label.map_or(why.clone(), |label| format!("in {label} {why}"))),
            };
            Some((name.to_string(), counted))
        });
        Ok(CountedBuild { functions: functions.collect() })
    }

    fn start(&self, program: &Path) -> Result<Opponent, String> {
        let mut command = match &self.valgrind {
            None => Command::new(program),
            Some(valgrind) => valgrind.command(program),
        };
        command.arg(WORKER).args(self.word);
        let shown = program.display().to_string();
        Opponent::launch(command, shown, PATIENCE).map_err(|error| error.to_string())
    }

    fn why(&self, refusal: Refusal) -> String {
        match refusal {
            Refusal::Broken(why) if why.starts_with("unknown order") => {
                "it was built with a fathom-bench that does not count instructions; save it again"
                    .to_string()
            }
            Refusal::Broken(why) => why,
            Refusal::Gone(why) if self.valgrind.is_some() => format!(
                "{why}; if it was SIGILL, valgrind does not know an instruction that this build \
                 uses: build for an older processor (-C target-cpu)"
            ),
            Refusal::Gone(why) => why,
            Refusal::Zero => "it executes nothing".to_string(),
        }
    }
}

/// Whether the processor counts here, tried on this process.
fn processor() -> Result<(), String> {
    let begun = fathom_sys::own_instructions::OwnInstructions::begin();
    begun.map(drop).map_err(|error| error.to_string())
}
