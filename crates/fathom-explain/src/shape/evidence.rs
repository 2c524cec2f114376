//! What is known of how a metric follows the target.

/// How closely a metric follows the target's shape within the windows, against how closely it follows
/// it elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeEvidence {
    /// Pearson's coefficient with the target's shape: over the occurrences, the one whose inverse
    /// hyperbolic tangent is their mean. Negative if it goes against.
    pub r: f64,
    /// The statistic by its usual size at other places, not negative.
    pub z: f64,
    /// The |r| that chance reaches: the usual size as a coefficient.
    pub chance: f64,
    /// How many independent places the usual size rests on.
    pub degrees: f64,
    /// In how many places, the windows among them, the target has this shape.
    pub occurrences: usize,
}
