//! Lines of text: styles, wrapping, padding, shortening.

use anstyle::{AnsiColor, Color, Style};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

pub(super) const STRONG: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const WARNING: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

/// Text from a file, made harmless: no control characters, which could steer the terminal.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

pub(super) fn push_wrapped(
    text: &mut String,
    line: &str,
    indent: &str,
    style: Style,
    width: usize,
) {
    for (number, part) in wrapped(line, width.saturating_sub(indent.len()), 2).iter().enumerate() {
        let extra = if number == 0 { "" } else { "  " };
        let _ = writeln!(text, "{indent}{extra}{style}{part}{style:#}");
    }
}

/// Breaks a line at spaces; lines after the first leave room for `hanging` columns.
pub(crate) fn wrapped(line: &str, width: usize, hanging: usize) -> Vec<String> {
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

/// A long name keeps its beginning and its end, where commands differ.
pub(super) fn shortened(name: &str, most: usize) -> String {
    if name.width() <= most {
        return name.to_string();
    }
    let letters: Vec<char> = name.chars().collect();
    let (head, tail) = (most / 2, most - most / 2 - 1);
    let start: String = letters.iter().take(head).collect();
    let end: String = letters.iter().skip(letters.len().saturating_sub(tail)).collect();
    format!("{start}…{end}")
}

pub(super) fn padded(text: &str, width: usize, left: bool) -> String {
    let padding = " ".repeat(width.saturating_sub(text.width()));
    if left { format!("{text}{padding}") } else { format!("{padding}{text}") }
}
