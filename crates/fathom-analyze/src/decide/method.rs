//! The interval methods, and which statistic each is for.

use super::Statistic;
use fathom_stats::{Probability, Sides};
use std::fmt;

/// How an interval is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The narrowest exact pair of ranks (quantiles; their default).
    Exact,
    /// A confidence sequence, valid at every look (quantiles).
    Sequence,
    /// The SPA paper's interval, which covers less than it says (quantiles).
    Spa,
    /// The BCa bootstrap.
    Bca,
    /// The symmetric sign-test interval (the median).
    Sign,
    /// Student's t (the mean; its default).
    T,
    /// The normal distribution (the mean).
    Z,
    /// Pilot's: Student's t after merging samples until neighbours are no longer alike, which covers
    /// less than it says (the mean).
    Subsession,
}

/// A method that cannot give what was asked.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum MethodError {
    /// It is for other statistics.
    Statistic {
        /// The method.
        method: Method,
        /// What it serves.
        serves: &'static str,
        /// What was asked.
        statistic: Statistic,
        /// What to do.
        hint: String,
    },
    /// It merges samples because they depend on each other, and they are to count as independent.
    AssumesIndependence,
    /// A range of the autocorrelation without the method that uses it.
    RangeWithoutSubsessions,
    /// It has no one-sided form.
    Sides {
        /// The method.
        method: Method,
        /// What has one.
        instead: Method,
    },
}

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MethodError::Statistic { method, serves, statistic, hint } => write!(f, "--method {method} works for {serves}, not for the {statistic}; {hint}"),
            MethodError::AssumesIndependence => f.write_str("--method subsession merges samples that depend on each other, and --assume-independent says that none do; leave out one of the two"),
            MethodError::RangeWithoutSubsessions => f.write_str("--subsession-range is only for --method subsession; add that, or leave the range out"),
            MethodError::Sides { method, instead } => write!(f, "--method {method} is always two-sided; for a one-sided bound use {instead}"),
        }
    }
}

impl std::error::Error for MethodError {}

impl Method {
    /// Every method, in the order of the documentation.
    pub const ALL: [Method; 8] = [
        Method::Exact,
        Method::Sequence,
        Method::Spa,
        Method::Bca,
        Method::Sign,
        Method::T,
        Method::Z,
        Method::Subsession,
    ];

    /// The name on the command line and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Sequence => "sequence",
            Method::Spa => "spa",
            Method::Bca => "bca",
            Method::Sign => "sign",
            Method::T => "t",
            Method::Z => "z",
            Method::Subsession => "subsession",
        }
    }

    /// The default for a statistic.
    #[must_use]
    pub fn default_for(statistic: Statistic) -> Method {
        match statistic {
            Statistic::Mean | Statistic::HarmonicMean => Method::T,
            Statistic::Quantile(_) => Method::Exact,
        }
    }

    /// Whether it allows for samples that depend on each other; the others take them as
    /// independent.
    #[must_use]
    pub fn handles_dependence(self) -> bool {
        matches!(self, Method::Exact | Method::T | Method::Subsession)
    }

    /// Checks that the method can serve the statistic and the sides.
    pub fn serve(self, statistic: Statistic, sides: Sides) -> Result<(), MethodError> {
        let is_quantile = matches!(statistic, Statistic::Quantile(_));
        let is_median = statistic == Statistic::Quantile(Probability::HALF);
        let (serves, fits) = match self {
            Method::Bca => ("the mean and quantiles", statistic != Statistic::HarmonicMean),
            Method::Exact | Method::Sequence | Method::Spa => ("quantiles", is_quantile),
            Method::Sign => ("the median", is_median),
            Method::T | Method::Z | Method::Subsession => ("means", !is_quantile),
        };
        if !fits {
            let hint = match (self, statistic) {
                (Method::Sign, Statistic::Quantile(_)) => {
                    "use --method exact, which works for any quantile".to_string()
                }
                (_, Statistic::HarmonicMean) => "use t, z or subsession".to_string(),
                (_, Statistic::Mean) => {
                    "use t, z, bca or subsession, or choose --statistic median".to_string()
                }
                (_, Statistic::Quantile(_)) => {
                    "use exact, sequence, spa or bca, or choose --statistic mean".to_string()
                }
            };
            return Err(MethodError::Statistic { method: self, serves, statistic, hint });
        }
        if sides != Sides::Both && matches!(self, Method::Spa | Method::Sign) {
            return Err(MethodError::Sides { method: self, instead: Method::Exact });
        }
        Ok(())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
