//! A command line split into words as a shell would, without a shell.
//!
//! No shell stands between Fathom and the measured program, so its start is not measured. What only
//! a shell understands is therefore refused: passed on as it is, `*.txt` or `>` would reach the
//! program as an argument, and it would measure something else than its user meant.

mod command_position;
mod error;
#[cfg(test)]
mod tests;

pub use error::{Construct, NeedsShell, WordPosition, WordsError};

/// A command line in words; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    words: Vec<Word>,
}

impl Words {
    /// The words, the program first.
    pub fn iter(&self) -> impl Iterator<Item = &Word> {
        self.words.iter()
    }

    /// The program: the first word.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words.first().map_or("", Word::text)
    }

    /// The words after the program.
    #[must_use]
    pub fn arguments(&self) -> Vec<&str> {
        self.words.iter().skip(1).map(Word::text).collect()
    }
}

/// One word, without its quotes, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    text: String,
    /// For each byte of the text.
    origins: Vec<Origin>,
    /// Whether it has any quote or backslash.
    quoted: bool,
    /// The byte of the command at which it begins.
    began: usize,
}

/// Where a byte of a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    /// Which byte of the command it is.
    at: usize,
    /// Whether it is outside quotes, so that a shell might see more in it than itself.
    bare: bool,
}

impl Word {
    fn starting(began: usize) -> Word {
        Word { text: String::new(), origins: Vec::new(), quoted: false, began }
    }

    fn push(&mut self, letter: char, at: usize, bare: bool) {
        self.text.push(letter);
        self.origins.extend((at..at + letter.len_utf8()).map(|at| Origin { at, bare }));
    }

    /// The word.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether quotes or backslashes were in it.
    #[must_use]
    pub fn is_quoted(&self) -> bool {
        self.quoted
    }

    /// Whether the bytes of this range stand side by side in the command too: no quote or backslash
    /// was taken out between them.
    pub(crate) fn is_verbatim(&self, range: std::ops::Range<usize>) -> bool {
        self.origins
            .get(range)
            .is_some_and(|origins| origins.windows(2).all(|pair| pair[0].at + 1 == pair[1].at))
    }

    fn is_bare(&self, byte: usize) -> bool {
        self.origins.get(byte).is_some_and(|origin| origin.bare)
    }

    /// The bare occurrences of a letter.
    fn bare(&self, letter: char) -> impl Iterator<Item = usize> {
        self.text.match_indices(letter).map(|(byte, _)| byte).filter(|&byte| self.is_bare(byte))
    }

    fn origin(&self, byte: usize) -> usize {
        self.origins.get(byte).map_or(self.began, |origin| origin.at)
    }
}

/// Splits a command line as a POSIX shell would: by spaces and tabs, with single quotes, double
/// quotes, backslashes and `#` comments.
///
/// ```
/// use fathom_measure::split;
/// let words = split(r#"grep -c 'two words' "a file" # a comment"#)?;
/// assert_eq!(words.program(), "grep");
/// assert_eq!(words.arguments(), ["-c", "two words", "a file"]);
///
/// assert_eq!(
///     split("sleep 1 | cat").unwrap_err().to_string(),
///     "\"|\" at column 9 needs a shell. Add -S sh (or -S bash), or quote it."
/// );
/// # Ok::<(), fathom_measure::WordsError>(())
/// ```
///
/// # Errors
/// An empty command, a quote that is not closed, and what only a shell understands: operators,
/// redirections, variables, globs, `~`, brace lists, assignments, several commands, keywords and
/// builtins. Variables count between double quotes too, since a shell replaces them there.
pub fn split(command: &str) -> Result<Words, WordsError> {
    let mut splitter =
        Splitter { command, at: 0, words: Vec::new(), word: None, line_ended: false };
    splitter.run()?;
    if splitter.words.is_empty() {
        return Err(WordsError::Empty);
    }
    Ok(Words { words: splitter.words })
}

/// Refuses what a shell does itself when it is the program, as a parameter's value may be.
pub(crate) fn check_program(program: &str) -> Result<(), WordsError> {
    command_position::check_builtin(program, WordPosition::START)
}

struct Splitter<'a> {
    command: &'a str,
    /// The byte to read next.
    at: usize,
    words: Vec<Word>,
    /// The word being read.
    word: Option<Word>,
    /// A line with words has ended: another word would be another command.
    line_ended: bool,
}

