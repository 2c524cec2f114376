//! Configurations compared in a study: the ratio in each cell and the geometric mean, with intervals.

use crate::figure::{Axis, Figure, FigureTable, LegendEntry, LegendSign, Sketch, WIDTHS};
use fathom_property::{JointReport, Study, StudyComparison};
use fathom_record::Unit;
use fathom_render::check::ratio_interval;
use fathom_render::percent;
use fathom_stats::Interval;

const LEFT: f64 = 12.0;
const RIGHT: f64 = 16.0;
const ROW: f64 = 34.0;
/// A figure of more cells is no picture: the mean says it, and the table has them.
const MOST_ROWS: usize = 60;

/// A ratio and its interval.
struct Row {
    name: String,
    ratio: Option<f64>,
    interval: Interval,
    is_mean: bool,
}

/// A figure for each comparison of a study; none for other checks.
pub(super) fn figures(joint: &JointReport) -> Vec<Figure> {
    let Some(study) = &joint.study else { return Vec::new() };
    let comparisons = study.comparisons.iter().enumerate();
    comparisons.map(|(place, comparison)| figure(study, place, comparison)).collect()
}

fn figure(study: &Study, place: usize, comparison: &StudyComparison) -> Figure {
    let question = study.questions.get(comparison.question).map_or("", String::as_str);
    let axis = comparison.axis.and_then(|axis| study.axes.get(axis));
    let value = |place: usize| axis.and_then(|axis| axis.values.get(place)).map_or("", |it| it);
    let title = match axis {
        Some(axis) => format!(
            "{question} at {}={} relative to {}",
            axis.name,
            value(comparison.value),
            value(comparison.baseline)
        ),
        None => question.to_string(),
    };
    let rows = rows(study, comparison);
    let mut table = FigureTable::with_head(&["cell", "ratio", "interval"]);
    let cells =
        |row: &Row| vec![row.name.clone(), ratio_text(row.ratio), ratio_interval(row.interval)];
    table.rows.extend(rows.iter().map(cells));
    let sure = percent((comparison.confidence.get() * 1e4).round() / 1e4);
    let legend = [
        LegendEntry::new("interval", LegendSign::Line, format!("{sure} CI")),
        LegendEntry::new("dot", LegendSign::Dot, "ratio"),
        LegendEntry::new("threshold", LegendSign::Line, "no difference"),
    ];
    let shown = rows.get(..MOST_ROWS).unwrap_or(&rows);
    let [wide, narrow] = WIDTHS.map(|width| sketch(shown, &legend, width).finish());
    let says = match comparison.mean {
        Some(mean) => format!(
            "{title}: {mean:.4}x as the geometric mean of {} cells ({}).",
            comparison.ratios.len(),
            ratio_interval(comparison.interval)
        ),
        None => format!("{title}: the ratio in {} cells.", comparison.ratios.len()),
    };
    let reading = |row: &Row| {
        format!("{}: {} ({})", row.name, ratio_text(row.ratio), ratio_interval(row.interval))
    };
    let left_out = rows.len() - shown.len();
    Figure {
        id: format!("comparison-{}", place + 1),
        title,
        says,
        wide,
        narrow,
        readings: shown.iter().map(reading).collect(),
        note: (left_out > 0).then(|| format!("{left_out} more cells are in the table.")),
        table,
    }
}

/// The mean, if there is one, and the ratio in each cell.
fn rows(study: &Study, comparison: &StudyComparison) -> Vec<Row> {
    let mean = comparison.mean.map(|mean| Row {
        name: "geometric mean".to_string(),
        ratio: Some(mean),
        interval: comparison.interval,
        is_mean: true,
    });
    let cells = comparison.ratios.iter().filter_map(|ratio| {
        let cell = study.cells.get(ratio.cell)?;
        let axes = (0..study.axes.len()).filter(|axis| Some(*axis) != comparison.axis);
        let values: Vec<&str> = axes.map(|axis| study.value(cell, axis)).collect();
        let name = match values.is_empty() {
            true => cell.name.clone(),
            false => values.join(", "),
        };
        Some(Row { name, ratio: ratio.ratio, interval: ratio.interval, is_mean: false })
    });
    mean.into_iter().chain(cells).collect()
}

fn ratio_text(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "unknown".to_string(), |ratio| format!("{ratio:.4}x"))
}

fn sketch(rows: &[Row], legend: &[LegendEntry], width: f64) -> Sketch {
    let top = Sketch::legend_height(width, legend) + 10.0;
    let bottom = top + rows.len() as f64 * ROW;
    let mut sketch = Sketch::new(width, bottom + 38.0);
    sketch.legend(legend);
    let right = width - RIGHT;
    let from = if sketch.is_narrow() { LEFT } else { 180.0 };
    let values = rows.iter().flat_map(|row| [row.interval.lower, row.interval.upper]);
    let ratios = rows.iter().filter_map(|row| row.ratio);
    let values = values.chain(ratios).chain([1.0]);
    let Some(x) = Axis::over(values, &Unit::Unknown, [from, right], width / 110.0) else {
        return sketch;
    };
    x.draw_below(&mut sketch, top, bottom, "ratio");
    sketch.line("threshold", (x.place(1.0), top), (x.place(1.0), bottom));
    for (place, row) in rows.iter().enumerate() {
        let base = top + place as f64 * ROW;
        let middle = base + 22.0;
        let class = if row.is_mean { "label strong" } else { "label start" };
        // Where there is room the name is left of its interval, else above it.
        let height = if sketch.is_narrow() { base + 12.0 } else { middle + 4.0 };
        sketch.text(class, 2.0, height, shortened(&row.name, 28));
        sketch.mark(x.place(row.ratio.unwrap_or(1.0)), middle);
        let Some(ratio) = row.ratio else {
            sketch.text("label start", from, middle + 4.0, "unknown");
            continue;
        };
        let end = |value: f64, edge: f64| match value.is_finite() && value > 0.0 {
            true => (x.place(value), x.is_beyond(value)),
            false => (edge, true),
        };
        let ends = [end(row.interval.lower, from), end(row.interval.upper, right)];
        sketch.interval(middle, ends, Some(x.place(ratio)));
    }
    sketch
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => format!("{}…", text.chars().take(most.saturating_sub(1)).collect::<String>()),
        None => text.to_string(),
    }
}
