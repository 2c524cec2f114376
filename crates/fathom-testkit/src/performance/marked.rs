//! The parts of the page that are written by commands of their own, each between two marks.

use std::ops::Range;

/// A part of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// The command that writes it.
    command: &'static str,
}

impl Part {
    /// How commands compare.
    pub(super) const COMMANDS: Part = Part { command: "performance commands" };
    /// How long `--effort quick` takes next to hyperfine.
    const QUICK: Part = Part { command: "scripts/quick-effort" };
    /// How functions compare.
    pub(super) const FUNCTIONS: Part = Part { command: "performance functions" };
    /// How long harnesses take to build.
    pub(super) const BUILDS: Part = Part { command: "performance builds" };
    /// What the first comparison with a revision costs. Measured by hand: the text says how.
    const FIRST_REVISION: Part = Part { command: "hand: the first revision" };
    /// What is said of functions after an edit elsewhere.
    const LAYOUTS: Part = Part { command: "scripts/bench-layouts" };
    /// How fast temporal formulas are judged.
    pub(super) const MONITOR: Part = Part { command: "performance monitor" };
    /// How long checks of many executions take.
    pub(super) const CHECKS: Part = Part { command: "performance checks" };
    /// What recording costs.
    pub(super) const RECORDING: Part = Part { command: "performance recording" };
    /// How fast series are aligned.
    pub(super) const WARPING: Part = Part { command: "performance warping" };
    /// How long an explanation takes.
    pub(super) const EXPLAIN: Part = Part { command: "performance explain" };
    /// How long people wait for the explorer.
    pub(super) const EXPLORER: Part = Part { command: "performance explorer" };
    /// In the order in which a new page has them.
    const ALL: [Part; 12] = [
        Part::COMMANDS,
        Part::QUICK,
        Part::FUNCTIONS,
        Part::LAYOUTS,
        Part::BUILDS,
        Part::FIRST_REVISION,
        Part::MONITOR,
        Part::CHECKS,
        Part::RECORDING,
        Part::WARPING,
        Part::EXPLAIN,
        Part::EXPLORER,
    ];

    fn begin(self) -> String {
        format!("<!-- begin: written by `{}` -->\n", self.command)
    }

    fn end(self) -> String {
        format!("<!-- end: written by `{}` -->\n", self.command)
    }

    /// The page with this part replaced, or added at the end.
    pub(super) fn replaced(self, page: &str, part: &str) -> String {
        let (before, after) = match self.bounds(page) {
            Some(bounds) => (&page[..bounds.start], &page[bounds.end..]),
            None => (page, ""),
        };
        let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
        format!("{before}{gap}{}\n{part}\n{}{after}", self.begin(), self.end())
    }

    /// Where this part is, with its marks.
    fn bounds(self, page: &str) -> Option<Range<usize>> {
        let begin = page.find(&self.begin())?;
        let end = self.end();
        let length = page[begin..].find(&end)? + end.len();
        Some(begin..begin + length)
    }
}

/// All parts of a page, with their marks and an empty line between them; empty if it has none.
pub(super) fn kept_from(page: &str) -> String {
    let parts: Vec<&str> =
        Part::ALL.iter().filter_map(|part| Some(&page[part.bounds(page)?])).collect();
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: Part = Part::COMMANDS;

    #[test]
    fn the_rest_of_the_page_stays() {
        let (begin, end) = (PART.begin(), PART.end());
        let first = PART.replaced("# Title\n\nText.\n", "## Part\n");
        assert_eq!(first, format!("# Title\n\nText.\n\n{begin}\n## Part\n\n{end}"));
        let longer = format!("{first}\n## Later\n");
        let second = PART.replaced(&longer, "## Other\n");
        assert_eq!(second, format!("# Title\n\nText.\n\n{begin}\n## Other\n\n{end}\n## Later\n"));
        assert_eq!(PART.replaced(&second, "## Other\n"), second);
    }

    #[test]
    fn each_part_leaves_the_other_alone() {
        let one = Part::COMMANDS.replaced("# Title\n", "## Commands\n");
        let both = Part::FUNCTIONS.replaced(&one, "## Functions\n");
        assert!(both.starts_with(&one), "{both}");
        let other = Part::COMMANDS.replaced(&both, "## New\n");
        assert_eq!(other, both.replace("## Commands", "## New"));
        assert_eq!(Part::FUNCTIONS.replaced(&both, "## Functions\n"), both);
    }

    #[test]
    fn what_is_kept_is_what_was_written() {
        let page = Part::COMMANDS.replaced("# Title\n", "## Commands\n");
        assert_eq!(format!("# Title\n\n{}", kept_from(&page)), page);
        let page = Part::FUNCTIONS.replaced(&page, "## Functions\n");
        assert_eq!(format!("# Title\n\n{}", kept_from(&page)), page);
        assert_eq!(kept_from("# Title\n"), "");
        assert_eq!(kept_from(&PART.end()), "");
    }
}
