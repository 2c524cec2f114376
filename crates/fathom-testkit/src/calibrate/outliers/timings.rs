//! Our timings, and what the heuristics label in each set.

use crate::{parallel, repository};
use fathom_stats::outliers::{Method, OutlierGrid, OutlierRule, Outliers};

pub(super) const BENCHMARKS: [&str; 6] = ["clock", "getpid", "malloc", "loop", "sort", "chase"];
pub(super) const RUNS: usize = 5;

pub(super) const FULL: usize = 0;
pub(super) const SIMPLIFIED: usize = 1;
/// With the grid, and as the paper has it.
pub(super) const WAYS: [OutlierRule; 4] = [
    way(Method::Full, OutlierGrid::Auto),
    way(Method::Simplified, OutlierGrid::Auto),
    way(Method::Full, OutlierGrid::Off),
    way(Method::Simplified, OutlierGrid::Off),
];

const fn way(method: Method, grid: OutlierGrid) -> OutlierRule {
    OutlierRule { method, grid, ..OutlierRule::PAPER }
}

/// A set, and what each way labels in it.
pub(super) struct Timings {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
    pub(super) labels: [Outliers; 4],
}

/// All 60 sets, in the order of the benchmarks, quiet ones first.
pub(super) fn all() -> Result<Vec<Timings>, String> {
    let mut names = Vec::new();
    for benchmark in BENCHMARKS {
        for noise in ["quiet", "noisy"] {
            names.extend((1..=RUNS).map(|run| format!("{benchmark}_{noise}_{run}")));
        }
    }
    parallel::map(names.len(), |index| read(&names[index])).into_iter().collect()
}

fn read(name: &str) -> Result<Timings, String> {
    let path = repository::testdata().join("timings").join(format!("{name}.csv"));
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let values = parsed.map_err(|error| format!("{name}: {error}"))?;
    let labels = WAYS.map(|rule| rule.find(&values));
    Ok(Timings { name: name.to_string(), values, labels })
}

impl Timings {
    /// Those of the values that a way leaves.
    pub(super) fn cleaned(&self, way: usize) -> Vec<f64> {
        let mut is_kept = vec![true; self.values.len()];
        self.labels[way].indices.iter().for_each(|&index| is_kept[index] = false);
        let kept = self.values.iter().zip(is_kept).filter(|(_, kept)| *kept);
        kept.map(|(value, _)| *value).collect()
    }
}
