//! A command as it is typed, over several lines where it is long.

use crate::layout::{columns, visible};
use fathom_record::shell::quoted;

/// "$ fathom run ...", broken between words so that it can be copied.
pub(super) fn typed(words: &[String], width: usize) -> String {
    const CONTINUED: &str = " \\";
    let mut lines = vec!["$".to_string()];
    for word in words.iter().map(|word| visible(&quoted(word))) {
        let Some(last) = lines.last_mut() else { break };
        // Room for the mark that the command goes on.
        let is_first = last == "$";
        if is_first || columns(last) + 1 + columns(&word) + columns(CONTINUED) <= width {
            last.push(' ');
            last.push_str(&word);
        } else {
            last.push_str(CONTINUED);
            lines.push(format!("    {word}"));
        }
    }
    lines.join("\n")
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
}
