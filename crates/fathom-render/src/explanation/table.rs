//! The ranking as a table, for programs and for documents.

use super::words;
use crate::Table;
use crate::layout::Side::{self, Left, Right};
use crate::picture::sparkline;
use fathom_explain::{Explanation, Ranked, Sign};

const SIDES: &[Side] = &[Right, Left, Left, Right, Right, Right, Right, Left, Left, Left, Left];

const HEAD: [&str; 11] = [
    "rank", "metric", "layer", "score", "sign", "lag_s", "q_value", "run", "copy_of", "says",
    "shape",
];

/// A row per metric, near copies included, of the `top` that are shown: a copy goes with its original.
#[must_use]
pub fn table(explanation: &Explanation, top: usize) -> Table {
    let mut table = Table::with_head(&HEAD, SIDES);
    let exact = |value: f64| value.to_string();
    // What is small is not nothing.
    let short = |value: f64| match value {
        value if value > 0.0 && value < 0.0001 => "<0.0001".to_string(),
        value => format!("{value:.4}"),
    };
    let firsts = explanation.ranking.iter().enumerate().filter(|(_, one)| one.copy_of.is_none());
    let shown: Vec<usize> = firsts.map(|(place, _)| place).take(top).collect();
    for (place, metric) in explanation.ranking.iter().enumerate() {
        if shown.binary_search(&metric.copy_of.unwrap_or(place)).is_err() {
            continue;
        }
        table.records.push(row(explanation, place, metric, &exact));
        table.cells.push(row(explanation, place, metric, &short));
    }
    table
}

fn row(
    explanation: &Explanation,
    place: usize,
    metric: &Ranked,
    number: &dyn Fn(f64) -> String,
) -> Vec<String> {
    let optional = |value: Option<f64>| value.map_or(String::new(), number);
    let name = |place: usize| explanation.ranking.get(place).map(|one| one.metric.name.clone());
    let run = explanation.runs.get(metric.run).map(|run| run.aligned.run.clone());
    let lag = metric.lag.map(|lag| lag.nanoseconds_f64() * 1e-9);
    vec![
        (place + 1).to_string(),
        metric.metric.name.clone(),
        metric.metric.layer.to_string(),
        optional(metric.score),
        match metric.sign {
            Sign::With => "1".to_string(),
            Sign::Against => "-1".to_string(),
            Sign::Unsaid => "0".to_string(),
        },
        optional(lag),
        optional(metric.q_value),
        run.unwrap_or_default(),
        metric.copy_of.and_then(name).unwrap_or_default(),
        words::says(metric, explanation, None),
        sparkline(&metric.outline),
    ]
}
