//! Answers that were kept in files, opened again.

mod explanation_file;
mod labels_file;

pub use explanation_file::ExplanationFile;
pub use labels_file::labels_file;
