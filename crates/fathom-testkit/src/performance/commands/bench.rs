//! The programs that are measured, and the core they are measured on.

use super::in_file;
use super::reading::{milliseconds, output_of};
use super::trial::Condition;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Everything that is measured runs here, and so does the neighbour.
pub(super) const CORE: usize = 1;
/// How long the neighbour works, and how long it then sleeps.
pub(super) const TURN: Duration = Duration::from_millis(300);
/// A neighbour ends by itself after this time; no trial takes as long.
const LIFE: Duration = Duration::from_secs(60);

const BUSY_LOOP: &str = "busy_loop";
const NEIGHBOUR: &str = "neighbour";
const BARE_LOOP: &str = "bare_loop";
const SOURCES: [(&str, &str); 3] = [
    (BUSY_LOOP, include_str!("busy_loop.c")),
    (NEIGHBOUR, include_str!("neighbour.c")),
    (BARE_LOOP, include_str!("bare_loop.c")),
];

/// A folder with the compiled programs.
#[derive(Debug)]
pub(super) struct Bench {
    folder: PathBuf,
}

/// Keeps the core busy half of the time until it is dropped.
#[derive(Debug)]
pub(super) struct Neighbour(Child);

impl Bench {
    /// Compiles the programs.
    pub(super) fn set_up(target: &Path) -> Result<Bench, String> {
        let folder = target.join("commands-study");
        std::fs::create_dir_all(&folder).map_err(|error| in_file(&folder, &error))?;
        for (name, source) in SOURCES {
            let path = folder.join(format!("{name}.c"));
            std::fs::write(&path, source).map_err(|error| in_file(&path, &error))?;
            let mut compiler = Command::new("cc");
            compiler.args(["-O2", "-o", name]).arg(&path).current_dir(&folder);
            output_of(&mut compiler)
                .map_err(|error| format!("{error}\nThe study needs a C compiler named cc."))?;
        }
        output_of(&mut on_core("true")).map_err(|error| {
            format!("{error}\nThe study needs taskset (of util-linux), and core {CORE}.")
        })?;
        Ok(Bench { folder })
    }

    /// Where the programs are, and what is kept of the trials.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The command line that makes so many steps, seen from the folder.
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

    /// The neighbour, so far into its turn, if there is to be one.
    pub(super) fn neighbour(
        &self,
        condition: Condition,
        phase: f64,
    ) -> Result<Option<Neighbour>, String> {
        if condition == Condition::Quiet {
            return Ok(None);
        }
        let into = TURN.mul_f64(2.0 * phase);
        let mut command = on_core(format!("./{NEIGHBOUR}"));
        command
            .args([TURN, TURN, into].map(milliseconds))
            .arg(LIFE.as_secs().to_string())
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{NEIGHBOUR}: {error}"))?;
        // It is there before anything is measured.
        std::thread::sleep(Duration::from_millis(20));
        Ok(Some(Neighbour(child)))
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program that is confined to the core, with all it starts.
pub(super) fn on_core(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", &CORE.to_string()]).arg(program);
    command
}
