//! What was measured or answered before, opened to be looked at.

mod check_file;
mod explanation_file;
mod json_file;
mod labels_file;
mod reanalysis;
mod recognition;

pub use check_file::{CheckFile, CheckFileAsks, ReadCheckWords};
pub use explanation_file::ExplanationFile;
pub use labels_file::labels_file;
pub use reanalysis::{Reanalysis, ReanalysisOptions};
pub use recognition::are_traces;
