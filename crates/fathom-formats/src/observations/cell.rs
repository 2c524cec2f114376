//! One number that may be missing.

use crate::decimal_mark::DecimalMark;
use crate::error::{FileRemedy, Flaw, quoted};
use crate::number::{self, NumberFlaw};

/// The number in a cell of a table; NaN if it is missing, which is an empty cell or `nan`.
pub(super) fn value(text: &str, decimal: DecimalMark) -> Result<f64, NumberFlaw> {
    match number::parse_in(text, decimal) {
        Ok(value) => Ok(value),
        Err(NumberFlaw::Empty) => Ok(f64::NAN),
        Err(NumberFlaw::NotFinite) if is_nan(text) => Ok(f64::NAN),
        Err(flaw) => Err(flaw),
    }
}

fn is_nan(text: &str) -> bool {
    text.trim_start_matches(['-', '+']).eq_ignore_ascii_case("nan")
}

/// Why a cell of the column `name` has no number; `otherwise` is what else can be done about text.
pub(crate) fn refused(
    text: &str,
    flaw: &NumberFlaw,
    name: &str,
    otherwise: impl Into<FileRemedy>,
) -> Flaw {
    let value = quoted(text);
    match flaw {
        NumberFlaw::WithUnit { unit } => Flaw::new(
            format!("{value} is a number with a unit"),
            format!("write plain numbers, and put the unit in the header, as in {name}[{unit}]"),
        ),
        NumberFlaw::NotFinite => Flaw::new(
            format!("{value} is not a finite number"),
            "leave the cell empty if the value is missing",
        ),
        NumberFlaw::Text | NumberFlaw::OnlyUnit => Flaw::new(
            format!("{value} is not a number"),
            otherwise.into().after("correct it, leave the cell empty if the value is missing, or "),
        ),
        other => other.about(text, "correct it, or leave the cell empty if the value is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_from_what_is_wrong() {
        for text in ["", "nan", "NaN", "-nan"] {
            assert!(value(text, DecimalMark::Point).unwrap().is_nan(), "{text}");
        }
        assert_eq!(value("1.5", DecimalMark::Point), Ok(1.5));
        assert_eq!(value("1,5", DecimalMark::Comma), Ok(1.5));
        for text in ["inf", "-Infinity", "1e999", "x", "1ms", "1,5"] {
            assert!(value(text, DecimalMark::Point).is_err(), "{text}");
        }
    }
}
