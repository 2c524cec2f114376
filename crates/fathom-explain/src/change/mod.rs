//! What changed: the level within the windows against a baseline.

mod evidence;

pub use evidence::ChangeEvidence;
