//! The paper's Figures 3 and 4: which cut levels find what the full heuristic finds, and the curves
//! that rank them.

use super::fraction;
use super::timings::{FULL, Timings, WAYS};
use crate::markdown::MarkdownTable;
use crate::parallel;
use fathom_stats::outliers::{Dendrogram, OutlierRule, Positions, full_cut, local_outlier_factors};

/// The levels of the figures, in steps of 1/20.
const STEPS: usize = 20;
/// The polynomial of Figure 4 is fitted in steps of 1/100.
const POINTS: usize = 100;
const DEGREE: usize = 6;

/// How many values each candidate labels, by height, and the candidate of the full heuristic.
struct Candidates {
    labelled: Vec<usize>,
    ideal: usize,
}

impl Candidates {
    fn of(values: &[f64], rule: OutlierRule) -> Option<Candidates> {
        let positions = match rule {
            rule if rule == WAYS[FULL + 2] => Positions::as_given(values),
            rule => Positions::new(values, rule.grid),
        };
        let tree = Dendrogram::of(&positions, rule.share);
        let heights = tree.heights();
        let cut = full_cut(&tree, &local_outlier_factors(&positions, rule.min_pts))?;
        let labelled = heights
            .iter()
            .map(|&height| tree.clusters_at(height).iter().map(|(_, size)| size).sum())
            .collect();
        let ideal = heights.iter().position(|&height| height == cut)?;
        Some(Candidates { labelled, ideal })
    }

    /// The levels around the ideal cut that label as many values.
    fn ideal_range(&self) -> [f64; 2] {
        let ideal = self.labelled[self.ideal];
        let is_other = |&count: &usize| count != ideal;
        let below = self.labelled[..self.ideal].iter().rposition(is_other).map_or(0, |at| at + 1);
        let above = self.labelled[self.ideal..].iter().position(is_other);
        let above = above.map_or(self.labelled.len(), |at| self.ideal + at);
        let level = |index: usize| index as f64 / self.labelled.len() as f64;
        [level(below), level(above)]
    }

    /// How many values the candidate labels that a curve ranks highest; of equal ones the last.
    fn labelled_by(&self, curve: impl Fn(f64) -> f64) -> usize {
        let rank = |index: usize| curve(index as f64 / self.labelled.len() as f64);
        let best = (0..self.labelled.len()).max_by(|&a, &b| rank(a).total_cmp(&rank(b)));
        best.map_or(0, |index| self.labelled[index])
    }
}

/// The share of the sets whose ideal range has each level.
struct Overlap(Vec<[f64; 2]>);

impl Overlap {
    fn of(candidates: &[Candidates]) -> Overlap {
        Overlap(candidates.iter().map(Candidates::ideal_range).collect())
    }

    fn at(&self, level: f64) -> f64 {
        let has = |range: &&[f64; 2]| range[0] <= level && level <= range[1];
        self.0.iter().filter(has).count() as f64 / self.0.len().max(1) as f64
    }

    fn polynomial(&self) -> Polynomial {
        let points: Vec<[f64; 2]> = (0..=POINTS)
            .map(|point| point as f64 / POINTS as f64)
            .map(|level| [level, self.at(level)])
            .collect();
        Polynomial::fitted(&points)
    }
}

/// A polynomial over 0 to 1 in Chebyshev's basis, in which the normal equations are harmless.
struct Polynomial([f64; DEGREE + 1]);

impl Polynomial {
    fn basis(x: f64) -> [f64; DEGREE + 1] {
        let t = 2.0 * x - 1.0;
        let mut basis = [1.0; DEGREE + 1];
        basis[1] = t;
        for k in 2..=DEGREE {
            basis[k] = 2.0 * t * basis[k - 1] - basis[k - 2];
        }
        basis
    }

    /// Least squares.
    fn fitted(points: &[[f64; 2]]) -> Polynomial {
        let mut rows = [[0.0; DEGREE + 2]; DEGREE + 1];
        for &[x, y] in points {
            let basis = Polynomial::basis(x);
            for (row, factor) in rows.iter_mut().zip(basis) {
                for (cell, other) in row.iter_mut().zip(basis.into_iter().chain([y])) {
                    *cell += factor * other;
                }
            }
        }
        // Gauss and Jordan, with the largest pivot.
        for column in 0..=DEGREE {
            let pivot = (column..=DEGREE)
                .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
                .unwrap_or(column);
            rows.swap(column, pivot);
            let top = rows[column].map(|cell| cell / rows[column][column]);
            for (index, row) in rows.iter_mut().enumerate() {
                let factor = row[column];
                if index == column {
                    *row = top;
                } else {
                    row.iter_mut().zip(top).for_each(|(cell, top)| *cell -= factor * top);
                }
            }
        }
        Polynomial(rows.map(|row| row[DEGREE + 1]))
    }

