//! A block: two runs of each subject, mirrored in time, or a single pair in random order.

/// What a block of ABBA or BAAB tells, or one of AB or BA.
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

    /// The block of a single run of each, in an order that a coin decides; `None` unless both are
    /// positive and finite.
    ///
    /// Swapping the two slots swaps the sign of what they added, so the coin makes the log-ratio as
    /// symmetric about the truth as that of two pairs. The total counts each run twice, so that it
    /// compares with the totals of other blocks.
    ///
    /// ```
    /// use fathom_stats::paired::Block;
    /// let pair = Block::of_pair(2.0, 1.0).unwrap();
    /// assert_eq!(pair, Block::of([2.0, 2.0], [1.0, 1.0]).unwrap());
    /// ```
    #[must_use]
    pub fn of_pair(subject: f64, reference: f64) -> Option<Block> {
        Block::of([subject; 2], [reference; 2])
    }
}
