//! One value of a table, as text.

use fathom_record::trace::Value;

use crate::decimal_mark::DecimalMark;
use crate::number::{self, NumberFlaw};

/// Words for "nothing was seen", in any case; an empty cell is one too.
const MISSING: [&str; 6] = ["na", "n/a", "nan", "-nan", "+nan", "null"];

/// The value in a cell, which may be missing. Whole numbers are kept as such, so that counters stay
/// exact.
pub(super) fn value(text: &str, decimal: DecimalMark) -> Result<Value, NumberFlaw> {
    if text.is_empty() || MISSING.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Ok(Value::Missing);
    }
    match text.parse::<i64>() {
        Ok(whole) => Ok(Value::Integer(whole)),
        Err(_) => number::parse_in(text, decimal).map(Value::Real),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, NumberFlaw> {
        super::value(text, DecimalMark::Point)
    }

    #[test]
    fn what_is_missing_is_told_from_what_is_wrong() {
        for text in ["", "NA", "n/a", "NaN", "-nan", "null", "NULL"] {
            assert_eq!(value(text), Ok(Value::Missing), "{text}");
        }
        assert_eq!(value("9007199254740993"), Ok(Value::Integer(9_007_199_254_740_993)));
        assert_eq!(value("-1e3"), Ok(Value::Real(-1000.0)));
        for text in ["inf", "-Infinity", "1e999", "x", "1ms", "1,5", "<not counted>"] {
            assert!(value(text).is_err(), "{text}");
        }
    }
}
