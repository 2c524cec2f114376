//! Advice from crates that serve other commands as well, for this command line.

use crate::command_line;
use fathom_analyze::{IntervalOutcome, Report, Subject};

/// Takes advice out of a report that names options which benches do not have.
pub(crate) fn keep_what_exists(report: &mut Report) {
    for text in &mut report.warnings {
        *text = possible(text);
    }
    for comparison in report.comparisons.iter_mut().flatten() {
        for text in &mut comparison.warnings {
            *text = possible(text);
        }
    }
    report.subjects.iter_mut().for_each(of_subject);
}

/// As [`keep_what_exists`], of a subject.
pub(crate) fn of_subject(subject: &mut Subject) {
    for text in &mut subject.warnings {
        *text = possible(text);
    }
    for estimate in &mut subject.estimates {
        if let IntervalOutcome::Declined { reason, .. } = &mut estimate.outcome {
            *reason = possible(reason);
        }
    }
}

/// The text without the clauses that name options which benches do not have.
fn possible(text: &str) -> String {
    if !names_other_options(text) {
        return text.to_string();
    }
    let mut kept: Vec<String> = Vec::new();
    for part in text.split("; ") {
        let clauses: Vec<&str> =
            part.split(", or ").filter(|clause| !names_other_options(clause)).collect();
        if !clauses.is_empty() {
            kept.push(clauses.join(", or "));
        }
    }
    kept.join("; ")
}

/// Whether a text names an option that this command line lacks. Whole commands, in backquotes, have
/// options of their own.
pub(crate) fn names_other_options(text: &str) -> bool {
    let outside = text.split('`').step_by(2);
    outside.flat_map(options_in).any(|option| !command_line::is_option(option))
}

/// The words of a text that are options.
fn options_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.len() > 2 && word.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_with_other_commands_options_go() {
        for (text, left) in [
            (
                "3 samples are too few; take at least 20, or say --assume-independent",
                "3 samples are too few; take at least 20",
            ),
            ("skewed; use --statistic median, or --method bca", "skewed"),
            ("long; give a wider --margin", "long; give a wider --margin"),
            (
                "busy; `fathom compare --on user-time` suffers less",
                "busy; `fathom compare --on user-time` suffers less",
            ),
            ("a - b -- c", "a - b -- c"),
        ] {
            assert_eq!(possible(text), left);
        }
    }

    /// What the command line understands is what its help lists.
    #[test]
    fn the_help_names_every_option_and_no_other() {
        let listed: std::collections::BTreeSet<&str> =
            options_in(command_line::HELP).filter(|option| *option != "--bench").collect();
        assert!(listed.iter().all(|option| command_line::is_option(option)), "{listed:?}");
        assert!(command_line::OPTIONS.iter().all(|option| listed.contains(option)), "{listed:?}");
    }

    /// Every sentence in the sources of the crates whose words end up on a bench's page.
    #[test]
    fn no_sentence_of_the_harness_names_an_option_that_it_lacks() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut checked = 0;
        for file in [
            "src",
            "../fathom-render/src/comparison_notes.rs",
            "../fathom-sys/src/host/warnings.rs",
        ] {
            visit(&root.join(file), &mut |path, text| {
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                    for sentence in line.split('"').skip(1).step_by(2) {
                        let of_cargo =
                            sentence.contains("cargo") || sentence.contains("fathom-worker");
                        let of_tests = [
                            "--bench",
                            "--test",
                            "--nocapture",
                            "--no-capture",
                            "--show-output",
                            "--test-threads",
                        ]
                        .contains(&sentence);
                        checked += 1;
                        assert!(
                            of_cargo || of_tests || !names_other_options(sentence),
                            "{}: {sentence}",
                            path.display()
                        );
                    }
                }
            });
        }
        assert!(checked > 100, "{checked}");
    }

    fn visit(path: &std::path::Path, check: &mut dyn FnMut(&std::path::Path, &str)) {
        if path.is_file() {
            return check(path, &std::fs::read_to_string(path).unwrap());
        }
        for entry in std::fs::read_dir(path).unwrap() {
            visit(&entry.unwrap().path(), check);
        }
    }
}
