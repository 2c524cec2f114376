//! What can be asked of a run.

use crate::{Run, Unit};
use std::fmt;

/// A number that every run of a session gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Metric {
    /// From start to end.
    WallTime,
    /// Processor time in the program.
    UserTime,
    /// Processor time in the kernel.
    SystemTime,
    /// Both.
    CpuTime,
    /// The most memory held at once.
    PeakMemory,
    /// Page faults that needed no disk.
    MinorFaults,
    /// Page faults that did.
    MajorFaults,
    /// How often it waited.
    VoluntarySwitches,
    /// How often it was made to wait.
    InvoluntarySwitches,
    /// A hardware or software counter.
    Counter(String),
    /// A number the program printed.
    Printed(String),
}

/// Not the name of a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetricError {
    name: String,
}

impl fmt::Display for MetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, known) = (&self.name, names());
        write!(
            f,
            "there is no metric \"{name}\". Use one of {known}, counter:NAME for a counter from \
             --counters, or metric:NAME for one from --metric."
        )
    }
}

impl std::error::Error for MetricError {}

fn names() -> String {
    Metric::OF_EVERY_RUN.map(|metric| metric.to_string()).join(", ")
}

impl Metric {
    /// Those that every run has.
    pub const OF_EVERY_RUN: [Metric; 9] = [
        Metric::WallTime,
        Metric::UserTime,
        Metric::SystemTime,
        Metric::CpuTime,
        Metric::PeakMemory,
        Metric::MinorFaults,
        Metric::MajorFaults,
        Metric::VoluntarySwitches,
        Metric::InvoluntarySwitches,
    ];

    /// Reads a name: "wall-time", "peak-memory", "metric:requests".
    ///
    /// ```
    /// use fathom_record::Metric;
    /// assert_eq!(Metric::parse("peak-memory")?, Metric::PeakMemory);
    /// assert_eq!(Metric::parse("metric:rps")?, Metric::Printed("rps".into()));
    /// assert!(Metric::parse("speed").is_err());
    /// # Ok::<(), fathom_record::MetricError>(())
    /// ```
    pub fn parse(name: &str) -> Result<Metric, MetricError> {
        if let Some(name) = name.strip_prefix("metric:") {
            return Ok(Metric::Printed(name.to_string()));
        }
        if let Some(name) = name.strip_prefix("counter:") {
            return Ok(Metric::Counter(name.to_string()));
        }
        // "time" is what people type first.
        if name == "time" {
            return Ok(Metric::WallTime);
        }
        Metric::OF_EVERY_RUN
            .into_iter()
            .find(|metric| metric.to_string() == name)
            .ok_or_else(|| MetricError { name: name.to_string() })
    }

    /// Its value in a run; `None` if the run did not give it.
    #[must_use]
    pub fn of(&self, run: &Run) -> Option<f64> {
        let usage = &run.usage;
        let count = match self {
            Metric::WallTime => return Some(usage.wall.seconds()),
            Metric::UserTime => return Some(usage.user.seconds()),
            Metric::SystemTime => return Some(usage.system.seconds()),
            Metric::CpuTime => return Some((usage.user + usage.system).seconds()),
            Metric::PeakMemory => usage.peak_memory,
            Metric::MinorFaults => usage.minor_faults,
            Metric::MajorFaults => usage.major_faults,
            Metric::VoluntarySwitches => usage.voluntary_switches,
            Metric::InvoluntarySwitches => usage.involuntary_switches,
            Metric::Counter(_) | Metric::Printed(_) => {
                let name = self.reading_name();
                let reading =
                    run.readings.iter().find(|reading| Some(&reading.name) == name.as_ref());
                return reading.map(|reading| reading.value);
            }
        };
        #[allow(clippy::cast_precision_loss, reason = "bytes and events are far below 2^53")]
        Some(count as f64)
    }

    /// Whether what a shell adds to a command can be subtracted: times add up. The most memory held
    /// at once does not, and counts are left as they are.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        matches!(self, Metric::WallTime | Metric::UserTime | Metric::SystemTime | Metric::CpuTime)
    }

    /// The name under which a run keeps the reading, if it is one.
    #[must_use]
    pub fn reading_name(&self) -> Option<String> {
        matches!(self, Metric::Counter(_) | Metric::Printed(_)).then(|| self.to_string())
    }

    /// What its numbers are in.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            Metric::WallTime | Metric::UserTime | Metric::SystemTime | Metric::CpuTime => {
                Unit::SECONDS
            }
            Metric::PeakMemory => Unit::Bytes,
            Metric::MinorFaults | Metric::MajorFaults => Unit::Other("faults".to_string()),
            Metric::VoluntarySwitches | Metric::InvoluntarySwitches => {
                Unit::Other("switches".to_string())
            }
            Metric::Counter(name) if name == "task-clock" => Unit::SECONDS,
            Metric::Counter(_) | Metric::Printed(_) => Unit::Unknown,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Metric::WallTime => "wall-time",
            Metric::UserTime => "user-time",
            Metric::SystemTime => "system-time",
            Metric::CpuTime => "cpu-time",
            Metric::PeakMemory => "peak-memory",
            Metric::MinorFaults => "minor-faults",
            Metric::MajorFaults => "major-faults",
            Metric::VoluntarySwitches => "voluntary-switches",
            Metric::InvoluntarySwitches => "involuntary-switches",
            Metric::Counter(name) => return write!(f, "counter:{name}"),
            Metric::Printed(name) => return write!(f, "metric:{name}"),
        })
    }
}
