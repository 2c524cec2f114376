//! How well a ranking agrees with labels.

use super::labels::Label;

/// Spearman's coefficient of the labels' mid-ranks and the scores' mid-ranks, divided by its largest
/// possible value: labels tie, so that it cannot reach 1 otherwise.
///
/// The most is √(1 − Σ(t³−t)/(n³−n)), t being how many metrics have each label. Written as
/// covariance over the labels' variance it is the same where no scores tie, and where some do it
/// still is at most 1. Metrics without a score come last, tied. 0 if all have one label.
pub(super) fn agreement(labels: &[Label], scores: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = labels.iter().map(|label| label.height()).collect();
    let said: Vec<f64> = scores.iter().map(|score| score.unwrap_or(f64::NEG_INFINITY)).collect();
    let (known, said) = (mid_ranks(&known), mid_ranks(&said));
    let middle = (labels.len() as f64 + 1.0) / 2.0;
    let product = |(a, b): (&f64, &f64)| (a - middle) * (b - middle);
    let together: f64 = known.iter().zip(&said).map(product).sum();
    let most: f64 = known.iter().zip(&known).map(product).sum();
    if most > 0.0 { together / most } else { 0.0 }
}

/// The rank of each value, from 1; equal values share the middle of their ranks.
fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = first as f64 + (group.len() as f64 + 1.0) / 2.0;
        group.iter().for_each(|&place| ranks[place] = rank);
        first += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use Label::{Maybe, No, Yes};

    /// Every order of the numbers below n.
    fn orders(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![Vec::new()];
        }
        let insert = |order: Vec<usize>| {
            (0..n).map(move |place| {
                let mut order = order.clone();
                order.insert(place, n - 1);
                order
            })
        };
        orders(n - 1).into_iter().flat_map(insert).collect()
    }

    #[test]
    fn it_is_spearman_over_its_maximum_in_every_order() {
        let labels = [Yes, Yes, Maybe, No, No, No, Maybe];
        let height = [3.0, 3.0, 2.0, 1.0, 1.0, 1.0, 2.0];
        let n = labels.len() as f64;
        // By hand: the ranks 1 to 3 are no's, 4 and 5 maybe's, 6 and 7 yes's.
        let known = height.map(|h| {
            if h == 1.0 {
                2.0
            } else if h == 2.0 {
                4.5
            } else {
                6.5
            }
        });
        let ties: f64 = [2.0_f64, 2.0, 3.0].iter().map(|t| t.powi(3) - t).sum();
        let most = (1.0 - ties / (n.powi(3) - n)).sqrt();
        let mean = (n + 1.0) / 2.0;
        let (mut best, mut worst) = (f64::NEG_INFINITY, f64::INFINITY);
        for order in orders(labels.len()) {
            let scores: Vec<f64> = order.iter().map(|&place| place as f64).collect();
            let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
                known.iter().zip(&scores).map(|(a, b)| f(a - mean, b + 1.0 - mean)).sum()
            };
            let (ab, aa, bb) = (sum(&|a, b| a * b), sum(&|a, _| a * a), sum(&|_, b| b * b));
            let spearman = ab / (aa * bb).sqrt();
            let scores: Vec<Option<f64>> = scores.into_iter().map(Some).collect();
            let found = agreement(&labels, &scores);
            assert!((found - spearman / most).abs() < 1e-12, "{order:?}");
            (best, worst) = (best.max(found), worst.min(found));
        }
        assert_eq!((best, worst), (1.0, -1.0));
    }

    #[test]
    fn what_has_no_score_is_last_and_ties_share_ranks() {
        let labels = [Yes, Maybe, No, No];
        assert_eq!(agreement(&labels, &[Some(2.0), Some(1.0), None, None]), 1.0);
        assert_eq!(agreement(&labels, &[None, None, Some(1.0), Some(2.0)]), -4.0 / 4.5);
        assert_eq!(agreement(&labels, &[Some(1.0); 4]), 0.0);
        assert_eq!(agreement(&labels, &[None; 4]), 0.0);
        assert_eq!(agreement(&[No, No], &[Some(1.0), Some(2.0)]), 0.0);
        let infinite = [Some(f64::INFINITY), Some(1e300), Some(-1.0), None];
        assert_eq!(agreement(&labels, &infinite), 1.0);
        assert_eq!(mid_ranks(&[5.0, 1.0, 5.0, 5.0]), [3.0, 1.0, 3.0, 3.0]);
    }
}
