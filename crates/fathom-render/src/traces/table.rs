//! The metrics of traces as a table, for programs and for documents.

use crate::Table;
use crate::layout::Side::{self, Left, Right};
use crate::picture::sparkline;
use fathom_analyze::traces::{MetricSummary, TraceRunSummary};

const SIDES: &[Side] =
    &[Left, Left, Left, Left, Left, Right, Right, Right, Right, Right, Right, Left];

const HEAD: [&str; 12] = [
    "run", "metric", "layer", "kind", "unit", "mean", "min", "max", "samples", "missing", "gaps",
    "shape",
];

/// A row per run and metric. Counters and events are per second in `mean`.
#[must_use]
pub fn table(runs: &[TraceRunSummary]) -> Table {
    let mut table = Table::with_head(&HEAD, SIDES);
    for of in runs {
        for summary in &of.summaries {
            table.records.push(row(&of.run.id, summary, &|value| value.to_string()));
            table.cells.push(row(&of.run.id, summary, &|value| four_digits(value)));
        }
    }
    table
}

fn row(run: &str, summary: &MetricSummary, number: &dyn Fn(f64) -> String) -> Vec<String> {
    let metric = &summary.metric;
    let optional = |value: Option<f64>| value.map_or(String::new(), number);
    vec![
        run.to_string(),
        metric.name.clone(),
        metric.layer.to_string(),
        metric.kind.to_string(),
        metric.unit.symbol().to_string(),
        optional(summary.mean),
        optional(summary.range.map(|range| range.0)),
        optional(summary.range.map(|range| range.1)),
        summary.seen.to_string(),
        summary.missing.to_string(),
        summary.gaps.len().to_string(),
        sparkline(&summary.shape),
    ]
}

fn four_digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let rounded = crate::quantity::quick(value, &fathom_record::Unit::Unknown);
    rounded.trim_end().to_string()
}
