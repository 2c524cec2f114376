//! What was measured or answered before, opened to be looked at.

mod explanation_file;
mod labels_file;
mod reanalysis;
mod recognition;

pub use explanation_file::ExplanationFile;
pub use labels_file::labels_file;
pub use reanalysis::{Reanalysis, ReanalysisOptions};
pub use recognition::are_traces;
