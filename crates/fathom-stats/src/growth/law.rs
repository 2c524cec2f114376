//! The laws of growth that are tried.

/// Smaller shares are as good as none, and would underflow.
const SMALLEST_EXPONENT: f64 = -900.0;

/// How the time of a function grows with the size n of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GrowthLaw {
    /// It does not grow.
    Constant,
    /// log n.
    Logarithmic,
    /// n.
    Linear,
    /// n log n.
    Linearithmic,
    /// n².
    Quadratic,
    /// n² log n.
    QuadraticLogarithmic,
    /// n³.
    Cubic,
    /// 2ⁿ.
    Exponential,
}

impl GrowthLaw {
    /// All of them, the slowest growth first.
    pub const ALL: [GrowthLaw; 8] = [
        GrowthLaw::Constant,
        GrowthLaw::Logarithmic,
        GrowthLaw::Linear,
        GrowthLaw::Linearithmic,
        GrowthLaw::Quadratic,
        GrowthLaw::QuadraticLogarithmic,
        GrowthLaw::Cubic,
        GrowthLaw::Exponential,
    ];

    /// The name in JSON.
    ///
    /// ```
    /// use fathom_stats::growth::GrowthLaw;
    /// assert_eq!(GrowthLaw::QuadraticLogarithmic.name(), "n^2 log n");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GrowthLaw::Constant => "1",
            GrowthLaw::Logarithmic => "log n",
            GrowthLaw::Linear => "n",
            GrowthLaw::Linearithmic => "n log n",
            GrowthLaw::Quadratic => "n^2",
            GrowthLaw::QuadraticLogarithmic => "n^2 log n",
            GrowthLaw::Cubic => "n^3",
            GrowthLaw::Exponential => "2^n",
        }
    }

    /// The name as people write it.
    ///
    /// ```
    /// use fathom_stats::growth::GrowthLaw;
    /// assert_eq!(GrowthLaw::QuadraticLogarithmic.symbol(), "n² log n");
    /// ```
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            GrowthLaw::Quadratic => "n²",
            GrowthLaw::QuadraticLogarithmic => "n² log n",
            GrowthLaw::Cubic => "n³",
            GrowthLaw::Exponential => "2ⁿ",
            other => other.name(),
        }
    }

    /// What grows more slowly and is part of the law: sorting by insertion takes n² moves and n
    /// rounds.
    pub(super) fn lower_order(self) -> Option<GrowthLaw> {
        match self {
            GrowthLaw::Quadratic => Some(GrowthLaw::Linear),
            GrowthLaw::Cubic => Some(GrowthLaw::Quadratic),
            _ => None,
        }
    }

    /// The growth from a size to the largest one, as a share: 1 at the largest. Sizes are at least 1.
    ///
    /// ```
    /// use fathom_stats::growth::GrowthLaw;
    /// assert_eq!(GrowthLaw::Quadratic.share(25.0, 100.0), 0.0625);
    /// assert_eq!(GrowthLaw::Exponential.share(10.0, 13.0), 0.125);
    /// ```
    #[must_use]
    pub fn share(self, size: f64, largest: f64) -> f64 {
        let part = size / largest;
        // All sizes are 1 only if the largest is, and then nothing grows.
        let log = if largest > 1.0 { libm::log(size) / libm::log(largest) } else { 1.0 };
        match self {
            GrowthLaw::Constant => 1.0,
            GrowthLaw::Logarithmic => log,
            GrowthLaw::Linear => part,
            GrowthLaw::Linearithmic => part * log,
            GrowthLaw::Quadratic => part * part,
            GrowthLaw::QuadraticLogarithmic => part * part * log,
            GrowthLaw::Cubic => part * part * part,
            GrowthLaw::Exponential => libm::exp2((size - largest).max(SMALLEST_EXPONENT)),
        }
    }
}
