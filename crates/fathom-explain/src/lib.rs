//! Why does it do that? Aligns the runs of a trace, and ranks their metrics by what they have to do
//! with an anomaly that was selected in one of them.
//!
//! ```text
//! TraceSource, Selection ──► Question per run ──► scores per metric ──► Explanation
//!                 align       correlate, change, shape     rank
//! ```
//!
//! No input or output: the caller provides a [`TraceSource`].
//!
//! To ask repeatedly about the same traces, as a page does when a window is dragged over a chart, pass an
//! [`ExplainCache`] with each question to [`explain_with`]: the answer is the same, and what does not depend
//! on the window is worked out once. [`align::ribbons`] and [`segment::drawn`] give what to draw for an
//! alignment and a segmentation.

pub mod align;
mod cache;
pub mod change;
pub mod contrast;
pub mod correlate;
mod correlator;
pub mod document;
mod explain;
mod fourier;
mod grid;
mod mask;
mod one_run;
pub mod onset;
pub mod parallel;
mod question;
pub mod rank;
mod score;
pub mod segment;
mod selection;
mod sequence;
pub mod shape;
pub mod significance;
mod source;
pub mod suggest;
mod watch;

pub use cache::ExplainCache;
pub use correlator::{Correlator, Family, Judge, NoAnswer, UnknownCorrelator};
pub use explain::{
    Excluded, ExplainError, ExplainedRun, Explanation, Outline, Ranked, ScoreIn, Stretch,
    TargetSummary, TraceQuestion, explain, explain_with,
};
pub use grid::Grid;
pub use mask::{Mask, MaskedRows};
pub use one_run::OneRun;
pub use question::{Pattern, Question, Segments};
pub use score::{Score, Sign};
pub use selection::{Selection, TargetRange};
pub use sequence::Sequence;
pub use source::{RunEntry, SourceError, TraceSource};
pub use watch::{Progress, ProgressWatch, Stage, Stopped};
