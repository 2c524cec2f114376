//! The last number in a text.

use super::error::Flaw;
use super::number;
use std::borrow::Cow;

/// How programs print what is not a finite number. "INF" is not among them: to some programs it is
/// the level of a log line.
const NOT_FINITE: [&str; 12] = [
    "nan",
    "-nan",
    "NaN",
    "-NaN",
    "inf",
    "+inf",
    "-inf",
    "+Inf",
    "-Inf",
    "Infinity",
    "-Infinity",
    "infinity",
];

/// The last separate number, perhaps with letters of a unit after it. If the last one is not finite
/// or has separators, that is an error: the number before it is another one.
pub(super) fn read(output: &[u8]) -> Result<f64, Flaw> {
    let text = String::from_utf8_lossy(output);
    let text = without_colours(&text);
    let is_part = |letter: char| letter.is_alphanumeric() || "_.,+-'".contains(letter);
    text.rsplit(|letter| !is_part(letter)).find_map(read_token).ok_or(Flaw::NoNumber)?
}

/// `None` if it is not meant as a number.
fn read_token(token: &str) -> Option<Result<f64, Flaw>> {
    // The end of a sentence or of a quotation.
    let token = token.trim_end_matches(['.', ',', '\'', '+', '-', '_']);
    let token = token.trim_start_matches([',', '\'']);
    let token = token.rsplit_once("..").map_or(token, |(_, after_dots)| after_dots);
    if NOT_FINITE.contains(&token) {
        return Some(Err(Flaw::NotFinite(token.to_string())));
    }
    let (number, unit) = token.split_at_checked(number_length(token)?)?;
    if unit.chars().all(char::is_alphabetic) {
        return Some(number::parse(number));
    }
    let bare = token.trim_end_matches(char::is_alphabetic);
    number::is_separated(bare).then(|| Err(Flaw::Separated(token.to_string())))
}

/// How long the number at the beginning is.
fn number_length(token: &str) -> Option<usize> {
    let digits = |from: usize| {
        let rest = token.get(from..).unwrap_or_default();
        rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let is_one_of = |at: usize, letters: &[u8]| {
        token.as_bytes().get(at).is_some_and(|byte| letters.contains(byte))
    };
    let start = usize::from(is_one_of(0, b"+-"));
    let whole = digits(start);
    let mut end = start + whole;
    let mut part = 0;
    if is_one_of(end, b".") {
        part = digits(end + 1);
        if part > 0 {
            end += 1 + part;
        }
    }
    if whole + part == 0 {
        return None;
    }
    if is_one_of(end, b"eE") {
        let sign = usize::from(is_one_of(end + 1, b"+-"));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    Some(end)
}

/// Without terminal escape sequences, which have numbers of their own: `ESC [ 0 m`.
fn without_colours(text: &str) -> Cow<'_, str> {
    const START: &str = "\u{1b}[";
    if !text.contains(START) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(START);
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        // A space in its place: what was before and after it may be two numbers.
        plain.push(' ');
        let end = part.find(|letter| matches!(letter, '@'..='~'));
        plain.push_str(end.and_then(|end| part.get(end + 1..)).unwrap_or_default());
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_is_found_with_its_unit() {
        for (text, value) in [
            ("12", 12.0),
            ("a 1 b 2.5 c", 2.5),
            ("took 40ms.", 40.0),
            ("p99: 1.5e-3s", 1.5e-3),
            ("p50=3 (p99)", 3.0),
            ("speed-up: -3e+2x", -300.0),
            ("99%\n\n", 99.0),
            ("12.5\u{b5}s \u{b1} n/a", 12.5),
            ("3 on x86_64, v1.2.3, 2024-01-02, sha256", 3.0),
            ("'7', ok", 7.0),
            ("loading...5", 5.0),
            (".5", 0.5),
            ("size 1.5GiB/s", 1.5),
            ("10:01:02 INF done", 2.0),
            ("\u{1b}[1;32m8.5\u{1b}[0m done\u{1b}[2K", 8.5),
            ("4\u{1b}[", 4.0),
        ] {
            assert_eq!(read(text.as_bytes()), Ok(value), "{text}");
        }
        assert_eq!(read(b"\xff\xfe 5 \xff"), Ok(5.0));
    }

    #[test]
    fn a_number_that_cannot_be_used_does_not_give_way_to_another() {
        let owned = str::to_string;
        assert_eq!(read(b"run 1: nan"), Err(Flaw::NotFinite(owned("nan"))));
        assert_eq!(read(b"run 1: -Inf."), Err(Flaw::NotFinite(owned("-Inf"))));
        assert_eq!(read(b"run 1: 1e999"), Err(Flaw::TooLarge(owned("1e999"))));
        assert_eq!(read(b"run 1: 1,234 rows"), Err(Flaw::Separated(owned("1,234"))));
        assert_eq!(read(b"run 1: 1'234ms"), Err(Flaw::Separated(owned("1'234ms"))));
        for none in ["", "none", "p99 x86 1.2.3 -", "\u{1b}[0m"] {
            assert_eq!(read(none.as_bytes()), Err(Flaw::NoNumber), "{none}");
        }
    }
}