impl Splitter<'_> {
    fn rest(&self) -> &str {
        self.command.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next letter and where it is.
    fn next(&mut self) -> Option<(usize, char)> {
        let letter = self.peek()?;
        let at = self.at;
        self.at += letter.len_utf8();
        Some((at, letter))
    }

    fn place(&self, at: usize) -> WordPosition {
        WordPosition::of(self.command, at)
    }

    fn needs_shell(&self, what: impl Into<String>, at: usize, construct: Construct) -> WordsError {
        NeedsShell { what: what.into(), place: self.place(at), construct }.into()
    }

    /// The word being read; a new one if there is none.
    fn word(&mut self, at: usize) -> &mut Word {
        self.word.get_or_insert_with(|| Word::starting(at))
    }

    fn run(&mut self) -> Result<(), WordsError> {
        while let Some((at, letter)) = self.next() {
            let begins = self.word.is_none();
            let is_nothing = matches!(letter, ' ' | '\t' | '\n' | '#')
                || letter == '\\' && self.peek() == Some('\n');
            if begins && self.line_ended && !is_nothing {
                return Err(self.needs_shell("", at, Construct::NextCommand));
            }
            match letter {
                '\0' => return Err(WordsError::Nul { place: self.place(at) }),
                ' ' | '\t' => self.finish_word(at)?,
                '\n' => {
                    self.finish_word(at)?;
                    self.line_ended = !self.words.is_empty();
                }
                '#' if begins => {
                    let length = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.at += length;
                }
                '\'' => self.single_quoted(at)?,
                '"' => self.double_quoted(at)?,
                '\\' => match self.next() {
                    None => return Err(WordsError::TrailingBackslash { place: self.place(at) }),
                    // A line that goes on in the next one; it begins no word.
                    Some((_, '\n')) => {}
                    Some((_, '\0')) => return Err(WordsError::Nul { place: self.place(at + 1) }),
                    Some((escaped_at, escaped)) => {
                        let word = self.word(at);
                        word.quoted = true;
                        word.push(escaped, escaped_at, false);
                    }
                },
                '|' | '&' | ';' | '<' | '>' | '(' | ')' => return Err(self.operator(at)),
                '$' | '`' => {
                    if let Some(what) = self.expansion(letter, false) {
                        return Err(self.needs_shell(what, at, Construct::Expansion));
                    }
                    self.word(at).push(letter, at, true);
                }
                '*' | '?' => return Err(self.needs_shell(letter, at, Construct::Glob)),
                '~' if begins => return Err(self.needs_shell("~", at, Construct::Expansion)),
                other => self.word(at).push(other, at, true),
            }
        }
        self.finish_word(self.at)
    }

    fn single_quoted(&mut self, open: usize) -> Result<(), WordsError> {
        self.word(open).quoted = true;
        loop {
            match self.next() {
                Some((_, '\'')) => return Ok(()),
                Some((at, '\0')) => return Err(WordsError::Nul { place: self.place(at) }),
                Some((at, letter)) => self.word(open).push(letter, at, false),
                None => return Err(self.unclosed('\'', open)),
            }
        }
    }

    fn double_quoted(&mut self, open: usize) -> Result<(), WordsError> {
        self.word(open).quoted = true;
        loop {
            match self.next() {
                Some((_, '"')) => return Ok(()),
                Some((at, '\0')) => return Err(WordsError::Nul { place: self.place(at) }),
                Some((at, '\\')) => match self.peek() {
                    // Before any other letter a backslash is itself here.
                    Some('$' | '`' | '"' | '\\') => {
                        if let Some((escaped_at, escaped)) = self.next() {
                            self.word(open).push(escaped, escaped_at, false);
                        }
                    }
                    Some('\n') => {
                        self.next();
                    }
                    _ => self.word(open).push('\\', at, false),
                },
                Some((at, letter)) => {
                    if let Some(what) = self.expansion(letter, true) {
                        return Err(self.needs_shell(what, at, Construct::QuotedExpansion));
                    }
                    self.word(open).push(letter, at, false);
                }
                None => return Err(self.unclosed('"', open)),
            }
        }
    }

    fn unclosed(&self, quote: char, at: usize) -> WordsError {
        WordsError::UnclosedQuote { quote, place: self.place(at) }
    }

    /// What a shell would replace here, if it would: `$VAR`, `$(`, `${` or a backtick.
    fn expansion(&self, letter: char, in_double_quotes: bool) -> Option<String> {
        if letter == '`' {
            return Some("`".to_string());
        }
        if letter != '$' {
            return None;
        }
        // A line that goes on in the next one is one line to a shell, even within a name.
        let rest = self.rest().trim_start_matches("\\\n");
        let next = rest.chars().next()?;
        let is_name = |letter: &char| *letter == '_' || letter.is_ascii_alphanumeric();
        let name: String = rest.chars().take_while(is_name).collect();
        match next {
            // One digit is a whole name: $10 is $1 and a zero.
            '0'..='9' | '@' | '*' | '#' | '?' | '-' | '$' | '!' | '{' | '(' => {
                Some(format!("${next}"))
            }
            // $'\n' and $"text"; between double quotes these are a dollar and the closing quote.
            '\'' | '"' if !in_double_quotes => Some(format!("${next}")),
            _ if !name.is_empty() => Some(format!("${name}")),
            _ => None,
        }
    }

    /// The error about the operator that begins at `at`, or about the word before it.
    fn operator(&mut self, at: usize) -> WordsError {
        const BASH: [&str; 6] = ["<<<", "<(", ">(", "&>>", "&>", "|&"];
        const ANY: [&str; 16] = [
            "&&", "||", ";;", ">>", "<<", ">&", "<&", "<>", ">|", "|", "&", ";", ">", "<", "(", ")",
        ];
        let text = self.command.get(at..).unwrap_or_default();
        let bash = BASH.into_iter().find(|operator| text.starts_with(operator));
        let any = ANY.into_iter().find(|operator| text.starts_with(operator));
        let operator = bash.or(any).unwrap_or_default();
        let redirects = bash.is_none() && operator.contains(['<', '>']);
        // In 2>&1 the number before belongs to the operator, and so does what follows.
        let number = self.word.take_if(|word| {
            let is_number = word.text.bytes().all(|byte| byte.is_ascii_digit());
            redirects && !word.quoted && is_number
        });
        if let Err(error) = self.finish_word(at) {
            return error;
        }
        let mut what = number.as_ref().map(|word| word.text.clone()).unwrap_or_default();
        what.push_str(operator);
        if operator.len() == 2 && operator.ends_with('&') && redirects {
            let after = text.get(operator.len()..).unwrap_or_default();
            what.extend(after.chars().take_while(|letter| matches!(letter, '0'..='9' | '-')));
        }
        let construct = match (bash, what.as_str()) {
            (Some(_), _) => Construct::BashOperator,
            (None, ">" | ">>" | "1>" | "1>>" | ">|") => Construct::Output,
            (None, "<" | "0<") => Construct::Input,
            (None, _) => Construct::Operator,
        };
        self.needs_shell(what, number.map_or(at, |word| word.began), construct)
    }

    /// Keeps the word that ends before `end`, unless a shell would make something else of it.
    fn finish_word(&mut self, end: usize) -> Result<(), WordsError> {
        let Some(word) = self.word.take() else { return Ok(()) };
        if self.words.is_empty() {
            let written = self.command.get(word.began..end).unwrap_or_default();
            command_position::check(&word, written, self.place(word.began))?;
        }
        if let Some(byte) = bracket_glob(&word) {
            return Err(self.needs_shell("[", word.origin(byte), Construct::Glob));
        }
        if let Some((byte, list)) = brace_list(&word) {
            return Err(self.needs_shell(list, word.origin(byte), Construct::BashOperator));
        }
        self.words.push(word);
        Ok(())
    }
}

/// Where `[...]` with something in it begins. `[` alone is a program, and `[]` is itself.
fn bracket_glob(word: &Word) -> Option<usize> {
    let last = word.bare(']').last()?;
    word.bare('[').find(|open| open + 1 < last)
}

/// Where bash would make several words of `{a,b}` or `{1..3}`, and that list. A parameter's
/// `{name}` is no such list, since names have neither commas nor dots.
fn brace_list(word: &Word) -> Option<(usize, &str)> {
    word.bare('{').find_map(|open| {
        let mut depth = 0_usize;
        let mut has_comma = false;
        let inside = word.text.get(open..)?;
        for (offset, letter) in inside.char_indices() {
            match letter {
                _ if !word.is_bare(open + offset) => {}
                '{' => depth += 1,
                ',' => has_comma |= depth == 1,
                '}' if depth > 1 => depth -= 1,
                '}' => {
                    let content = inside.get(1..offset)?;
                    let ends: Vec<&str> = content.split("..").collect();
                    let is_range = ends.len() > 1 && ends.iter().all(|end| !end.is_empty());
                    let list = inside.get(..=offset)?;
                    return (has_comma || is_range).then_some((open, list));
                }
                _ => {}
            }
        }
        None
    })
}
