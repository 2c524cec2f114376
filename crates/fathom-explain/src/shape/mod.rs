//! What follows the target's shape.

mod evidence;

pub use evidence::ShapeEvidence;
