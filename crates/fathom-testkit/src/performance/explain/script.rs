//! Compared with a script in Python that does the least that answers the question.

use super::super::figures::{ratio, time};
use super::super::peers::Peers;
use super::super::reading::{document, median, number, output_of};
use super::super::watched::watched;
use super::bytes;
use super::subject::{Answer, Subject, TOP};
use crate::made_traces::Size;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Fathom and the script about the same traces, once a round.
pub(super) struct Script {
    size: Size,
    causes: usize,
    rounds: Vec<(Answer, Said)>,
    version: String,
}

/// What the script says.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Said {
    /// Of aligning and ranking.
    seconds: f64,
    /// Of reading the files.
    reading: f64,
    peak: Option<f64>,
    hits: usize,
}

impl Script {
    pub(super) fn measured(
        size: Size,
        rounds: usize,
        place: &Path,
        fathom: &Path,
        peers: &Peers,
    ) -> Result<Script, String> {
        let subject = Subject::made(place, size)?;
        // In the same folder, so that it goes with it.
        let csv = subject.folder.join("csv");
        output_of(Command::new(fathom).arg("export").arg(&subject.folder).arg("-o").arg(&csv))?;
        let mut found = Vec::new();
        for _ in 0..rounds {
            let mut command = peers.script("explain.py");
            command.arg("--traces").arg(&subject.folder).arg("--csv").arg(&csv);
            let seen = watched(command.args(subject.in_words()))?;
            let said = Said::read(&seen.text, seen.peak, &subject)?;
            found.push((subject.asked(fathom, None)?, said));
        }
        let causes = subject.truth.causes.len();
        let version = peers.version("dtaidistance")?;
        Ok(Script { size, causes, rounds: found, version })
    }

    pub(super) fn in_words(&self) -> String {
        let middle = |of: fn(&(Answer, Said)) -> f64| {
            median(&self.rounds.iter().map(of).collect::<Vec<f64>>())
        };
        let fewest =
            |of: fn(&(Answer, Said)) -> usize| self.rounds.iter().map(of).min().unwrap_or(0);
        let most = |of: fn(&(Answer, Said)) -> Option<f64>| {
            let most = self.rounds.iter().filter_map(of).reduce(f64::max);
            most.map_or_else(|| "memory that is not known".to_string(), bytes)
        };
        let Size { runs, metrics, samples, .. } = self.size;
        format!(
            "Compared with a straightforward script (`scripts/peers/explain.py`): alignment in C \
             (dtaidistance {}), the window mapped to each run, every metric interpolated, and \
             Pearson's r of each by scipy, which is one of the correlators and has no p-value by \
             shifts. On {runs} runs x {metrics} metrics x {samples} samples the script takes {} \
             after its files are read (reading CSV takes {} more) and {}; Fathom takes {} with \
             reading and everything else, and {}. Ratio: {}. Causes among the first {TOP}: {} of \
             {} by Fathom, {} by the script.\n",
            self.version,
            time(middle(|(_, said)| said.seconds)),
            time(middle(|(_, said)| said.reading)),
            most(|(_, said)| said.peak),
            time(middle(|(answer, _)| answer.seconds)),
            most(|(answer, _)| answer.peak),
            ratio(middle(|(answer, said)| said.seconds / answer.seconds)),
            fewest(|(answer, _)| answer.hits),
            self.causes,
            fewest(|(_, said)| said.hits),
        )
    }
}

impl Said {
    fn read(text: &str, peak: Option<f64>, subject: &Subject) -> Result<Said, String> {
        let found = document(text)?;
        let names = found.pointer("/ranking").and_then(Value::as_array).and_then(|names| {
            let name = |name: &Value| name.as_str().map(str::to_string);
            names.iter().map(name).collect::<Option<Vec<String>>>()
        });
        let names = names.ok_or_else(|| format!("the script ranks nothing: {text}"))?;
        Ok(Said {
            seconds: number(&found, "/seconds")?,
            reading: number(&found, "/reading")?,
            peak,
            hits: subject.hits(&names),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_traces::PlantedTruth;
    use fathom_record::Timestamp;

    #[test]
    fn the_script_is_read_and_put_into_words() {
        let size = Size { runs: 2, metrics: 9, samples: 500, spread: false, seed: 1 };
        let folder = std::env::temp_dir().join("fathom-no-such-folder-of-traces");
        let truth = PlantedTruth {
            windows: vec![[1, 2].map(Timestamp::from_nanoseconds).into()],
            causes: vec!["a".to_string()],
        };
        let subject = Subject { size, folder, truth };
        let text = r#"{"seconds": 4.0, "reading": 1.0, "ranking": ["b", "a"]}"#;
        let said = Said::read(text, Some(3e8), &subject).unwrap();
        assert_eq!((said.seconds, said.hits), (4.0, 1));
        assert!(Said::read(r#"{"seconds": 4.0}"#, None, &subject).is_err());
        let answer = Answer { seconds: 0.5, peak: None, hits: 0 };
        let version = "2".to_string();
        let script = Script { size, causes: 1, rounds: vec![(answer, said)], version };
        let words = script.in_words();
        assert!(words.contains("Ratio: 8.00x. Causes among the first 10: 0 of 1 by Fathom, 1 by"));
        assert!(words.contains("300 MB; Fathom takes 500 ms"), "{words}");
    }
}
