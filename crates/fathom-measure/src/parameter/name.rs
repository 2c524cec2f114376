//! Names that users give to variables and metrics.

/// Not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// There is nothing.
    #[error("it is empty. Use letters, digits, \"_\" and \"-\".")]
    Empty,
    /// `{x}` instead of `x`.
    #[error("\"{{{name}}}\" has braces. Use {name} here, and {{{name}}} in the command.")]
    Braces {
        /// What is between them.
        name: String,
    },
    /// Something else is in it.
    #[error("{name:?} contains {letter:?}. Use only letters, digits, \"_\" and \"-\".")]
    Letter {
        /// As given.
        name: String,
        /// The first letter that cannot be in a name.
        letter: char,
    },
}

pub(crate) fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

/// Letters, digits, `_` and `-`: what is unlike everything a shell, awk or JSON has between braces.
pub(crate) fn check(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if let Some(inside) = name.strip_prefix('{').and_then(|name| name.strip_suffix('}'))
        && check(inside).is_ok()
    {
        return Err(NameError::Braces { name: inside.to_string() });
    }
    match name.chars().find(|&letter| !is_name_letter(letter)) {
        Some(letter) => Err(NameError::Letter { name: name.to_string(), letter }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_letters_digits_and_two_marks() {
        for name in ["x", "X_1", "num-threads", "1", "größe"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, expected) in [
            ("", "it is empty. Use letters, digits, \"_\" and \"-\"."),
            ("{x}", "\"{x}\" has braces. Use x here, and {x} in the command."),
            ("a b", "\"a b\" contains ' '. Use only letters, digits, \"_\" and \"-\"."),
            ("{}", "\"{}\" contains '{'. Use only letters, digits, \"_\" and \"-\"."),
            ("a\n", "\"a\\n\" contains '\\n'. Use only letters, digits, \"_\" and \"-\"."),
        ] {
            assert_eq!(check(name).unwrap_err().to_string(), expected);
        }
    }
}
