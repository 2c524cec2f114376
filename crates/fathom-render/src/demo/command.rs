//! A command as it is typed, over several lines where it is long.

use crate::layout::{columns, visible};
use fathom_record::shell::quoted;

/// "$ fathom run ...", broken between words so that it can be copied. An option stays with its value.
pub(super) fn typed(words: &[String], width: usize) -> String {
    const CONTINUED: &str = " \\";
    let mut lines = vec!["$".to_string()];
    for part in parts(words) {
        let Some(last) = lines.last_mut() else { break };
        // Room for the mark that the command goes on.
        let is_first = last == "$";
        if is_first || columns(last) + 1 + columns(&part) + columns(CONTINUED) <= width {
            last.push(' ');
            last.push_str(&part);
        } else {
            last.push_str(CONTINUED);
            lines.push(format!("    {part}"));
        }
    }
    lines.join("\n")
}

/// What is not broken: single words, and options with what follows them.
fn parts(words: &[String]) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before = "";
    for word in words {
        let is_option = before.len() > 1 && before.starts_with('-') && before != "--";
        let quoted = visible(&quoted(word));
        match parts.last_mut() {
            Some(last) if is_option && !word.starts_with('-') => {
                last.push(' ');
                last.push_str(&quoted);
            }
            _ => parts.push(quoted),
        }
        before = word;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &[&str]) -> Vec<String> {
        text.iter().map(|word| word.to_string()).collect()
    }

    #[test]
    fn a_short_command_is_one_line() {
        let command = words(&["fathom", "run", "fathom demo-work --work 50"]);
        assert_eq!(typed(&command, 80), "$ fathom run 'fathom demo-work --work 50'");
    }

    #[test]
    fn a_long_command_breaks_between_words_and_can_be_copied() {
        let command = words(&["fathom", "compare", "a program", "another program", "--max-time"]);
        let text = typed(&command, 30);
        assert_eq!(
            text,
            "$ fathom compare 'a program' \\\n    'another program' \\\n    --max-time"
        );
        assert!(text.lines().all(|line| columns(line) <= 30));
    }

    #[test]
    fn an_option_stays_with_what_follows_it() {
        let found = |text: &[&str]| parts(&words(text));
        assert_eq!(found(&["run", "--runs", "5", "-i", "a b"]), ["run", "--runs 5", "-i 'a b'"]);
        assert_eq!(found(&["--quiet", "--runs", "5"]), ["--quiet", "--runs 5"]);
        assert_eq!(found(&["--", "true"]), ["--", "true"]);
        assert_eq!(found(&["-", "true"]), ["-", "true"]);
        assert_eq!(found(&["a", "b"]), ["a", "b"]);
    }
}
