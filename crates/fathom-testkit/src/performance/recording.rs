//! What `fathom record` costs: per probe, for the program that is recorded, in memory and on disk.

mod costs;
mod long;
mod slowdown;

use super::building::{fathom, target};
use super::figures::{ratio, time, verdict};
use super::machine::{self, Load};
use super::marked::Part;
use super::peers::Peers;
use super::reading::{in_file, output_of};
use super::{Say, as_it_is};
use crate::repository;
use fathom_record::trace::Manifest;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long the recording whose memory is watched takes, unless asked for another time.
pub const SECONDS: u64 = 600;

/// What all parts share.
struct Study<'a> {
    fathom: PathBuf,
    folder: PathBuf,
    say: Say<'a>,
}

/// The page with its part about recording measured again, and the rest as it was.
///
/// # Errors
/// Fathom does not build, a recording fails, or Python or psutil is missing.
pub fn page(seconds: u64, say: &dyn Fn(&str)) -> Result<String, String> {
    let peers = Peers::find()?;
    let load = Load::now();
    if let Some(warning) = load.warning() {
        say(&warning);
    }
    let folder = target()?.join("recording-study");
    std::fs::create_dir_all(&folder).map_err(|error| in_file(&folder, &error))?;
    let study = Study { fathom: fathom(say)?, folder, say };
    let costs = costs::measured(&study, &peers)?;
    let slowdown = slowdown::measured(&study)?;
    let long = long::measured(&study, Duration::from_secs(seconds))?;
    let part = format!(
        "## Recording\n\n\
         Made by `cargo run --release -p fathom-testkit -- performance recording` on {}{}. The \
         recorded program is `scripts/peers/recorded_work.py`, one thread that computes, \
         allocates and writes.\n\n\
         {}\n\
         {}\n\
         {}",
        machine::in_words(),
        load.in_words(),
        costs.in_words(),
        slowdown.in_words(),
        long.in_words(),
    );
    Ok(Part::RECORDING.replaced(&as_it_is()?, &part))
}

impl Study<'_> {
    /// The words that make the work of this many rounds.
    fn work(rounds: u32) -> Vec<String> {
        let script = repository::top().join("scripts/peers/recorded_work.py");
        vec!["python3".to_string(), script.display().to_string(), rounds.to_string()]
    }

    /// Records it; the manifest and the folder.
    fn record(
        &self,
        name: &str,
        options: &[&str],
        work: &[String],
    ) -> Result<(Manifest, PathBuf), String> {
        let folder = self.folder.join(name);
        let mut command = Command::new(&self.fathom);
        command.args(["record", "--quiet", "--force", "-o"]).arg(&folder).args(options).arg("--");
        output_of(command.args(work))?;
        Ok((manifest(&folder)?, folder))
    }
}

fn manifest(folder: &Path) -> Result<Manifest, String> {
    let path = folder.join("manifest.json");
    let text = std::fs::read_to_string(&path).map_err(|error| in_file(&path, &error))?;
    Manifest::read(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What all samplers of a recording took, as a share of one processor.
fn share(manifest: &Manifest) -> f64 {
    let samplers = manifest.runs.iter().flat_map(|run| &run.samplers);
    samplers.filter_map(|sampler| sampler.cpu_share).sum()
}

/// "0.52%".
fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
