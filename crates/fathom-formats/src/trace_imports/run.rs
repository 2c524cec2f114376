//! What a file gives.

use fathom_record::TimeUnit;
use fathom_record::trace::{Clock, Rows};

use super::ImportFormat;
use crate::read::Request;

/// One run, as a file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedRun {
    /// A plain name, from the file's: letters, digits, `.`, `_` and `-`.
    pub id: String,
    /// What kind of file it was.
    pub format: ImportFormat,
    /// When its times begin, where the source says it. The monotonic time is 0: no source says it.
    pub clock: Option<Clock>,
    /// The unit of the numbers in its time column; seconds if the times are not numbers, or if the
    /// format has its own unit.
    pub time_unit: TimeUnit,
    /// The rows, by the name of the sampler. Metrics of one run have different names.
    pub samplers: Vec<(String, Rows)>,
    /// Notes for the user: lines that were not recognized, warnings of the source.
    pub notes: Vec<String>,
}

/// What a reader makes of a text, before the run has its name.
pub(super) struct Content {
    pub(super) clock: Option<Clock>,
    pub(super) time_unit: TimeUnit,
    pub(super) samplers: Vec<(String, Rows)>,
    pub(super) notes: Vec<String>,
}

/// A run's name: the file's without folder and extension, in plain letters.
pub(super) fn id(source: &str) -> String {
    const LONGEST: usize = 100;
    let stem = Request { source, ..Request::default() }.stem();
    let mut id = String::new();
    for letter in stem.chars() {
        if letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_') {
            id.push(letter);
        } else if !id.ends_with('-') {
            id.push('-');
        }
        if id.len() >= LONGEST {
            break;
        }
    }
    let id = id.trim_matches(['-', '.']);
    if id.is_empty() { "run".to_string() } else { id.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for (source, name) in [
            ("a/b/web-1.csv", "web-1"),
            ("gc.log.gz", "gc"),
            ("perf.data.txt", "perf.data"),
            ("standard input", "standard-input"),
            ("../../etc/pass wd!.csv", "pass-wd"),
            (".hidden", "hidden"),
            ("\u{e9}\u{e9}.csv", "run"),
            ("-.csv", "run"),
            ("", "run"),
        ] {
            assert_eq!(id(source), name, "{source}");
        }
        assert_eq!(id(&"x".repeat(1000)).len(), 100);
    }
}
