//! How a time grows with the size of the input: which law fits, and with which exponent.
//!
//! A law is t = c(n)·(a + b·f(n)) with a fixed cost a ≥ 0. n² and n³ may have a part of the next lower
//! power, too. At the middle size (the geometric mean of the smallest and the largest) these are together
//! at most as large as b·f(n): otherwise there is little growth to be seen. The cost per unit c(n) is not
//! quite constant: caches overflow, branches become hard to predict, loops are unrolled. So c may rise by
//! up to [`LARGEST_RISE`] and fall by up to [`LARGEST_FALL`] from any size to any larger one. A law is
//! possible unless the intervals of the times exclude it for every a and every such c. If the intervals
//! hold together with the confidence and the true law is such a law, it is among the possible ones with
//! that confidence.
//!
//! ```
//! use fathom_stats::growth::{GrowthLaw, SizedTime, growth};
//! use fathom_stats::{Confidence, Interval};
//!
//! let times: Vec<SizedTime> = [10.0_f64, 100.0, 1e3, 1e4, 1e5]
//!     .map(|size| {
//!         let time = 5e-9 + 1e-9 * size * size.ln();
//!         let interval = Interval { lower: 0.99 * time, upper: 1.01 * time };
//!         SizedTime { size, time, interval }
//!     })
//!     .into();
//! let found = growth(&times, Confidence::DEFAULT)?;
//! let laws: Vec<GrowthLaw> = found.possible().map(|one| one.law).collect();
//! assert_eq!(laws, [GrowthLaw::Linearithmic]);
//! assert!((found.exponent.value - 1.097).abs() < 1e-3);
//! let named = found.possible().next().map(|one| one.at(1e5, 1e5));
//! assert!(named.is_some_and(|time| (time / times[4].time - 1.0).abs() < 0.1));
//! # Ok::<(), fathom_stats::growth::GrowthError>(())
//! ```

mod candidate;
mod exponent;
mod further_sizes;
mod law;
mod linear_rate;

pub use candidate::GrowthCandidate;
pub use exponent::GrowthExponent;
pub use law::GrowthLaw;
pub use linear_rate::LinearRate;

use crate::distribution::normal;
use crate::{Confidence, Interval};
use candidate::Bounded;
use std::fmt;

/// The cost per unit may rise by this factor from a size to a larger one.
pub const LARGEST_RISE: f64 = 2.5;
/// And fall by this factor.
pub const LARGEST_FALL: f64 = 1.25;
/// The number of different sizes that a fit needs.
pub const FEWEST_SIZES: usize = 4;
/// And the largest is at least this many times the smallest.
pub const SMALLEST_SPAN: f64 = 8.0;

/// How long a function takes for an input of a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizedTime {
    /// The size n.
    pub size: f64,
    /// The time.
    pub time: f64,
    /// Its interval.
    pub interval: Interval,
}

impl SizedTime {
    /// Whether it can be used: laws with a logarithm need sizes of at least 1, and everything is
    /// relative to the time.
    ///
    /// ```
    /// use fathom_stats::{Interval, growth::SizedTime};
    /// let time = SizedTime { size: 10.0, time: 1e-6, interval: Interval { lower: 9e-7, upper: 2e-6 } };
    /// assert!(time.is_usable());
    /// assert!(!SizedTime { size: 0.0, ..time }.is_usable());
    /// ```
    #[must_use]
    pub fn is_usable(&self) -> bool {
        let Interval { lower, upper } = self.interval;
        self.size >= 1.0
            && self.size.is_finite()
            && lower > 0.0
            && lower <= self.time
            && self.time <= upper
            && upper.is_finite()
    }

    /// How far below the time the interval reaches, in the logarithm.
    fn below(&self) -> f64 {
        libm::log(self.time / self.interval.lower)
    }

    /// How far above the time it reaches.
    fn above(&self) -> f64 {
        libm::log(self.interval.upper / self.time)
    }
}

