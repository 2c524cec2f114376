//! `fathom compare` and its peers on a real machine: false alarms, differences found, and what
//! measuring adds to a command.

mod bench;
mod judge;
mod program;
mod spawning;
mod tables;
mod tools;
mod trial;
mod welch;

use super::building::target;
use super::machine::{self, Load};
use super::marked::Part;
use super::reading::in_file;
use super::trials::Condition;
use super::{Say, as_it_is};
use bench::Bench;
use program::Program;
use spawning::Spawning;
use std::fs::File;
use std::io::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tools::Tools;
use trial::{Outcome, Plan};

/// What each comparison may take, for every tool.
const BUDGET: Duration = Duration::from_secs(2);
/// Trials of Fathom on identical commands, unless asked for another number.
pub const TRIALS: usize = 40;

/// What all trials share.
struct Study<'a> {
    bench: Bench,
    tools: Tools,
    program: Program,
    /// How many runs of each command fill hyperfine's time, quiet and noisy.
    runs_of_hyperfine: [usize; 2],
    say: Say<'a>,
}

/// The page with its part about commands measured again, and the rest as it was.
pub fn page(trials: usize, say: &dyn Fn(&str)) -> Result<String, String> {
    let load = Load::now();
    let part = section(trials, load, say)?;
    // Read late: it takes many minutes, and the page may have changed meanwhile.
    Ok(Part::COMMANDS.replaced(&as_it_is()?, &part))
}

fn section(trials: usize, load: Load, say: Say<'_>) -> Result<String, String> {
    let tools = Tools::get(say)?;
    if let Some(warning) = load.warning() {
        say(&warning);
    }
    let bench = Bench::set_up(&target()?)?;
    say("finding out how many steps take the time of a run");
    let program = Program::calibrated(&bench)?;
    say(&program.in_words());
    let mut runs_of_hyperfine = [0; 2];
    for (runs, condition) in runs_of_hyperfine.iter_mut().zip(Condition::BOTH) {
        *runs = program.runs_within(&bench, condition, BUDGET)?;
    }
    let study = Study { bench, tools, program, runs_of_hyperfine, say };
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let outcomes = study.outcomes(trials, seed)?;
    say("the time of `true`");
    let spawning = Spawning::measured(&study.bench, &study.tools)?;
    Ok(tables::section(&tables::Found {
        machine: machine::in_words(),
        load,
        seed,
        study: &study,
        outcomes: &outcomes,
        spawning: &spawning,
    }))
}

impl Study<'_> {
    /// Makes all trials, in random order.
    fn outcomes(&self, trials: usize, seed: u64) -> Result<Vec<Outcome>, String> {
        let plans = Plan::all(trials, &self.tools.kinds(), seed);
        let at_most = plans.len() as u64 * BUDGET.as_secs() / 60 + 1;
        let log = self.bench.folder().join("trials.jsonl");
        (self.say)(&format!(
            "{} trials, {at_most} minutes or less; each goes to {}",
            plans.len(),
            log.display()
        ));
        let mut file = File::create(&log).map_err(|error| in_file(&log, &error))?;
        let mut outcomes = Vec::with_capacity(plans.len());
        for (number, plan) in plans.iter().enumerate() {
            let outcome = trial::made(self, *plan)?;
            // A study that is interrupted leaves what it has seen.
            writeln!(file, "{}", outcome.to_json()).map_err(|error| in_file(&log, &error))?;
            if (number + 1) % 10 == 0 || number + 1 == plans.len() {
                (self.say)(&format!("{} of {} trials", number + 1, plans.len()));
            }
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }
}
