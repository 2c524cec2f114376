//! What follows the target's shape.

mod chance;
mod elsewhere;
mod everywhere;
mod evidence;
mod judge;
mod occurrences;
mod series;
mod template;
mod within;

pub use evidence::ShapeEvidence;
pub use judge::ShapeJudge;
