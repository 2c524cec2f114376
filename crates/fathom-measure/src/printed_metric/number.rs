//! A text that should be one number.

use super::error::Flaw;

/// Reads digits with a decimal point and an exponent if need be; spaces around them are left out.
pub(super) fn parse(text: &str) -> Result<f64, Flaw> {
    let text = text.trim();
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) if has_digit => Err(Flaw::TooLarge(text.to_string())),
        Ok(_) => Err(Flaw::NotFinite(text.to_string())),
        Err(_) if is_separated(text) => Err(Flaw::Separated(text.to_string())),
        Err(_) => Err(Flaw::NotANumber(text.to_string())),
    }
}

/// Whether it would be a number without thousands separators, or with a decimal comma.
pub(super) fn is_separated(text: &str) -> bool {
    const SEPARATORS: [char; 3] = [',', '_', '\''];
    let digits = text.trim_start_matches(['-', '+']);
    digits.contains(SEPARATORS)
        && digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.replace(SEPARATORS, "").parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_and_an_exponent_if_any() {
        for (text, value) in [("1", 1.0), (" 1e3\n", 1000.0), ("-.5", -0.5), ("+2.E-1", 0.2)] {
            assert_eq!(parse(text), Ok(value));
        }
    }

    #[test]
    fn what_is_wrong_is_told_apart() {
        let owned = str::to_string;
        assert_eq!(parse("nan"), Err(Flaw::NotFinite(owned("nan"))));
        assert_eq!(parse("-inf"), Err(Flaw::NotFinite(owned("-inf"))));
        assert_eq!(parse("1e999"), Err(Flaw::TooLarge(owned("1e999"))));
        for text in ["1,234", "-1,5", "1'234.5", "12_000"] {
            assert_eq!(parse(text), Err(Flaw::Separated(owned(text))), "{text}");
        }
        for text in ["", "12ms", "a,1", ",", "0x10", "1.2.3", "1,2.3.4", "١"] {
            assert_eq!(parse(text), Err(Flaw::NotANumber(owned(text))), "{text}");
        }
    }
}
