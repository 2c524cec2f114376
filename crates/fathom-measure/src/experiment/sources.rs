//! What is read from an execution: numbers and traces, from its output and from its files.

use super::Recipe;
use super::completeness::Completeness;
use super::execution_metric::{ExecutionMetric, is_shared};
use super::own_files::FilesBefore;
use crate::template::Template;
use fathom_formats::{
    ObservationOptions, Together, UnknownObservationFormat, one_cut_short_from_bytes,
    one_from_bytes, read_one, read_one_cut_short,
};
use fathom_record::{Certainty, Observation, Scalar};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What `--read` calls the standard output.
const OUTPUT: &str = "-";

/// What is read from every execution of a recipe.
#[derive(Debug, Clone)]
pub(super) struct Sources {
    metrics: Vec<ExecutionMetric>,
    /// Traces; `None` is the standard output.
    traces: Vec<Option<Template>>,
    options: ObservationOptions,
}

/// What an execution left behind.
pub(super) struct Remains<'a> {
    pub(super) stdout: &'a [u8],
    pub(super) before: &'a FilesBefore,
    /// Relative paths start here.
    pub(super) folder: &'a Path,
    /// The values of `{seed}`, `{run}` and `{dir}`.
    pub(super) assignment: &'a [(String, String)],
    /// Whether it came to its own end: what it did not get to write is otherwise missing.
    pub(super) completeness: Completeness,
}

/// Why something cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) how: String,
    pub(super) hint: Option<String>,
}

impl From<String> for Unreadable {
    fn from(how: String) -> Unreadable {
        Unreadable { how, hint: None }
    }
}

impl Sources {
    /// Those of a recipe.
    pub(super) fn of(recipe: &Recipe) -> Result<Sources, String> {
        let metrics =
            ExecutionMetric::parse_all(&recipe.metrics).map_err(|error| error.to_string())?;
        let trace = |file: &String| (file != OUTPUT).then(|| Template::new(file.clone()));
        if recipe.files.iter().any(|file| file.trim().is_empty()) {
            return Err("--read needs the name of a file, or - for standard output".into());
        }
        let format = recipe.format.as_deref().map(str::parse).transpose();
        let format = format.map_err(|error: UnknownObservationFormat| error.to_string())?;
        let columns = recipe.columns.clone();
        let options = ObservationOptions { format, columns, ..ObservationOptions::default() };
        Ok(Sources { metrics, traces: recipe.files.iter().map(trace).collect(), options })
    }

    fn files(&self) -> impl Iterator<Item = &Template> {
        let of_metrics = self.metrics.iter().filter_map(ExecutionMetric::file);
        self.traces.iter().flatten().chain(of_metrics)
    }

    /// Whether the standard output is read.
    pub(super) fn read_output(&self) -> bool {
        self.traces.iter().any(Option::is_none)
            || self.metrics.iter().any(|metric| metric.file().is_none())
    }

    /// A file that all executions write to, if there is one.
    pub(super) fn shared_file(&self) -> Option<&str> {
        self.files().find(|file| is_shared(file)).map(Template::text)
    }

    /// The files of one execution.
    pub(super) fn paths(&self, folder: &Path, assignment: &[(String, String)]) -> Vec<PathBuf> {
        self.files().map(|file| folder.join(file.fill(assignment))).collect()
    }

    /// Everything to read.
    pub(super) fn observe(&self, remains: &Remains<'_>) -> Result<Observation, Unreadable> {
        let mut together = Together::default();
        for file in &self.traces {
            let path = file.as_ref().map(|file| remains.path(file));
            match remains.trace(path.as_deref(), &self.options) {
                Ok(trace) => {
                    let added = together.add(&place(path.as_deref()), trace);
                    added.map_err(|error| error.to_string())?;
                }
                Err(_) if remains.is_partial() => {}
                Err(error) => return Err(error),
            }
        }
        let mut seen = together.into_observation();
        if remains.completeness == Completeness::Cut {
            forget_numbers(&mut seen);
        }
        let mut cache = BTreeMap::new();
        for metric in &self.metrics {
            let (name, unit) = (metric.metric().name(), metric.metric().unit().clone());
            let value = match remains.number(metric, &mut cache) {
                // What it had printed by then is a figure of the part that was seen, or half a
                // number.
                Ok(_) if remains.completeness == Completeness::Cut => f64::NAN,
                Ok(value) => value,
                // Missing, but known by name: a property that uses it can be understood, and no
                // number that every execution has takes its place.
                Err(_) if remains.is_partial() => f64::NAN,
                Err(error) => return Err(error),
            };
            seen.set_scalar(name, Scalar::new(value, unit))
                .map_err(|error| format!("metric {name}: {error}"))?;
        }
        Ok(seen)
    }
}

