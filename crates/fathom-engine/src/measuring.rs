//! What `run` and `compare` have in common: subjects, settings, sessions, warnings.

pub(crate) mod conduct;
pub(crate) mod machine;
pub(crate) mod programs;
#[cfg(test)]
pub(crate) mod scripted;
pub(crate) mod series;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod shell;
pub(crate) mod subjects;
pub(crate) mod surroundings;
pub(crate) mod time_left;
