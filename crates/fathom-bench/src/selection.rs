//! Which entries of a suite are meant.

use crate::command_line::{CommandLine, Ignored};
use crate::suite::Entry;
use regex_lite::Regex;

/// Filters, as the user gave them.
#[derive(Debug)]
pub struct BenchFilters {
    filters: Vec<Pattern>,
    skip: Vec<Pattern>,
    ignored: Ignored,
}

#[derive(Debug)]
enum Pattern {
    Whole(String),
    Part(Regex),
}

impl BenchFilters {
    /// Everything that matches one of the filters and none of those to skip.
    pub fn new(
        filters: &[String],
        skip: &[String],
        is_exact: bool,
    ) -> Result<BenchFilters, String> {
        let patterns = |texts: &[String]| -> Result<Vec<Pattern>, String> {
            texts.iter().map(|text| Pattern::new(text, is_exact)).collect()
        };
        let (filters, skip) = (patterns(filters)?, patterns(skip)?);
        Ok(BenchFilters { filters, skip, ignored: Ignored::LeftOut })
    }

    pub(crate) fn of(line: &CommandLine) -> Result<BenchFilters, String> {
        let selection = BenchFilters::new(&line.filters, &line.skip, line.is_exact)?;
        Ok(BenchFilters { ignored: line.ignored, ..selection })
    }

    /// Whether a name is meant.
    #[must_use]
    pub fn is_selected(&self, name: &str) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|one| one.matches(name));
        (self.filters.is_empty() || matches(&self.filters)) && !matches(&self.skip)
    }

    /// What a worker is told about benches that are marked to be ignored; nothing leaves them out.
    pub(crate) fn word_for_workers(&self) -> Option<&'static str> {
        match self.ignored {
            Ignored::LeftOut => None,
            Ignored::Only => Some("--ignored"),
            Ignored::Included => Some("--include-ignored"),
        }
    }

    /// Whether a function is meant that nothing can mark to be ignored.
    pub(crate) fn takes_name(&self, name: &str) -> bool {
        self.ignored != Ignored::Only && self.is_selected(name)
    }

    /// Whether an entry is meant: by its name, or by that of one of the functions it compares.
    pub(crate) fn takes(&self, entry: &Entry<'_>) -> bool {
        let is_wanted = match self.ignored {
            Ignored::LeftOut => !entry.is_ignored,
            Ignored::Only => entry.is_ignored,
            Ignored::Included => true,
        };
        let is_selected = self.is_selected(&entry.name)
            || entry.functions.iter().any(|function| self.is_selected(&function.name));
        // Skipping a comparison by its name skips its functions too.
        let is_skipped = self.skip.iter().any(|one| one.matches(&entry.name));
        is_wanted && is_selected && !is_skipped
    }
}

impl Pattern {
    fn new(text: &str, is_exact: bool) -> Result<Pattern, String> {
        if is_exact {
            return Ok(Pattern::Whole(text.to_string()));
        }
        Regex::new(text).map(Pattern::Part).map_err(|error| {
            format!(
                "\"{text}\" is not a valid regular expression ({error}); use --exact for plain names"
            )
        })
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Pattern::Whole(text) => text == name,
            Pattern::Part(regex) => regex.is_match(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suite;
    use std::ffi::OsString;

    fn selected(words: &str) -> Vec<String> {
        let mut suite = Suite::new();
        suite.bench("parse/int", || ());
        suite.bench("parse/float", || ()).ignore();
        suite.compare("sort").with("std", || ()).with("radix", || ());
        let words = words.split_whitespace().map(OsString::from).collect();
        let selection = BenchFilters::of(&CommandLine::parse(words).unwrap()).unwrap();
        let taken = suite.entries.iter().filter(|entry| selection.takes(entry));
        taken.map(|entry| entry.name.clone()).collect()
    }

    #[test]
    fn filters_are_regular_expressions_on_names() {
        assert_eq!(selected(""), ["parse/int", "sort"]);
        assert_eq!(selected("^parse"), ["parse/int"]);
        assert_eq!(selected("radix"), ["sort"]);
        assert_eq!(selected("int sort"), ["parse/int", "sort"]);
        assert_eq!(selected("--skip sort"), ["parse/int"]);
        assert_eq!(selected("--skip radix"), ["parse/int", "sort"]);
        assert_eq!(selected("--exact parse"), [""; 0]);
        assert_eq!(selected("--exact sort"), ["sort"]);
    }

    #[test]
    fn ignored_ones_are_asked_for() {
        assert_eq!(selected("--ignored"), ["parse/float"]);
        assert_eq!(selected("--include-ignored parse"), ["parse/int", "parse/float"]);
    }

    #[test]
    fn a_bad_expression_is_named() {
        let error = BenchFilters::new(&["(".to_string()], &[], false).unwrap_err();
        assert!(error.starts_with("\"(\" is not a valid regular expression"), "{error}");
    }
}
