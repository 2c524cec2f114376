//! What is known of how a metric changed.

/// How much the level within the windows differs from the baseline's, against how much it usually
/// differs between stretches of that length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeEvidence {
    /// The difference of the levels, in the metric's unit; positive if it rose.
    pub shift: f64,
    /// The difference as a share of the baseline's level; `None` if that is 0.
    pub relative: Option<f64>,
    /// The difference by its usual size, not negative; infinite if it never differed before.
    pub z: f64,
    /// How many independent differences the usual size rests on.
    pub degrees: f64,
    /// How many rows the metric was constant before it moved within the windows; `None` if it was
    /// not. Such metrics have no usual size, and are listed apart.
    pub constant_before: Option<usize>,
}
