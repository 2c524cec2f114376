//! Why an estimate has no interval.

use super::Statistic;
use super::interval::SAMPLES_FOR_AN_INTERVAL;
use fathom_record::{Advice, AdvisedOption, FrontEnd, Remedy};
use fathom_stats::dependence::{Declined, SAMPLES_TO_JUDGE};
use std::fmt;

/// Why an estimate has no interval. Its text is that of the program `fathom`.
#[derive(Debug, Clone, PartialEq)]
pub enum NoInterval {
    /// There are no samples.
    NoSamples,
    /// There are too few.
    TooFew {
        /// How many there are.
        n: usize,
    },
    /// They depend on each other so much that they are worth too few.
    TooDependent {
        /// How many they are worth.
        effective: f64,
        /// About how many would do.
        needed: usize,
    },
    /// They are all equal.
    Constant,
    /// A harmonic mean has no value for them.
    NotPositive {
        /// The smallest of them.
        smallest: f64,
    },
    /// However many are merged, neighbours stay alike.
    AlwaysAlike {
        /// How alike they may be.
        range: f64,
    },
    /// The bootstrap fails on them.
    NotResampled {
        /// What the bootstrap says.
        why: String,
        /// What it was asked for.
        statistic: Statistic,
    },
    /// This program has no bootstrap.
    WithoutBootstrap {
        /// What it was asked for.
        statistic: Statistic,
    },
    /// The shell's start-up time, which is subtracted, has none.
    OfShell(Box<NoInterval>),
}

impl NoInterval {
    /// What is wrong, and what to do.
    #[must_use]
    pub fn advice(&self) -> Advice {
        match self {
            NoInterval::NoSamples => Advice::new("there are no samples"),
            NoInterval::TooFew { n } => {
                let are = if *n == 1 { "sample is" } else { "samples are" };
                Advice::new(format!("{n} {are} too few")).or(Remedy::new(format!(
                    "collect at least {SAMPLES_FOR_AN_INTERVAL}, better {SAMPLES_TO_JUDGE}"
                )))
            }
            NoInterval::TooDependent { effective, needed } => Advice::new(format!(
                "the samples are so strongly autocorrelated that the effective sample size is \
                 {effective:.1}"
            ))
            .or(Remedy::new(format!("collect about {needed} samples"))),
            NoInterval::Constant => {
                Advice::new("all samples have the same value, so their spread is unknown")
                    .or(Remedy::new("time a larger batch of work"))
                    .or(Remedy::new("use a finer clock"))
            }
            NoInterval::NotPositive { smallest } => Advice::new(format!(
                "a harmonic mean needs positive values, and the smallest is {smallest}"
            )),
            NoInterval::AlwaysAlike { range } => Advice::new(format!(
                "no size with at least 3 subsessions has a lag-1 autocorrelation within \u{b1}{range}"
            ))
            .or(Remedy::new("collect more samples"))
            .or(Remedy::using(AdvisedOption::Method, "t")),
            NoInterval::NotResampled { why, statistic } => Advice::new(why).or(match statistic {
                Statistic::Quantile(_) => {
                    Remedy::using(AdvisedOption::Method, "exact, which handles duplicates")
                }
                Statistic::Mean | Statistic::HarmonicMean => Remedy::using(
                    AdvisedOption::Statistic,
                    "median, whose interval handles duplicates",
                ),
            }),
            NoInterval::WithoutBootstrap { statistic } => {
                let instead = match statistic {
                    Statistic::Quantile(p) => format!("exact for the {} quantile", p.get()),
                    Statistic::Mean | Statistic::HarmonicMean => "t for the mean".to_string(),
                };
                Advice::new("this program was built without the bootstrap")
                    .or(Remedy::new(format!("use {instead}")))
            }
            NoInterval::OfShell(why) => {
                why.advice().about("for the shell's start-up time, which is subtracted, ")
            }
        }
    }

    /// The text for a front end: it names no option that the front end lacks.
    #[must_use]
    pub fn said(&self, front_end: FrontEnd) -> String {
        self.advice().said(front_end)
    }
}

impl From<Declined> for NoInterval {
    fn from(declined: Declined) -> NoInterval {
        match declined {
            Declined::TooFew { n } => NoInterval::TooFew { n },
            Declined::TooDependent { effective, needed } => {
                NoInterval::TooDependent { effective, needed }
            }
            Declined::Constant => NoInterval::Constant,
        }
    }
}

impl fmt::Display for NoInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.advice().fmt(f)
    }
}
