//! What is kept of a study as it goes on, so that an interruption costs one trial.
//!
//! A file of JSON lines: first the facts that all trials share, then a line for each trial.

use super::super::reading::in_file;
use super::super::said::Said;
use super::budget::Executions;
use super::judge::{Finding, Judge};
use super::plan::{Plan, Task};
use super::tools::Tool;
use super::trial::{Outcome, Timing};
use super::work::Work;
use fathom_stats::Interval;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What all trials of a study share. From seed, trials and tools the plan follows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) seed: u64,
    pub(super) trials: usize,
    /// The names of the tools.
    pub(super) tools: Vec<String>,
    pub(super) versions: Vec<String>,
    pub(super) machine: String,
    pub(super) load: Option<f64>,
    pub(super) date: String,
    pub(super) work: Work,
    /// Where bench_diff is one of the tools.
    pub(super) executions: Option<Executions>,
}

impl Facts {
    /// The tools that take part.
    pub(super) fn tools(&self) -> Result<Vec<Tool>, String> {
        self.tools.iter().map(|name| Tool::named(name)).collect()
    }

    /// All trials to make.
    pub(super) fn plans(&self) -> Result<Vec<Plan>, String> {
        Ok(Plan::all(self.trials, &self.tools()?, self.seed))
    }
}

/// The file.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// A new file; one that is there is an error, not overwritten.
    pub(super) fn new(path: &Path, facts: &Facts) -> Result<Log, String> {
        let file = File::create_new(path).map_err(|error| in_file(path, &error))?;
        let mut log = Log { path: path.to_path_buf(), file };
        log.line(&serde_json::to_value(facts).map_err(|error| error.to_string())?)?;
        Ok(log)
    }

    /// The facts of a study that was interrupted, and what it has seen.
    pub(super) fn resumed(path: &Path) -> Result<(Log, Facts, Vec<Outcome>), String> {
        let text = std::fs::read_to_string(path).map_err(|error| in_file(path, &error))?;
        let (facts, outcomes, whole) =
            read(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = File::options().append(true).open(path).map_err(|e| in_file(path, &e))?;
        // A line that was cut off in the middle goes, and its trial is made again.
        file.set_len(whole as u64).map_err(|error| in_file(path, &error))?;
        Ok((Log { path: path.to_path_buf(), file }, facts, outcomes))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps an outcome.
    pub(super) fn keep(&mut self, outcome: &Outcome) -> Result<(), String> {
        self.line(&to_json(outcome))
    }

    fn line(&mut self, value: &Value) -> Result<(), String> {
        // In one piece: a line is there or it is not.
        let line = format!("{value}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| in_file(&self.path, &error))
    }
}

/// Facts, outcomes, and how many bytes of the text are whole lines.
fn read(text: &str) -> Result<(Facts, Vec<Outcome>, usize), String> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..whole].lines();
    let facts: Facts = serde_json::from_str(lines.next().ok_or("it has no whole line")?)
        .map_err(|error| format!("line 1 is not the beginning of a study: {error}"))?;
    let plans = facts.plans()?;
    let outcomes = lines.zip(&plans).enumerate().map(|(number, (line, plan))| {
        from_json(line, *plan).ok_or_else(|| format!("line {} is not its trial", number + 2))
    });
    let outcomes = outcomes.collect::<Result<Vec<Outcome>, String>>()?;
    Ok((facts, outcomes, whole))
}

fn to_json(outcome: &Outcome) -> Value {
    let plan = outcome.plan;
    let findings = outcome.findings.iter().map(|finding| {
        json!({
            "judge": finding.judge.name(),
            "said": finding.said.name(),
            "ratio": finding.ratio,
            // JSON has no infinite numbers: an end that is not there is.
            "lower": finding.interval.map(|interval| end(interval.lower)),
            "upper": finding.interval.map(|interval| end(interval.upper)),
        })
    });
    let mut line = json!({
        "tool": plan.tool.name(),
        "condition": plan.condition.name(),
        "findings": findings.collect::<Vec<Value>>(),
        "said": outcome.time.map(|time| time.said),
        "reference": outcome.time.map(|time| time.reference),
        "seconds": outcome.seconds,
    });
    if let Task::Compare { size, effect, slower_first } = plan.task {
        line["size"] = size.name().into();
        line["effect"] = effect.name().into();
        line["slower_first"] = slower_first.into();
    }
    line
}

