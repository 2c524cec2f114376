//! How much of an answer is wanted: `--quiet`, nothing, or `--verbose`.

/// How much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Only the answer.
    Answer,
    /// The answer, its picture, and what to know about it.
    #[default]
    Usual,
    /// Everything there is.
    Everything,
}

impl Detail {
    /// By the two options. A request for only the answer wins.
    #[must_use]
    pub fn of(quiet: bool, verbose: bool) -> Detail {
        match (quiet, verbose) {
            (true, _) => Detail::Answer,
            (_, true) => Detail::Everything,
            _ => Detail::Usual,
        }
    }
}
