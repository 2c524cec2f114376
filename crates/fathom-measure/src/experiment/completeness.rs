//! Whether an execution came to its own end.

use fathom_record::Ending;

/// How far what an execution left behind can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    /// It exited with status 0: what it wrote is what it meant to write.
    Whole,
    /// It exited with another status on its own: its last line may be incomplete.
    Crashed,
    /// Something ended it, a limit or a signal: it would have gone on, so its numbers are not final.
    Cut,
}

impl Completeness {
    pub(super) fn of(ending: Ending) -> Completeness {
        match ending {
            Ending::Exited(0) => Completeness::Whole,
            // How shells say that a signal ended what they ran.
            Ending::Exited(129..=192) | Ending::Signalled(_) | Ending::TimedOut => {
                Completeness::Cut
            }
            Ending::Exited(_) => Completeness::Crashed,
        }
    }
}
