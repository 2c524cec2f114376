//! What a folder of traces holds.

use super::TraceMetric;
use crate::foreign_text::{escaped, is_steering};
use crate::{Ending, Environment, Span, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The schema's name, with its version.
pub const TRACE_SCHEMA: &str = "fathom-trace/1";

/// A trace folder: what was recorded, how, and where. `manifest.json` holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Manifest {
    /// The version of the trace format: `fathom-trace/1`.
    pub schema: String,
    /// The program and its arguments; empty for imported files.
    pub command: Vec<String>,
    /// When recording began, in seconds since 1970.
    pub started: u64,
    /// Where it was recorded.
    pub environment: Environment,
    /// The metric that every run has and by which runs are aligned.
    pub common: Option<String>,
    /// Every metric of every run, each once.
    pub metrics: Vec<TraceMetric>,
    /// The metrics that are computed from others, and how; in an order in which each only needs those
    /// before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<MetricDefinition>,
    /// The runs, in order.
    pub runs: Vec<TraceRun>,
}

/// A metric that is computed from others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetricDefinition {
    /// The name of the metric.
    pub name: String,
    /// The expression that it is computed by, row by row: `instructions / cycles`.
    pub expression: String,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceRun {
    /// The name of the run, unique in the folder: `run-1`, or the name of a file.
    pub id: String,
    /// The probe group that was recorded in it.
    pub group: String,
    /// The moment that its times count from; `null` if the source does not say.
    pub clock: Option<Clock>,
    /// How long it took, in nanoseconds after the origin; `null` if recording did not finish.
    #[serde(rename = "ended_ns")]
    pub ended: Option<Timestamp>,
    /// How the command ended; `null` if Fathom did not start it or it had not ended.
    pub ending: Option<Ending>,
    /// The samplers of the run.
    pub samplers: Vec<SamplerEntry>,
    /// What a reader should know: a probe that failed, processes left running.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The origin of a run's times, on both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clock {
    /// The origin on the monotonic clock, in nanoseconds.
    #[serde(rename = "monotonic_ns")]
    pub monotonic: Timestamp,
    /// The origin on the wall clock, in nanoseconds since 1970.
    #[serde(rename = "wall_ns")]
    pub wall: Timestamp,
}

/// One sampler of one run: a schedule and its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Sampler"))]
pub struct SamplerEntry {
    /// The name of the sampler: `fast`, `slow`, `app`.
    pub name: String,
    /// Its Parquet file, in the folder. While it records, and after a kill, the rows are in parts
    /// of that name.
    pub file: String,
    /// The requested interval, in nanoseconds; `null` if rows arrive on their own.
    #[serde(rename = "interval_ns")]
    pub interval: Option<Span>,
    /// The number of rows.
    pub rows: u64,
    /// Scheduled rows that are missing because the sampler was late.
    #[serde(default)]
    pub missed: u64,
    /// How late rows were, in nanoseconds: the median, the 99th percentile and the maximum.
    #[serde(rename = "lateness_ns", default)]
    pub lateness: Option<[Span; 3]>,
    /// What sampling and writing cost, as a share of one processor.
    #[serde(default)]
    pub cpu_share: Option<f64>,
    /// What each probe cost.
    #[serde(default)]
    pub probes: Vec<ProbeCost>,
}

/// What a probe cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProbeCost {
    /// The name of the probe.
    pub probe: String,
    /// How often it was read.
    pub samples: u64,
    /// Mean processor time per reading, in nanoseconds.
    pub ns_per_sample: f64,
    /// The same as a share of one processor.
    pub cpu_share: f64,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It is not JSON, or a field has the wrong type.
    #[error("{}", escaped(&.0.to_string()))]
    Json(#[from] serde_json::Error),
    /// The schema is another version.
    #[error(
        "it has the schema \"{}\", but this version of Fathom reads \"{TRACE_SCHEMA}\"",
        escaped(found)
    )]
    Schema {
        /// What it says.
        found: String,
    },
    /// Two things have one name.
    #[error("it has two {what} named \"{}\"; rename one", escaped(name))]
    Twice {
        /// "metrics", "runs", "samplers of one run".
        what: &'static str,
        /// Which.
        name: String,
    },
    /// A file's name leads out of the folder.
    #[error(
        "it lists the file \"{}\", which is not a plain file name in its folder",
        escaped(file)
    )]
    Outside {
        /// Which.
        file: String,
    },
    /// A run or sampler is called what cannot be part of a file's name: files are named after them.
    #[error(
        "it has a {what} named \"{}\"; names of runs and samplers become file names, so they \
         cannot contain / \\ or control or invisible characters, and cannot start with a dot",
        escaped(name)
    )]
    Unfit {
        /// "run", "sampler".
        what: &'static str,
        /// Which.
        name: String,
    },
    /// The metric that all runs should have is none of its metrics.
    #[error("its common metric \"{}\" is not one of its metrics", escaped(name))]
    NoCommon {
        /// Which.
        name: String,
    },
}

