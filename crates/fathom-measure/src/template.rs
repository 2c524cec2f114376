//! `{VAR}` in commands, names and hooks.

mod expand;
mod shell_text;
mod unused;

use crate::parameter::is_name_letter;
use crate::words::{self, WordsError};
use std::ops::Range;

pub use expand::{ExpandError, Expanded, expand};
pub use shell_text::{EmptyValue, ShellTextError};
pub use unused::{UnusedParameter, unused};

/// A text in which parameters stand between braces. Other braces are left as they are: `{}` of
/// find, `{print}` of awk, unless there is a parameter called "print".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
}

impl Template {
    /// Takes a command, a name or a hook as its user wrote it.
    pub fn new(text: impl Into<String>) -> Template {
        Template { text: text.into() }
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a parameter occurs.
    #[must_use]
    pub fn mentions(&self, parameter: &str) -> bool {
        placeholders(&self.text).any(|(_, name)| name == parameter)
    }

    /// The text with values in place of parameters: for names and everything that is shown. Braces
    /// in a value are not looked at again.
    #[must_use]
    pub fn fill(&self, assignment: &[(String, String)]) -> String {
        fill(&self.text, assignment, |_| true).text
    }

    /// The text for a shell, with values in place of parameters: in hooks, and in commands under `-S`.
    /// A value is one word as it is, whatever it holds, also where it stands between quotes.
    ///
    /// ```
    /// use fathom_measure::{EmptyValue, Template};
    /// let template = Template::new("rm -f {f} \"copy of {f}\"");
    /// let assignment = [("f".to_string(), "$my data".to_string())];
    /// let text = template.fill_for_shell(&assignment, EmptyValue::Word)?;
    /// assert_eq!(text, r#"rm -f '$my data' "copy of \$my data""#);
    /// # Ok::<(), fathom_measure::ShellTextError>(())
    /// ```
    ///
    /// # Errors
    /// A value that needs quotes stands between backquotes or in a here-document, where there are none.
    pub fn fill_for_shell(
        &self,
        assignment: &[(String, String)],
        empty: EmptyValue,
    ) -> Result<String, ShellTextError> {
        shell_text::fill(&self.text, assignment, empty)
    }

    /// The words of a command run without a shell. It is split first and filled after, so that a
    /// value with a space, a quote or a `*` stays one argument as it is. A word that was nothing but
    /// a parameter and whose value is empty is left out, as a shell leaves out an unquoted empty
    /// variable: with `-L flag ,--fast` the command `sort {flag} file` has two words and then three.
    ///
    /// ```
    /// use fathom_measure::Template;
    /// let template = Template::new("grep {what} 'my file'");
    /// let assignment = [("what".to_string(), "two words".to_string())];
    /// assert_eq!(template.words(&assignment)?, ["grep", "two words", "my file"]);
    /// assert_eq!(template.fill(&assignment), "grep two words 'my file'");
    /// # Ok::<(), fathom_measure::WordsError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`split`](crate::split), with places in the text as it was written.
    pub fn words(&self, assignment: &[(String, String)]) -> Result<Vec<String>, WordsError> {
        let mut filled_words = Vec::new();
        for word in words::split(&self.text)?.iter() {
            // `{"x"}` and `\{x\}` are not parameters in a text, so they are none here.
            let filled = fill(word.text(), assignment, |range| word.is_verbatim(range));
            if filled.is_changed && filled.text.is_empty() && !word.is_quoted() {
                continue;
            }
            filled_words.push(filled.text);
        }
        match filled_words.first() {
            Some(program) => words::check_program(program)?,
            None => return Err(WordsError::Empty),
        }
        Ok(filled_words)
    }
}

struct Filled {
    text: String,
    is_changed: bool,
}

fn fill(
    text: &str,
    assignment: &[(String, String)],
    is_placeholder: impl Fn(Range<usize>) -> bool,
) -> Filled {
    let mut filled = String::with_capacity(text.len());
    let mut done = 0;
    let mut is_changed = false;
    for (range, name) in placeholders(text) {
        let value = assignment.iter().find(|(parameter, _)| parameter == name);
        if let Some((_, value)) = value
            && is_placeholder(range.clone())
        {
            filled.push_str(text.get(done..range.start).unwrap_or_default());
            filled.push_str(value);
            done = range.end;
            is_changed = true;
        }
    }
    filled.push_str(text.get(done..).unwrap_or_default());
    Filled { text: filled, is_changed }
}

/// Where a `{name}` stands, and the name.
type Placeholder<'a> = (Range<usize>, &'a str);

