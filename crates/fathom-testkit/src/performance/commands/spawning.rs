//! What measuring adds to a command: the time of `true` compared with a bare loop of posix_spawn.

use super::super::confined::{CORE, on_core};
use super::super::reading::{document, median, number, numbers, output_of};
use super::bench::Bench;
use super::tools::{Tool, Tools};
use std::path::PathBuf;
use std::process::Command;

/// Rounds in which everybody has a turn, and runs in each.
const ROUNDS: usize = 21;
const RUNS: usize = 100;

/// The time of `true` by everybody.
#[derive(Debug)]
pub(super) struct Spawning {
    /// Seconds by the bare loop: the median round.
    pub(super) bare: f64,
    /// Everybody else, with the median over the rounds of the difference to the bare loop.
    pub(super) readers: Vec<(Reader, f64)>,
}

/// What reads a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// `fathom run --cpu`.
    FathomPins,
    /// `fathom run`, all of it on the core.
    Fathom,
    /// hyperfine, all of it on the core.
    Hyperfine,
}

impl Reader {
    /// Its name in tables.
    pub(super) fn name(self) -> String {
        match self {
            Reader::FathomPins => format!("`fathom run --cpu {CORE}`"),
            Reader::Fathom => format!("`taskset -c {CORE} fathom run`"),
            Reader::Hyperfine => format!("`taskset -c {CORE} hyperfine -N`"),
        }
    }

    /// Whether it is Fathom.
    pub(super) fn is_fathom(self) -> bool {
        self != Reader::Hyperfine
    }
}

impl Spawning {
    /// Rounds of all tools, so that a change of the machine affects all of them.
    pub(super) fn measured(bench: &Bench, tools: &Tools) -> Result<Spawning, String> {
        let program = path_of_true()?;
        let program = program.to_str().ok_or("the path of `true` is not text")?;
        let mut readers = vec![Reader::FathomPins, Reader::Fathom];
        if tools.kinds().contains(&Tool::Hyperfine) {
            readers.push(Reader::Hyperfine);
        }
        let mut bare = Vec::new();
        let mut above = vec![Vec::new(); readers.len()];
        for _ in 0..ROUNDS {
            let taken = bench.bare(RUNS, &[&[program]])?;
            let base = taken.first().map_or(f64::NAN, |times| median(times));
            bare.push(base);
            for (reader, above) in readers.iter().zip(&mut above) {
                above.push(seconds(*reader, tools, program)? - base);
            }
        }
        let above = above.iter().map(|differences| median(differences));
        Ok(Spawning { bare: median(&bare), readers: readers.into_iter().zip(above).collect() })
    }

    /// The largest difference of Fathom's readings.
    pub(super) fn worst_of_fathom(&self) -> f64 {
        let own = self.readers.iter().filter(|(reader, _)| reader.is_fathom());
        own.map(|(_, above)| above.abs()).fold(0.0, f64::max)
    }

    /// "the median of 21 rounds of 100 runs".
    pub(super) fn effort() -> String {
        format!("the median of {ROUNDS} rounds of {RUNS} runs")
    }
}

fn seconds(reader: Reader, tools: &Tools, program: &str) -> Result<f64, String> {
    let runs = RUNS.to_string();
    if reader == Reader::Hyperfine {
        let mut command = on_core(tools.path(Tool::Hyperfine)?);
        command.args(["-N", "--runs", &runs, "--style", "none", "--export-json", "-"]).arg(program);
        let found = document(&output_of(&mut command)?.text)?;
        return Ok(median(&numbers(&found, "/results/0/times")?));
    }
    let path = tools.path(Tool::Fathom)?;
    let mut command = match reader {
        Reader::FathomPins => Command::new(path),
        Reader::Fathom | Reader::Hyperfine => on_core(path),
    };
    command.args(["run", "--runs", &runs, "--no-save", "--format", "json"]);
    if reader == Reader::FathomPins {
        command.args(["--cpu", &CORE.to_string()]);
    }
    let found = document(&output_of(command.arg(program))?.text)?;
    // Of all runs: the estimate may leave out those before the steady state.
    number(&found, "/subjects/0/resources/wall-time/median")
}

fn path_of_true() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("true"))
        .find(|file| file.is_file())
        .ok_or_else(|| "there is no `true` on the PATH".to_string())
}
