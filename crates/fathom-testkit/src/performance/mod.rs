//! `docs/performance.md`: what things cost, as ratios to peers measured in the same run.

use fathom_stats::bca::{self, Resampling, Statistic};
use fathom_stats::{Confidence, Sides};
use std::time::Instant;

/// Measures and writes the page.
pub fn page() -> Result<String, String> {
    let values: Vec<f64> = (0..1000).map(|i| ((i * 37) % 1000) as f64).collect();
    for _ in 0..6 {
        let t = Instant::now();
        let r = bca::interval(&values, Statistic::Mean, Confidence::DEFAULT, Sides::Both, Resampling::seeded(1));
        eprintln!("{:?} {r:?}", t.elapsed());
    }
    Err("not yet".to_string())
}
