//! Numbers: shares, times, counts.

use super::OptionValue;
use fathom_analyze::SubsessionRange;
use fathom_analyze::compare::Margin;
use fathom_analyze::stopping::Precision;
use fathom_record::typed::{as_percentage, duration, share};
use fathom_stats::outliers::{
    ClusterShare, CutCurve, CutLevel, CutPolynomial, MinPts, SettingError,
};
use fathom_stats::{Confidence, Probability};
use std::time::Duration;

/// A share as a percentage: the decimal point of the number moved by two places, so that reading it
/// gives the same number to the last bit.
pub(crate) fn percentage(share: f64) -> String {
    let text = share.to_string();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = format!("{fraction:0<2}");
    let (moved, rest) = fraction.split_at(2);
    let whole = format!("{whole}{moved}");
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{rest}%")
}

impl OptionValue for Confidence {
    fn text(&self) -> String {
        percentage(self.get())
    }

    fn read(text: &str) -> Result<Confidence, String> {
        let number = share(text)?;
        Confidence::new(number).map_err(|_| {
            format!("a confidence is at least 0.5 and below 1{}", as_percentage(number))
        })
    }
}

impl OptionValue for Probability {
    fn text(&self) -> String {
        percentage(self.get())
    }

    fn read(text: &str) -> Result<Probability, String> {
        let number = share(text)?;
        Probability::new(number)
            .map_err(|_| format!("a probability is above 0 and below 1{}", as_percentage(number)))
    }
}

impl OptionValue for Margin {
    fn text(&self) -> String {
        percentage(self.get())
    }

    fn read(text: &str) -> Result<Margin, String> {
        Margin::new(share(text)?).map_err(|error| error.to_string())
    }
}

impl OptionValue for SubsessionRange {
    fn text(&self) -> String {
        self.get().to_string()
    }

    fn read(text: &str) -> Result<SubsessionRange, String> {
        let number = text.trim().parse().unwrap_or(f64::NAN);
        SubsessionRange::new(number).map_err(|error| error.to_string())
    }
}

impl OptionValue for Precision {
    fn text(&self) -> String {
        percentage(self.get())
    }

    fn read(text: &str) -> Result<Precision, String> {
        Precision::new(share(text)?).map_err(|error| error.to_string())
    }
}

impl OptionValue for ClusterShare {
    fn text(&self) -> String {
        percentage(self.get())
    }

    fn read(text: &str) -> Result<ClusterShare, String> {
        let number = share(text)?;
        ClusterShare::new(number)
            .map_err(|_| format!("use a share above 0 and at most 50%{}", as_percentage(number)))
    }
}

impl OptionValue for CutLevel {
    fn text(&self) -> String {
        self.get().to_string()
    }

    fn read(text: &str) -> Result<CutLevel, String> {
        let level = text.trim().parse().ok().and_then(|level| CutLevel::new(level).ok());
        level.ok_or_else(|| "use a number from 0 to 1, such as 0.5".to_string())
    }
}

impl OptionValue for CutCurve {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Result<CutCurve, String> {
        if text.trim() == "bell" {
            return Ok(CutCurve::Bell);
        }
        let number = |text: &str| text.trim().parse().map_err(|_| SettingError::Curve);
        let polynomial = text
            .split(',')
            .map(number)
            .collect::<Result<Vec<f64>, SettingError>>()
            .and_then(|coefficients| CutPolynomial::new(&coefficients));
        polynomial.map(CutCurve::Polynomial).map_err(|_| {
            "use bell, or the coefficients of a polynomial that is not constant, such as 0,0.6,-1 for \
             0.6x - x^2; at most 7"
                .to_string()
        })
    }
}

impl OptionValue for MinPts {
    fn text(&self) -> String {
        self.get().to_string()
    }

    fn read(text: &str) -> Result<MinPts, String> {
        let neighbours = text.trim().parse().ok().and_then(|number| MinPts::new(number).ok());
        neighbours.ok_or_else(|| "use a whole number from 1 to 1000".to_string())
    }
}

impl OptionValue for Duration {
    fn text(&self) -> String {
        let ns = self.as_nanos();
        let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")];
        match units.into_iter().find(|(of_one, _)| ns.is_multiple_of(*of_one)) {
            Some((of_one, unit)) => format!("{}{unit}", ns / of_one),
            None => format!("{ns}ns"),
        }
    }

    fn read(text: &str) -> Result<Duration, String> {
        duration(text)
    }
}

/// Whole numbers, which Rust writes and reads.
macro_rules! whole_numbers {
    ($($number:ty),+) => { $(
        impl OptionValue for $number {
            fn text(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Result<$number, String> {
                text.trim().parse().map_err(|_| "write a whole number".to_string())
            }
        }
    )+ };
}

whole_numbers!(u16, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shares_are_percentages() {
        for (share, text) in [
            (0.95, "95%"),
            (0.999, "99.9%"),
            (0.02, "2%"),
            (0.005, "0.5%"),
            (1.5, "150%"),
            (0.0, "0%"),
            (0.5, "50%"),
            (7.0, "700%"),
        ] {
            assert_eq!(percentage(share), text);
        }
    }

    #[test]
    fn times_have_the_largest_unit_that_is_exact() {
        for (ns, text) in
            [(0, "0s"), (90_000_000_000, "90s"), (1_500_000_000, "1500ms"), (1_001, "1001ns")]
        {
            assert_eq!(Duration::from_nanos(ns).text(), text);
        }
    }

    proptest! {
        #[test]
        fn shares_come_back(number in 0.0..10.0_f64) {
            prop_assert_eq!(share(&percentage(number)), Ok(number));
        }

        #[test]
        fn times_come_back(ns in 0..i64::MAX as u64) {
            let time = Duration::from_nanos(ns);
            prop_assert_eq!(Duration::read(&time.text()), Ok(time));
        }
    }
}