/// Every `{name}`, whether or not there is a parameter of that name. They cannot overlap, since
/// names have no braces.
fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    text.match_indices('{').filter_map(|(open, _)| {
        let inside = text.get(open + 1..)?;
        let length = inside.find(|letter| !is_name_letter(letter))?;
        let (name, rest) = inside.split_at_checked(length)?;
        (length > 0 && rest.starts_with('}')).then_some((open..open + length + 2, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assignment(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
    }

    #[test]
    fn only_parameters_are_replaced() {
        let values = assignment(&[("x", "1"), ("num-threads", "{x}"), ("ä_1", "é")]);
        for (text, filled) in [
            ("sleep {x}", "sleep 1"),
            ("{x}{x}-{x}", "11-1"),
            ("{{x}} {{{x}}}", "{1} {{1}}"),
            ("{num-threads} {ä_1}", "{x} é"),
            ("awk '{print}' {} {y} { x } {x {X}", "awk '{print}' {} {y} { x } {x {X}"),
            ("{", "{"),
            ("}{x", "}{x"),
            ("${x}", "$1"),
        ] {
            assert_eq!(Template::new(text).fill(&values), filled);
        }
    }

    #[test]
    fn values_stay_one_word_without_a_shell() {
        let values = assignment(&[("x", "a 'b"), ("none", ""), ("glob", "*|$y"), ("cmd", "ls")]);
        for (text, words) in [
            ("run {x}", vec!["run", "a 'b"]),
            ("run -o{x}.txt '{x} y' \"{x}\"", vec!["run", "-oa 'b.txt", "a 'b y", "a 'b"]),
            ("run {glob}", vec!["run", "*|$y"]),
            ("{cmd} -l", vec!["ls", "-l"]),
            ("{none} run {none} a{none} '{none}' ''", vec!["run", "a", "", ""]),
            (r#"run {"x"} \{x\} '{x'}"#, vec!["run", "{x}", "{x}", "{x}"]),
            ("awk '{print $1}' {} {other}", vec!["awk", "{print $1}", "{}", "{other}"]),
        ] {
            assert_eq!(Template::new(text).words(&values).unwrap(), words, "{text}");
        }
    }

    #[test]
    fn what_needs_a_shell_is_told_from_values() {
        let error = |text: &str, value: &str| {
            Template::new(text).words(&assignment(&[("x", value)])).unwrap_err().to_string()
        };
        assert!(error("run {x} | cat", "a long value").starts_with("\"|\" at column 9 needs"));
        assert!(error("run {a,b}", "").starts_with("\"{a,b}\" at column 5 needs bash"));
        assert!(error("{x} a", "cd").starts_with("\"cd\" at column 1 is a shell builtin"));
        assert_eq!(error("{x}", ""), WordsError::Empty.to_string());
    }

    proptest! {
        #[test]
        fn without_parameters_a_text_is_itself(text in any::<String>()) {
            prop_assert_eq!(Template::new(text.clone()).fill(&[]), text);
        }

        #[test]
        fn filling_is_replacing(text in "[{}xy ]{0,20}", value in "[{}xyz ]{0,5}") {
            let filled = Template::new(text.clone()).fill(&assignment(&[("x", &value)]));
            prop_assert_eq!(filled, text.replace("{x}", &value));
            prop_assert_eq!(Template::new(text.clone()).mentions("x"), text.contains("{x}"));
        }

        /// Whatever the value, it is one argument.
        #[test]
        fn any_value_is_one_word(value in ".{1,20}") {
            let values = assignment(&[("x", &value)]);
            let words = Template::new("run a {x} \"b {x}\"").words(&values).unwrap();
            prop_assert_eq!(words, ["run", "a", value.as_str(), &format!("b {value}")]);
        }

        /// With a value that a shell leaves alone, the order of splitting and filling is no matter.
        #[test]
        fn plain_values_may_be_filled_before(text in r#"([a-c'"\\#{} ]|\{x\}){0,20}"#) {
            let values = assignment(&[("x", "plain")]);
            let template = Template::new(format!("run {text}"));
            let after = template.words(&values).ok();
            let before = words::split(&template.fill(&values)).ok();
            let before =
                before.map(|words| words.iter().map(|word| word.text().to_string()).collect());
            prop_assert_eq!(after, before);
        }
    }
}
