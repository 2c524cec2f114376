//! One comparison by one tool, and the order of all of them.

use super::super::confined::{CORE, on_core};
use super::super::reading::{milliseconds, output_of};
use super::super::said::{self, Said};
use super::super::trials::{Condition, Effect, inverse, shuffle, uniform};
use super::bench::Bench;
use super::judge::{self, Judge};
use super::tools::Tool;
use super::{BUDGET, Study};
use crate::population::generator;
use fathom_stats::Interval;
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A trial to make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    pub(super) tool: Tool,
    pub(super) condition: Condition,
    pub(super) effect: Effect,
    /// Whether the slower command comes first and is the reference.
    slower_first: bool,
    /// Where the neighbour is in its turn.
    phase: f64,
}

/// What a trial showed.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    pub(super) plan: Plan,
    /// Of the slower command.
    pub(super) said: Vec<(Judge, Said)>,
    /// Of the ratio of the slower command to the other; only Fathom gives one.
    pub(super) interval: Option<Interval>,
    pub(super) pairs: Option<f64>,
    /// Of wall time, by the whole tool.
    pub(super) seconds: f64,
}

impl Plan {
    /// All trials, in random order, so that what happens to the machine happens to all.
    ///
    /// `trials` of Fathom for each condition on identical commands and on the smallest difference,
    /// half as many on the others; peers half of that.
    pub(super) fn all(trials: usize, tools: &[Tool], seed: u64) -> Vec<Plan> {
        let mut rng = generator(seed, 0);
        let mut plans = Vec::new();
        for &tool in tools {
            for effect in Effect::ALL {
                let is_small = [Effect::NONE, Effect::ONE].contains(&effect);
                let trials = if is_small { trials } else { trials.div_ceil(2) };
                let trials = if tool == Tool::Fathom { trials } else { trials.div_ceil(2) };
                for condition in Condition::BOTH {
                    for _ in 0..trials {
                        let slower_first = uniform(&mut rng) < 0.5;
                        let phase = uniform(&mut rng);
                        plans.push(Plan { tool, condition, effect, slower_first, phase });
                    }
                }
            }
        }
        shuffle(&mut plans, &mut rng);
        plans
    }
}

impl Outcome {
    /// A line to keep.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let said: serde_json::Map<_, _> = self
            .said
            .iter()
            .map(|(judge, said)| (judge.name().into(), said.name().into()))
            .collect();
        json!({
            "tool": self.plan.tool.name(),
            "condition": self.plan.condition.name(),
            "effect": self.plan.effect.name(),
            "slower_first": self.plan.slower_first,
            "phase": self.plan.phase,
            "said": said,
            // JSON has no infinite numbers; they become null.
            "lower": self.interval.map(|interval| interval.lower),
            "upper": self.interval.map(|interval| interval.upper),
            "pairs": self.pairs,
            "seconds": self.seconds,
        })
    }
}

/// Makes a trial.
pub(super) fn made(study: &Study<'_>, plan: Plan) -> Result<Outcome, String> {
    let steps = [Effect::NONE, plan.effect].map(|effect| study.program.steps(effect));
    let [mut first, mut second] = steps.map(Bench::command_line);
    if plan.slower_first {
        std::mem::swap(&mut first, &mut second);
    }
    let neighbour = study.bench.neighbour(plan.condition, plan.phase)?;
    let outcome = match plan.tool {
        Tool::Fathom => by_fathom(study, plan, &first, &second),
        Tool::Hyperfine => by_hyperfine(study, plan, &first, &second),
        Tool::Cbdr => by_cbdr(study, plan, &first, &second),
    };
    drop(neighbour);
    let mut outcome = outcome.map_err(|error| format!("{}: {error}", plan.tool.name()))?;
    if plan.slower_first {
        for (_, said) in &mut outcome.said {
            *said = said.swapped();
        }
        outcome.interval = outcome.interval.map(inverse);
    }
    Ok(outcome)
}

