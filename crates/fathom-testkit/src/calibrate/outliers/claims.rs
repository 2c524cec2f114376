//! What the paper claims of local outlier factors, on our timings.

use super::timings::{FULL, SIMPLIFIED, Timings, WAYS};
use crate::markdown::MarkdownTable;
use crate::parallel;
use fathom_stats::outliers::{
    Dendrogram, Method, OutlierRule, Positions, full_cut, local_outlier_factors, simplified_cut,
};

/// A factor is more than 1 by more than rounding.
const MORE_THAN_ONE: f64 = 1.0 + 1e-9;

/// How often something holds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Share {
    holds: usize,
    of: usize,
}

impl Share {
    fn add(&mut self, holds: bool, count: usize) {
        self.holds += if holds { count } else { 0 };
        self.of += count;
    }

    fn words(self) -> String {
        match self.of {
            0 => "-".to_string(),
            of => format!("{:.1}% of {of}", 100.0 * self.holds as f64 / of as f64),
        }
    }
}

/// The claims: standalone outliers have a factor above 1, clustered ones have none, a cluster of
/// outliers has at least one value with a factor above 1, and inliers have none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Claims([Share; 4]);

impl Claims {
    fn of(values: &[f64], rule: OutlierRule, is_gridded: bool) -> Claims {
        let positions = match is_gridded {
            true => Positions::new(values, rule.grid),
            false => Positions::as_given(values),
        };
        let factors = local_outlier_factors(&positions, rule.min_pts);
        let tree = Dendrogram::of(&positions, rule.share);
        let cut = match rule.method {
            Method::Full => full_cut(&tree, &factors),
            _ => simplified_cut(&tree, rule.level),
        };
        let clusters = cut.map_or(Vec::new(), |height| tree.clusters_at(height));
        let is_alone = |place: usize| factors[place] > MORE_THAN_ONE;
        let mut claims = Claims::default();
        let mut is_inlier = vec![true; factors.len()];
        for (range, size) in &clusters {
            is_inlier[range.clone()].fill(false);
            for place in range.clone() {
                let count = positions.count()[place];
                match size {
                    1 => claims.0[0].add(is_alone(place), count),
                    _ => claims.0[1].add(!is_alone(place), count),
                }
            }
            if *size > 1 {
                claims.0[2].add(range.clone().any(is_alone), 1);
            }
        }
        for place in (0..factors.len()).filter(|&place| is_inlier[place]) {
            claims.0[3].add(!is_alone(place), positions.count()[place]);
        }
        claims
    }
}

pub(super) fn section(sets: &[Timings]) -> String {
    let mut table = MarkdownTable::new([
        "labelled by",
        "standalone: above 1",
        "clustered: at most 1",
        "clusters with a value above 1",
        "inliers: at most 1",
    ]);
    let names = ["full", "simplified", "full, no grid", "simplified, no grid"];
    for (way, name) in names.into_iter().enumerate() {
        let is_gridded = way == FULL || way == SIMPLIFIED;
        let each = parallel::map(sets.len(), |index| {
            Claims::of(&sets[index].values, WAYS[way], is_gridded)
        });
        let mut all = Claims::default();
        for claims in each {
            for (sum, share) in all.0.iter_mut().zip(claims.0) {
                sum.holds += share.holds;
                sum.of += share.of;
            }
        }
        let mut row = vec![name.to_string()];
        row.extend(all.0.map(Share::words));
        table.row(row);
    }
    format!(
        "## The paper's claims about local outlier factors\n\n\
         Over the 60 sets of timings. The paper says that standalone outliers have a factor above 1 and \
         clustered ones and inliers have none (its definitions 1 to 3), and that almost every cluster of \
         outliers has at least one value with a factor above 1, its border. Here a value is standalone if \
         it is a cluster of its own at the cut.\n\n{}",
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted_by_value() {
        // 1% of 600 is six: four equal values and two that stand alone.
        let mut values: Vec<f64> = (0..594).map(|i| f64::from(i % 7)).collect();
        values.extend([900.0, 900.0, 900.0, 900.0, 5000.0, 90_000.0]);
        let Claims([standalone, clustered, borders, inliers]) =
            Claims::of(&values, WAYS[FULL], true);
        assert_eq!(standalone, Share { holds: 2, of: 2 });
        // Four values are fewer than MinPts, so each is far from its neighbours.
        assert_eq!((clustered, borders), (Share { holds: 0, of: 4 }, Share { holds: 1, of: 1 }));
        assert_eq!(inliers.of, 594);
        assert_eq!(Share::default().words(), "-");
    }
}
