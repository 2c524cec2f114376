//! What the machine did during a session, kept with it: what to warn about, and how much of it other
//! programs used while which runs were made.

use fathom_analyze::clean::OtherLoad;
use fathom_measure::{Keeper, MACHINE};
use fathom_record::{Metric, Phase, Run};
use fathom_sys::host::CpuTimes;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// What a session knows of its machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Machine {
    /// What to warn about.
    pub(crate) warnings: Vec<String>,
    /// Stretches of runs, in their order.
    pub(crate) load: Vec<Stretch>,
}

/// Runs that were made while other programs used this share of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    /// The first run, counted from 0 in the session.
    pub(crate) first: usize,
    /// The run after the last.
    pub(crate) end: usize,
    /// From 0 to 1.
    pub(crate) others: f64,
}

impl Machine {
    /// From a session's plan; of a session that kept nothing, nothing is known.
    pub(crate) fn read(plan: Option<&str>) -> Machine {
        let plan: Value = plan.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let array = |name: &str| plan[MACHINE][name].as_array().cloned().unwrap_or_default();
        let stretch = |entry: &Value| {
            let count = |place: usize| usize::try_from(entry[place].as_u64()?).ok();
            Some(Stretch { first: count(0)?, end: count(1)?, others: entry[2].as_f64()? })
        };
        Machine {
            warnings: array("warnings")
                .iter()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            load: array("other_load").iter().filter_map(stretch).collect(),
        }
    }

    /// What a keeper's session knows so far.
    pub(crate) fn of(keeper: &Keeper) -> Machine {
        Machine::read(keeper.plan().as_deref())
    }

    /// Adds what is new; a session that goes on warns once of what stays as it was.
    pub(crate) fn add(&mut self, warnings: &[String]) {
        for warning in warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }

    /// Keeps it with the session.
    pub(crate) fn keep(&self, keeper: &mut Keeper) -> Result<(), fathom_store::StoreError> {
        let load: Vec<Value> =
            self.load.iter().map(|one| json!([one.first, one.end, one.others])).collect();
        keeper.set_machine(json!({ "warnings": self.warnings, "other_load": load }))
    }

    /// What other programs used before and from a sample of a subject on; `None` where it was not
    /// seen.
    pub(crate) fn around(&self, runs: &[Run], subject: usize, start: usize) -> Option<OtherLoad> {
        let numbers: Vec<usize> = runs
            .iter()
            .enumerate()
            .filter(|(_, run)| run.subject == subject && run.phase == Phase::Measured)
            .map(|(number, _)| number)
            .collect();
        let mean = |numbers: &[usize]| {
            let seen: Vec<f64> = numbers
                .iter()
                .filter_map(|number| {
                    let holds = |one: &&Stretch| (one.first..one.end).contains(number);
                    self.load.iter().find(holds).map(|one| one.others)
                })
                .collect();
            // Half of them at least, or it says little of all.
            let is_enough = !seen.is_empty() && 2 * seen.len() >= numbers.len();
            is_enough.then(|| seen.iter().sum::<f64>() / seen.len() as f64)
        };
        let (before, after) = numbers.split_at_checked(start)?;
        Some(OtherLoad { before: mean(before)?, after: mean(after)? })
    }
}

/// Looks at the machine now and then while runs are made.
#[derive(Debug)]
pub(crate) struct LoadWatch {
    seen: Vec<Stretch>,
    last: Option<CpuTimes>,
    looked: Duration,
    first: usize,
    own: f64,
}

impl LoadWatch {
    /// Looks no more often: the kernel counts in hundredths of a second.
    const EVERY: Duration = Duration::from_millis(500);

    /// Begins with the run of this number.
    pub(crate) fn new(first: usize, now: Duration) -> LoadWatch {
        LoadWatch {
            seen: Vec::new(),
            last: CpuTimes::read(Path::new("/")),
            looked: now,
            first,
            own: 0.0,
        }
    }

    /// After every run; `overhead` is what Fathom itself used for it, in seconds. `runs` are all.
    pub(crate) fn after(&mut self, runs: &[Run], overhead: f64, now: Duration) {
        self.own += overhead + runs.last().and_then(|run| Metric::CpuTime.of(run)).unwrap_or(0.0);
        if now.saturating_sub(self.looked) < LoadWatch::EVERY {
            return;
        }
        let times = CpuTimes::read(Path::new("/"));
        let others =
            (times.zip(self.last)).and_then(|(times, last)| times.since(&last)?.others(self.own));
        if let Some(others) = others {
            self.seen.push(Stretch { first: self.first, end: runs.len(), others });
        }
        (self.last, self.looked, self.first, self.own) = (times, now, runs.len(), 0.0);
    }

    /// What was seen.
    pub(crate) fn seen(&self) -> &[Stretch] {
        &self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::Timestamp;
    use fathom_record::{Ending, Usage};

    fn runs(n: usize) -> Vec<Run> {
        let run = |_| Run {
            subject: 0,
            phase: Phase::Measured,
            place: None,
            began: Timestamp::ZERO,
            ending: Ending::Exited(0),
            usage: Usage::default(),
            readings: Vec::new(),
        };
        (0..n).map(run).collect()
    }

    #[test]
    fn what_is_kept_is_read_back() {
        let load = vec![Stretch { first: 0, end: 7, others: 0.25 }];
        let machine = Machine { warnings: vec!["busy; wait".into()], load };
        let entry = json!([0, 7, 0.25]);
        let plan = json!({ "stopped": [], MACHINE: { "warnings": ["busy; wait"], "other_load": [entry] } });
        assert_eq!(Machine::read(Some(&plan.to_string())), machine);
        for nothing in [None, Some("{}"), Some("nonsense"), Some("{\"machine\": 7}")] {
            assert_eq!(Machine::read(nothing), Machine::default(), "{nothing:?}");
        }
    }

    #[test]
    fn load_is_that_of_the_runs_before_and_after() {
        let load = vec![
            Stretch { first: 0, end: 40, others: 0.5 },
            Stretch { first: 40, end: 60, others: 0.1 },
            Stretch { first: 60, end: 90, others: 0.0 },
        ];
        let machine = Machine { load, ..Machine::default() };
        let around = machine.around(&runs(100), 0, 50).unwrap();
        assert!((around.before - 0.42).abs() < 1e-9, "{around:?}");
        assert!((around.after - 0.025).abs() < 1e-9, "{around:?}");
        assert_eq!(machine.around(&runs(300), 0, 90), None, "most of the rest was not seen");
        assert_eq!(machine.around(&runs(100), 1, 0), None);
        assert_eq!(machine.around(&runs(10), 0, 50), None);
    }
}
