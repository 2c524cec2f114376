//! Complete linkage on a line, in linear time.

use super::cluster_share::ClusterShare;
use super::positions::Positions;
use std::ops::Range;

/// The tree of merged clusters, reduced to what a cut needs.
///
/// On a line complete linkage only ever merges neighbouring clusters, at the height
/// right.max − left.min; the closest pair is merged first, of equally close ones the leftmost;
/// equal values are merged at height 0 before that.
///
/// A pair that is closer than both neighbouring pairs (and not tied with the one to its left) is
/// merged sooner or later as it is: what happens elsewhere can only make its rivals larger. So it
/// can be merged at once, in any order, with a stack instead of a heap.
///
/// ```
/// use fathom_stats::outliers::{
///     ClusterShare, CutLevel, Dendrogram, MinPts, Positions, full_cut, local_outlier_factors,
///     simplified_cut,
/// };
///
/// let mut values: Vec<f64> = (0..20).map(f64::from).collect();
/// values.push(100.0);
/// let positions = Positions::as_given(&values);
/// let tree = Dendrogram::of(&positions, ClusterShare::PAPER);
/// assert_eq!(tree.heights().last(), Some(&100.0));
/// // Only the last value is alone until the whole tree is one cluster.
/// assert_eq!(tree.outliers_at(50.0), [20..21]);
///
/// // The heuristics choose the height.
/// let factors = local_outlier_factors(&positions, MinPts::PAPER);
/// let full = full_cut(&tree, &factors).ok_or("no tree")?;
/// assert_eq!(tree.outliers_at(full), [20..21]);
/// assert!(simplified_cut(&tree, CutLevel::PAPER).is_some_and(|height| height < 100.0));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Dendrogram {
    /// The height at which each position but the first is merged with the one before it.
    merges: Vec<f64>,
    /// Whether some values are equal: they are merged at height 0.
    has_ties: bool,
    /// By height. Positions in none of them are inliers at every height.
    joins: Vec<Join>,
    counts: Vec<usize>,
}

/// Positions that are outliers below a height and inliers from there on: they have then joined
/// with an inlier, or grown beyond the size of an outlier. There is no way back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Join {
    pub(super) height: f64,
    pub(super) positions: Range<usize>,
}

#[derive(Clone, Copy)]
struct Cluster {
    /// Its first and last position.
    first: usize,
    last: usize,
    size: usize,
    is_inlier: bool,
}

impl Cluster {
    /// Also the height of the merge.
    fn distance(&self, right: &Cluster, at: &[f64]) -> f64 {
        at[right.last] - at[self.first]
    }
}

/// A tree under construction.
struct Builder<'a> {
    at: &'a [f64],
    /// The size up to which a cluster can be an outlier.
    most: usize,
    /// Clusters from left to right, each closer to the one below than that is to its own.
    stack: Vec<Cluster>,
    merges: Vec<f64>,
    joins: Vec<Join>,
}

impl Builder<'_> {
    /// Puts a cluster on the stack, after merging what is closer together than it is to the top.
    fn add(&mut self, cluster: Cluster, waiting: &mut Vec<Cluster>) {
        let mut next = cluster;
        loop {
            match *self.stack.as_slice() {
                [.., left, right]
                    if left.distance(&right, self.at) <= right.distance(&next, self.at) =>
                {
                    // The merged pair is farther from the one below than its left half was, so it
                    // has to find its place again, before what comes to its right.
                    waiting.push(next);
                    next = self.merge_top(left, right);
                }
                _ => {
                    self.stack.push(next);
                    let Some(cluster) = waiting.pop() else { return };
                    next = cluster;
                }
            }
        }
    }

    /// Takes the topmost two clusters off the stack, as one.
    fn merge_top(&mut self, left: Cluster, right: Cluster) -> Cluster {
        self.stack.truncate(self.stack.len().saturating_sub(2));
        let height = left.distance(&right, self.at);
        // The left half comes first, so the right one does not begin at position 0.
        if let Some(merge) = right.first.checked_sub(1).and_then(|at| self.merges.get_mut(at)) {
            *merge = height;
        }
        let size = left.size + right.size;
        let is_inlier = left.is_inlier || right.is_inlier || size > self.most;
        for part in [left, right] {
            if is_inlier && !part.is_inlier {
                self.joins.push(Join { height, positions: part.first..part.last + 1 });
            }
        }
        Cluster { first: left.first, last: right.last, size, is_inlier }
    }
}

