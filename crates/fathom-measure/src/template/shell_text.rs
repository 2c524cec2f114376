//! Values in texts that a shell reads: hooks, and commands under `-S`.
//!
//! A value is one word whatever it holds, also between quotes that the user wrote. The text is read
//! as a shell reads it, as far as it takes to know which quotes a placeholder stands in.

use super::{Placeholder, placeholders};

/// What becomes of an empty value outside of quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyValue {
    /// An empty word.
    Word,
    /// Nothing, as in a command without a shell: `sort {flag} file` has two words or three.
    Nothing,
}

/// A value that cannot stand where its parameter does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{{{name}}} is {place} in `{text}`, where the value {value:?} cannot be quoted. {remedy}.")]
pub struct ShellTextError {
    name: String,
    text: String,
    value: String,
    place: &'static str,
    remedy: &'static str,
}

/// Where in a shell's text a reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Between double quotes.
    Double,
    /// In `$(…)`, with as many parentheses open besides.
    Substitution(usize),
    /// Between backquotes.
    Backquotes,
}

/// Letters that mean nothing to a shell, wherever they stand.
fn is_plain(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:%+@".contains(c);
    !value.is_empty() && value.chars().all(is_plain)
}

/// The text with values in place of parameters, each one word.
pub(super) fn fill(
    text: &str,
    assignment: &[(String, String)],
    empty: EmptyValue,
) -> Result<String, ShellTextError> {
    let known: Vec<(Placeholder<'_>, &str)> = placeholders(text)
        .filter_map(|placeholder| {
            let value = assignment.iter().find(|(name, _)| name == placeholder.1)?;
            Some((placeholder, value.1.as_str()))
        })
        .collect();
    let mut reader =
        Reader { text, at: 0, filled: String::new(), known, inside: Vec::new(), has_here: false };
    reader.run(empty)?;
    Ok(reader.filled)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    filled: String,
    known: Vec<(Placeholder<'a>, &'a str)>,
    inside: Vec<Inside>,
    /// Whether a here-document was begun: from there on quotes are not what they seem.
    has_here: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The parameter at this place, its value, and how many bytes it takes.
    fn parameter(&self, at: usize) -> Option<(&'a str, &'a str, usize)> {
        let found = self.known.iter().find(|((range, _), _)| range.start == at)?;
        let ((range, name), value) = found;
        Some((name, value, range.len()))
    }

    /// Copies this many bytes unchanged.
    fn copy(&mut self, bytes: usize) {
        self.filled.push_str(self.rest().get(..bytes).unwrap_or_default());
        self.at += bytes;
    }

    fn run(&mut self, empty: EmptyValue) -> Result<(), ShellTextError> {
        while let Some(letter) = self.rest().chars().next() {
            let is_double = self.inside.last() == Some(&Inside::Double);
            // `${x}` means the value too; a `$` before a value would be an expansion of it.
            let dollar = usize::from(letter == '$');
            if let Some((name, value, length)) = self.parameter(self.at + dollar) {
                let quoted = if is_double {
                    self.quotable(name, value)?;
                    in_double_quotes(value)
                } else if is_plain(value) {
                    value.to_string()
                } else if value.is_empty() {
                    if empty == EmptyValue::Word { "''".to_string() } else { String::new() }
                } else {
                    self.quotable(name, value)?;
                    format!("'{}'", in_single_quotes(value))
                };
                self.filled.push_str(&quoted);
                self.at += dollar + length;
                continue;
            }
            match letter {
                '$' if self.rest().starts_with("$(") => {
                    self.inside.push(Inside::Substitution(0));
                    self.copy(2);
                }
                '$' if self.rest().starts_with("$$") => self.copy(2),
                '\\' => {
                    let escaped = self.rest().chars().nth(1).map_or(0, char::len_utf8);
                    self.copy(1 + escaped);
                }
                '`' => {
                    match self.inside.iter().rposition(|one| *one == Inside::Backquotes) {
                        Some(place) => self.inside.truncate(place),
                        None => self.inside.push(Inside::Backquotes),
                    }
                    self.copy(1);
                }
                '"' => {
                    if is_double {
                        self.inside.pop();
                    } else {
                        self.inside.push(Inside::Double);
                    }
                    self.copy(1);
                }
                '\'' if !is_double => self.single_quotes()?,
                '#' if !is_double && self.is_word_start() => {
                    let line = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.copy(line);
                }
                '<' if !is_double && self.rest().starts_with("<<") => {
                    self.has_here |= !self.is_arithmetic();
                    self.copy(2);
                }
                '(' | ')' => {
                    self.parenthesis(letter);
                    self.copy(1);
                }
                other => self.copy(other.len_utf8()),
            }
        }
        Ok(())
    }

    fn parenthesis(&mut self, letter: char) {
        if let Some(Inside::Substitution(open)) = self.inside.last_mut() {
            match (letter, *open) {
                ('(', _) => *open += 1,
                (_, 0) => {
                    self.inside.pop();
                }
                _ => *open -= 1,
            }
        }
    }

    fn is_word_start(&self) -> bool {
        let before = self.text.get(..self.at).and_then(|text| text.chars().next_back());
        before.is_none_or(|c| c.is_whitespace() || ";&|(".contains(c))
    }

    /// Whether this is in `$((…))`, where `<<` shifts.
    fn is_arithmetic(&self) -> bool {
        matches!(self.inside.last(), Some(Inside::Substitution(open)) if *open > 0)
    }

    /// Copies to the next single quote, with values as they stand there.
    fn single_quotes(&mut self) -> Result<(), ShellTextError> {
        let inside = self.rest().get(1..).unwrap_or_default();
        let length = inside.find('\'').unwrap_or(inside.len());
        let end = self.at + 1 + length;
        self.copy(1);
        while self.at < end {
            if let Some((name, value, length)) = self.parameter(self.at) {
                if !is_plain(value) && !value.is_empty() {
                    self.quotable(name, value)?;
                }
                self.filled.push_str(&in_single_quotes(value));
                self.at += length;
            } else {
                let letter = self.rest().chars().next().map_or(1, char::len_utf8);
                self.copy(letter);
            }
        }
        if !self.rest().is_empty() {
            self.copy(1);
        }
        Ok(())
    }

    /// Refuses what no quotes make a word.
    fn quotable(&self, name: &str, value: &str) -> Result<(), ShellTextError> {
        let (place, remedy) = match () {
            () if is_plain(value) || value.is_empty() => return Ok(()),
            () if self.inside.contains(&Inside::Backquotes) => {
                ("between backquotes", "Use $(…) instead")
            }
            () if self.has_here => (
                "after the << of a here-document",
                "Write the text to a file beforehand, or use printf",
            ),
            () => return Ok(()),
        };
        Err(ShellTextError {
            name: name.to_string(),
            text: self.text.to_string(),
            value: value.to_string(),
            place,
            remedy,
        })
    }
}

/// A value between single quotes that are there already.
fn in_single_quotes(value: &str) -> String {
    value.replace('\'', r"'\''")
}

/// A value between double quotes that are there already.
fn in_double_quotes(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for letter in value.chars() {
        if matches!(letter, '\\' | '"' | '$' | '`') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    fn filled(text: &str, value: &str, empty: EmptyValue) -> String {
        fill(text, &[("f".to_string(), value.to_string())], empty).unwrap()
    }

    /// What a shell makes of a text: its words, each with a NUL behind it.
    fn words(shell: &str, text: &str, value: &str) -> Vec<String> {
        let text = format!("printf '%s\\0' {}", filled(text, value, EmptyValue::Word));
        let output = Command::new(shell).args(["-c", &text]).output().unwrap();
        assert!(output.status.success(), "{text}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_terminator('\0').map(String::from).collect()
    }

    const NASTY: &[&str] = &[
        "my data",
        "it's",
        "say \"hi\"",
        "$HOME",
        "$(touch /tmp/fathom-was-here)",
        "`touch /tmp/fathom-was-here`",
        "a\nb",
        "-rf",
        "",
        "; exit 3 #",
        "\\",
        "'; exit 3; '",
        "\"; exit 3; \"",
        "*",
        "~",
        "ü ß",
        "{f}",
        "!!",
        "a\\'b",
    ];

    #[test]
    fn a_value_is_one_word_in_every_kind_of_quotes() {
        for value in NASTY {
            for (text, around) in [
                ("{f}", ["", ""]),
                ("'{f}'", ["", ""]),
                ("\"{f}\"", ["", ""]),
                ("\"a {f} b\"", ["a ", " b"]),
                ("'a {f} b'", ["a ", " b"]),
                ("x{f}y", ["x", "y"]),
                ("\"$(printf '%s.' {f})\"", ["", "."]),
                ("\"$(printf '%s.' \"{f}\")\"", ["", "."]),
                ("${f}", ["", ""]),
                ("\"${f}\"", ["", ""]),
                ("\\\"{f}", ["\"", ""]),
                ("\\'{f}", ["'", ""]),
            ] {
                let expected = format!("{}{value}{}", around[0], around[1]);
                for shell in ["sh", "bash"] {
                    assert_eq!(
                        words(shell, text, value),
                        std::slice::from_ref(&expected),
                        "{shell}: {text}"
                    );
                }
            }
        }
        assert!(!std::path::Path::new("/tmp/fathom-was-here").exists());
    }

    #[test]
    fn plain_values_stay_as_they_are() {
        for (text, expected) in [
            ("echo $(( {f} % 61 ))", "echo $(( 17 % 61 ))"),
            ("sleep 0.{f}", "sleep 0.17"),
            ("awk '{print ${f}}'", "awk '{print $17}'"),
            ("cat <<END\n{f}\nEND", "cat <<END\n17\nEND"),
            ("echo `seq {f}`", "echo `seq 17`"),
            ("true # it's {f}", "true # it's {f}"),
            ("echo '{print}' {} {g}", "echo '{print}' {} {g}"),
        ] {
            assert_eq!(filled(text, "17", EmptyValue::Word), expected);
        }
    }

    #[test]
    fn a_comment_does_not_open_quotes() {
        let text = "true # it's\nrm {f}";
        assert_eq!(filled(text, "a b", EmptyValue::Word), "true # it's\nrm 'a b'");
        // Nor does a value leave a comment.
        assert_eq!(filled("true # {f}", "x\nexit 3", EmptyValue::Word), "true # {f}");
    }

    #[test]
    fn an_empty_value_is_an_empty_word_or_nothing() {
        assert_eq!(filled("rm {f} x", "", EmptyValue::Word), "rm '' x");
        assert_eq!(filled("sort {f} x", "", EmptyValue::Nothing), "sort  x");
        assert_eq!(filled("sort '{f}' \"{f}\"", "", EmptyValue::Nothing), "sort '' \"\"");
    }

    #[test]
    fn where_nothing_can_be_quoted_is_refused() {
        let error = |text: &str| {
            fill(text, &[("f".to_string(), "a b".to_string())], EmptyValue::Word).unwrap_err()
        };
        let text = error("echo `cat {f}`").to_string();
        assert!(text.contains("{f}") && text.contains("$(…)"), "{text}");
        let text = error("cat <<END\n{f}\nEND").to_string();
        assert!(text.contains("here-document"), "{text}");
        // A shift is none.
        assert_eq!(
            filled("echo $((1 << 2)) {f}", "a b", EmptyValue::Word),
            "echo $((1 << 2)) 'a b'"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_value_is_one_word(value in "[ -~\n\t]{0,12}") {
            for text in ["{f}", "'{f}'", "\"{f}\"", "\"$(printf '%s.' {f})\""] {
                let found = words("sh", text, &value);
                let end = if text.contains("%s.") { "." } else { "" };
                prop_assert_eq!(found, [format!("{value}{end}")], "{}", text);
            }
        }
    }
}
