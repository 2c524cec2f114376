//! Decimal numbers that add exactly.

use std::fmt;

/// Digits on either side of the point: with both, every sum below fits 128 bits.
const MOST_DIGITS: usize = 18;

/// A number as it was written: `digits` / 10^`places`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decimal {
    digits: i128,
    places: u32,
}

/// Not a decimal number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecimalError {
    /// Too long to be added exactly.
    #[error(
        "{text:?} has too many digits. Use at most {MOST_DIGITS} on each side of the decimal point."
    )]
    TooLong {
        /// As given.
        text: String,
    },
    /// 1e3
    #[error("{text:?} has an exponent. Write all its digits.")]
    Exponent {
        /// As given.
        text: String,
    },
    /// 0,5
    #[error("{text:?} has a comma. Use a decimal point, and no thousands separators.")]
    Comma {
        /// As given.
        text: String,
    },
    /// Anything else.
    #[error("{text:?} is not a number. Use digits and a decimal point.")]
    NotANumber {
        /// As given.
        text: String,
    },
}

impl Decimal {
    pub(super) const ONE: Decimal = Decimal { digits: 1, places: 0 };

    pub(super) fn parse(text: &str) -> Result<Decimal, DecimalError> {
        let owned = || text.to_string();
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + part.len() == 0 || !all_digits(whole) || !all_digits(part) {
            return Err(match text.parse::<f64>() {
                Ok(_)
                    if unsigned.contains(['e', 'E'])
                        && unsigned.starts_with(|c: char| !c.is_alphabetic()) =>
                {
                    DecimalError::Exponent { text: owned() }
                }
                Err(_) if text.contains(',') && text.replace(',', "").parse::<f64>().is_ok() => {
                    DecimalError::Comma { text: owned() }
                }
                _ => DecimalError::NotANumber { text: owned() },
            });
        }
        if whole.len() > MOST_DIGITS || part.len() > MOST_DIGITS {
            return Err(DecimalError::TooLong { text: owned() });
        }
        let digits = format!("{whole}{part}")
            .parse::<i128>()
            .map_err(|_| DecimalError::NotANumber { text: owned() })?;
        let digits = if text.starts_with('-') { -digits } else { digits };
        let places = u32::try_from(part.len()).unwrap_or(u32::MAX);
        Ok(Decimal { digits, places })
    }

    /// Whether it was written without digits after the point.
    pub(super) fn is_whole(self) -> bool {
        self.places == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.digits > 0
    }

    /// The digits if there were this many places; never fewer than there are.
    fn at_places(self, places: u32) -> i128 {
        self.digits.saturating_mul(10_i128.saturating_pow(places.saturating_sub(self.places)))
    }

    pub(super) fn plus(self, other: Decimal) -> Decimal {
        let places = self.places.max(other.places);
        let digits = self.at_places(places).saturating_add(other.at_places(places));
        Decimal { digits, places }
    }

    /// How many whole steps lead from here up to `end`; `None` if it is below.
    pub(super) fn steps(self, end: Decimal, step: Decimal) -> Option<u128> {
        let places = self.places.max(end.places).max(step.places);
        let distance = end.at_places(places).checked_sub(self.at_places(places))?;
        let steps = distance.checked_div(step.at_places(places))?;
        if distance < 0 { None } else { u128::try_from(steps).ok() }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs();
        if self.places == 0 {
            return write!(f, "{sign}{digits}");
        }
        let unit = 10_u128.saturating_pow(self.places);
        let width = self.places as usize;
        write!(f, "{sign}{}.{:0width$}", digits / unit, digits % unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        for (text, shown) in [
            ("0", "0"),
            ("-0.50", "-0.50"),
            ("+7", "7"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.0", "0.0"),
        ] {
            assert_eq!(Decimal::parse(text).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn what_is_not_a_plain_decimal_is_told_apart() {
        for text in ["", ".", "-", "+-1", "1.2.3", " 1", "nan", "inf", "0x1", "1_000", "١"] {
            let expected = DecimalError::NotANumber { text: text.to_string() };
            assert_eq!(Decimal::parse(text).unwrap_err(), expected);
        }
        assert!(matches!(Decimal::parse("1e3"), Err(DecimalError::Exponent { .. })));
        assert!(matches!(Decimal::parse("1,000.5"), Err(DecimalError::Comma { .. })));
        assert!(matches!(Decimal::parse(&"1".repeat(19)), Err(DecimalError::TooLong { .. })));
    }

    #[test]
    fn the_longest_numbers_do_not_overflow() {
        let nines = "9".repeat(MOST_DIGITS);
        let most = Decimal::parse(&format!("{nines}.{nines}")).unwrap();
        let least = Decimal::parse(&format!("-{nines}.{nines}")).unwrap();
        let tiny = Decimal::parse(&format!("0.{}1", "0".repeat(MOST_DIGITS - 1))).unwrap();
        assert_eq!(least.steps(most, tiny), Some(2 * (10_u128.pow(36) - 1)));
        assert_eq!(most.steps(least, tiny), None);
        assert_eq!(most.plus(least).to_string(), format!("0.{}", "0".repeat(MOST_DIGITS)));
    }
}