impl Dendrogram {
    /// The tree of these positions.
    ///
    /// A cluster is an outlier if it has at most this share of the values, or one, and all lie above
    /// the median.
    #[must_use]
    pub fn of(positions: &Positions, share: ClusterShare) -> Dendrogram {
        let (at, count) = (positions.at(), positions.count());
        let most = share.of(positions.values());
        let merges = vec![0.0; at.len().saturating_sub(1)];
        let mut tree = Builder { at, most, stack: Vec::new(), merges, joins: Vec::new() };
        let mut waiting = Vec::new();
        for (position, &size) in count.iter().enumerate() {
            let is_inlier = size > most || position < positions.first_above_median();
            let cluster = Cluster { first: position, last: position, size, is_inlier };
            tree.add(cluster, &mut waiting);
        }
        // Nothing more comes, so the topmost pair is the closest of all.
        while let [.., left, right] = *tree.stack.as_slice() {
            let merged = tree.merge_top(left, right);
            tree.add(merged, &mut waiting);
        }
        let Builder { merges, mut joins, .. } = tree;
        joins.sort_unstable_by(|a, b| {
            a.height.total_cmp(&b.height).then(a.positions.start.cmp(&b.positions.start))
        });
        let has_ties = positions.values() > at.len();
        Dendrogram { merges, has_ties, joins, counts: count.to_vec() }
    }

    /// The unique heights, ascending: the candidates for a cut. 0 is one if there are ties.
    #[must_use]
    pub fn heights(&self) -> Vec<f64> {
        // Doubles that are not negative sort like their bits.
        let mut keys: Vec<u64> = self.merges.iter().map(|height| height.to_bits()).collect();
        if self.has_ties {
            keys.push(0);
        }
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().map(f64::from_bits).collect()
    }

    /// The outliers when all merges up to a height are made: ascending ranges of positions.
    #[must_use]
    pub fn outliers_at(&self, height: f64) -> Vec<Range<usize>> {
        let after = self.joins.partition_point(|join| join.height <= height);
        let mut ranges: Vec<Range<usize>> =
            self.joins[after..].iter().map(|join| join.positions.clone()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    /// The clusters that are outliers when all merges up to a height are made: ascending ranges of
    /// positions, each with how many values it has.
    ///
    /// ```
    /// use fathom_stats::outliers::{ClusterShare, Dendrogram, Positions};
    ///
    /// // 1% of 300 values are three: those at 900 to 902 are a cluster, and 5000 stands alone.
    /// let mut values = vec![10.0; 296];
    /// values.extend([900.0, 901.0, 902.0, 5000.0]);
    /// let tree = Dendrogram::of(&Positions::as_given(&values), ClusterShare::PAPER);
    /// assert_eq!(tree.clusters_at(2.0), [(1..4, 3), (4..5, 1)]);
    /// ```
    #[must_use]
    pub fn clusters_at(&self, height: f64) -> Vec<(Range<usize>, usize)> {
        let mut clusters = Vec::new();
        // What joins later joins as a whole cluster, so no cluster reaches beyond its range.
        for range in self.outliers_at(height) {
            let mut first = range.start;
            for next in range.start + 1..=range.end {
                let is_apart = next == range.end || self.merges[next - 1] > height;
                if is_apart {
                    let size = self.counts[first..next].iter().sum();
                    clusters.push((first..next, size));
                    first = next;
                }
            }
        }
        clusters
    }

    /// The joins, by height.
    pub(super) fn joins(&self) -> &[Join] {
        &self.joins
    }

    /// How many values each position has.
    pub(super) fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// The largest candidate below a height.
    pub(super) fn largest_height_below(&self, limit: f64) -> Option<f64> {
        let ties = self.has_ties.then_some(0.0);
        let all = self.merges.iter().copied().chain(ties);
        all.filter(|&height| height < limit).max_by(f64::total_cmp)
    }
}
