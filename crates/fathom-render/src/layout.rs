//! Lines of text: styles, wrapping, padding, shortening.

use anstyle::{AnsiColor, Color, Style};
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// For answers.
pub const STRONG: Style = Style::new().bold();
/// For what explains an answer.
pub const FAINT: Style = Style::new().dimmed();
/// For what the reader should act on.
pub const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// On which side of its column a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Text from elsewhere, made harmless: nothing that could steer the terminal or hide what it says.
#[must_use]
pub fn visible(text: &str) -> String {
    fathom_record::foreign_text::visible(text)
}

/// How many columns of a terminal a text fills, which is not how many letters it has. Marks of a
/// style would count too: measure and pad first, style last.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text in a style; writing it through a stream that knows the terminal drops the marks where
/// they are not wanted.
#[must_use]
pub fn styled(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// The text without style marks, for outputs that cannot show them.
///
/// ```
/// use fathom_render::layout::{STRONG, plain, styled};
/// assert_eq!(plain(&styled("yes", STRONG)), "yes");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    // A mark is ESC [, digits and semicolons, and a letter.
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic()).map_or(after.len(), |at| at + 1);
        rest = &after[end..];
    }
    plain.push_str(rest);
    plain
}

/// Appends a line, broken at spaces so that it fits into `width` columns; parts after the first
/// hang two columns further in.
pub fn push_wrapped(text: &mut String, line: &str, indent: &str, style: Style, width: usize) {
    for (number, part) in wrapped(line, width.saturating_sub(indent.len()), 2).iter().enumerate() {
        let extra = if number == 0 { "" } else { "  " };
        let _ = writeln!(text, "{indent}{extra}{style}{part}{style:#}");
    }
}

/// Appends a warning below the answer that it is about.
pub fn push_warning(text: &mut String, warning: &str, width: usize) {
    push_wrapped(text, &format!("warning: {warning}"), "  ", WARNING, width);
}

/// Breaks a line at spaces; lines after the first leave room for `hanging` columns. A word that is
/// too long for a line stays whole.
#[must_use]
pub fn wrapped(line: &str, width: usize, hanging: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in line.split(' ') {
        let room = if lines.len() == 1 { width } else { width.saturating_sub(hanging) };
        let Some(last) = lines.last_mut() else { break };
        if last.is_empty() {
            last.push_str(word);
        } else if last.width() + 1 + word.width() <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// A name in at most `most` columns: a long one keeps its beginning and its end, where names
/// differ.
#[must_use]
pub fn shortened(name: &str, most: usize) -> String {
    if name.width() <= most {
        return name.to_string();
    }
    let Some(room) = most.checked_sub(1) else { return String::new() };
    let (head, tail) = (most / 2, room - most / 2);
    let start: String = fitting(name.chars(), head).collect();
    let end: Vec<char> = fitting(name.chars().rev(), tail).collect();
    format!("{start}…{}", end.into_iter().rev().collect::<String>())
}

/// As many letters as fit into the columns.
fn fitting(letters: impl Iterator<Item = char>, most: usize) -> impl Iterator<Item = char> {
    let mut used = 0;
    letters.take_while(move |letter| {
        used += letter.width().unwrap_or(0);
        used <= most
    })
}

/// How many columns of a terminal each column of a table needs.
///
/// ```
/// use fathom_render::layout::widths;
/// let rows = [["a".to_string(), "12".to_string()], ["bcd".to_string(), "3".to_string()]];
/// assert_eq!(widths(&rows), [3, 2]);
/// ```
#[must_use]
pub fn widths<const N: usize>(rows: &[[String; N]]) -> [usize; N] {
    std::array::from_fn(|place| rows.iter().map(|row| columns(&row[place])).max().unwrap_or(0))
}

/// A text filled up with spaces to `width` columns.
#[must_use]
pub fn padded(text: &str, width: usize, side: Side) -> String {
    let padding = " ".repeat(width.saturating_sub(text.width()));
    match side {
        Side::Left => format!("{text}{padding}"),
        Side::Right => format!("{padding}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_both_ends_and_fit() {
        assert_eq!(shortened("./build/old/sort", 20), "./build/old/sort");
        assert_eq!(shortened("./build/old/sort", 9), "./bu…sort");
        assert_eq!(shortened("./build/old/sort", 8), "./bu…ort");
        assert_eq!(shortened("漢字漢字漢字", 7), "漢…字");
        for most in 0..8 {
            assert!(columns(&shortened("漢字漢字漢字", most)) <= most);
        }
        assert_eq!(shortened("ab", 1), "…");
    }

    #[test]
    fn padding_counts_columns() {
        assert_eq!(padded("漢", 4, Side::Left), "漢  ");
        assert_eq!(padded("漢", 4, Side::Right), "  漢");
        assert_eq!(padded("abcdef", 4, Side::Left), "abcdef");
    }

    #[test]
    fn lines_break_at_spaces_and_hang() {
        let mut text = String::new();
        push_wrapped(&mut text, "one two three", "> ", Style::new(), 10);
        assert_eq!(text, "> one two\n>   three\n");
        assert_eq!(wrapped("a-long-word b", 0, 2), ["a-long-word", "b"]);
    }
}
