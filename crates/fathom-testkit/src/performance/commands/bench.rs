//! The programs that are measured.

use super::super::confined::{self, on_core};
use super::super::neighbour::{Neighbour, Neighbourhood};
use super::super::reading::output_of;
use super::super::trials::Condition;
use std::path::{Path, PathBuf};

const BUSY_LOOP: &str = "busy_loop";
const BARE_LOOP: &str = "bare_loop";
const SOURCES: [(&str, &str); 2] =
    [(BUSY_LOOP, include_str!("busy_loop.c")), (BARE_LOOP, include_str!("bare_loop.c"))];

/// A folder with the compiled programs.
#[derive(Debug)]
pub(super) struct Bench {
    folder: PathBuf,
    neighbourhood: Neighbourhood,
}

impl Bench {
    /// Compiles the programs.
    pub(super) fn set_up(target: &Path) -> Result<Bench, String> {
        confined::check()?;
        let folder = confined::folder(target, "commands-study")?;
        for (name, source) in SOURCES {
            confined::compile(&folder, name, source)?;
        }
        let neighbourhood = Neighbourhood::set_up(&folder)?;
        Ok(Bench { folder, neighbourhood })
    }

    /// The load, this far into its period, if there is one.
    pub(super) fn neighbour(
        &self,
        condition: Condition,
        phase: f64,
    ) -> Result<Option<Neighbour>, String> {
        self.neighbourhood.under(condition, phase)
    }

    /// Where the programs are, and what is kept of the trials.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The command line that makes this many steps, seen from the folder.
    pub(super) fn command_line(steps: u64) -> String {
        format!("./{BUSY_LOOP} {steps}")
    }

    /// Seconds of each command in each round, by a bare loop of posix_spawn.
    pub(super) fn bare(
        &self,
        rounds: usize,
        commands: &[&[&str]],
    ) -> Result<Vec<Vec<f64>>, String> {
        let arguments = commands.join(&"--");
        let mut command = on_core(format!("./{BARE_LOOP}"));
        command.arg(rounds.to_string()).args(arguments).current_dir(&self.folder);
        let text = output_of(&mut command)?.text;
        let lines: Option<Vec<Vec<f64>>> = text
            .lines()
            .map(|line| line.split(' ').map(|ns| Some(1e-9 * ns.parse::<f64>().ok()?)).collect())
            .collect();
        let lines = lines.filter(|lines| {
            lines.len() == rounds && lines.iter().all(|line| line.len() == commands.len())
        });
        let lines = lines.ok_or_else(|| format!("{BARE_LOOP} printed {text:?}"))?;
        let column = |index: usize| lines.iter().map(|line| line[index]).collect();
        Ok((0..commands.len()).map(column).collect())
    }

    /// The same for numbers of steps.
    pub(super) fn bare_steps(&self, rounds: usize, steps: &[u64]) -> Result<Vec<Vec<f64>>, String> {
        let program = format!("./{BUSY_LOOP}");
        let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
        let commands: Vec<[&str; 2]> = steps.iter().map(|steps| [&*program, &**steps]).collect();
        let commands: Vec<&[&str]> = commands.iter().map(|command| &command[..]).collect();
        self.bare(rounds, &commands)
    }
}
