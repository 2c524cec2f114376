//! Values that are words of their own kind.

use super::OptionValue;
use crate::MetricOption;
use fathom_analyze::Statistic;
use fathom_analyze::clean::SteadyStatePolicy;
use fathom_analyze::compare::ComparedStatistic;
use fathom_explain::Segments;
use fathom_explain::contrast::PhaseChoice;
use fathom_formats::{
    DecimalMark, ObservationFormat, UnknownDecimalMark, UnknownObservationFormat,
};
use fathom_measure::slurm::{MemorySize, SbatchOption, SlurmName, SlurmOptionError, TimeLimit};
use fathom_measure::{EnvironmentOffset, Input, Output, Tolerated};
use fathom_record::{Metric, TimeUnit, Unit};
use fathom_stats::outliers::OutlierGrid;
use std::path::PathBuf;

impl OptionValue for String {
    fn text(&self) -> String {
        self.clone()
    }

    fn read(text: &str) -> Result<String, String> {
        Ok(text.to_string())
    }
}

impl OptionValue for Statistic {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<Statistic, String> {
        Statistic::parse(text).map_err(|error| error.to_string())
    }
}

impl OptionValue for ComparedStatistic {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<ComparedStatistic, String> {
        ComparedStatistic::parse(text).map_err(|error| error.to_string())
    }
}

impl OptionValue for Metric {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<Metric, String> {
        Metric::parse(text.trim()).map_err(|error| error.to_string())
    }
}

impl OptionValue for MetricOption {
    fn text(&self) -> String {
        self.as_str().to_string()
    }

    fn read(text: &str) -> Result<MetricOption, String> {
        text.parse().map_err(|error: fathom_measure::MetricOptionError| error.to_string())
    }
}

impl OptionValue for TimeUnit {
    fn text(&self) -> String {
        self.symbol().to_string()
    }

    fn read(text: &str) -> Result<TimeUnit, String> {
        TimeUnit::parse(text).ok_or_else(|| "use ns, us, ms, s, min or h".to_string())
    }
}

impl OptionValue for Unit {
    fn text(&self) -> String {
        self.symbol().to_string()
    }

    fn read(text: &str) -> Result<Unit, String> {
        match Unit::parse(text) {
            Unit::Unknown => Err("a unit is ns, us, ms, s, B, or any word".to_string()),
            unit => Ok(unit),
        }
    }
}

impl OptionValue for SteadyStatePolicy {
    fn text(&self) -> String {
        match self {
            SteadyStatePolicy::Auto => "auto".to_string(),
            SteadyStatePolicy::Off => "off".to_string(),
            SteadyStatePolicy::Skip(samples) => samples.to_string(),
        }
    }

    fn read(text: &str) -> Result<SteadyStatePolicy, String> {
        match text.trim() {
            "auto" => Ok(SteadyStatePolicy::Auto),
            "off" => Ok(SteadyStatePolicy::Off),
            number => number
                .parse()
                .map(SteadyStatePolicy::Skip)
                .map_err(|_| "use auto, off, or the number of samples to skip".to_string()),
        }
    }
}

impl OptionValue for OutlierGrid {
    fn text(&self) -> String {
        match self {
            OutlierGrid::Auto => "auto".to_string(),
            OutlierGrid::Off => "off".to_string(),
            OutlierGrid::Step(step) => step.to_string(),
        }
    }

    fn read(text: &str) -> Result<OutlierGrid, String> {
        match text.trim() {
            "auto" => Ok(OutlierGrid::Auto),
            "off" => Ok(OutlierGrid::Off),
            number => number
                .parse()
                .ok()
                .filter(|step: &f64| step.is_finite() && *step > 0.0)
                .map(OutlierGrid::Step)
                .ok_or_else(|| "use auto, off, or a positive step in the data's unit".to_string()),
        }
    }
}

impl OptionValue for Segments {
    fn text(&self) -> String {
        match self {
            Segments::Auto => "auto".to_string(),
            Segments::Exactly(count) => count.to_string(),
        }
    }

    fn read(text: &str) -> Result<Segments, String> {
        match text.trim() {
            "auto" => Ok(Segments::Auto),
            number => match number.parse() {
                Ok(count @ 1..=100) => Ok(Segments::Exactly(count)),
                _ => Err("use auto, or a number from 1 to 100".to_string()),
            },
        }
    }
}