impl Manifest {
    /// Reads one and checks what readers rely on.
    pub fn read(text: &str) -> Result<Manifest, ManifestError> {
        #[derive(Deserialize)]
        struct Version {
            schema: String,
        }
        // The version first: a later one may have fields of other types.
        let Version { schema: found } = serde_json::from_str(text)?;
        if found != TRACE_SCHEMA {
            return Err(ManifestError::Schema { found });
        }
        let manifest: Manifest = serde_json::from_str(text)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// As text for `manifest.json`.
    pub fn write(&self) -> Result<String, ManifestError> {
        self.check()?;
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The metric of that name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&TraceMetric> {
        self.metrics.iter().find(|metric| metric.name == name)
    }

    /// The run of that id.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<&TraceRun> {
        self.runs.iter().find(|run| run.id == id)
    }

    fn check(&self) -> Result<(), ManifestError> {
        distinct("metrics", self.metrics.iter().map(|metric| metric.name.as_str()))?;
        distinct("derived metrics", self.derived.iter().map(|metric| metric.name.as_str()))?;
        distinct("runs", self.runs.iter().map(|run| run.id.as_str()))?;
        for run in &self.runs {
            distinct("samplers of one run", run.samplers.iter().map(|one| one.name.as_str()))?;
            plain("run", &run.id)?;
            for sampler in &run.samplers {
                plain("sampler", &sampler.name)?;
            }
        }
        let files = || self.runs.iter().flat_map(|run| &run.samplers).map(|one| one.file.as_str());
        distinct("files", files())?;
        if let Some(file) = files().find(|file| !is_plain_name(file)) {
            return Err(ManifestError::Outside { file: file.to_string() });
        }
        match &self.common {
            Some(name) if !self.metrics.is_empty() && self.metric(name).is_none() => {
                Err(ManifestError::NoCommon { name: name.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// Whether it can be the name of a file in a folder, or a part of it. A folder of traces may come
/// from anywhere, and what it says must not lead out of it.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(['/', '\\'])
        && !name.contains(is_steering)
}

fn plain(what: &'static str, name: &str) -> Result<(), ManifestError> {
    if is_plain_name(name) {
        return Ok(());
    }
    Err(ManifestError::Unfit { what, name: name.to_string() })
}

fn distinct<'a>(
    what: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ManifestError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ManifestError::Twice { what, name: name.to_string() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;
    use crate::trace::{Kind, Layer};

    fn manifest() -> Manifest {
        let at = Timestamp::from_nanoseconds;
        let metric =
            TraceMetric::integer("perf", "faults", Layer::Os, Kind::Counter, Unit::Unknown);
        let sampler = SamplerEntry {
            name: "fast".to_string(),
            file: "run-1.fast.parquet".to_string(),
            interval: Some(Span::from_milliseconds(10)),
            rows: 3,
            missed: 0,
            lateness: Some([1, 2, 3].map(Span::from_nanoseconds)),
            cpu_share: Some(0.003),
            probes: Vec::new(),
        };
        Manifest {
            schema: TRACE_SCHEMA.to_string(),
            command: vec!["true".to_string()],
            started: 1,
            environment: Environment::of_this_build(),
            common: Some("perf.faults".to_string()),
            metrics: vec![metric],
            derived: vec![MetricDefinition {
                name: "per_second".to_string(),
                expression: "rate(perf.faults)".to_string(),
            }],
            runs: vec![TraceRun {
                id: "run-1".to_string(),
                group: "process".to_string(),
                clock: Some(Clock { monotonic: at(5), wall: at(6) }),
                ended: Some(at(7)),
                ending: Some(Ending::Exited(0)),
                samplers: vec![sampler],
                notes: Vec::new(),
            }],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let manifest = manifest();
        assert_eq!(Manifest::read(&manifest.write().unwrap()).unwrap(), manifest);
    }

    /// Folders of any age, and readers in other languages, know the fields by these names.
    #[test]
    fn times_are_integers_under_names_that_say_the_unit() {
        let text = serde_json::to_string(&manifest().runs[0]).unwrap();
        let times = [
            r#""clock":{"monotonic_ns":5,"wall_ns":6},"ended_ns":7,"#,
            r#""interval_ns":10000000,"rows":3,"#,
            r#""lateness_ns":[1,2,3],"#,
        ];
        for times in times {
            assert!(text.contains(times), "{text}");
        }
    }

    #[test]
    fn what_readers_rely_on_is_checked() {
        let refused = |change: fn(&mut Manifest)| {
            let mut manifest = manifest();
            change(&mut manifest);
            let text = serde_json::to_string(&manifest).unwrap();
            Manifest::read(&text).unwrap_err().to_string()
        };
        let later = refused(|manifest| manifest.schema = "fathom-trace/2".to_string());
        assert!(later.contains("fathom-trace/2"), "{later}");
        let twice = refused(|manifest| manifest.metrics.push(manifest.metrics[0].clone()));
        assert!(twice.contains("two metrics named \"perf.faults\""), "{twice}");
        for file in ["../x", "/etc/passwd", "", ".hidden", "a/b"] {
            let mut manifest = manifest();
            manifest.runs[0].samplers[0].file = file.to_string();
            let text = serde_json::to_string(&manifest).unwrap();
            assert!(Manifest::read(&text).is_err(), "{file}");
        }
        for name in [
            "../../x",
            "/etc/x",
            "a/b",
            "a\\b",
            "..",
            ".",
            "",
            "a\0b",
            "a\nb",
            "\u{1b}[2J",
            "\u{202e}x",
        ] {
            for of_run in [true, false] {
                let mut manifest = manifest();
                let run = &mut manifest.runs[0];
                let place = if of_run { &mut run.id } else { &mut run.samplers[0].name };
                *place = name.to_string();
                let text = serde_json::to_string(&manifest).unwrap();
                let why = Manifest::read(&text).unwrap_err().to_string();
                assert!(
                    why.contains(if of_run { "a run named" } else { "a sampler named" }),
                    "{why}"
                );
                assert!(!why.contains(is_steering), "{why:?}");
            }
        }
        let common = refused(|manifest| manifest.common = Some("ipc".to_string()));
        assert!(common.contains("\"ipc\""), "{common}");
    }
}
