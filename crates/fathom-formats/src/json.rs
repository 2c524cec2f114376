//! JSON, with errors that name the place.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::error::{Flaw, quoted};

pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Flaw> {
    serde_json::from_str(text).map_err(|error| flaw(text, &error))
}

/// Goes through JSON values that stand one after the other, on lines of their own or not; `visit`
/// gets each with the line on which it begins. `refuse` says what an error is.
pub(crate) fn each<T: DeserializeOwned>(
    text: &str,
    refuse: impl Fn(&str, &serde_json::Error) -> Flaw,
    mut visit: impl FnMut(T, u64) -> Result<(), Flaw>,
) -> Result<(), Flaw> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let (mut line, mut counted) = (1, 0);
    loop {
        let rest = text.get(values.byte_offset()..).unwrap_or_default();
        let start = text.len() - rest.trim_ascii_start().len();
        let passed = text.as_bytes().get(counted..start).unwrap_or_default();
        line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        counted = start;
        match values.next() {
            None => return Ok(()),
            Some(Ok(value)) => visit(value, line)?,
            // What is wrong with a value as a whole has no place of its own.
            Some(Err(error)) if error.line() == 0 => {
                return Err(refuse(text, &error).at_line(line));
            }
            Some(Err(error)) => return Err(refuse(text, &error)),
        }
    }
}

/// The error in our words, at its line and column.
pub(crate) fn flaw(text: &str, error: &serde_json::Error) -> Flaw {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message);
    let flaw = match error.classify() {
        Category::Eof => Flaw::new(
            "the JSON is truncated",
            "the tool that wrote it was probably interrupted. Write the file again",
        ),
        Category::Data => Flaw::new(
            format!("unexpected JSON: {message}"),
            "check that it is the right file, unchanged since its tool wrote it",
        ),
        Category::Syntax | Category::Io => match word_at(text, line, column) {
            Some(word) => Flaw::new(
                format!("{} is not a finite number, and not valid JSON", quoted(word)),
                "remove that measurement, or write the file again",
            ),
            None if message == "number out of range" => {
                Flaw::new("a number does not fit in 64 bits", "correct it, or write the file again")
            }
            None => Flaw::new(
                format!("invalid JSON ({message})"),
                "write the file again, or correct it by hand",
            ),
        },
    };
    // An error without a place has line 0.
    if line == 0 { flaw } else { flaw.at_line(line as u64).within(format!("column {column}")) }
}

/// NaN and Infinity, which Python and C++ write where JSON has no word for them.
fn word_at(text: &str, line: usize, column: usize) -> Option<&str> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    // The column is in bytes, from 1, and may point one past the letter that did not fit.
    let at = column.saturating_sub(1).min(line.len());
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'+');
    let bytes = line.as_bytes();
    let start = at - bytes.get(..at)?.iter().rev().take_while(|byte| is_word(byte)).count();
    let end = at + bytes.get(at..)?.iter().take_while(|byte| is_word(byte)).count();
    let word = line.get(start..end)?;
    let known = ["nan", "inf", "infinity"];
    let bare = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    known.contains(&bare.as_str()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_infinity_are_named() {
        for text in ["[1,NaN]", "[1,\n Infinity ]", "[-Infinity]", "{\"a\":-nan,\"b\":1}", "[nan"] {
            let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
            let flaw = format!("{:?}", flaw(text, &error));
            assert!(flaw.contains("not a finite number"), "{text}: {flaw}");
        }
    }

    #[test]
    fn numbers_come_back_bit_for_bit() {
        // This one is off by a bit without the float_roundtrip feature.
        let value: f64 = parse("31.245270191439438").unwrap();
        assert_eq!(value.to_bits(), 31.245270191439438_f64.to_bits());
    }
}
