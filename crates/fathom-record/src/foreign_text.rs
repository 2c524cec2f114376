//! Text from elsewhere: names in files, output of commands. It can steer a terminal, hide what it
//! says, or be a formula where a spreadsheet opens it.

use std::borrow::Cow;

/// What stands where something was that would not be seen.
const REPLACEMENT: char = '\u{fffd}';

/// Whether a letter steers what shows it: control characters, and marks that turn the letters after
/// them around or are not seen at all.
#[must_use]
pub fn is_steering(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            // Not seen: soft hyphen, fillers, zero-width spaces, joiners and operators, annotations, tags.
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
            // Direction and lines.
            | '\u{61c}' | '\u{2028}'..='\u{202e}')
}

/// The text with every letter that would steer or hide replaced by a mark. Joiners stay where
/// writing needs them: after a letter that is not ASCII, as in Persian, Hindi and compound emoji.
///
/// ```
/// use fathom_record::foreign_text::visible;
/// assert_eq!(visible("a\u{1b}[2J"), "a\u{fffd}[2J");
/// assert_eq!(visible("photo\u{202e}gnp.sh"), "photo\u{fffd}gnp.sh");
/// assert_eq!(visible("👩\u{200d}💻"), "👩\u{200d}💻");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut before = ' ';
    text.chars()
        .map(|letter| {
            let joins = matches!(letter, '\u{200c}' | '\u{200d}')
                && !before.is_ascii()
                && !is_steering(before);
            before = letter;
            if is_steering(letter) && !joins { REPLACEMENT } else { letter }
        })
        .collect()
}

/// The text with every letter that would steer or hide written as its number. For messages that quote
/// a file: the reader can tell what is there.
///
/// ```
/// use fathom_record::foreign_text::escaped;
/// assert_eq!(escaped("a\u{1b}[2J\n"), r"a\u{1b}[2J\n");
/// assert_eq!(escaped("größer \"漢字\""), "größer \"漢字\"");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_steering(letter) {
            true => escaped.extend(letter.escape_default()),
            false => escaped.push(letter),
        }
    }
    escaped
}

/// A field of CSV that a spreadsheet takes for text: an apostrophe before what it would take for a
/// formula. Numbers stay numbers, so that "-5" is not a formula.
///
/// ```
/// use fathom_record::foreign_text::{guarded, unguarded};
/// assert_eq!(guarded("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
/// assert_eq!(guarded("-5.2e3"), "-5.2e3");
/// assert_eq!(unguarded(&guarded("=1+1")), "=1+1");
/// ```
#[must_use]
pub fn guarded(field: &str) -> Cow<'_, str> {
    match is_formula(field.trim_start_matches('\'')) {
        true => Cow::Owned(format!("'{field}")),
        false => Cow::Borrowed(field),
    }
}

/// What [`guarded`] was given.
#[must_use]
pub fn unguarded(field: &str) -> &str {
    match field.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => field,
    }
}

/// Whether a spreadsheet would compute it. Some drop blanks before, and some take the wide signs of
/// Asian keyboards.
fn is_formula(field: &str) -> bool {
    let first = field.trim_start().chars().next();
    let is_sign = |sign| matches!(sign, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    first.is_some_and(is_sign) && field.trim().parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_seen_is_marked() {
        for (text, seen) in [
            ("a\u{202e}b\u{2066}c\u{200f}d", "a\u{fffd}b\u{fffd}c\u{fffd}d"),
            ("pay\u{200b}pal \u{feff}\u{ad}\u{e0041}", "pay\u{fffd}pal \u{fffd}\u{fffd}\u{fffd}"),
            ("a\u{200d}b", "a\u{fffd}b"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("größer – µs ▁█ 漢字 é e\u{301}", "größer – µs ▁█ 漢字 é e\u{301}"),
        ] {
            assert_eq!(visible(text), seen);
        }
    }

    #[test]
    fn formulas_are_text_and_numbers_are_numbers() {
        for formula in [
            "=1+1",
            "+cmd|' /C calc'!A0",
            "-2+3",
            "@SUM(1)",
            "\t=1",
            " =1",
            "＝1",
            "-x",
            "'=1",
            "-",
        ] {
            assert!(guarded(formula).starts_with('\''), "{formula}");
        }
        for other in ["-5", "+3.5", "-inf", "-0", "-1e-300", "", "a=b", "'tis", "5-3", "x@y"] {
            assert_eq!(guarded(other), other);
        }
    }

    proptest! {
        #[test]
        fn what_is_guarded_comes_back(field in "['=+@ a1.-]{0,6}") {
            let kept = guarded(&field);
            prop_assert_eq!(unguarded(&kept), field.as_str());
        }
    }
}
