//! A folder of made traces, and Fathom's answer about it.

use super::super::reading::document;
use super::super::watched::{Watched, watched};
use crate::made_traces::{self, COMMON, INTERVAL, PlantedTruth, Size, TARGET};
use fathom_record::Timestamp;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How far down the ranking one looks for the causes.
pub(in crate::performance) const TOP: usize = 10;
/// The cores that Fathom may use.
pub(in crate::performance) const CORES: usize = 2;

/// A folder of made traces, there as long as this is.
#[derive(Debug)]
pub(in crate::performance) struct Subject {
    pub(in crate::performance) size: Size,
    pub(in crate::performance) folder: PathBuf,
    pub(in crate::performance) truth: PlantedTruth,
}

/// What Fathom answered, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::performance) struct Answer {
    pub(in crate::performance) seconds: f64,
    pub(in crate::performance) peak: Option<f64>,
    /// How many of the causes are among the first.
    pub(in crate::performance) hits: usize,
}

impl Subject {
    /// Makes it in a folder, which may have one from before.
    pub(in crate::performance) fn made(place: &Path, size: Size) -> Result<Subject, String> {
        let Size { runs, metrics, samples, spread, .. } = size;
        let kind = if spread { "spread" } else { "all" };
        let folder = place.join(format!("{runs}x{metrics}x{samples}-{kind}"));
        // Of a study that was interrupted, perhaps.
        let _ = std::fs::remove_dir_all(&folder);
        let truth = made_traces::write(&folder, size)?;
        Ok(Subject { size, folder, truth })
    }

    /// The window in the first run, in seconds.
    pub(in crate::performance) fn window(&self) -> (f64, f64) {
        let first = self.truth.windows.first().copied();
        let (start, end) = first.unwrap_or((Timestamp::ZERO, Timestamp::ZERO + INTERVAL));
        (start.seconds(), end.seconds())
    }

    /// Asks Fathom, perhaps only about metrics with such a name.
    pub(in crate::performance) fn asked(
        &self,
        fathom: &Path,
        only: Option<&str>,
    ) -> Result<Answer, String> {
        let (start, end) = self.window();
        let window = format!("{start:.3}s..{end:.3}s");
        let mut command = on_two_cores(fathom);
        command.arg("explain").arg(&self.folder);
        command.args(["--target", TARGET, "--window", &window, "--format", "json"]);
        command.args(only.map(|name| ["--filter", name]).into_iter().flatten());
        let Watched { text, seconds, peak, .. } = watched(&mut command)?;
        let ranking = ranking(&document(&text)?)?;
        Ok(Answer { seconds, peak, hits: self.hits(&ranking) })
    }

    /// How many of the causes are among the first of a ranking.
    pub(in crate::performance) fn hits(&self, ranking: &[String]) -> usize {
        ranking.iter().take(TOP).filter(|&metric| self.truth.causes.contains(metric)).count()
    }

    /// What the peer needs besides the folder.
    pub(in crate::performance) fn in_words(&self) -> [String; 8] {
        let (start, end) = self.window();
        [
            "--target",
            TARGET,
            "--common",
            COMMON,
            "--start",
            &start.to_string(),
            "--end",
            &end.to_string(),
        ]
        .map(str::to_string)
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        // What is left behind in the target folder does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Confined to two cores if there are more.
fn on_two_cores(program: &Path) -> Command {
    if std::thread::available_parallelism().map_or(1, usize::from) <= CORES {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", &format!("0-{}", CORES - 1)]).arg(program);
    command
}

/// The names of the ranked metrics in an explanation.
fn ranking(document: &Value) -> Result<Vec<String>, String> {
    let entries = document.pointer("/ranking").and_then(Value::as_array);
    let names = entries.and_then(|entries| {
        let name = |entry: &Value| entry.get("metric")?.as_str().map(str::to_string);
        entries.iter().map(name).collect()
    });
    names.ok_or_else(|| "the explanation has no ranking of metrics".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_there_as_long_as_it_is_needed() {
        let place = std::env::temp_dir().join(format!("fathom-subject-{}", std::process::id()));
        let size = Size { runs: 2, metrics: 8, samples: 400, spread: false, seed: 1 };
        let subject = Subject::made(&place, size).unwrap();
        assert!(subject.folder.join("manifest.json").exists());
        let (start, end) = subject.window();
        assert!(0.0 < start && start < end && end < 4.0, "{start} {end}");
        let causes = subject.truth.causes.clone();
        assert_eq!(subject.hits(&causes), causes.len());
        let mut late = vec!["other".to_string(); TOP];
        late.extend(causes);
        assert_eq!(subject.hits(&late), 0);
        drop(subject);
        assert!(std::fs::read_dir(&place).unwrap().next().is_none());
        std::fs::remove_dir(&place).unwrap();
    }

    #[test]
    fn the_ranking_is_read() {
        let found = document(r#"{"ranking": [{"metric": "b"}, {"metric": "a"}]}"#).unwrap();
        assert_eq!(ranking(&found).unwrap(), ["b", "a"]);
        assert!(ranking(&document(r#"{"ranking": [{}]}"#).unwrap()).is_err());
        assert!(ranking(&document("{}").unwrap()).is_err());
    }
}
