//! What a listener has to tell at its end.

use fathom_record::{Span, Timestamp};
use fathom_sys::clock;

/// What one source gave in one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heard {
    /// Where it was listened: "standard output", "the log PATH".
    pub source: String,
    /// Lines that were read; for an endpoint, answers.
    pub lines: u64,
    /// How many of them gave a row, dropped ones included.
    pub matched: u64,
    /// Values that were found but are not numbers; for an endpoint, lines that cannot be read.
    pub unparsable: u64,
    /// The first of them.
    pub first_unparsable: Option<Example>,
    /// Rows that were dropped because they were not written in time.
    pub dropped: u64,
    /// Processor time that listening took.
    pub cpu: Span,
    /// What a reader of the trace should know, the counts above included; whole sentences.
    pub notes: Vec<String>,
}

/// A line that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its number, from 1.
    pub line: u64,
    /// Its beginning.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl Example {
    pub(super) fn new(line: u64, text: &str, why: String) -> Example {
        const SHOWN: usize = 80;
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push_str("...");
        }
        Example { line, text: shown, why }
    }
}

impl Heard {
    pub(super) fn note(&mut self, note: impl AsRef<str>) {
        self.notes.push(format!("{}: {}", self.source, note.as_ref()));
    }

    /// Notes what the counts say.
    pub(super) fn note_counts(&mut self) {
        if let Some(Example { line, text, why }) = self.first_unparsable.clone() {
            let count =
                counted(self.unparsable, "value was not a number", "values were not numbers");
            self.note(format!("{count}, first in line {line}, {text:?}: {why}"));
        }
        if self.dropped > 0 {
            let count = counted(self.dropped, "row was", "rows were");
            self.note(format!("{count} dropped because Fathom could not write them fast enough"));
        }
    }
}

/// "1 line was", "1,200 lines were".
pub(super) fn counted(count: u64, one: &str, more: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {more}", grouped(count)) }
}

fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The moment at which something arrived.
pub(super) fn now() -> Timestamp {
    clock::monotonic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_sentences() {
        let mut heard = Heard {
            source: "standard output".to_string(),
            unparsable: 1_234_567,
            first_unparsable: Some(Example::new(7, "t=\u{1b}x", "\"x\" is not a number".into())),
            dropped: 1,
            ..Heard::default()
        };
        heard.note_counts();
        let expected = [
            "standard output: 1,234,567 values were not numbers, first in line 7, \"t=\\u{1b}x\": \
             \"x\" is not a number",
            "standard output: 1 row was dropped because Fathom could not write them fast enough",
        ];
        assert_eq!(heard.notes, expected);
    }
}