impl OptionValue for PhaseChoice {
    fn text(&self) -> String {
        match self {
            PhaseChoice::Auto => "auto".to_string(),
            PhaseChoice::Whole => "off".to_string(),
            PhaseChoice::Exactly(count) => count.to_string(),
        }
    }

    fn read(text: &str) -> Result<PhaseChoice, String> {
        match text.trim() {
            "auto" => Ok(PhaseChoice::Auto),
            "off" | "1" => Ok(PhaseChoice::Whole),
            number => match number.parse() {
                Ok(count @ 2..=50) => Ok(PhaseChoice::Exactly(count)),
                _ => Err("use auto, off, or a number from 2 to 50".to_string()),
            },
        }
    }
}

impl OptionValue for DecimalMark {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<DecimalMark, String> {
        text.parse().map_err(|error: UnknownDecimalMark| error.to_string())
    }
}

impl OptionValue for EnvironmentOffset {
    fn text(&self) -> String {
        match self {
            EnvironmentOffset::Random => "random".to_string(),
            EnvironmentOffset::Fixed(bytes) => bytes.to_string(),
        }
    }

    fn read(text: &str) -> Result<EnvironmentOffset, String> {
        EnvironmentOffset::parse(text).map_err(|error| error.to_string())
    }
}

impl OptionValue for Output {
    fn text(&self) -> String {
        match self {
            Output::Null => "null".to_string(),
            Output::Pipe => "pipe".to_string(),
            Output::Inherit => "inherit".to_string(),
            Output::File(file) => file.to_string_lossy().into_owned(),
        }
    }

    fn read(text: &str) -> Result<Output, String> {
        Ok(match text {
            "" => return Err("use null, pipe, inherit, or a file".to_string()),
            "null" => Output::Null,
            "pipe" => Output::Pipe,
            "inherit" => Output::Inherit,
            file => Output::File(PathBuf::from(file)),
        })
    }
}

impl OptionValue for Input {
    fn text(&self) -> String {
        match self {
            Input::Null => "null".to_string(),
            Input::File(file) => file.to_string_lossy().into_owned(),
        }
    }

    fn read(text: &str) -> Result<Input, String> {
        match text {
            "" => Err("use null, or a file".to_string()),
            "null" => Ok(Input::Null),
            file => Ok(Input::File(PathBuf::from(file))),
        }
    }
}

impl OptionValue for PathBuf {
    fn text(&self) -> String {
        self.to_string_lossy().into_owned()
    }

    fn read(text: &str) -> Result<PathBuf, String> {
        Ok(PathBuf::from(text))
    }
}

impl OptionValue for ObservationFormat {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<ObservationFormat, String> {
        text.parse().map_err(|error: UnknownObservationFormat| error.to_string())
    }
}

/// What Slurm takes, which is checked when it is read and kept as it was written.
macro_rules! for_slurm {
    ($($value:ty),+) => { $(
        impl OptionValue for $value {
            fn text(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Result<$value, String> {
                text.parse().map_err(|error: SlurmOptionError| error.to_string())
            }
        }
    )+ };
}

for_slurm!(SlurmName, TimeLimit, MemorySize, SbatchOption);

impl OptionValue for Tolerated {
    fn text(&self) -> String {
        match self {
            Tolerated::Nothing => "none".to_string(),
            Tolerated::Everything => "all".to_string(),
            Tolerated::Codes(codes) => {
                codes.iter().map(i32::to_string).collect::<Vec<_>>().join(",")
            }
        }
    }

    fn read(text: &str) -> Result<Tolerated, String> {
        match text {
            "none" => return Ok(Tolerated::Nothing),
            // hyperfine writes it out as "all-non-zero".
            "all" | "all-non-zero" => return Ok(Tolerated::Everything),
            _ => {}
        }
        let codes: Result<Vec<i32>, _> = text.split(',').map(|code| code.trim().parse()).collect();
        codes
            .ok()
            .filter(|codes| codes.iter().all(|code| (0..=255).contains(code)))
            .map(Tolerated::Codes)
            .ok_or_else(|| "use exit codes from 0 to 255, such as -i=1,2".to_string())
    }
}
