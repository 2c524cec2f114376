//! The pipeline on records, without input or output: a [`Series`](fathom_record::Series) goes in,
//! [`clean`] labels its samples, [`Estimate`]s come out, and a [`Report`] carries them to the
//! renderers.
//!
//! ```
//! use fathom_analyze::{EstimateRequest, analyze};
//! use fathom_record::{Series, Unit};
//!
//! let series = Series::new("sort", Unit::SECONDS, (1..=30).map(f64::from).collect())?;
//! let subject = analyze(series, &EstimateRequest::default());
//! assert_eq!(subject.estimates[0].value, 15.5);
//! # Ok::<(), fathom_record::SeriesError>(())
//! ```

#[cfg(feature = "commands")]
pub mod checkup;
pub mod clean;
pub mod compare;
mod decide;
mod document;
mod drift;
mod growth;
mod instructions;
mod report;
mod spread;
pub mod stopping;
#[cfg(feature = "commands")]
pub mod traces;
mod warning;

pub use decide::{
    Aside, Autocorrelation, Estimate, EstimateRequest, IntervalOutcome, Method, MethodError,
    NoInterval, QuantileProperty, StartupEstimate, Statistic, StatisticError, SubsessionRange,
    SubsessionRangeError, WorkEstimate, WorkPoint, analyze, analyze_work,
};
pub use document::Document;
#[cfg(feature = "commands")]
pub use document::HyperfineDocument;
pub use drift::drift;
pub use growth::{Growth, GrowthPoint, InputSize, MeasuredTime};
pub use instructions::{
    ComparedCounts, CountVerdict, CountedFunction, InstructionCounter, InstructionReport,
};
pub use report::{
    AllocationsPerCall, CallTiming, Function, Harness, Levels, MeasuredExecutions, MeasuredRuns,
    Report, Resource, RunCost, StopReason, Subject,
};
pub use spread::Spread;
pub use warning::{IndependenceSource, MissingEnds, SamplesNeeded, Warning};
