//! Words as they are typed in a shell.

/// A word that a shell reads as it is.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:%+@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A command and its words.
pub(crate) fn line<'w>(command: &'w [&'w str], words: &'w [String]) -> String {
    let all = command.iter().copied().chain(words.iter().map(String::as_str));
    all.map(quoted).collect::<Vec<_>>().join(" ")
}
