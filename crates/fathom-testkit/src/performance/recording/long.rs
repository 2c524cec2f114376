//! A long recording: memory of the recorder, and the size of what it writes.

use super::super::reading::in_file;
use super::{Study, manifest, output_of, share, verdict};
use fathom_record::trace::Manifest;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Of the recorder, in bytes.
const MOST_MEMORY: u64 = 100_000_000;
/// Of the program, and some more, so that there are enough.
const PROBES: &str = "process,perf.software,system.meminfo";
/// How many metrics there must be for the goal to mean something.
const LEAST_METRICS: usize = 100;

pub(super) struct Long {
    seconds: u64,
    metrics: usize,
    rows: u64,
    memory: u64,
    parquet: u64,
    csv: u64,
    share: f64,
}

pub(super) fn measured(study: &Study<'_>, length: Duration) -> Result<Long, String> {
    let seconds = length.as_secs();
    (study.say)(&format!("recording for {seconds} s every 1 ms"));
    let folder = study.folder.join("long");
    let timeout = format!("{seconds}s");
    // Without an end of its own: the time limit ends it.
    let work = Study::work(u32::MAX);
    let mut recorder = Command::new(&study.fathom)
        .args(["record", "--quiet", "--force", "--runs", "1", "--every", "1ms", "-o"])
        .arg(&folder)
        .args(["--probe", PROBES, "--timeout", &timeout, "--"])
        .args(&work)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut memory = 0;
    let status = loop {
        memory = memory.max(peak_memory(recorder.id()).unwrap_or(0));
        match recorder.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(200)),
        }
    };
    if !status.success() {
        return Err(format!("the long recording ended with {status}"));
    }
    let manifest = manifest(&folder)?;
    let csv = study.folder.join("long-csv");
    // Of an earlier study, perhaps.
    let _ = std::fs::remove_dir_all(&csv);
    output_of(Command::new(&study.fathom).arg("export").arg(&folder).arg("-o").arg(&csv))?;
    let found = Long {
        seconds,
        metrics: manifest.metrics.len(),
        rows: rows(&manifest),
        memory,
        parquet: bytes(&folder)?,
        csv: bytes(&csv)?,
        share: share(&manifest),
    };
    let _ = std::fs::remove_dir_all(&csv);
    Ok(found)
}

fn rows(manifest: &Manifest) -> u64 {
    manifest.runs.iter().flat_map(|run| &run.samplers).map(|sampler| sampler.rows).sum()
}

/// The most memory a process has held so far.
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The size of all files in a folder.
fn bytes(folder: &Path) -> Result<u64, String> {
    let mut total = 0;
    for entry in std::fs::read_dir(folder).map_err(|error| in_file(folder, &error))? {
        let entry = entry.map_err(|error| in_file(folder, &error))?;
        total += entry.metadata().map_err(|error| in_file(&entry.path(), &error))?.len();
    }
    Ok(total)
}

impl Long {
    #[allow(clippy::cast_precision_loss, reason = "three digits are shown")]
    pub(super) fn in_words(&self) -> String {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 * 1e-6);
        format!(
            "A recording of {} s every 1 ms with {} metrics (`--probe {PROBES}`; {} rows): the \
             recorder used {} of memory at most (goal: below {} with at least {LEAST_METRICS} \
             metrics: {}) and {} of a core. Its files take {}, {:.2} bytes per value; as CSV they \
             take {}, {:.1} times as much.\n",
            self.seconds,
            self.metrics,
            self.rows,
            megabytes(self.memory),
            megabytes(MOST_MEMORY),
            verdict(self.memory < MOST_MEMORY && self.metrics >= LEAST_METRICS),
            super::percent(self.share),
            megabytes(self.parquet),
            self.parquet as f64 / (self.rows as f64 * self.metrics as f64),
            megabytes(self.csv),
            self.csv as f64 / self.parquet as f64,
        )
    }
}
