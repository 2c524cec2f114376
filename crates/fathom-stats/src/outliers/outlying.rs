//! How the labelled values lie to the others.

use super::{
    Dendrogram, Method, OutlierRule, Outliers, full_cut, local_outlier_factors, simplified_cut,
};

/// How a labelled value lies to the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlying {
    /// Its local outlier factor: about 1 if it is as close to its neighbours as they are to theirs,
    /// and more if it is alone.
    pub factor: f64,
    /// How many values its cluster has, itself among them; `None` where the rule has no clusters.
    pub cluster: Option<usize>,
}

/// Whether an outlier has company.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutlierKind {
    /// It is a cluster of its own.
    Standalone,
    /// It is one of a small cluster.
    Clustered,
}

impl OutlierKind {
    /// Both of them.
    pub const ALL: [OutlierKind; 2] = [OutlierKind::Standalone, OutlierKind::Clustered];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OutlierKind::Standalone => "standalone",
            OutlierKind::Clustered => "clustered",
        }
    }
}

impl Outlying {
    /// Whether it has company; `None` where the rule has no clusters.
    #[must_use]
    pub fn kind(&self) -> Option<OutlierKind> {
        Some(match self.cluster? {
            1 => OutlierKind::Standalone,
            _ => OutlierKind::Clustered,
        })
    }
}

impl OutlierRule {
    /// How the values that this rule found lie to the others, in the order of their indices.
    ///
    /// ```
    /// use fathom_stats::outliers::{OutlierKind, OutlierRule};
    /// let mut values: Vec<f64> = (0..300).map(|i| 100.0 + f64::from(i % 7)).collect();
    /// let rule = OutlierRule::default();
    /// values[50] = 900.0;
    /// let alone = rule.outlying(&values, &rule.find(&values));
    /// assert_eq!(alone[0].kind().map(|kind| kind.name()), Some("standalone"));
    /// assert!(alone[0].factor > 10.0);
    /// values[70] = 900.0;
    /// let two = rule.outlying(&values, &rule.find(&values));
    /// assert_eq!((two[0].kind(), two[1].cluster), (Some(OutlierKind::Clustered), Some(2)));
    /// ```
    #[must_use]
    pub fn outlying(&self, values: &[f64], found: &Outliers) -> Vec<Outlying> {
        if found.indices.is_empty() {
            return Vec::new();
        }
        let positions = self.positions(values);
        let factors = local_outlier_factors(&positions, self.min_pts);
        let clusters = self.method.clusters().then(|| {
            let dendrogram = Dendrogram::of(&positions, self.share);
            let cut = match self.method {
                Method::Full => full_cut(&dendrogram, &factors),
                _ => simplified_cut(&dendrogram, self.level),
            };
            cut.map_or(Vec::new(), |height| dendrogram.clusters_at(height))
        });
        let of = |&index: &usize| {
            let position = positions.index_of(*values.get(index)?);
            let cluster = clusters.as_ref().map(|clusters| {
                let after = clusters.partition_point(|(range, _)| range.start <= position);
                clusters.get(after.wrapping_sub(1)).map_or(1, |(_, size)| *size)
            });
            Some(Outlying { factor: *factors.get(position)?, cluster })
        };
        found.indices.iter().filter_map(of).collect()
    }
}
