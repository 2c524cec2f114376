//! Obtains data: runs commands and reads what they print.
//!
//! A [`Bench`] runs [`CommandSubject`]s in a [`Laboratory`], this machine ([`Local`]) or a made-up one, and
//! hands every [`Run`](fathom_record::Run) to a [`Keeper`] before the next begins.

mod bench;
mod empty_shell;
mod environment_offset;
pub mod experiment;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod keeper;
mod laboratory;
mod local;
mod measure_error;
mod parameter;
mod printed_metric;
pub mod recording;
mod settings;
pub mod slurm;
mod subject;
mod template;
mod words;

pub use bench::Bench;
pub use empty_shell::{EmptyShell, EmptyShellError};
pub use environment_offset::{EnvironmentOffset, EnvironmentOffsetError, run_variables};
pub use keeper::{Keeper, MACHINE};
pub use laboratory::{Execution, Input, Invocation, Laboratory, LaboratoryError, Output};
pub use local::Local;
pub use measure_error::{CommandFailure, MeasureError, last_lines};
pub use parameter::{
    Assignment, DecimalError, MOST_COMBINATIONS, NameError, Parameter, ParameterError, combinations,
};
pub use printed_metric::{
    JsonPathError, MetricOptionError, PrintedMetric, PrintedMetricError, check_distinct,
};
pub use settings::{Settings, Tolerated};
pub use subject::{CommandLine, CommandSubject, Hooks};
pub use template::{
    EmptyValue, ExpandError, Expanded, ShellTextError, Template, UnusedParameter, expand, unused,
};
pub use words::{Construct, NeedsShell, Word, WordPosition, Words, WordsError, split};
