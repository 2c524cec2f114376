//! The differences of many quantities in every block.

use std::fmt;

/// By how much each quantity of one subject exceeds that of the other, block by block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockDifferences {
    blocks: usize,
    /// One list per quantity, each as long as there are blocks.
    quantities: Vec<Vec<f64>>,
}

/// Why lists are not differences in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DifferencesError {
    /// A quantity has another number of blocks than the first.
    Ragged {
        /// Which quantity, counted from 0.
        quantity: usize,
    },
    /// A difference is infinite or not a number.
    NotFinite {
        /// Which quantity, counted from 0.
        quantity: usize,
        /// In which block, counted from 0.
        block: usize,
    },
}

impl fmt::Display for DifferencesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DifferencesError::Ragged { quantity } => {
                write!(f, "quantity {quantity} has another number of blocks than quantity 0")
            }
            DifferencesError::NotFinite { quantity, block } => {
                write!(f, "the difference of quantity {quantity} in block {block} is not finite")
            }
        }
    }
}

impl std::error::Error for DifferencesError {}

impl BlockDifferences {
    /// A list for each quantity, with a difference for each block.
    ///
    /// # Errors
    ///
    /// If the lists have different lengths, or if a difference is not finite.
    ///
    /// ```
    /// use fathom_stats::joint::BlockDifferences;
    ///
    /// let differences = BlockDifferences::new(vec![vec![1.0, 2.0], vec![0.0, 0.5]])?;
    /// assert_eq!((differences.quantities(), differences.blocks()), (2, 2));
    /// assert!(BlockDifferences::new(vec![vec![1.0, 2.0], vec![0.0]]).is_err());
    /// # Ok::<(), fathom_stats::joint::DifferencesError>(())
    /// ```
    pub fn new(quantities: Vec<Vec<f64>>) -> Result<BlockDifferences, DifferencesError> {
        let blocks = quantities.first().map_or(0, Vec::len);
        for (quantity, values) in quantities.iter().enumerate() {
            if values.len() != blocks {
                return Err(DifferencesError::Ragged { quantity });
            }
            if let Some(block) = values.iter().position(|value| !value.is_finite()) {
                return Err(DifferencesError::NotFinite { quantity, block });
            }
        }
        Ok(BlockDifferences { blocks, quantities })
    }

    /// The number of blocks.
    ///
    /// ```
    /// use fathom_stats::joint::BlockDifferences;
    /// assert_eq!(BlockDifferences::new(vec![vec![1.0, 2.0, 3.0]])?.blocks(), 3);
    /// # Ok::<(), fathom_stats::joint::DifferencesError>(())
    /// ```
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The number of quantities.
    ///
    /// ```
    /// use fathom_stats::joint::BlockDifferences;
    /// assert_eq!(BlockDifferences::new(vec![])?.quantities(), 0);
    /// # Ok::<(), fathom_stats::joint::DifferencesError>(())
    /// ```
    #[must_use]
    pub fn quantities(&self) -> usize {
        self.quantities.len()
    }

    /// The differences of all quantities in one block; none if there is no such block.
    ///
    /// ```
    /// use fathom_stats::joint::BlockDifferences;
    /// let differences = BlockDifferences::new(vec![vec![1.0, 2.0], vec![0.0, 0.5]])?;
    /// assert_eq!(differences.of_block(1).sum::<f64>(), 2.5);
    /// # Ok::<(), fathom_stats::joint::DifferencesError>(())
    /// ```
    pub fn of_block(&self, block: usize) -> impl Iterator<Item = f64> {
        self.quantities.iter().filter_map(move |values| values.get(block).copied())
    }

    /// The differences of one quantity after the other.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.quantities.iter().map(Vec::as_slice)
    }
}
