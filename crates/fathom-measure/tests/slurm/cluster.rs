//! The cluster of `scripts/slurm-loopback`, and sessions on it.

use fathom_measure::experiment::{Fleet, FleetError, Performed, Recipe, System, Ticket};
use fathom_measure::slurm::{Pace, SlurmFleet, SlurmOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Impatient: tests have a cluster of their own.
pub(crate) const PACE: Pace = Pace {
    results: Duration::from_millis(50),
    queue_first: Duration::from_millis(400),
    queue_longest: Duration::from_secs(1),
    grace: Duration::from_millis(700),
    patience: Duration::from_secs(40),
    farewell: Duration::from_secs(15),
    retries: 3,
};

/// A session whose executions run a shell text.
pub(crate) struct Session {
    pub(crate) top: TempDir,
    pub(crate) recipe: Recipe,
    pub(crate) options: SlurmOptions,
    pub(crate) program: PathBuf,
    pub(crate) pace: Pace,
}

impl Session {
    /// `{seed}` in the text is the execution's.
    pub(crate) fn new(text: &str) -> Session {
        // A name that shells and sbatch could stumble over.
        let top = tempfile::Builder::new().prefix("it's 100% ").tempdir().unwrap();
        let words = ["sh", "-c", text].map(str::to_string).to_vec();
        let recipe = Recipe {
            systems: vec![System { name: "base".to_string(), words, prepare: None }],
            folder: top.path().to_path_buf(),
            metrics: vec!["x=x: ([0-9]+)".to_string()],
            ..Recipe::default()
        };
        let program = std::env::current_exe().unwrap();
        Session { top, recipe, options: SlurmOptions::default(), program, pace: PACE }
    }

    pub(crate) fn with_options(mut self, extra: &[&str]) -> Session {
        self.options.extra = extra.iter().map(|option| option.parse().unwrap()).collect();
        self
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.top.path().join("session")
    }

    pub(crate) fn fleet(&self) -> Result<SlurmFleet, FleetError> {
        let options = self.options.clone();
        SlurmFleet::new(&self.recipe, &self.folder(), options, &self.program, None, self.pace)
    }

    pub(crate) fn resume(&self, done: &[u64]) -> Result<SlurmFleet, FleetError> {
        let done: BTreeSet<u64> = done.iter().copied().collect();
        let (folder, options) = (self.folder(), self.options.clone());
        let program = &self.program;
        SlurmFleet::resume(&self.recipe, &folder, options, program, None, self.pace, &done)
    }

    /// Takes up what a fleet had that is gone. Commands that other tests are about to start may
    /// hold its lock for a moment.
    pub(crate) fn take_up(&self, done: &[u64]) -> SlurmFleet {
        let mut fleet = self.resume(done);
        wait_for("the lock", || {
            let is_locked = matches!(&fleet, Err(error) if error.to_string().contains("another"));
            if is_locked {
                fleet = self.resume(done);
            }
            !is_locked
        });
        fleet.unwrap()
    }

    pub(crate) fn ledger(&self) -> serde_json::Value {
        serde_json::from_slice(&std::fs::read(self.folder().join("slurm.json")).unwrap()).unwrap()
    }

    pub(crate) fn jobs(&self) -> Vec<u64> {
        let ledger = self.ledger();
        let batches = ledger["batches"].as_array().unwrap().iter();
        batches.filter_map(|batch| batch["job"].as_u64()).collect()
    }
}

impl Drop for Session {
    /// A test that failed leaves its jobs behind.
    fn drop(&mut self) {
        if let Ok(bytes) = std::fs::read(self.folder().join("slurm.json"))
            && let Ok(ledger) = serde_json::from_slice::<serde_json::Value>(&bytes)
            && let Some(name) = ledger["name"].as_str()
        {
            let names: Vec<String> = (1..9).map(|batch| format!("{name}{batch}")).collect();
            for name in names {
                let _ = Command::new("scancel").arg(format!("--name={name}")).status();
            }
        }
    }
}

pub(crate) fn tickets(numbers: std::ops::Range<u64>) -> Vec<Ticket> {
    let seed = |number: u64| u32::try_from(1000 + number * 7).unwrap();
    numbers.map(|number| Ticket { number, system: 0, seed: seed(number) }).collect()
}

/// All that is left, by number; each once.
pub(crate) fn all(fleet: &mut SlurmFleet) -> BTreeMap<u64, Performed> {
    let mut performed = BTreeMap::new();
    let limit = Instant::now() + Duration::from_secs(120);
    let mut last = String::new();
    while let Some(one) = fleet.next(Some(limit), &mut |status| last = status.to_string()).unwrap()
    {
        let number = one.ticket.number;
        assert!(performed.insert(number, one).is_none(), "{number} came twice");
    }
    assert!(fleet.under_way().is_empty(), "still under way: {last}");
    performed
}

/// What the execution printed.
pub(crate) fn x(performed: &Performed) -> f64 {
    match &performed.outcome {
        Ok(seen) => seen.scalars()["x"].value,
        Err(failure) => panic!("{performed:?}: {failure}"),
    }
}

/// That every ticket has its own result, made from its own seed.
pub(crate) fn assert_complete(performed: &BTreeMap<u64, Performed>, tickets: &[Ticket]) {
    assert_eq!(performed.len(), tickets.len());
    for ticket in tickets {
        let one = &performed[&ticket.number];
        assert_eq!((one.ticket, x(one)), (*ticket, f64::from(ticket.seed)));
    }
}

/// What the script of the cluster does: "kill-node", "node1".
pub(crate) fn cluster(what: &str, more: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/slurm-loopback");
    let base = std::env::var_os("FATHOM_SLURM").unwrap();
    let status = Command::new(script).arg(what).arg(base).args(more).status().unwrap();
    assert!(status.success(), "{what} {more:?}");
}

/// What one of Slurm's commands writes.
pub(crate) fn slurm(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The states of a job's tasks and their nodes.
pub(crate) fn states(job: u64) -> Vec<(String, String)> {
    let job = format!("--jobs={job}");
    let text = slurm("squeue", &["--noheader", "--array", "--states=all", &job, "--format=%T|%N"]);
    let pair = |line: &str| {
        let (state, node) = line.split_once('|').unwrap();
        (state.to_string(), node.to_string())
    };
    text.lines().map(pair).collect()
}

/// Waits for something that Slurm does in its own time.
pub(crate) fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < limit, "in vain: {what}");
        sleep(Duration::from_millis(100));
    }
}

pub(crate) fn wait_for_running(job: u64, count: usize) {
    wait_for("running tasks", || {
        states(job).iter().filter(|(state, _)| state == "RUNNING").count() >= count
    });
}
