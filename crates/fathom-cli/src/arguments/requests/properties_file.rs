//! The file of `--properties`: a question on each line.

use crate::failure::Failure;
use fathom_property::{Expression, Property};
use fathom_request::name_and_text;
use std::path::Path;

/// A question in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileQuestion {
    /// The file and the line, for errors.
    pub(super) place: String,
    /// As it would be typed on the command line.
    pub(super) typed: String,
    pub(super) kind: FileQuestionKind,
}

/// What a line asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileQuestionKind {
    Property,
    Estimate,
}

const ALLOWED: &str = "A line holds a property, such as latency < 5 ms, or --estimate EXPRESSION. NAME: may come before \
                       it, and # begins a comment";

/// Reads a file of questions; `-` is standard input.
///
/// # Errors
/// It cannot be read, a line is neither a property nor an estimate, or there is none.
pub(super) fn read(path: &Path) -> Result<Vec<FileQuestion>, Failure> {
    let is_standard_input = path == Path::new("-");
    let name = match is_standard_input {
        true => "standard input".to_string(),
        false => path.display().to_string(),
    };
    let bytes = match is_standard_input {
        true => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = bytes.map_err(|error| {
        let message = format!(
            "cannot read {name}: {error}. Give --properties a file with a property per line"
        );
        Failure::Error(fathom_engine::EngineError::file(message, error))
    })?;
    questions(&name, &bytes)
}

fn questions(name: &str, bytes: &[u8]) -> Result<Vec<FileQuestion>, Failure> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut questions = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let place = format!("{name}:{}", index + 1);
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(Failure::input(format!("{place}: this is not UTF-8 text\n{ALLOWED}")));
        };
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        let question = question(place.clone(), line)
            .map_err(|problem| Failure::input(format!("{place}: {problem}\n{ALLOWED}")))?;
        questions.push(question);
    }
    match questions.is_empty() {
        true => Err(Failure::input(format!("{name}: there is no property in it\n{ALLOWED}"))),
        false => Ok(questions),
    }
}

/// The question of a line that is not empty; or what is wrong with it.
fn question(place: String, line: &str) -> Result<FileQuestion, String> {
    let (question_name, text) = name_and_text(line);
    let (kind, text) = match text.strip_prefix("--") {
        None => (FileQuestionKind::Property, text),
        Some(option) => match option.split_once(|mark: char| mark.is_whitespace() || mark == '=') {
            Some(("estimate", expression)) => (FileQuestionKind::Estimate, expression.trim()),
            _ => return Err(format!("`{line}` is an option that a line cannot have")),
        },
    };
    let parsed = match kind {
        FileQuestionKind::Property => Property::parse(text).map(|_| ()),
        FileQuestionKind::Estimate => Expression::parse(text).map(|_| ()),
    };
    parsed.map_err(|error| error.to_string())?;
    let typed = match question_name {
        Some(question_name) => format!("{question_name}: {text}"),
        None => text.to_string(),
    };
    Ok(FileQuestion { place, typed, kind })
}

/// The line before a `#` that is not in double quotes.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (place, letter) in line.char_indices() {
        match letter {
            '#' if !is_quoted => return line.get(..place).unwrap_or(line),
            '"' if !is_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        is_escaped = is_quoted && letter == '\\' && !is_escaped;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Vec<(String, String)> {
        let questions = questions("p.txt", text.as_bytes()).unwrap();
        questions.into_iter().map(|question| (question.place, question.typed)).collect()
    }

    fn refused(text: &[u8]) -> String {
        questions("p.txt", text).unwrap_err().to_string()
    }

    #[test]
    fn lines_are_questions_with_names_and_comments() {
        let text = "\u{feff}# promises\r\n\r\nruntime < 1 s  # quick\r\n  tail:  \"a#b\" < 3\n\
                    wait: --estimate  runtime\n--estimate=runtime";
        let pairs = [
            ("p.txt:3", "runtime < 1 s"),
            ("p.txt:4", "tail: \"a#b\" < 3"),
            ("p.txt:5", "wait: runtime"),
            ("p.txt:6", "runtime"),
        ];
        assert_eq!(typed(text), pairs.map(|(place, typed)| (place.into(), typed.into())));
        let kinds = questions("p.txt", text.as_bytes()).unwrap();
        assert_eq!(kinds[1].kind, FileQuestionKind::Property);
        assert_eq!(kinds[2].kind, FileQuestionKind::Estimate);
    }

    #[test]
    fn bad_lines_are_named_with_what_is_allowed() {
        for (text, start) in [
            (&b"x < 1\nx <"[..], "p.txt:2: "),
            (b"x < 1\n--probability 0.9", "p.txt:2: `--probability 0.9` is an option"),
            (b"\xff\xfe", "p.txt:1: this is not UTF-8"),
            (b"a: --estimate x <", "p.txt:1: "),
            (b"# nothing\n\n", "p.txt: there is no property in it"),
            (b"", "p.txt: there is no property in it"),
        ] {
            let refused = refused(text);
            assert!(refused.starts_with(start), "{refused}");
            assert!(refused.ends_with(ALLOWED), "{refused}");
        }
    }
}
