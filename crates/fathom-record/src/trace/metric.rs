//! What is known of a metric before any of its values.

use crate::Unit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where in the stack a metric comes from, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The processor's own counters.
    Hardware,
    /// The kernel's view of the program or of the whole machine.
    Os,
    /// The virtual machine that runs the program.
    Vm,
    /// The program's own metrics.
    Application,
}

impl Layer {
    /// All of them, lowest first.
    pub const ALL: [Layer; 4] = [Layer::Hardware, Layer::Os, Layer::Vm, Layer::Application];

    /// Its name in files and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Layer::Hardware => "hardware",
            Layer::Os => "os",
            Layer::Vm => "vm",
            Layer::Application => "application",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a metric's values mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The level at the end of the interval: memory in use.
    Gauge,
    /// A total that only grows, as it stood at the end of the interval: bytes read since the start.
    /// What happened within an interval is the difference from the row before.
    Counter,
    /// Something that happened from the start to the end of its row, and how much: a pause.
    Event,
}

impl Kind {
    /// Its name in files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Gauge => "gauge",
            Kind::Counter => "counter",
            Kind::Event => "event",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a metric's values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Number {
    /// As 64-bit integers, exactly as they were read.
    Integer,
    /// As doubles.
    Real,
}

/// A metric of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceMetric {
    /// The name, unique in the trace: the name of the probe, a dot, and what the probe calls it.
    pub name: String,
    /// Where it comes from.
    pub layer: Layer,
    /// The unit of its values.
    pub unit: Unit,
    /// What its values mean.
    pub kind: Kind,
    /// How its values are stored.
    pub number: Number,
    /// The probe that reads it, such as `process.stat`, or the tool it was imported from.
    pub probe: String,
    /// What it is, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
}

impl TraceMetric {
    /// A metric whose values are integers.
    #[must_use]
    pub fn integer(probe: &str, name: &str, layer: Layer, kind: Kind, unit: Unit) -> TraceMetric {
        TraceMetric {
            name: format!("{probe}.{name}"),
            layer,
            unit,
            kind,
            number: Number::Integer,
            probe: probe.to_string(),
            about: String::new(),
        }
    }

    /// A metric whose values are doubles.
    #[must_use]
    pub fn real(probe: &str, name: &str, layer: Layer, kind: Kind, unit: Unit) -> TraceMetric {
        TraceMetric { number: Number::Real, ..TraceMetric::integer(probe, name, layer, kind, unit) }
    }

    /// With a few words on what it is.
    #[must_use]
    pub fn about(mut self, about: &str) -> TraceMetric {
        self.about = about.to_string();
        self
    }
}
