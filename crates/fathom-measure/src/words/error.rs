//! Why a command line cannot be split without a shell, in words for its user.

use std::fmt;

/// Why a command line cannot be run as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// There is no word in it.
    #[error("the command is empty. Enter a program and its arguments.")]
    Empty,
    /// A quote is not closed.
    #[error(
        "the quote {quote} at {place} is not closed. Close it, or write \\{quote} for a literal \
         quote."
    )]
    UnclosedQuote {
        /// `'` or `"`.
        quote: char,
        /// Where it opens.
        place: WordPosition,
    },
    /// A backslash is the last character.
    #[error(
        "nothing follows the backslash at {place}. Remove it, or write \\\\ for a literal \
         backslash."
    )]
    TrailingBackslash {
        /// Where it is.
        place: WordPosition,
    },
    /// No program can be given this character.
    #[error("there is a NUL character at {place}, which arguments cannot contain. Remove it.")]
    Nul {
        /// Where it is.
        place: WordPosition,
    },
    /// Something that only a shell understands.
    #[error(transparent)]
    NeedsShell(#[from] NeedsShell),
}

/// Something that only a shell understands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedsShell {
    /// It, as it stands in the command; empty for [`Construct::NextCommand`].
    pub what: String,
    /// Where it begins.
    pub place: WordPosition,
    /// What kind of thing it is.
    pub construct: Construct,
}

/// What only shells understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Construct {
    /// `|`, `&&`, `2>&1`, `(`.
    Operator,
    /// `<(`, `&>`, `{a,b}`: of bash, not of every shell.
    BashOperator,
    /// `>`, `>>`.
    Output,
    /// `<`.
    Input,
    /// `$VAR`, `$(...)`, a backtick, `~`.
    Expansion,
    /// The same between double quotes.
    QuotedExpansion,
    /// `*`, `?`, `[...]`.
    Glob,
    /// `if`, `{`, `!` as the first word.
    Keyword,
    /// `[[`, `time`: of bash, not of every shell.
    BashKeyword,
    /// `cd`, `exit`: what a shell does itself.
    Builtin,
    /// `source`, `pushd`: of bash, not of every shell.
    BashBuiltin,
    /// `VAR=value` before the program.
    Assignment,
    /// A second line.
    NextCommand,
}

impl fmt::Display for NeedsShell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ANY: &str = "Add -S sh (or -S bash)";
        let NeedsShell { what, place, construct } = self;
        match construct {
            Construct::Operator | Construct::Expansion | Construct::Glob => {
                write!(f, "\"{what}\" at {place} needs a shell. {ANY}, or quote it.")
            }
            Construct::BashOperator => {
                write!(f, "\"{what}\" at {place} needs bash. Add -S bash, or quote it.")
            }
            Construct::Output => write!(
                f,
                "\"{what}\" at {place} needs a shell. {ANY}, or quote it. To save what a command \
                 prints without a shell, use --stdout FILE."
            ),
            Construct::Input => write!(
                f,
                "\"{what}\" at {place} needs a shell. {ANY}, or quote it. To set a command's \
                 standard input without a shell, use --input FILE."
            ),
            Construct::QuotedExpansion => write!(
                f,
                "\"{what}\" at {place} needs a shell, even inside double quotes. {ANY}, or use \
                 single quotes."
            ),
            Construct::Keyword => write!(
                f,
                "\"{what}\" at {place} is a shell keyword. {ANY}, or quote it if it is a program."
            ),
            Construct::BashKeyword => write!(
                f,
                "\"{what}\" at {place} is a bash keyword. Add -S bash, or quote it if it is a \
                 program."
            ),
            Construct::Builtin => write!(
                f,
                "\"{what}\" at {place} is a shell builtin. {ANY}, or write its path if it is a \
                 program."
            ),
            Construct::BashBuiltin => write!(
                f,
                "\"{what}\" at {place} is a bash builtin. Add -S bash, or write its path if it is \
                 a program."
            ),
            Construct::Assignment => write!(
                f,
                "\"{what}\" at {place} sets a variable, which needs a shell. {ANY}, or write \
                 \"env {what} ...\"."
            ),
            Construct::NextCommand => {
                write!(f, "a second command begins at {place}, which needs a shell. {ANY}.")
            }
        }
    }
}

impl std::error::Error for NeedsShell {}

/// A place in a command, as people count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordPosition {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl WordPosition {
    pub(super) const START: WordPosition = WordPosition { line: 1, column: 1 };

    /// The place of a byte.
    pub(super) fn of(text: &str, byte: usize) -> WordPosition {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        WordPosition { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
    }
}

impl fmt::Display for WordPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}", self.column)
    }
}
