//! An interval, whose ends may be infinite.

/// The values an unknown quantity may have, both ends included.
///
/// An end that the data cannot support is infinite.
///
/// ```
/// use fathom_stats::Interval;
///
/// let interval = Interval { lower: 1.0, upper: 3.0 };
/// assert!(interval.contains(1.0) && !interval.contains(3.5));
/// assert_eq!(interval.width(), 2.0);
/// assert!(interval.is_finite() && !Interval::EVERYTHING.is_finite());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end, or −∞.
    pub lower: f64,
    /// The upper end, or ∞.
    pub upper: f64,
}

impl Interval {
    /// The whole line: nothing is known.
    pub const EVERYTHING: Interval = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// Whether `value` lies inside.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// The distance between the ends.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// Whether both ends are known.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lower.is_finite() && self.upper.is_finite()
    }
}

/// Which ends an interval has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// A lower and an upper end.
    #[default]
    Both,
    /// A lower bound only: "at least".
    Lower,
    /// An upper bound only: "at most".
    Upper,
}

impl Sides {
    /// All of them.
    pub const ALL: [Sides; 3] = [Sides::Both, Sides::Lower, Sides::Upper];

    /// Its name in options and in JSON.
    ///
    /// ```
    /// use fathom_stats::Sides;
    /// assert_eq!(Sides::Both.name(), "both");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Sides::Both => "both",
            Sides::Lower => "lower",
            Sides::Upper => "upper",
        }
    }
}
