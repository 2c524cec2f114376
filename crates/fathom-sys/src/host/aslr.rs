//! Whether programs are laid out in memory at random.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

/// Address space layout randomisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aslr {
    /// Stack, libraries and heap.
    Full,
    /// All but the heap.
    Partial,
    /// Every run has the same layout.
    Off,
    /// The host does not say.
    Unknown,
}

impl Aslr {
    pub(crate) fn read(tree: Tree<'_>) -> Aslr {
        match tree.number::<u8>("proc/sys/kernel/randomize_va_space") {
            Some(0) => Aslr::Off,
            Some(1) => Aslr::Partial,
            Some(2) => Aslr::Full,
            _ => Aslr::Unknown,
        }
    }

    /// On is good: layouts cost some spread, but one layout alone biases every comparison
    /// (Mytkowicz et al. 2009).
    pub(crate) fn finding(self) -> Finding {
        let topic = Topic::Aslr;
        const SPREAD: &str = "each run gets a different memory layout: a bit more spread, but the \
                              result does not depend on one lucky layout";
        match self {
            Aslr::Full => {
                Finding::new(topic, Level::Good, "memory layout is randomized (ASLR is on)", SPREAD)
            }
            Aslr::Partial => Finding::new(
                topic,
                Level::Good,
                "memory layout is randomized except for the heap (ASLR is partly on)",
                SPREAD,
            ),
            Aslr::Off => Finding::new(
                topic,
                Level::Note,
                "memory layout is fixed (ASLR is off)",
                "runs vary less, but only for one layout, which may favor one program by a few \
                 percent",
            )
            .remedy(
                "`sudo sysctl kernel.randomize_va_space=2`; undo with `sudo sysctl \
                 kernel.randomize_va_space=0`",
            ),
            Aslr::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell whether the memory layout is randomized",
                "with a fixed layout, a difference of a few percent may be luck",
            ),
        }
    }
}
