//! What is special as the first word of a command: keywords, builtins, assignments.

use super::{Construct, NeedsShell, Word, WordPosition, WordsError};

/// Of every POSIX shell. Quoted, they are ordinary words.
const KEYWORDS: [&str; 15] = [
    "!", "{", "}", "case", "do", "done", "elif", "else", "esac", "fi", "for", "if", "then",
    "until", "while",
];

const BASH_KEYWORDS: [&str; 5] = ["[[", "coproc", "function", "select", "time"];

/// What changes the shell itself, so that a program of that name, where a system has one, does not
/// do what its user means. Builtins that are ordinary programs too, such as `echo`, `test` and `[`,
/// are not among them.
const BUILTINS: [&str; 31] = [
    ".", ":", "alias", "bg", "break", "cd", "command", "continue", "eval", "exec", "exit",
    "export", "fc", "fg", "getopts", "hash", "jobs", "local", "read", "readonly", "return", "set",
    "shift", "times", "trap", "type", "ulimit", "umask", "unalias", "unset", "wait",
];

const BASH_BUILTINS: [&str; 10] = [
    "builtin", "declare", "disown", "let", "mapfile", "popd", "pushd", "shopt", "source", "typeset",
];

/// Refuses a first word that a shell would not run as a program. `written` is the word with its
/// quotes.
pub(super) fn check(word: &Word, written: &str, place: WordPosition) -> Result<(), WordsError> {
    let found =
        |what: &str, construct| Err(NeedsShell { what: what.to_string(), place, construct }.into());
    if !word.quoted {
        if KEYWORDS.contains(&word.text()) {
            return found(word.text(), Construct::Keyword);
        }
        if BASH_KEYWORDS.contains(&word.text()) {
            return found(word.text(), Construct::BashKeyword);
        }
    }
    if is_assignment(word) {
        return found(written, Construct::Assignment);
    }
    check_builtin(word.text(), place)
}

/// Quoted or not, a builtin is one.
pub(super) fn check_builtin(word: &str, place: WordPosition) -> Result<(), WordsError> {
    let construct = if BUILTINS.contains(&word) {
        Construct::Builtin
    } else if BASH_BUILTINS.contains(&word) {
        Construct::BashBuiltin
    } else {
        return Ok(());
    };
    Err(NeedsShell { what: word.to_string(), place, construct }.into())
}

/// `NAME=`, with nothing of it in quotes; the value may be.
fn is_assignment(word: &Word) -> bool {
    let Some((name, _)) = word.text().split_once('=') else { return false };
    (0..=name.len()).all(|byte| word.is_bare(byte))
        && !name.starts_with(|letter: char| letter.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}
