//! A block: two runs of each subject, mirrored in time.

/// What a block of ABBA or BAAB tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// ½ ln(s₁s₂ / r₁r₂): how much longer the subject took than the reference.
    pub log_ratio: f64,
    /// ln(s₁s₂r₁r₂): how slow the machine was. It does not know which subject ran in which slot, so
    /// choosing blocks by it leaves the coins fair.
    pub log_total: f64,
}

impl Block {
    /// The block of two measurements of each; `None` unless all are positive and finite, because
    /// only then there is a ratio.
    ///
    /// ```
    /// use fathom_stats::paired::Block;
    /// let block = Block::of([2.0, 8.0], [1.0, 4.0]).unwrap();
    /// assert_eq!(block.log_ratio, 2.0_f64.ln());
    /// assert!(Block::of([0.0, 1.0], [1.0, 1.0]).is_none());
    /// ```
    #[must_use]
    pub fn of(subject: [f64; 2], reference: [f64; 2]) -> Option<Block> {
        let is_positive = |value: &f64| *value > 0.0 && value.is_finite();
        if !subject.iter().chain(&reference).all(is_positive) {
            return None;
        }
        let logs = |values: [f64; 2]| values[0].ln() + values[1].ln();
        let (subject, reference) = (logs(subject), logs(reference));
        Some(Block { log_ratio: 0.5 * (subject - reference), log_total: subject + reference })
    }
}
