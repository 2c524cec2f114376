//! Words as they are typed in a shell.

/// A word that a shell reads as it is.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:%+@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A command and its words.
#[must_use]
pub fn line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_change_is_quoted() {
        assert_eq!(line(["fathom", "ui", "a-b_c./=,:%+@"]), "fathom ui a-b_c./=,:%+@");
        assert_eq!(line(["", "a b", "it's", "$x", "é"]), r"'' 'a b' 'it'\''s' '$x' 'é'");
    }
}
