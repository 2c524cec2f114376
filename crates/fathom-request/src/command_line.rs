//! Options as they are typed: the one place that knows how flags and values are put together.

use crate::value::OptionValue;

/// The words of a command line in the making. What has its default is left out, so that the line
/// shows what was asked and nothing else.
#[derive(Debug, Default)]
pub(crate) struct CommandLine {
    words: Vec<String>,
    /// What stands before the options.
    subjects: Vec<String>,
    operands: Vec<String>,
    /// What stands behind `--` in any case.
    last: Vec<String>,
}

impl CommandLine {
    pub(crate) fn new(command: &str) -> CommandLine {
        CommandLine { words: vec![command.to_string()], ..CommandLine::default() }
    }

    /// `--flag`, if it is set.
    pub(crate) fn switch(&mut self, flag: &str, is_set: bool) {
        if is_set {
            self.words.push(flag.to_string());
        }
    }

    /// `--flag value`, unless it has its default.
    pub(crate) fn value<V: OptionValue + PartialEq>(&mut self, flag: &str, value: &V, default: &V) {
        if value != default {
            self.text(flag, &value.text());
        }
    }

    /// `--flag value`, if there is one.
    pub(crate) fn optional<V: OptionValue>(&mut self, flag: &str, value: Option<&V>) {
        if let Some(value) = value {
            self.text(flag, &value.text());
        }
    }

    /// `--flag value`, once for each.
    pub(crate) fn repeated<'v, V: OptionValue + 'v>(
        &mut self,
        flag: &str,
        values: impl IntoIterator<Item = &'v V>,
    ) {
        for value in values {
            self.text(flag, &value.text());
        }
    }

    /// `--flag=value`, for flags whose value may be missing.
    pub(crate) fn attached(&mut self, flag: &str, value: &str) {
        self.words.push(format!("{flag}={value}"));
    }

    /// `--flag value value ...`, for flags that take several. Only a flag that takes a fixed number of
    /// them may have values that begin with a hyphen and are no numbers: `--parameter-list`.
    pub(crate) fn several<'v>(&mut self, flag: &str, values: impl IntoIterator<Item = &'v str>) {
        self.words.push(flag.to_string());
        self.words.extend(values.into_iter().map(str::to_string));
    }

    fn text(&mut self, flag: &str, text: &str) {
        // A value that begins with a hyphen would be taken for a flag, and an empty one is lost
        // when people copy the line.
        if text.starts_with('-') || text.is_empty() {
            self.attached(flag, text);
        } else {
            self.words.extend([flag.to_string(), text.to_string()]);
        }
    }

    /// What the command is about, before its options: options that take several values would swallow
    /// it after them.
    pub(crate) fn first_operand(&mut self, operand: &str) {
        if operand.is_empty() {
            return;
        }
        // A space keeps one that begins with a hyphen from being taken for a flag.
        let space = if operand.starts_with('-') { " " } else { "" };
        self.words.push(format!("{space}{operand}"));
    }

    /// What the command is about, where it reads best before the options: traces.
    pub(crate) fn subjects(&mut self, subjects: impl IntoIterator<Item = String>) {
        self.subjects.extend(subjects);
    }

    /// What the command is about: commands, files.
    pub(crate) fn operands(&mut self, operands: impl IntoIterator<Item = String>) {
        self.operands.extend(operands);
    }

    /// What stands behind `--`: a command with its own options.
    pub(crate) fn behind_dashes(&mut self, words: &[String]) {
        self.last.extend_from_slice(words);
    }

    pub(crate) fn finish(self) -> Vec<String> {
        let CommandLine { mut words, subjects, mut operands, last } = self;
        // Operands follow options that may take several values; only a separator ends those. Yet a
        // line is easier to read without it.
        let is_plain = |word: &String| word == "-" || !word.starts_with('-');
        if subjects.iter().all(is_plain) {
            // Words that follow a command have none of their own.
            let has_command = words.first().is_some_and(|word| !word.starts_with('-'));
            let behind_the_command = usize::from(has_command);
            words.splice(behind_the_command..behind_the_command, subjects);
        } else {
            operands.splice(0..0, subjects);
        }
        if !operands.is_empty() {
            if !operands.iter().all(is_plain) {
                words.push("--".to_string());
            }
            words.extend(operands);
        }
        if !last.is_empty() {
            words.push("--".to_string());
            words.extend(last);
        }
        words
    }
}
