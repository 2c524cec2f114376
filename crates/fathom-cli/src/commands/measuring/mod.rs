//! What `run` and `compare` have in common: subjects, settings, sessions, warnings.

pub(super) mod conduct;
pub(super) mod machine;
pub(super) mod programs;
#[cfg(test)]
pub(super) mod scripted;
pub(super) mod series;
pub(super) mod session;
pub(super) mod settings;
pub(super) mod shell;
pub(super) mod subjects;
pub(super) mod surroundings;
