//! One number of a text file.

use fathom_record::TimeUnit;

use crate::decimal_mark::DecimalMark;
use crate::error::{ByOption, FileRemedy, Flaw, quoted};

/// Reads what Rust reads as an `f64`, except infinities and "not a number".
pub(crate) fn parse(text: &str) -> Result<f64, NumberFlaw> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) if text.bytes().any(|byte| byte.is_ascii_digit()) => Err(NumberFlaw::TooLarge),
        Ok(_) => Err(NumberFlaw::NotFinite),
        Err(_) => Err(why_not(text)),
    }
}

/// Reads a number with this decimal mark.
pub(crate) fn parse_in(text: &str, decimal: DecimalMark) -> Result<f64, NumberFlaw> {
    if decimal == DecimalMark::Point || !text.contains(['.', ',']) {
        return parse(text);
    }
    if text.contains('.') {
        let is_number = text.replace('.', "").replace(',', ".").parse::<f64>().is_ok();
        return Err(if is_number { NumberFlaw::Point } else { NumberFlaw::Text });
    }
    match text.matches(',').count() {
        1 => parse(&text.replace(',', ".")),
        _ => match parse(text) {
            Err(NumberFlaw::Comma) => Err(NumberFlaw::Commas),
            other => other,
        },
    }
}

/// Whether a comma is all that makes the text no number.
pub(crate) fn is_with_comma(text: &str) -> bool {
    parse(text) == Err(NumberFlaw::Comma)
}

/// Whether the text was meant as a number, right or wrong: what a header's cells are not.
pub(crate) fn is_meant_as_number(text: &str) -> bool {
    !matches!(parse(text), Err(NumberFlaw::Empty | NumberFlaw::OnlyUnit | NumberFlaw::Text))
}

/// Why a text is not a number that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NumberFlaw {
    /// There is nothing.
    Empty,
    /// "nan", "inf", in any case.
    NotFinite,
    /// Beyond the largest number of 64 bits.
    TooLarge,
    /// "12ms"
    WithUnit { unit: String },
    /// "ms", as the rest of "12 ms"
    OnlyUnit,
    /// "1,5" or "1,234"
    Comma,
    /// "1,12,24" where numbers have decimal commas
    Commas,
    /// "1.5" or "1.234,5" where numbers have decimal commas
    Point,
    /// Anything else.
    Text,
}

fn why_not(text: &str) -> NumberFlaw {
    if text.trim().is_empty() {
        return NumberFlaw::Empty;
    }
    if text.contains(',')
        && text.bytes().next().is_some_and(|byte| byte.is_ascii_digit() || b"+-,".contains(&byte))
        && text.replace(',', "").parse::<f64>().is_ok_and(f64::is_finite)
    {
        return NumberFlaw::Comma;
    }
    if TimeUnit::parse(text).is_some() {
        return NumberFlaw::OnlyUnit;
    }
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '+' | '-' | '.'));
    if let Some((number, unit)) = unit_at.and_then(|at| text.split_at_checked(at)) {
        let unit = unit.trim();
        let is_unit = unit.len() <= 12
            && unit.chars().all(|c| c.is_alphabetic() || matches!(c, '%' | '/' | '\u{b5}'));
        if is_unit && number.parse::<f64>().is_ok() {
            return NumberFlaw::WithUnit { unit: unit.to_string() };
        }
    }
    NumberFlaw::Text
}

impl NumberFlaw {
    /// The message about `text`, with `remedy` where the flaw itself suggests none.
    pub(crate) fn about(&self, text: &str, remedy: impl Into<FileRemedy>) -> Flaw {
        let value = quoted(text);
        match self {
            NumberFlaw::Empty => Flaw::new("the value is missing", remedy),
            NumberFlaw::NotFinite => Flaw::new(format!("{value} is not a finite number"), remedy),
            NumberFlaw::TooLarge => {
                Flaw::new(format!("{value} does not fit in a 64-bit number"), remedy)
            }
            NumberFlaw::WithUnit { unit } => Flaw::new(
                format!("{value} is a number with a unit"),
                ByOption(format!("write plain numbers, and set the unit with --unit {unit}")),
            ),
            NumberFlaw::OnlyUnit => Flaw::new(
                format!("{value} is a unit, not a number"),
                ByOption(format!("write plain numbers, and set the unit with --unit {text}")),
            ),
            NumberFlaw::Comma => Flaw::new(
                format!("{value} is not a number because of its comma"),
                "write numbers with a decimal point and without thousands separators",
            ),
            NumberFlaw::Commas => Flaw::new(
                format!(
                    "{value} has several commas, but the numbers in this file use decimal commas"
                ),
                "separate columns with semicolons or tabs, and write no thousands separators",
            ),
            NumberFlaw::Point => Flaw::new(
                format!(
                    "{value} has a decimal point, but the numbers in this file use decimal commas"
                ),
                "write all numbers the same way, without thousands separators",
            ),
            NumberFlaw::Text => Flaw::new(format!("{value} is not a number"), remedy),
        }
    }

    /// As [`NumberFlaw::about`], for commands that have `--decimal`.
    pub(crate) fn about_choosing(&self, text: &str, remedy: impl Into<FileRemedy>) -> Flaw {
        let value = quoted(text);
        match self {
            NumberFlaw::Comma => Flaw::new(
                format!("{value} is not a number because of its comma"),
                ByOption(
                    "if it is a decimal comma, use --decimal comma. If it separates thousands, \
                     remove it",
                ),
            ),
            NumberFlaw::Point => Flaw::new(
                format!(
                    "{value} has a decimal point, but the numbers in this file use decimal commas"
                ),
                ByOption(
                    "write all numbers the same way, without thousands separators, or use \
                     --decimal point",
                ),
            ),
            other => other.about(text, remedy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rusts_numbers_are_read() {
        for (text, value) in [("1", 1.0), ("+1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("-1E-3", -1e-3)]
        {
            assert_eq!(parse(text), Ok(value));
        }
        assert_eq!(parse("1e-999"), Ok(0.0));
    }

    #[test]
    fn infinities_are_not() {
        for text in ["nan", "NaN", "-nan", "inf", "-INF", "Infinity", "+infinity"] {
            assert_eq!(parse(text), Err(NumberFlaw::NotFinite), "{text}");
        }
        assert_eq!(parse("1e999"), Err(NumberFlaw::TooLarge));
        assert_eq!(parse("-1e999"), Err(NumberFlaw::TooLarge));
    }

    #[test]
    fn the_flaw_is_told_apart() {
        let unit = |unit: &str| Err(NumberFlaw::WithUnit { unit: unit.into() });
        assert_eq!(parse("12ms"), unit("ms"));
        assert_eq!(parse("12.5 \u{b5}s"), unit("\u{b5}s"));
        assert_eq!(parse("50%"), unit("%"));
        assert_eq!(parse("ms"), Err(NumberFlaw::OnlyUnit));
        assert!(!is_meant_as_number("ms"), "a column may be called so");
        assert_eq!(parse("1,5"), Err(NumberFlaw::Comma));
        assert_eq!(parse("1,234,567.5"), Err(NumberFlaw::Comma));
        for text in ["abc", "0x10", "1.2.3", "2024-01-02", "10:15", "1_000", "a,5", "-"] {
            assert_eq!(parse(text), Err(NumberFlaw::Text), "{text}");
        }
        assert_eq!(parse(""), Err(NumberFlaw::Empty));
    }
}
