//! The metrics of traces as a table, for programs and for documents.

use super::RunPage;
use fathom_analyze::traces::MetricSummary;
use fathom_render::Table;
use fathom_render::layout::Side;
use fathom_render::picture::sparkline;

const SIDES: &[Side] = &[
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Left,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Right,
    Side::Left,
];

const HEAD: [&str; 12] = [
    "run", "metric", "layer", "kind", "unit", "mean", "min", "max", "samples", "missing", "gaps",
    "shape",
];

/// A row per run and metric. Counters and events are per second in `mean`.
pub(crate) fn table(pages: &[RunPage]) -> Table {
    let head = HEAD.map(str::to_string).to_vec();
    let mut records = vec![head.clone()];
    let mut cells = vec![head];
    for page in pages {
        for summary in &page.summaries {
            records.push(row(&page.run.id, summary, &|value| value.to_string()));
            cells.push(row(&page.run.id, summary, &|value| four_digits(value)));
        }
    }
    Table { records, cells, sides: SIDES, notes: Vec::new() }
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
    let rounded = fathom_render::quantity::quick(value, &fathom_record::Unit::Unknown);
    rounded.trim_end().to_string()
}
