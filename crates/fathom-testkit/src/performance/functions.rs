//! fathom-bench and its peers on a real machine: false positives, differences found, and how far
//! ratios and intervals are from the truth.

mod bench_diff;
mod budget;
mod criterion;
mod divan;
mod goals;
mod judge;
mod log;
mod options;
mod plan;
mod tables;
mod tally;
mod tango;
mod tools;
mod trial;
mod work;

use super::building::target;
use super::confined::{self, on_core};
use super::machine::{self, Load};
use super::marked::Part;
use super::neighbour::Neighbourhood;
use super::reading::output_of;
use super::trials::Condition;
use super::{Say, as_it_is};
use budget::Executions;
use log::{Facts, Log};
use options::What;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tools::{Programs, Tool};
use trial::Outcome;
use work::{Reference, Size, Work};

pub use options::Options;

/// How often one is told how far it is, in trials.
const EVERY: usize = 20;

/// Where things are.
#[derive(Debug)]
struct Bench {
    programs: Programs,
    neighbourhood: Neighbourhood,
    reference: Reference,
    folder: PathBuf,
}

/// What all trials share.
struct Study<'a> {
    bench: Bench,
    facts: Facts,
    say: Say<'a>,
}

/// "criterion 0.8.2" of each of these harnesses.
pub(super) fn versions_of(names: &[&str]) -> Result<Vec<String>, String> {
    let tools = names.iter().map(|name| Tool::named(name)).collect::<Result<Vec<_>, _>>()?;
    tools::versions(&tools)
}

/// The part of the page, measured again or to its end.
pub fn part(options: &Options, say: &dyn Fn(&str)) -> Result<String, String> {
    confined::check()?;
    let (facts, mut log, outcomes, bench);
    match &options.what {
        What::New { trials, tools } => {
            bench = Bench::set_up(options, tools)?;
            facts = Facts::found(&bench, *trials, tools, say)?;
            log = Log::new(&bench.folder.join(format!("trials-{}.jsonl", facts.seed)), &facts)?;
            outcomes = Vec::new();
        }
        What::Rest(file) => {
            (log, facts, outcomes) = Log::resumed(file)?;
            let versions = tools::versions(&facts.tools()?)?;
            if versions != facts.versions {
                return Err(format!(
                    "{} was begun with {}; now there are {}: begin anew",
                    file.display(),
                    facts.versions.join(", "),
                    versions.join(", ")
                ));
            }
            bench = Bench::set_up(options, &facts.tools()?)?;
        }
    }
    let study = Study { bench, facts, say };
    let outcomes = study.outcomes(&mut log, outcomes)?;
    let tools = study.facts.tools()?;
    Ok(tables::section(tables::Found { facts: &study.facts, tools: &tools, outcomes: &outcomes }))
}

/// The page with this part in its place.
pub fn page_with(part: &str) -> Result<String, String> {
    Ok(Part::FUNCTIONS.replaced(&as_it_is()?, part))
}

impl Bench {
    fn set_up(options: &Options, tools: &[Tool]) -> Result<Bench, String> {
        let programs = Programs::find(&options.peers, tools)?;
        let folder = confined::folder(&target()?, "functions-study")?;
        let neighbourhood = Neighbourhood::set_up(&folder)?;
        let reference = Reference { program: programs.reference() };
        Ok(Bench { programs, neighbourhood, reference, folder })
    }

    /// A tool's program on the core, with these iterations of the two functions.
    fn command(&self, tool: Tool, first: u64, second: Option<u64>) -> Command {
        let mut command = on_core(self.programs.of(tool));
        command.env("NO_COLOR", "1").env("BUSY_FIRST", first.to_string());
        match second {
            Some(second) => command.env("BUSY_SECOND", second.to_string()),
            None => command.env_remove("BUSY_SECOND"),
        };
        command.current_dir(&self.folder);
        command
    }
}

impl Facts {
    fn found(bench: &Bench, trials: usize, tools: &[Tool], say: Say<'_>) -> Result<Facts, String> {
        let versions = tools::versions(tools)?;
        let load = Load::now();
        if let Some(warning) = load.warning() {
            say(&warning);
        }
        say("finding out how long the work takes, and the true ratios");
        let work = Work::calibrated(&bench.reference)?;
        let executions = match tools.contains(&Tool::BenchDiff) {
            true => Some(Executions::calibrated(bench, &work)?),
            false => None,
        };
        let date = output_of(Command::new("date").args(["-u", "+%Y-%m-%d"]))?.text;
        Ok(Facts {
            seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
            trials,
            tools: tools.iter().map(|tool| tool.name().to_string()).collect(),
            versions,
            machine: machine::in_words(),
            load: load.0,
            date: date.trim().to_string(),
            work,
            executions,
        })
    }
}

impl Study<'_> {
    /// Makes the trials that are not made yet, in the order of the plan.
    fn outcomes(&self, log: &mut Log, made: Vec<Outcome>) -> Result<Vec<Outcome>, String> {
        let plans = self.facts.plans()?;
        let (mut outcomes, done) = (made, self.say);
        let before = outcomes.len();
        done(&format!(
            "{before} of {} trials are made; each goes to {file}. After an interruption, go on with \
             --resume {file}",
            plans.len(),
            file = log.path().display()
        ));
        let began = Instant::now();
        for plan in &plans[before..] {
            let outcome = trial::made(self, *plan)?;
            log.keep(&outcome)?;
            outcomes.push(outcome);
            let (number, of) = (outcomes.len(), plans.len());
            if number % EVERY == 0 || number == of {
                let each = began.elapsed() / (number - before) as u32;
                let minutes = (each * (of - number) as u32).as_secs().div_ceil(60);
                done(&format!("{number} of {of} trials, about {minutes} minutes left"));
            }
        }
        Ok(outcomes)
    }

    /// How many executions of bench_diff fill the time.
    fn executions(&self, time: Duration, size: Size, condition: Condition) -> u64 {
        self.facts.executions.as_ref().map_or(4, |known| known.within(time, size, condition))
    }
}
