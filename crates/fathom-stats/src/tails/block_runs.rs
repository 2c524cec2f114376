//! The runs of a block, one by one.

/// The runs of one block: two of each subject or one of each, in an order that a coin decided.
///
/// A [`crate::paired::Block`] keeps only their mean; a tail needs each of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockRuns {
    subject: [f64; 2],
    reference: [f64; 2],
    /// 1 or 2.
    of_each: usize,
}

impl BlockRuns {
    /// The block of two runs of each; `None` unless all are positive and finite, because only then
    /// there is a ratio.
    ///
    /// ```
    /// use fathom_stats::tails::BlockRuns;
    /// let block = BlockRuns::of([2.0, 8.0], [1.0, 4.0]).ok_or("no ratio")?;
    /// assert_eq!((block.subject(), block.reference()), (&[2.0, 8.0][..], &[1.0, 4.0][..]));
    /// assert!(BlockRuns::of([0.0, 1.0], [1.0, 1.0]).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of(subject: [f64; 2], reference: [f64; 2]) -> Option<BlockRuns> {
        let is_positive = |value: &f64| *value > 0.0 && value.is_finite();
        let all = subject.iter().chain(&reference).all(is_positive);
        all.then_some(BlockRuns { subject, reference, of_each: 2 })
    }

    /// The block of a single run of each; `None` unless both are positive and finite.
    ///
    /// ```
    /// use fathom_stats::tails::BlockRuns;
    /// let pair = BlockRuns::of_pair(2.0, 1.0).ok_or("no ratio")?;
    /// assert_eq!((pair.subject(), pair.reference()), (&[2.0][..], &[1.0][..]));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn of_pair(subject: f64, reference: f64) -> Option<BlockRuns> {
        let block = BlockRuns::of([subject; 2], [reference; 2])?;
        Some(BlockRuns { of_each: 1, ..block })
    }

    /// The subject's runs.
    #[must_use]
    pub fn subject(&self) -> &[f64] {
        &self.subject[..self.of_each]
    }

    /// The reference's runs, as many.
    #[must_use]
    pub fn reference(&self) -> &[f64] {
        &self.reference[..self.of_each]
    }
}
