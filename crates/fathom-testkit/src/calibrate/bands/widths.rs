//! How wide the band is, compared with others of the same confidence.

use crate::markdown::MarkdownTable;
use fathom_stats::band::{Band, within};
use fathom_stats::{Confidence, Interval};

/// A band at a count of n.
type At = Box<dyn Fn(usize) -> Interval>;

pub(super) fn section(sizes: &[usize]) -> String {
    let places = [0.5, 0.9, 0.98];
    let mut table =
        MarkdownTable::new(["n", "band", "at 50%", "at 90%", "at 98%", "quantiles with both ends"]);
    for &n in sizes {
        for (name, band) in bands(n) {
            let width = |place: f64| {
                let count = (place * n as f64).round() as usize;
                format!("{:.3}", band(count).width())
            };
            let from = 100.0 * band(0).upper;
            let to = 100.0 * band(n).lower;
            let ends =
                if from < to { format!("{from:.1}% to {to:.1}%") } else { "none".to_string() };
            let cells = [n.to_string(), name.to_string()];
            table.row(cells.into_iter().chain(places.map(width)).chain([ends]));
        }
    }
    format!(
        "\n## Width\n\n\
         Three bands for independent samples at 95%: Fathom's, which has the same confidence at \
         every place; Kolmogorov's, exact, with the same distance everywhere; and the one with \
         the distance of Dvoretzky, Kiefer, Wolfowitz and Massart, √(ln(2/α)/2n), a bound. The \
         width is that of the band just above that share of the samples, at most 1. A quantile \
         has both ends where the band leaves 0 and 1.\n\n\
         {}",
        table.render()
    )
}

fn bands(n: usize) -> [(&'static str, At); 3] {
    let equal = Band::of_independent(n, Confidence::DEFAULT);
    let bound = ((2.0 / Confidence::DEFAULT.alpha()).ln() / (2.0 * n as f64)).sqrt();
    [
        ("equally sure", Box::new(move |count| equal.at(count))),
        ("Kolmogorov", same_distance(n, kolmogorov(n))),
        ("DKW, Massart", same_distance(n, bound)),
    ]
}

fn same_distance(n: usize, distance: f64) -> At {
    Box::new(move |count| {
        let share = count as f64 / n as f64;
        Interval { lower: (share - distance).max(0.0), upper: (share + distance).min(1.0) }
    })
}

/// The distance that n samples exceed in 5%.
fn kolmogorov(n: usize) -> f64 {
    let covers = |distance: f64| {
        let bound = |k: usize, by: f64| (k as f64 / n as f64 + by).clamp(0.0, 1.0);
        let lower: Vec<f64> = (1..=n).map(|k| bound(k, -distance)).collect();
        let upper: Vec<f64> = (1..=n).map(|k| bound(k - 1, distance)).collect();
        within(&lower, &upper)
    };
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if covers(middle) < Confidence::DEFAULT.get() { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miller's table of 1956.
    #[test]
    fn kolmogorovs_distance() {
        for (n, distance) in [(10, 0.40925), (20, 0.29408), (100, 0.13403)] {
            assert!((kolmogorov(n) - distance).abs() < 6e-6, "{n}: {}", kolmogorov(n));
        }
    }
}
