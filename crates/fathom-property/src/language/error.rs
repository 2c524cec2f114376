//! What is wrong with a property, where, and how to fix it.

use super::text_span::TextSpan;
use fathom_record::foreign_text::is_steering;
use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthChar as _;

/// What is wrong with a property. Its text is the complete message: what is wrong, where in the
/// property, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyError {
    message: String,
    text: String,
    span: Range<usize>,
    remedy: String,
    is_unknown_name: bool,
}

/// The most columns of a property to show: with the indent, they fit into 80.
const WIDTH: usize = 76;
const INDENT: &str = "    ";

impl PropertyError {
    pub(crate) fn new(
        text: &str,
        place: TextSpan,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> PropertyError {
        PropertyError {
            message: on_one_line(&message.into()),
            text: text.to_string(),
            span: place.span(),
            remedy: on_one_line(&remedy.into()),
            is_unknown_name: false,
        }
    }

    /// The same, because a name is not among those of the executions.
    pub(crate) fn of_unknown_name(self) -> PropertyError {
        PropertyError { is_unknown_name: true, ..self }
    }

    /// Whether a metric or event is named that the executions do not have.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        self.is_unknown_name
    }

    /// Where in the text, in bytes.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What is wrong, without the place and the remedy.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead, without a capital letter and a full stop; may be empty.
    #[must_use]
    pub fn remedy(&self) -> &str {
        &self.remedy
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let (shown, marks) = excerpt(&self.text, &self.span);
        if !shown.is_empty() {
            write!(f, "\n{INDENT}{shown}\n{INDENT}{marks}")?;
        }
        let mut remedy = self.remedy.chars();
        match remedy.next() {
            Some(first) => write!(f, "\n{}{}.", first.to_ascii_uppercase(), remedy.as_str()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PropertyError {}

/// A character as it is shown, and how wide that is.
struct Cell {
    shown: char,
    width: usize,
    is_marked: bool,
}

/// A character as it is shown. Tabs would put the mark in another column; control characters would do
/// anything.
fn harmless(c: char) -> char {
    match c {
        c if c.is_whitespace() => ' ',
        c if is_steering(c) => '\u{fffd}',
        c => c,
    }
}

/// Messages and remedies quote the property, which may have several lines.
fn on_one_line(text: &str) -> String {
    text.chars().map(harmless).collect()
}

/// The line of `text` in which `span` begins, or the part of it around the span, and a line of
/// marks to stand under it.
fn excerpt(text: &str, span: &Range<usize>) -> (String, String) {
    let start = span.start.min(text.len());
    let before = text.get(..start).unwrap_or("");
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(line_start..).unwrap_or("");
    let line = line.split('\n').next().unwrap_or("").trim_end();
    let mut cells: Vec<Cell> = Vec::new();
    for (at, c) in line.char_indices() {
        let at = line_start + at;
        let shown = harmless(c);
        let is_marked = at >= start && at < span.end;
        cells.push(Cell { shown, width: shown.width().unwrap_or(1), is_marked });
    }
    if cells.is_empty() {
        return (String::new(), String::new());
    }
    // The mark is one column wide at least, and may stand right after the last character.
    let first = match cells.iter().position(|cell| cell.is_marked) {
        Some(first) => first,
        None => {
            cells.push(Cell { shown: ' ', width: 1, is_marked: true });
            cells.len() - 1
        }
    };
    let shown = window(&cells, first);
    let cut_left = shown.start > 0;
    let cut_right = shown.end < cells.len();
    let mut line = String::new();
    let mut marks = String::new();
    if cut_left {
        line.push('…');
        marks.push(' ');
    }
    for cell in cells.get(shown).unwrap_or_default() {
        line.push(cell.shown);
        let mark = if cell.is_marked { "^" } else { " " };
        marks.push_str(&mark.repeat(cell.width));
    }
    if cut_right {
        line.push('…');
    }
    (line.trim_end().to_string(), marks.trim_end().to_string())
}

/// Which cells to show so that the mark, from `first` on, is among them.
fn window(cells: &[Cell], first: usize) -> Range<usize> {
    let width = |range: Range<usize>| -> usize {
        cells.get(range).unwrap_or_default().iter().map(|cell| cell.width).sum()
    };
    if width(0..cells.len()) <= WIDTH {
        return 0..cells.len();
    }
    // Two columns are for the signs that something was left out.
    let most = WIDTH - 2;
    let mut range = first..first;
    // All of the mark that fits, then as much as fits on both sides.
    while cells.get(range.end).is_some_and(|cell| cell.is_marked)
        && width(range.start..range.end + 1) <= most
    {
        range.end += 1;
    }
    loop {
        let (start, end) = (range.start, range.end);
        if range.start > 0 && width(range.start - 1..range.end) <= most {
            range.start -= 1;
        }
        if range.end < cells.len() && width(range.start..range.end + 1) <= most {
            range.end += 1;
        }
        if (start, end) == (range.start, range.end) {
            return range;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_under_the_place() {
        assert_eq!(excerpt("a < bb", &(4..6)), ("a < bb".into(), "    ^^".into()));
        // At the end, and after a character of several bytes and of two columns.
        assert_eq!(excerpt("a <", &(3..3)), ("a <".into(), "   ^".into()));
        assert_eq!(excerpt("\"µ漢\" ?", &(8..9)), ("\"µ漢\" ?".into(), "      ^".into()));
        assert_eq!(excerpt("\ta\u{7}b", &(3..4)), (" a\u{fffd}b".into(), "   ^".into()));
        assert_eq!(excerpt("", &(0..0)), (String::new(), String::new()));
        assert_eq!(excerpt("a\nb c\nd", &(4..6)), ("b c".into(), "  ^".into()));
        // A span that is none does no harm.
        assert_eq!(excerpt("é", &(1..9)).0, "é");
    }

    #[test]
    fn of_a_long_property_the_part_around_the_place_is_shown() {
        let text = format!("{}?{}", "a".repeat(200), "b".repeat(200));
        let (shown, marks) = excerpt(&text, &(200..201));
        assert_eq!(shown.chars().count(), WIDTH);
        assert!(shown.starts_with("…a") && shown.ends_with("b…"));
        assert_eq!(shown.chars().nth(marks.chars().count() - 1), Some('?'));
        let (shown, marks) = excerpt(&text, &(0..300));
        assert_eq!((shown.chars().count(), marks.len()), (WIDTH - 1, WIDTH - 2));
    }
}