/// Numbers of a whole execution are unknown of one that was cut, but known by name. Lower bounds
/// stay.
fn forget_numbers(seen: &mut Observation) {
    let exact: Vec<(String, Scalar)> = seen
        .scalars()
        .iter()
        .filter(|(_, scalar)| scalar.certainty == Certainty::Exactly)
        .map(|(name, scalar)| (name.clone(), Scalar { value: f64::NAN, ..scalar.clone() }))
        .collect();
    for (name, scalar) in exact {
        // The name is there already, as a number.
        let _ = seen.set_scalar(&name, scalar);
    }
}

/// Files that were read: several metrics may be in one.
type Cache = BTreeMap<PathBuf, Rc<Vec<u8>>>;

impl Remains<'_> {
    fn is_partial(&self) -> bool {
        self.completeness != Completeness::Whole
    }

    fn path(&self, file: &Template) -> PathBuf {
        self.folder.join(file.fill(self.assignment))
    }

    fn number(&self, metric: &ExecutionMetric, cache: &mut Cache) -> Result<f64, Unreadable> {
        let Some(file) = metric.file() else {
            let output = self.trusted(metric, self.stdout);
            return Ok(metric.metric().read(output).map_err(|error| error.to_string())?);
        };
        let path = self.path(file);
        let bytes = self.bytes(&path, cache)?;
        let value = metric.metric().read(self.trusted(metric, &bytes));
        Ok(value.map_err(|error| error.in_file(&path).to_string())?)
    }

    fn trace(
        &self,
        path: Option<&Path>,
        options: &ObservationOptions,
    ) -> Result<Observation, Unreadable> {
        let name = place(path);
        let read = match path {
            None if self.is_partial() => one_cut_short_from_bytes(&name, self.stdout, options),
            None => one_from_bytes(&name, self.stdout, options),
            Some(path) => {
                let about = self.find(path)?;
                // A pipe would be waited for for ever. Folders may be those of gem5.
                if !about.is_file() && !about.is_dir() {
                    return Err(format!("left {name}, which is not a regular file").into());
                }
                match self.is_partial() {
                    true => read_one_cut_short(path, options),
                    false => read_one(path, options),
                }
            }
        };
        Ok(read.map_err(|error| error.to_string())?)
    }

    /// What a metric may be read from: of an execution that did not come to its own end only lines
    /// that end, because the last number could be half of one. JSON says itself where it ends.
    fn trusted<'b>(&self, metric: &ExecutionMetric, bytes: &'b [u8]) -> &'b [u8] {
        if !self.is_partial() || metric.metric().is_json() {
            return bytes;
        }
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        bytes.get(..end).unwrap_or_default()
    }

    fn bytes(&self, path: &Path, cache: &mut Cache) -> Result<Rc<Vec<u8>>, Unreadable> {
        if let Some(bytes) = cache.get(path) {
            return Ok(Rc::clone(bytes));
        }
        let shown = path.display();
        if !self.find(path)?.is_file() {
            return Err(format!("left {shown}, which is not a regular file").into());
        }
        let bytes = std::fs::read(path)
            .map_err(|error| format!("left {shown}, which cannot be read: {error}"))?;
        let bytes = Rc::new(bytes);
        cache.insert(path.to_path_buf(), Rc::clone(&bytes));
        Ok(bytes)
    }

    /// A file that this execution wrote.
    fn find(&self, path: &Path) -> Result<Metadata, Unreadable> {
        let shown = path.display();
        let about = path.metadata().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Unreadable {
                how: format!("did not write the file {shown}"),
                hint: Some(
                    "Check the path: it is relative to the folder in which the command runs. \
                     {dir} is the execution's own folder."
                        .to_string(),
                ),
            },
            _ => format!("left {shown}, which cannot be read: {error}").into(),
        })?;
        match self.before.is_unchanged(path, &about) {
            false => Ok(about),
            true => Err(Unreadable {
                how: format!("did not write {shown}, which already existed"),
                hint: Some("Write to {dir}, a separate folder for each execution.".to_string()),
            }),
        }
    }
}

fn place(path: Option<&Path>) -> String {
    path.map_or_else(|| "standard output".to_string(), |path| path.display().to_string())
}
