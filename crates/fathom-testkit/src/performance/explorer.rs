//! How long people wait for the explorer: the real program, a real browser.

use super::as_it_is;
use super::building::{fathom, target};
use super::explain::subject::Subject;
use super::figures::{time, verdict};
use super::machine::{self, Load};
use super::marked::Part;
use super::reading::{document, output_of};
use crate::made_traces::{Size, TARGET};
use crate::repository;
use serde_json::Value;
use std::process::Command;

/// The most that people wait, in seconds.
const FIRST_PICTURE: f64 = 2.0;
const RANKING: f64 = 1.0;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    size: Size,
    rounds: usize,
}

impl Effort {
    /// What the page is made with.
    pub const FULL: Effort = Effort { size: size(50, 300, 10_000), rounds: 10 };
    /// To see whether everything works.
    pub const REHEARSAL: Effort = Effort { size: size(3, 20, 1000), rounds: 2 };
}

const fn size(runs: usize, metrics: usize, samples: usize) -> Size {
    Size { runs, metrics, samples, spread: false, seed: 1 }
}

/// Measures, and writes the part of the page.
///
/// # Errors
/// Fathom does not build, or Node, its packages or Chromium are missing.
pub fn part(effort: Effort, say: &dyn Fn(&str)) -> Result<String, String> {
    let fathom = fathom(say)?;
    let web = repository::top().join("crates/fathom-ui/web");
    if !web.join("node_modules/playwright-core").exists() {
        return Err(
            "the page's packages are missing: run npm ci in crates/fathom-ui/web".to_string()
        );
    }
    say("making traces");
    let subject = Subject::made(&target()?.join("explorer-study"), effort.size)?;
    let load = Load::now();
    if let Some(warning) = load.warning() {
        say(&warning);
    }
    say("looking at them");
    let rounds = effort.rounds.to_string();
    let said = output_of(
        Command::new("node")
            .arg("tests/speed.mjs")
            .args([fathom.as_os_str(), subject.folder.as_os_str()])
            .args([TARGET, "run-1", &rounds])
            .current_dir(&web),
    )?;
    let said = document(&said.text)?;
    let (pictures, brushes) = (numbers(&said["pictures"])?, numbers(&said["brushes"])?);
    let first = said["first"].as_f64().ok_or("the first ranking is missing")?;
    let Size { runs, metrics, samples, .. } = effort.size;
    let row = |what: &str, times: &[f64], goal: Option<f64>| {
        let slowest = times.iter().copied().fold(0.0, f64::max);
        let verdict = goal
            .map_or(String::new(), |goal| format!("below {goal} s: {}", verdict(slowest < goal)));
        format!("| {what} | {} | {} | {verdict} |\n", time(median(times)), time(slowest))
    };
    Ok(format!(
        "## Looking\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance explorer` on {}{}. `fathom \
         ui` on {runs} runs of {metrics} metrics with {samples} samples each, every metric in \
         every run, viewed in Debian's Chromium on the same machine, 1280 x 800, with software \
         rendering. The first picture is the time from starting the program, with empty caches, \
         to the target's line on the screen. A ranking is the time from releasing the selection \
         to the new list on the screen: all correlators, q-values and all runs aligned, each \
         metric scored in the target's run (`--score-in nearest`, which the explorer uses for \
         traces of this size). Goals are for the slowest of {} rounds.\n\n\
         | what | median | slowest | goal |\n\
         | --- | --- | --- | --- |\n\
         {}{}{}",
        machine::in_words(),
        load.in_words(),
        effort.rounds,
        row("first picture", &pictures, Some(FIRST_PICTURE)),
        row("first ranking after it", &[first], None),
        row("ranking of a new window", &brushes, Some(RANKING)),
    ))
}

/// The page with this part, and the rest as it was.
///
/// # Errors
/// The page cannot be read.
pub fn page_with(part: &str) -> Result<String, String> {
    Ok(Part::EXPLORER.replaced(&as_it_is()?, part))
}

fn numbers(list: &Value) -> Result<Vec<f64>, String> {
    let all = list.as_array().map(|all| all.iter().filter_map(Value::as_f64).collect::<Vec<_>>());
    all.filter(|all| !all.is_empty()).ok_or_else(|| format!("no times were said: {list}"))
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
