//! Rehn et al., Algorithm 1.

use super::dendrogram::Dendrogram;

/// Means that differ by less than this are equal: they are sums in different orders.
const EQUAL: f64 = 1e-12;

/// The height at which the values that stay have the smallest mean local outlier factor, the
/// largest such height; `None` if there is no tree.
///
/// `factors` are those of [`local_outlier_factors`](super::local_outlier_factors) for the same
/// positions; as many as another tree has give `None`. The paper cuts the tree at every height. But
/// values only ever join the inliers as the height grows, so one pass over the joins has all the
/// means.
///
/// ```
/// use fathom_stats::outliers::{
///     ClusterShare, Dendrogram, MinPts, Positions, full_cut, local_outlier_factors,
/// };
///
/// let mut values: Vec<f64> = (0..20).map(f64::from).collect();
/// values.push(100.0);
/// let positions = Positions::as_given(&values);
/// let tree = Dendrogram::of(&positions, ClusterShare::PAPER);
/// let factors = local_outlier_factors(&positions, MinPts::PAPER);
/// let height = full_cut(&tree, &factors).ok_or("no tree")?;
/// assert_eq!(tree.outliers_at(height), [20..21]);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn full_cut(dendrogram: &Dendrogram, factors: &[f64]) -> Option<f64> {
    let (joins, counts) = (dendrogram.joins(), dendrogram.counts());
    if factors.len() != counts.len() {
        return None;
    }
    let mut inliers = Mean::default();
    let mut joins_later = vec![false; factors.len()];
    for join in joins {
        joins_later[join.positions.clone()].fill(true);
    }
    for position in (0..factors.len()).filter(|&position| !joins_later[position]) {
        inliers.add(factors[position], counts[position]);
    }
    // Each mean holds from its own height up to the height of the next.
    let first = joins.first().map_or(f64::INFINITY, |join| join.height);
    let mut means: Vec<(f64, f64)> = Vec::with_capacity(joins.len() + 1);
    if dendrogram.largest_height_below(first).is_some() {
        means.push((f64::NEG_INFINITY, inliers.value()));
    }
    for group in joins.chunk_by(|a, b| a.height == b.height) {
        for join in group {
            for position in join.positions.clone() {
                inliers.add(factors[position], counts[position]);
            }
        }
        means.push((group[0].height, inliers.value()));
    }
    let least = means.iter().map(|mean| mean.1).fold(f64::INFINITY, f64::min);
    let best = means.iter().rposition(|mean| mean.1 <= least * (1.0 + EQUAL))?;
    let next = means.get(best + 1).map_or(f64::INFINITY, |mean| mean.0);
    dendrogram.largest_height_below(next)
}

/// A running mean, compensated (Neumaier), so that the order of a million terms does not show.
#[derive(Default)]
struct Mean {
    sum: f64,
    lost: f64,
    count: usize,
}

impl Mean {
    fn add(&mut self, factor: f64, count: usize) {
        let term = factor * count as f64;
        let sum = self.sum + term;
        // Factors may be as large as 2^900, and no larger: nothing here overflows.
        self.lost += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
        self.count += count;
    }

    fn value(&self) -> f64 {
        (self.sum + self.lost) / self.count as f64
    }
}
