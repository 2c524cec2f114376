//! Rehn et al., Algorithm 2.

use super::dendrogram::Dendrogram;

/// The middle one of the unique heights; `None` if there is no tree.
///
/// The paper ranks the m heights by a bell curve over index/m and takes the highest. A symmetric
/// bell is highest at m/2, and of two equally high candidates the larger height is taken: index
/// ⌈m/2⌉ from 0, or the last one.
///
/// ```
/// use fathom_stats::outliers::{Dendrogram, Positions, simplified_cut};
///
/// let tree = Dendrogram::of(&Positions::as_given(&[1.0, 2.0, 4.0, 9.0, 100.0]));
/// let height = simplified_cut(&tree).ok_or("no tree")?;
/// assert!(tree.heights().contains(&height) && height < 99.0);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn simplified_cut(dendrogram: &Dendrogram) -> Option<f64> {
    let heights = dendrogram.heights();
    let middle = heights.len().div_ceil(2).min(heights.len().checked_sub(1)?);
    heights.get(middle).copied()
}
