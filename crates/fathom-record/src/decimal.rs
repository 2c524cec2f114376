//! Decimal numbers, exactly.
//!
//! Through a double, 0.1 s plus 0.2 s would not be 0.3 s, and a time of today in nanoseconds would
//! be off by a hundred of them.

use crate::TimeUnit;
use std::fmt;

/// A number as it was written: the digits, and the power of ten to multiply them by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Decimal {
    digits: i128,
    exponent: i32,
}

/// Digits behind this many, in front of them only zeros, do not change a number of nanoseconds.
const MOST_DIGITS: usize = 30;

impl Decimal {
    /// Reads what Rust reads as a finite `f64`, within reason; `None` for other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Decimal> {
        let (is_negative, unsigned) = match text.as_bytes().first()? {
            b'-' => (true, text.get(1..)?),
            b'+' => (false, text.get(1..)?),
            _ => (false, text),
        };
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !(is_digits(whole) && is_digits(fraction)) || (whole.is_empty() && fraction.is_empty()) {
            return None;
        }
        let (mut digits, mut kept, mut exponent) = (0_i128, 0, exponent);
        for (place, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
            let is_behind = place >= whole.len();
            if kept >= MOST_DIGITS {
                exponent = exponent.checked_add(i32::from(!is_behind))?;
                continue;
            }
            digits = digits * 10 + i128::from(digit - b'0');
            kept += usize::from(digits != 0);
            exponent = exponent.checked_sub(i32::from(is_behind))?;
        }
        Some(Decimal { digits: if is_negative { -digits } else { digits }, exponent })
    }

    /// The double nearest to what a JSON number was is written as that number.
    #[must_use]
    pub fn of_double(value: f64) -> Option<Decimal> {
        Decimal::parse(&value.to_string())
    }

    /// How many units of 10^-`places` it is, halves away from zero; `None` if they are too many.
    #[must_use]
    pub fn scaled(self, places: i32) -> Option<i128> {
        self.times(1, places)
    }

    /// As a time in nanoseconds; `None` if they are too many.
    #[must_use]
    pub fn nanoseconds(self, unit: TimeUnit) -> Option<i64> {
        let of_one = match unit {
            TimeUnit::Nanoseconds => 1,
            TimeUnit::Microseconds => 1_000,
            TimeUnit::Milliseconds => 1_000_000,
            TimeUnit::Seconds => 1_000_000_000,
            TimeUnit::Minutes => 60_000_000_000,
            TimeUnit::Hours => 3_600_000_000_000,
        };
        i64::try_from(self.times(of_one, 0)?).ok()
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.digits < 0
    }

    fn times(self, factor: i64, places: i32) -> Option<i128> {
        if self.digits == 0 {
            return Some(0);
        }
        // 30 digits times a factor of 13 can leave 128 bits; such a number is not a time anyway.
        let digits = self.digits.checked_mul(i128::from(factor))?;
        let power = self.exponent.checked_add(places)?;
        let ten = |power: u32| 10_i128.checked_pow(power);
        if power >= 0 {
            return digits.checked_mul(ten(power.unsigned_abs())?);
        }
        let Some(divisor) = ten(power.unsigned_abs()) else { return Some(0) };
        let (quotient, remainder) = (digits / divisor, digits % divisor);
        let is_up = remainder.abs() >= divisor - remainder.abs();
        Some(if is_up { quotient + digits.signum() } else { quotient })
    }
}

/// Beyond this many zeros a power of ten is written.
const MOST_ZEROS: i32 = 100;

/// As [`Decimal::parse`] reads it back: the same digits.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal { digits, exponent } = *self;
        if exponent.abs() > MOST_ZEROS {
            return write!(f, "{digits}e{exponent}");
        }
        let sign = if digits < 0 { "-" } else { "" };
        let digits = digits.unsigned_abs().to_string();
        let places = usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
        if exponent >= 0 {
            return write!(f, "{sign}{digits}{}", "0".repeat(places));
        }
        // At least one digit stands before the point.
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        write!(f, "{sign}{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nanoseconds(text: &str, unit: TimeUnit) -> Option<i64> {
        Decimal::parse(text)?.nanoseconds(unit)
    }

    #[test]
    fn times_are_exact() {
        for (text, unit, ns) in [
            ("0.200286259", TimeUnit::Seconds, 200_286_259),
            ("1794793615.250", TimeUnit::Seconds, 1_794_793_615_250_000_000),
            ("1.794793615250000001e9", TimeUnit::Seconds, 1_794_793_615_250_000_001),
            ("-1.5", TimeUnit::Milliseconds, -1_500_000),
            ("0.4999999999", TimeUnit::Nanoseconds, 0),
            ("0.5", TimeUnit::Nanoseconds, 1),
            ("-0.5", TimeUnit::Nanoseconds, -1),
            ("1e-400", TimeUnit::Hours, 0),
            ("0e999999", TimeUnit::Hours, 0),
            (".5", TimeUnit::Minutes, 30_000_000_000),
            ("5.", TimeUnit::Hours, 18_000_000_000_000),
            ("9223372036854775807", TimeUnit::Nanoseconds, i64::MAX),
            ("0.1000000000000000000000000000000000000000009", TimeUnit::Seconds, 100_000_000),
            ("00000000000000000000000000000000000000000000001", TimeUnit::Nanoseconds, 1),
        ] {
            assert_eq!(nanoseconds(text, unit), Some(ns), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_or_too_large_is_refused() {
        for text in
            ["", "-", ".", "1e", "1,5", "0x1", "1.2.3", "nan", "1 ", "e5", "--1", "1e99999999999"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        for text in ["9223372036854775808", "1e30", "1e400", "123456789012345678901234567890123456"]
        {
            assert_eq!(nanoseconds(text, TimeUnit::Nanoseconds), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_rust_reads_it_or_refused(text in "[-+0-9.eE]{0,12}") {
            if let Some(decimal) = Decimal::parse(&text) {
                let double: f64 = text.parse().unwrap();
                if let Some(ns) = decimal.nanoseconds(TimeUnit::Nanoseconds) {
                    prop_assert!((ns as f64 - double).abs() <= 0.5 + double.abs() * 1e-15);
                }
            } else {
                let is_double = text.parse::<f64>().is_ok_and(f64::is_finite);
                prop_assert!(!is_double || text.contains(['e', 'E']));
            }
        }

        #[test]
        fn what_is_written_is_read_back(text in "[-+]?[0-9]{1,20}(\\.[0-9]{0,20})?") {
            let decimal = Decimal::parse(&text).unwrap();
            prop_assert_eq!(Decimal::parse(&decimal.to_string()), Some(decimal), "{}", decimal);
        }

        #[test]
        fn doubles_come_back(value in -1e9..1e9_f64) {
            let micro = Decimal::of_double(value).unwrap().scaled(6).unwrap();
            prop_assert!((micro as f64 / 1e6 - value).abs() < 1e-6);
        }
    }
}
