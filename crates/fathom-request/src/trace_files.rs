//! Traces in files or in a metric store, and how they are read.

use crate::command_line::CommandLine;
use crate::value::{as_texts_or_none, paths};
use crate::{MetricStore, TypedSpan};
use fathom_record::TimeUnit;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A trace folder, files of other tools with one run each, or a metric store.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TraceFiles {
    /// Where they are; none with a metric store.
    #[serde(with = "paths")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub paths: Vec<PathBuf>,
    /// The unit of a time column that states none, and of windows.
    #[serde(with = "as_texts_or_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub time_unit: Option<TimeUnit>,
    /// Names of metrics that only grow; `*` matches any text.
    pub counters: Vec<String>,
    /// Where metrics come from: `NAME=LAYER`; `*` in a name matches any text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// Metrics that are computed from others: `NAME=EXPRESSION`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<String>,
    /// Conditions on the rows that count; in every run, on its own metrics.
    #[serde(rename = "while", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Parts of the target that count for nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<TypedSpan>,
    /// The metric store with the series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<MetricStore>,
}

impl TraceFiles {
    /// The words that open the same traces, after `fathom explain` or `fathom ui`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut line = CommandLine::default();
        self.write(&mut line);
        line.finish()
    }

    pub(crate) fn write(&self, line: &mut CommandLine) {
        line.subjects(self.paths.iter().map(|path| path.to_string_lossy().into_owned()));
        if let Some(store) = &self.store {
            store.write(line);
        }
        line.optional("--trace-time-unit", self.time_unit.as_ref());
        line.repeated("--counter", &self.counters);
        line.repeated("--layer", &self.layers);
        line.repeated("--derive", &self.derived);
        line.repeated("--while", &self.conditions);
        line.repeated("--except", &self.except);
    }
}
