//! The statistics a user can ask for.

use fathom_stats::Probability;
use std::fmt;

/// What is estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Statistic {
    /// The arithmetic mean.
    Mean,
    /// The harmonic mean: the mean of rates over equal amounts of work.
    HarmonicMean,
    /// A quantile; the median is the one at ½.
    Quantile(Probability),
}

/// Text that names no statistic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatisticError {
    text: String,
    hint: String,
}

impl fmt::Display for StatisticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StatisticError { text, hint } = self;
        write!(f, "unknown statistic \"{text}\"; {hint}")
    }
}

impl std::error::Error for StatisticError {}

impl Statistic {
    /// The median.
    pub const MEDIAN: Statistic = Statistic::Quantile(Probability::HALF);

    /// Reads `median`, `mean`, `harmonic-mean`, or a percentile: `p90`, `p99.9`.
    ///
    /// ```
    /// use fathom_analyze::Statistic;
    /// assert_eq!(Statistic::parse("p50")?, Statistic::MEDIAN);
    /// assert!(Statistic::parse("p100").is_err());
    /// # Ok::<(), fathom_analyze::StatisticError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Statistic, StatisticError> {
        let name = text.trim().to_lowercase();
        match name.as_str() {
            "median" => return Ok(Statistic::MEDIAN),
            "mean" | "average" => return Ok(Statistic::Mean),
            "harmonic-mean" | "harmonic" => return Ok(Statistic::HarmonicMean),
            _ => {}
        }
        let error = |hint: &str| StatisticError { text: text.to_string(), hint: hint.to_string() };
        let Some(percent) = name.strip_prefix('p') else {
            return Err(error(match name.as_str() {
                "min" | "minimum" | "max" | "maximum" => {
                    "an extreme has no confidence interval; use a quantile such as p1 or p99"
                }
                number if number.parse::<f64>().is_ok() => {
                    "write a percentile as p90, p99 or p99.9"
                }
                _ => "use median, mean, or a percentile such as p90 or p99.9",
            }));
        };
        // Shifting the decimal point in the text keeps p99.9 the double nearest to 0.999.
        let level = percent
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.')
            .then(|| format!("{percent}e-2").parse::<f64>().ok())
            .flatten()
            .ok_or_else(|| error("write the percentile as a number, such as p90 or p99.9"))?;
        Probability::new(level)
            .map(Statistic::Quantile)
            .map_err(|_| error("a percentile must be between p0 and p100, exclusive"))
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statistic::Mean => f.write_str("mean"),
            Statistic::HarmonicMean => f.write_str("harmonic-mean"),
            Statistic::Quantile(p) if *p == Probability::HALF => f.write_str("median"),
            Statistic::Quantile(p) => {
                // 0.999 × 100 is 99.9 only up to rounding.
                write!(f, "p{}", (p.get() * 1e12).round() / 1e10)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in [
            "median",
            "mean",
            "harmonic-mean",
            "p10",
            "p90",
            "p99",
            "p99.9",
            "p99.99",
            "p0.1",
            "p33.3",
        ] {
            assert_eq!(Statistic::parse(name).unwrap().to_string(), name);
        }
    }

    #[test]
    fn p99_9_is_the_double_nearest_to_it() {
        assert_eq!(
            Statistic::parse("p99.9").unwrap(),
            Statistic::Quantile(Probability::new(0.999).unwrap())
        );
    }

    #[test]
    fn errors_say_what_to_write() {
        for (text, hint) in [
            ("99", "p99"),
            ("max", "quantile"),
            ("p0", "between"),
            ("p100", "between"),
            ("pfoo", "number"),
            ("p", "number"),
            ("p-5", "number"),
            ("mode", "median"),
        ] {
            let error = Statistic::parse(text).unwrap_err().to_string();
            assert!(error.contains(hint), "{error}");
        }
    }
}