fn by_fathom(study: &Study<'_>, plan: Plan, first: &str, second: &str) -> Result<Outcome, String> {
    let mut command = Command::new(study.tools.path(Tool::Fathom)?);
    command
        .args(["compare", "--max-time", &format!("{}ms", milliseconds(BUDGET))])
        .args(["--cpu", &CORE.to_string(), "--no-save", "--format", "json"])
        .args([first, second])
        .current_dir(study.bench.folder());
    let printed = output_of(&mut command)?;
    let found = said::fathom(&printed.text)?;
    Ok(Outcome {
        plan,
        said: vec![(Judge::Fathom, found.said)],
        interval: Some(found.interval),
        pairs: Some(found.pairs),
        seconds: printed.seconds,
    })
}

fn by_hyperfine(
    study: &Study<'_>,
    plan: Plan,
    first: &str,
    second: &str,
) -> Result<Outcome, String> {
    let [quiet, noisy] = study.runs_of_hyperfine;
    let runs = if plan.condition == Condition::Quiet { quiet } else { noisy };
    let mut command = on_core(study.tools.path(Tool::Hyperfine)?);
    command
        .args(["-N", "--runs", &runs.to_string(), "--style", "none", "--export-json", "-"])
        .args([first, second])
        .current_dir(study.bench.folder());
    let printed = output_of(&mut command)?;
    let said = judge::hyperfine(&printed.text)?;
    Ok(Outcome { plan, said, interval: None, pairs: None, seconds: printed.seconds })
}

fn by_cbdr(study: &Study<'_>, plan: Plan, first: &str, second: &str) -> Result<Outcome, String> {
    let path = study.tools.path(Tool::Cbdr)?;
    // Two runs of each command come before its clock starts.
    let before = Duration::from_secs_f64(4.0 * study.program.seconds());
    let mut command = on_core(path);
    command
        .args(["sample", "--timeout", &format!("{}ms", milliseconds(BUDGET - before))])
        .args([format!("first:{first}"), format!("second:{second}")])
        .current_dir(study.bench.folder());
    let printed = output_of(&mut command)?;
    let said = judge::cbdr(&analysed(&mut on_core(path), &printed.text)?)?;
    let said = vec![(Judge::Cbdr, said)];
    Ok(Outcome { plan, said, interval: None, pairs: None, seconds: printed.seconds })
}

/// What `cbdr analyze` makes of samples.
fn analysed(cbdr: &mut Command, samples: &str) -> Result<String, String> {
    let problem = |error: std::io::Error| format!("cbdr analyze: {error}");
    let mut child = cbdr
        .arg("analyze")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(problem)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(samples.as_bytes()).map_err(problem)?;
    }
    let output = child.wait_with_output().map_err(problem)?;
    if !output.status.success() {
        return Err(format!("cbdr analyze: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_has_all_trials_and_is_mixed() {
        let tools = [Tool::Fathom, Tool::Cbdr];
        let plans = Plan::all(8, &tools, 1);
        let count = |tool, effect, condition| {
            let is_it = |plan: &&Plan| {
                (plan.tool, plan.effect, plan.condition) == (tool, effect, condition)
            };
            plans.iter().filter(is_it).count()
        };
        for condition in Condition::BOTH {
            let of = |tool| Effect::ALL.map(|effect| count(tool, effect, condition));
            assert_eq!(of(Tool::Fathom), [8, 8, 4, 4]);
            assert_eq!(of(Tool::Cbdr), [4, 4, 2, 2]);
        }
        assert_eq!(plans.len(), 2 * (24 + 12));
        let changes = plans.windows(2).filter(|two| two[0].condition != two[1].condition).count();
        assert!(changes > 20, "{changes}");
        let swapped = plans.iter().filter(|plan| plan.slower_first).count();
        assert!((20..=52).contains(&swapped), "{swapped}");
        assert_eq!(plans, Plan::all(8, &tools, 1));
        assert_ne!(plans, Plan::all(8, &tools, 2));
    }
}
