//! The rules that the page compares: Fathom's, and those of others.

use fathom_stats::mean::Moments;
use fathom_stats::outliers::{self, Method, OutlierGrid};
use fathom_stats::{Probability, quantile};

/// A rule that labels outliers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    Fathom(Method, OutlierGrid),
    TukeyOuter,
    ThreeSigma,
    Hyperfine,
}

impl Rule {
    /// In the order of the tables.
    pub(super) const ALL: [Rule; 10] = [
        Rule::Fathom(Method::Simplified, OutlierGrid::Auto),
        Rule::Fathom(Method::Full, OutlierGrid::Auto),
        Rule::Fathom(Method::Simplified, OutlierGrid::Off),
        Rule::Fathom(Method::Full, OutlierGrid::Off),
        Rule::Fathom(Method::Tukey, OutlierGrid::Off),
        Rule::TukeyOuter,
        Rule::ThreeSigma,
        Rule::Hyperfine,
        Rule::Fathom(Method::Mad, OutlierGrid::Off),
        Rule::Fathom(Method::AdjustedBoxplot, OutlierGrid::Off),
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Rule::Fathom(Method::Simplified, OutlierGrid::Off) => "simplified, no grid",
            Rule::Fathom(Method::Simplified, _) => "simplified",
            Rule::Fathom(Method::Full, OutlierGrid::Off) => "full, no grid",
            Rule::Fathom(Method::Full, _) => "full",
            Rule::Fathom(Method::Tukey, _) => "Tukey 1.5",
            Rule::Fathom(Method::Mad, _) => "double MAD",
            Rule::Fathom(Method::AdjustedBoxplot, _) => "adjusted boxplot",
            Rule::TukeyOuter => "Tukey 3",
            Rule::ThreeSigma => "3 sigma",
            Rule::Hyperfine => "hyperfine",
        }
    }

    pub(super) fn labels(self, values: &[f64]) -> Vec<usize> {
        match self {
            Rule::Fathom(method, grid) => outliers::find(values, method, grid).indices,
            Rule::TukeyOuter => tukey_outer(values),
            Rule::ThreeSigma => Moments::of(values)
                .map_or(Vec::new(), |moments| beyond(values, moments.mean, 3.0 * moments.sd)),
            Rule::Hyperfine => hyperfine(values),
        }
    }
}

/// Labelled positions, at least as far out as `reach`.
fn beyond(values: &[f64], centre: f64, reach: f64) -> Vec<usize> {
    (0..values.len()).filter(|&i| (values[i] - centre).abs() > reach).collect()
}

/// Beyond 3 interquartile ranges: Tukey's "far out".
fn tukey_outer(values: &[f64]) -> Vec<usize> {
    let quartile = |p: f64| {
        let p = Probability::new(p).ok()?;
        quantile::of_unsorted(&mut values.to_vec(), p)
    };
    let (Some(q1), Some(q3)) = (quartile(0.25), quartile(0.75)) else { return Vec::new() };
    beyond(values, 0.5 * (q1 + q3), 3.5 * (q3 - q1))
}

/// |x − median| / MAD > 14.826, that is 10 standard deviations; a MAD of 0 counts as the distance
/// from 1 to the next double. `src/outlier_detection.rs` of hyperfine, `OUTLIER_THRESHOLD`, after
/// Iglewicz and Hoaglin 1993.
fn hyperfine(values: &[f64]) -> Vec<usize> {
    let median = |values: &mut [f64]| quantile::of_unsorted(values, Probability::HALF);
    let Some(centre) = median(&mut values.to_vec()) else { return Vec::new() };
    let mut deviations: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let mad = median(&mut deviations).filter(|&mad| mad > 0.0).unwrap_or(f64::EPSILON);
    beyond(values, centre, 1.4826 * 10.0 * mad)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases of hyperfine's own tests.
    #[test]
    fn hyperfines_rule_is_hyperfines() {
        assert_eq!(hyperfine(&[1000.0, 0.0]), [0; 0]);
        assert_eq!(hyperfine(&[-0.2, 0.0, 0.2, 4.0]), [3]);
        assert_eq!(hyperfine(&[0.5, 0.30, 0.29, 0.31, 0.30]), [0]);
        assert_eq!(hyperfine(&[10.0, 10.0, 10.0, 10.0, 10.0, 100.0, 100.0]), [5, 6]);
    }

    #[test]
    fn outer_fences_are_three_ranges_out() {
        // Quartiles 3 and 7: fences at −9 and 19.
        let values = |last: f64| [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, last];
        assert_eq!(tukey_outer(&values(18.9)), [0; 0]);
        assert_eq!(tukey_outer(&values(19.1)), [8]);
    }
}
