//! Normal scores of a stretch of the series.
//!
//! Scores make the null distribution the same for every continuous population, and bound what one
//! outlier can do.

use crate::distribution::normal;
use std::collections::BTreeMap;

/// Φ⁻¹((k − ½)/m) for k = 1..m, and their mean square.
#[derive(Debug)]
struct Quantiles {
    scores: Vec<f64>,
    mean_square: f64,
}

impl Quantiles {
    fn of(m: usize) -> Quantiles {
        let mut scores = vec![0.0; m];
        let mut sum = 0.0;
        let mut z = f64::NEG_INFINITY;
        for k in 0..m / 2 {
            z = next_quantile(z, 1.0 / m as f64, (k as f64 + 0.5) / m as f64);
            scores[k] = z;
            scores[m - 1 - k] = -z;
            sum += 2.0 * z * z;
        }
        Quantiles { scores, mean_square: sum / m as f64 }
    }
}

/// Φ⁻¹(p), given z = Φ⁻¹(p − step): as `normal::quantile`, but several times as fast for a good
/// neighbour. Halley's method cubes the error, so one evaluation of Φ mostly suffices.
fn next_quantile(z: f64, step: f64, p: f64) -> f64 {
    const ROUNDS: usize = 4;
    let halley = |z: f64, error: f64| z - error / (1.0 + 0.5 * z * error);
    let mut next = halley(z, -step / density(z));
    for _ in 0..ROUNDS {
        let error = (normal::cdf(next) - p) / density(next);
        next = halley(next, error);
        if error.abs() < 1e-6 {
            return next;
        }
    }
    normal::quantile(p)
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()
}

/// Scores by length, kept while they fit: halves of halves often have equal lengths.
#[derive(Debug)]
pub(super) struct ScoreTable {
    by_length: BTreeMap<usize, Quantiles>,
    kept: usize,
    limit: usize,
    keys: Vec<u64>,
}

impl ScoreTable {
    /// For a series of this length; keeps about twice as many scores.
    pub(super) fn new(length: usize) -> ScoreTable {
        let limit = 2 * length + 4096;
        ScoreTable { by_length: BTreeMap::new(), kept: 0, limit, keys: Vec::new() }
    }

    /// Writes the scores of `ranks` to `scores`, ties averaged, and returns the variance they
    /// would have without ties; `None` if all are equal.
    ///
    /// With ties that variance is too large, so ties only make a change harder to claim.
    pub(super) fn write(&mut self, ranks: &[u32], scores: &mut Vec<f64>) -> Option<f64> {
        let m = ranks.len();
        self.keys.clear();
        self.keys.extend(ranks.iter().zip(0_u64..).map(|(&rank, i)| (u64::from(rank) << 32) | i));
        self.keys.sort_unstable();
        let (first, last) = (self.keys.first()?, self.keys.last()?);
        if first >> 32 == last >> 32 {
            return None;
        }
        if self.kept + m > self.limit && !self.by_length.contains_key(&m) {
            self.by_length.clear();
            self.kept = 0;
        }
        let kept = &mut self.kept;
        let quantiles = self.by_length.entry(m).or_insert_with(|| {
            *kept += m;
            Quantiles::of(m)
        });
        scores.clear();
        scores.resize(m, 0.0);
        let mut rest = quantiles.scores.as_slice();
        for group in self.keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            let (here, after) = rest.split_at(group.len().min(rest.len()));
            rest = after;
            let score = match here {
                [one] => *one,
                several => several.iter().sum::<f64>() / several.len() as f64,
            };
            for key in group {
                scores[(key & u64::from(u32::MAX)) as usize] = score;
            }
        }
        Some(quantiles.mean_square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_averaged_and_the_variance_is_that_without_ties() {
        let mut table = ScoreTable::new(4);
        let mut scores = Vec::new();
        let variance = table.write(&[7, 2, 9, 7], &mut scores).unwrap();
        let (outer, inner) = (normal::quantile(0.875), normal::quantile(0.625));
        assert!((variance - 0.5 * (outer * outer + inner * inner)).abs() < 1e-15);
        assert_eq!(scores, [0.0, -outer, outer, 0.0]);
        assert_eq!(table.write(&[3, 3], &mut scores), None);
        assert_eq!(table.write(&[], &mut scores), None);
    }

    #[test]
    fn marching_gives_the_quantiles() {
        for m in [2, 3, 12, 13, 150, 1001, 100_000] {
            let scores = Quantiles::of(m).scores;
            // The upper half mirrors the lower one; from 1 − p it could not be had as exactly.
            for (k, z) in scores.iter().take(m / 2).enumerate() {
                let expected = normal::quantile((k as f64 + 0.5) / m as f64);
                assert!((z - expected).abs() < 1e-13, "{m} {k} {z} {expected}");
            }
        }
    }

    #[test]
    fn the_table_forgets_rather_than_grow() {
        let mut table = ScoreTable::new(100);
        let mut scores = Vec::new();
        for m in 2..1000 {
            let ranks: Vec<u32> = (0..m).collect();
            assert!(table.write(&ranks, &mut scores).is_some());
            assert!(table.kept <= table.limit);
        }
    }
}