fn end(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}

/// `None` if the line is not of the trial that the plan has.
fn from_json(line: &str, plan: Plan) -> Option<Outcome> {
    let line: Value = serde_json::from_str(line).ok()?;
    let findings = line["findings"].as_array()?.iter().map(|finding| {
        let end = |name: &str| {
            let value = &finding[name];
            value.as_f64().or_else(|| value.as_str()?.parse().ok())
        };
        Some(Finding {
            judge: Judge::named(finding["judge"].as_str()?)?,
            said: Said::named(finding["said"].as_str()?)?,
            ratio: finding["ratio"].as_f64()?,
            interval: end("lower")
                .zip(end("upper"))
                .map(|(lower, upper)| Interval { lower, upper }),
        })
    });
    let time = line["said"].as_f64().zip(line["reference"].as_f64());
    let outcome = Outcome {
        plan,
        findings: findings.collect::<Option<_>>()?,
        time: time.map(|(said, reference)| Timing { said, reference }),
        seconds: line["seconds"].as_f64()?,
    };
    // What is not in the plan would not be in a line that is made of it.
    (to_json(&outcome) == line).then_some(outcome)
}

#[cfg(test)]
mod tests {
    use super::super::work::tests::example;
    use super::*;

    fn facts() -> Facts {
        Facts {
            seed: 7,
            trials: 3,
            tools: vec!["fathom-bench".to_string(), "criterion".to_string()],
            versions: vec!["fathom-bench 0.1.0".to_string(), "criterion 0.8.2".to_string()],
            machine: "a machine".to_string(),
            load: Some(0.25),
            date: "2026-01-01".to_string(),
            work: example(),
            executions: None,
        }
    }

    fn outcome(plan: Plan) -> Outcome {
        let interval = Some(Interval { lower: 0.1 + 0.2, upper: f64::INFINITY });
        let finding =
            |judge, interval| Finding { judge, said: Said::Slower, ratio: 1.01, interval };
        let time = (plan.task == Task::Time).then_some(Timing { said: 5.1e-9, reference: 5e-9 });
        let findings =
            vec![finding(Judge::CriterionP, interval), finding(Judge::CriterionVerdict, None)];
        let findings = if time.is_some() { Vec::new() } else { findings };
        Outcome { plan, findings, time, seconds: 2.5 }
    }

    #[test]
    fn a_study_goes_on_where_it_was_interrupted() {
        let folder = std::env::temp_dir().join(format!("fathom-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("trials.jsonl");
        let plans = facts().plans().unwrap();
        let made: Vec<Outcome> = plans.iter().take(30).map(|plan| outcome(*plan)).collect();
        let mut log = Log::new(&path, &facts()).unwrap();
        made[..20].iter().for_each(|outcome| log.keep(outcome).unwrap());
        // Killed in the middle of a line.
        log.file.write_all(b"{\"tool\": \"fath").unwrap();
        drop(log);
        let (mut log, known, outcomes) = Log::resumed(&path).unwrap();
        assert_eq!((known, &outcomes[..]), (facts(), &made[..20]));
        made[20..].iter().for_each(|outcome| log.keep(outcome).unwrap());
        let (_, _, outcomes) = Log::resumed(&path).unwrap();
        assert_eq!(outcomes, made);
        assert!(Log::new(&path, &facts()).is_err(), "it was overwritten");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_line_of_another_plan_is_an_error() {
        let first = serde_json::to_string(&facts()).unwrap();
        let plans = facts().plans().unwrap();
        let line = |plan: Plan| to_json(&outcome(plan)).to_string();
        let good = format!("{first}\n{}\n", line(plans[0]));
        assert_eq!(read(&good).unwrap().1.len(), 1);
        let other = plans.iter().find(|plan| plan.task != plans[0].task).unwrap();
        let bad = format!("{first}\n{}\n", line(*other));
        assert!(read(&bad).unwrap_err().contains("line 2"));
        assert!(read("").is_err() && read("{}\n").is_err());
    }
}