/// What times say of growth.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthFit {
    /// Every law, the slowest growth first.
    pub candidates: Vec<GrowthCandidate>,
    /// The exponent at the large end.
    pub exponent: GrowthExponent,
    /// The exponent at the small end.
    pub first_exponent: GrowthExponent,
    /// Where several laws are possible: about which largest size would tell them apart.
    pub size_to_tell: Option<f64>,
    /// The rate with the fixed cost separated, where the law n is possible.
    pub rate: Option<LinearRate>,
    /// How many times were used.
    pub used: usize,
    /// The largest size that was used.
    pub largest: f64,
}

impl GrowthFit {
    /// The laws that the times do not reject.
    pub fn possible(&self) -> impl Iterator<Item = &GrowthCandidate> {
        self.candidates.iter().filter(|one| one.is_possible)
    }
}

/// Why times say nothing of growth.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GrowthError {
    /// A line through fewer points fits every law.
    TooFewSizes {
        /// How many different ones can be used.
        sizes: usize,
    },
    /// Over a short range all laws look alike.
    ShortSpan {
        /// The largest over the smallest.
        span: f64,
    },
}

impl fmt::Display for GrowthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not enough sizes: ")?;
        match self {
            GrowthError::TooFewSizes { sizes } => write!(
                f,
                "{FEWEST_SIZES} different ones are needed, {sizes} can be used; add sizes"
            ),
            GrowthError::ShortSpan { span } => write!(
                f,
                "the largest must be at least {SMALLEST_SPAN} times the smallest, here it is {span:.1} times; add larger sizes"
            ),
        }
    }
}

impl std::error::Error for GrowthError {}

/// Says which laws of growth the times do not reject, and by which exponent they grow. Each interval
/// holds with the confidence; times that are not [usable](SizedTime::is_usable) are left out.
pub fn growth(times: &[SizedTime], confidence: Confidence) -> Result<GrowthFit, GrowthError> {
    let mut times: Vec<SizedTime> = times.iter().copied().filter(|one| one.is_usable()).collect();
    times.sort_by(|one, other| one.size.total_cmp(&other.size));
    let sizes = times.chunk_by(|one, other| one.size == other.size).count();
    let (Some(smallest), Some(largest)) = (times.first(), times.last()) else {
        return Err(GrowthError::TooFewSizes { sizes });
    };
    if sizes < FEWEST_SIZES {
        return Err(GrowthError::TooFewSizes { sizes });
    }
    let span = largest.size / smallest.size;
    let ends = GrowthExponent::at_large_end(&times).zip(GrowthExponent::at_small_end(&times));
    let (Some((exponent, first_exponent)), true) = (ends, span >= SMALLEST_SPAN) else {
        return Err(GrowthError::ShortSpan { span });
    };
    let largest = largest.size;
    let bounded = together(&times, confidence);
    let candidates = GrowthLaw::ALL.map(|law| GrowthCandidate::of(law, &bounded)).to_vec();
    let possible: Vec<GrowthCandidate> =
        candidates.iter().copied().filter(|one| one.is_possible).collect();
    let size_to_tell =
        if possible.len() > 1 { further_sizes::size_to_tell(&bounded, &possible) } else { None };
    let is_linear = possible.iter().any(|one| one.law == GrowthLaw::Linear);
    let rate = if is_linear { LinearRate::of(&times, &bounded) } else { None };
    let used = times.len();
    Ok(GrowthFit { candidates, exponent, first_exponent, size_to_tell, rate, used, largest })
}

/// The limits within which all times are together with the confidence: each interval is widened as
/// that of a normal error, its share of the error being that of one time (Bonferroni).
fn together(times: &[SizedTime], confidence: Confidence) -> Vec<Bounded> {
    let tail = 0.5 * confidence.alpha();
    let factor = normal::quantile(tail / times.len() as f64) / normal::quantile(tail);
    times
        .iter()
        .map(|one| Bounded {
            size: one.size,
            time: one.time,
            lower: one.time * libm::exp(-factor * one.below()),
            upper: one.time * libm::exp(factor * one.above()),
        })
        .collect()
}
