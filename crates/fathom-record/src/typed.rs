//! Values as people type them: 95%, 500ms.

use crate::{Decimal, TimeUnit};
use std::time::Duration;

/// Reads 0.95 or 95%. A bare number of 1 or more is refused: 5 is 500%, and hardly anybody who
/// types it means that.
///
/// ```
/// use fathom_record::typed::share;
/// assert_eq!(share("99.9%"), Ok(0.999));
/// assert_eq!(share("150%"), Ok(1.5));
/// assert!(share("5").unwrap_err().contains("Did you mean 5%?"));
/// ```
pub fn share(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let number = match text.strip_suffix('%') {
        // Moving the decimal point in the text keeps 99.9% the double nearest to 0.999.
        Some(percent) => format!("{}e-2", percent.trim()).parse::<f64>(),
        None => text.parse::<f64>(),
    };
    let number =
        number.map_err(|_| "use a number such as 0.95, or a percentage such as 95%".to_string())?;
    if !text.ends_with('%') && number >= 1.0 && number.is_finite() {
        // 1.1 is 110%, although its double is a hair above.
        let percents = 100.0 * number;
        let rounded = (percents * 1e6).round() / 1e6;
        let percents = if rounded.is_finite() { rounded } else { percents };
        return Err(format!(
            "{text} is {percents}%. Did you mean {text}%? A number of 1 or more needs a %."
        ));
    }
    Ok(number)
}

/// What the user probably meant by 95.
#[must_use]
pub fn as_percentage(number: f64) -> String {
    if (1.0..100.0).contains(&number) {
        format!(". Did you mean {number}%?")
    } else {
        String::new()
    }
}

/// Reads 500ms, 2min, 1.5s; a bare number is seconds.
///
/// ```
/// # use std::time::Duration;
/// assert_eq!(fathom_record::typed::duration("1.5s"), Ok(Duration::from_millis(1500)));
/// ```
pub fn duration(text: &str) -> Result<Duration, String> {
    let hint = || "use a time such as 500ms, 30s, 2min or 1h".to_string();
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = match unit.trim() {
        "" => TimeUnit::Seconds,
        "m" => TimeUnit::Minutes,
        unit => TimeUnit::parse(unit).ok_or_else(hint)?,
    };
    // Exactly, as far as 292 years reach.
    let exact = Decimal::parse(digits).and_then(|number| number.nanoseconds(unit));
    if let Some(ns) = exact.and_then(|ns| u64::try_from(ns).ok()) {
        return Ok(Duration::from_nanos(ns));
    }
    if let Some(time) = whole(digits, unit) {
        return Ok(time);
    }
    let number: f64 = digits.parse().map_err(|_| hint())?;
    let seconds = unit.convert(number, TimeUnit::Seconds);
    Duration::try_from_secs_f64(seconds).map_err(|_| hint())
}

/// A whole number of a unit, however long: what is written is read back the same.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "units are whole")]
fn whole(digits: &str, unit: TimeUnit) -> Option<Duration> {
    const SECOND: u128 = 1_000_000_000;
    let of_one = unit.convert(1.0, TimeUnit::Nanoseconds) as u128;
    let ns = digits.parse::<u128>().ok()?.checked_mul(of_one)?;
    Some(Duration::new(u64::try_from(ns / SECOND).ok()?, (ns % SECOND) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(duration("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(duration("2min").unwrap(), Duration::from_secs(120));
        assert_eq!(duration("1.5").unwrap(), Duration::from_millis(1500));
        assert_eq!(duration("2 m").unwrap(), Duration::from_secs(120));
        let longest = Duration::MAX;
        assert_eq!(duration(&format!("{}ns", longest.as_nanos())).unwrap(), longest);
        assert_eq!(duration(&format!("{}s", u64::MAX)).unwrap(), Duration::from_secs(u64::MAX));
        for bad in ["", "x", "-1s", "5 parsecs", "1e400s", "."] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shares_may_be_percentages() {
        assert_eq!(share(" 5 % ").unwrap(), 0.05);
        assert!(share("five").is_err());
        for bare in ["1", "5", "95", "1.5", "1e3"] {
            let error = share(bare).unwrap_err();
            assert!(error.contains(&format!("Did you mean {bare}%?")), "{error}");
        }
        assert_eq!(share("500%").unwrap(), 5.0);
        assert!(share("0.99").is_ok() && share("-3").is_ok() && share("inf").is_ok());
        assert!(as_percentage(95.0).contains("95%"));
        assert_eq!(as_percentage(0.3), "");
    }
}
