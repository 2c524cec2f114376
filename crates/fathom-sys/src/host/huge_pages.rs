//! Transparent huge pages.

use super::tree::Tree;
use fathom_record::finding::{Finding, Level, Topic};

const FILE: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// Which programs get huge pages without asking for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HugePages {
    /// Every program.
    Always,
    /// Programs that advise it.
    Advised,
    /// None.
    Never,
    /// The host does not say.
    Unknown,
}

impl HugePages {
    pub(crate) fn read(tree: Tree<'_>) -> HugePages {
        // The choice is in brackets: always [madvise] never
        let text = tree.text(FILE).unwrap_or_default();
        let chosen =
            text.split_whitespace().find_map(|word| word.strip_prefix('[')?.strip_suffix(']'));
        match chosen {
            Some("always") => HugePages::Always,
            Some("madvise") => HugePages::Advised,
            Some("never") => HugePages::Never,
            _ => HugePages::Unknown,
        }
    }

    pub(crate) fn finding(self) -> Finding {
        let topic = Topic::HugePages;
        const WHY: &str = "whether a program gets huge pages depends on memory fragmentation, so \
                           programs that use a lot of memory vary between runs";
        match self {
            HugePages::Always => {
                Finding::new(topic, Level::Note, "every program gets huge pages", WHY).remedy(
                    format!(
                        "for steadier times, `echo madvise | sudo tee {FILE}`; undo with `echo \
                         always | sudo tee {FILE}`"
                    ),
                )
            }
            HugePages::Advised => Finding::new(
                topic,
                Level::Good,
                "programs that ask for huge pages get them",
                "programs that do not ask have the same layout in every run",
            ),
            HugePages::Never => Finding::new(
                topic,
                Level::Good,
                "huge pages are off",
                "programs have the same layout in every run",
            ),
            HugePages::Unknown => Finding::new(
                topic,
                Level::Unknown,
                "Fathom cannot tell which programs get huge pages",
                WHY,
            ),
        }
    }
}
