//! Rehn et al., Algorithm 2.

use super::cut_curve::CutPolynomial;
use super::cut_level::CutLevel;
use super::dendrogram::Dendrogram;

/// The height at a level; `None` if there is no tree.
///
/// The paper ranks the m heights by a curve over index/m and takes the highest. A curve that is
/// symmetric around its peak ranks the height highest whose index/m is nearest to the peak, so
/// nothing of the curve counts but where its peak is: the [`CutLevel`]. Of two heights that are
/// equally near the larger one is taken.
///
/// ```
/// use fathom_stats::outliers::{ClusterShare, CutLevel, Dendrogram, Positions, simplified_cut};
///
/// let positions = Positions::as_given(&[1.0, 2.0, 4.0, 9.0, 100.0]);
/// let tree = Dendrogram::of(&positions, ClusterShare::PAPER);
/// assert_eq!(tree.heights(), [1.0, 3.0, 8.0, 99.0]);
/// assert_eq!(simplified_cut(&tree, CutLevel::PAPER), Some(8.0));
/// assert_eq!(simplified_cut(&tree, CutLevel::new(0.25)?), Some(3.0));
/// # Ok::<(), fathom_stats::outliers::SettingError>(())
/// ```
#[must_use]
pub fn simplified_cut(dendrogram: &Dendrogram, level: CutLevel) -> Option<f64> {
    let heights = dendrogram.heights();
    let last = heights.len().checked_sub(1)?;
    let nearest = (level.get() * heights.len() as f64 + 0.5).floor() as usize;
    heights.get(nearest.min(last)).copied()
}

/// The height that a curve ranks highest; `None` if there is no tree. Of two heights with the same rank
/// the larger one is taken.
///
/// ```
/// use fathom_stats::outliers::{ClusterShare, CutPolynomial, Dendrogram, Positions, ranked_cut};
///
/// let positions = Positions::as_given(&[1.0, 2.0, 4.0, 9.0, 100.0]);
/// let tree = Dendrogram::of(&positions, ClusterShare::PAPER);
/// assert_eq!(tree.heights(), [1.0, 3.0, 8.0, 99.0]);
/// // Their levels are 0, 0.25, 0.5 and 0.75, and this curve has its peak at 0.3.
/// assert_eq!(ranked_cut(&tree, &CutPolynomial::new(&[0.0, 0.6, -1.0])?), Some(3.0));
/// # Ok::<(), fathom_stats::outliers::SettingError>(())
/// ```
#[must_use]
pub fn ranked_cut(dendrogram: &Dendrogram, curve: &CutPolynomial) -> Option<f64> {
    let heights = dendrogram.heights();
    let level = |index: usize| index as f64 / heights.len() as f64;
    let ranks = heights.iter().enumerate().map(|(index, height)| (curve.at(level(index)), *height));
    ranks.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, height)| height)
}
