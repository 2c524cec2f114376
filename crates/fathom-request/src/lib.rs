//! What can be asked of Fathom, as plain data.
//!
//! A [`Request`] is what a session stores, what the JSON of `fathom explain` and the journal of a check
//! carry, and what the engine conducts. It holds the question and nothing of how the answer is shown
//! or where it is saved. Each request can be printed as the command line that asks the same
//! ([`Request::command_line`]), and read back from JSON ([`Request::read`]) by any later version.
//!
//! ```
//! use fathom_request::{Request, RunRequest};
//! let mut run = RunRequest::default();
//! run.subjects.commands = vec!["sleep 0.1".to_string()];
//! let request = Request::Run(Box::new(run));
//! assert_eq!(request.command_line(), "fathom run 'sleep 0.1'");
//! assert_eq!(Request::read(&request.to_json()), Ok(request));
//! ```

mod analyze;
#[cfg(feature = "arbitrary")]
pub mod arbitrary;
mod check;
mod cleaning;
mod command_line;
mod command_options;
mod compare;
mod contrast;
mod effort;
mod explain;
mod metric_option;
mod metric_store;
mod record;
mod request;
mod run;
mod running;
mod spans;
mod subjects;
mod suggest;
mod trace_files;
pub mod value;

pub use analyze::{AnalyzeRequest, SampleInput};
pub use check::{
    CheckMethod, CheckQuestion, CheckRequest, EstimateQuestion, ExecutionBudget, ExecutionOptions,
    ExecutionSource, Executor, ExecutorName, Frequency, GridOptions, Indifference, MetricUnit,
    NamedCommand, OnFailure, PropertyMethod, PropertyQuestion, ReadingOptions, SAMPLED_EVERY,
    SlurmSettings, SystemOptions, Vacuous, name_and_text,
};
pub use cleaning::CleaningOptions;
pub use command_options::CommandOptions;
pub use compare::{CompareRequest, CompareSource};
pub use contrast::ContrastRequest;
pub use effort::EffortPreset;
pub use explain::{AlignmentOptions, AlignmentPenalty, ExplainRequest, RankingOptions};
pub use metric_option::MetricOption;
pub use metric_store::{MetricStore, NamedQuery, StoreAccess};
pub use record::{ApplicationOptions, RecordRequest, RecordedCommandOptions, SamplingOptions};
pub use request::{Request, RequestError, VERSION};
pub use run::RunRequest;
pub use running::RunningOptions;
pub use spans::{
    AgainstOption, ClockTime, RunSpan, TypedKnot, TypedMoment, TypedPattern, TypedSpan,
    WindowOption,
};
pub use subjects::{ParameterList, ParameterScan, SubjectOptions};
pub use suggest::SuggestRequest;
pub use trace_files::TraceFiles;