    fn at(&self, x: f64) -> f64 {
        Polynomial::basis(x).iter().zip(self.0).map(|(basis, weight)| basis * weight).sum()
    }

    fn peak(&self) -> f64 {
        let level = |point: &usize| *point as f64 / 1000.0;
        let best = (0..=1000).max_by(|a, b| self.at(level(a)).total_cmp(&self.at(level(b))));
        best.map_or(0.5, |point| level(&point))
    }
}

/// The density of a normal distribution around the middle, as high as the overlap there.
fn bell(level: f64) -> f64 {
    // The paper's curve reaches from -3 to 3 standard deviations.
    let z = 6.0 * (level - 0.5);
    (-0.5 * z * z).exp()
}

fn candidates(sets: &[Timings], rule: OutlierRule) -> Vec<Candidates> {
    let each = parallel::map(sets.len(), |index| Candidates::of(&sets[index].values, rule));
    each.into_iter().flatten().collect()
}

/// The mean and the largest difference between how many values the polynomial's cut and the full
/// heuristic label, over n.
pub(super) fn error_of_polynomial(sets: &[Timings], rule: OutlierRule) -> [String; 2] {
    let all = candidates(sets, rule);
    let polynomial = Overlap::of(&all).polynomial();
    let errors: Vec<f64> = all
        .iter()
        .zip(sets)
        .map(|(one, set)| {
            let found = one.labelled_by(|level| polynomial.at(level));
            found.abs_diff(one.labelled[one.ideal]) as f64 / set.values.len() as f64
        })
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let largest = errors.iter().copied().fold(0.0, f64::max);
    [format!("{mean:.6}"), format!("{largest:.6}")]
}

pub(super) fn section(sets: &[Timings]) -> String {
    let overlaps = [WAYS[FULL], WAYS[FULL + 2]].map(|rule| Overlap::of(&candidates(sets, rule)));
    let polynomials = overlaps.each_ref().map(Overlap::polynomial);
    let mut table = MarkdownTable::new([
        "cut level",
        "overlap, grid",
        "",
        "polynomial",
        "overlap, no grid",
        "",
        "polynomial",
        "bell",
    ]);
    for step in 0..=STEPS {
        let level = step as f64 / STEPS as f64;
        let mut row = vec![format!("{level:.2}")];
        for (overlap, polynomial) in overlaps.iter().zip(&polynomials) {
            let share = overlap.at(level);
            row.push(fraction(share));
            row.push("#".repeat((20.0 * share).round() as usize));
            row.push(fraction(polynomial.at(level)).replace("-0.00", ".00"));
        }
        row.push(fraction(bell(level)));
        table.row(row);
    }
    let [gridded, plain] = polynomials.each_ref().map(Polynomial::peak);
    format!(
        "Figures 3 and 4: the share of the 60 sets in which a cut at this level labels as many values as \
         the full heuristic does, the polynomial of degree 6 that is fitted to it, and the paper's bell \
         curve. The polynomials are highest at {gridded:.2} (grid) and {plain:.2} (no grid). The paper's \
         sets have their overlap between .3 and .6.\n\n{}",
        table.render()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_found_again() {
        let truth = |x: f64| 1.0 - 3.0 * x + 5.0 * x * x - 7.0 * x.powi(5) + 2.0 * x.powi(6);
        let points: Vec<[f64; 2]> =
            (0..=50).map(|i| f64::from(i) / 50.0).map(|x| [x, truth(x)]).collect();
        let found = Polynomial::fitted(&points);
        for x in [0.0, 0.123, 0.5, 0.987, 1.0] {
            assert!((found.at(x) - truth(x)).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn the_ideal_range_is_what_labels_as_much() {
        let candidates = Candidates { labelled: vec![9, 4, 2, 2, 2, 0], ideal: 3 };
        assert_eq!(candidates.ideal_range(), [2.0 / 6.0, 5.0 / 6.0]);
        assert_eq!(candidates.labelled_by(bell), 2);
        assert_eq!(candidates.labelled_by(|level| -level), 9);
        let overlap = Overlap::of(&[candidates]);
        assert_eq!([0.3, 0.5, 0.9].map(|level| overlap.at(level)), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn the_bell_is_the_simplified_heuristic() {
        let mut values: Vec<f64> = (0..400).map(|i| f64::from(i * i % 97)).collect();
        values.extend([500.0, 510.0, 900.0, 4000.0]);
        for rule in WAYS {
            let found = Candidates::of(&values, rule).unwrap();
            let rule = OutlierRule { method: fathom_stats::outliers::Method::Simplified, ..rule };
            assert_eq!(found.labelled_by(bell), rule.find(&values).indices.len());
        }
    }
}
