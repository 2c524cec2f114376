//! What the worst executions did over their time, with the violation marked.

use super::fineness::Fineness;
use super::view::amount;
use crate::figure::{Axis, Figure, FigureTable, LegendEntry, LegendSign, Sketch, Upright, WIDTHS};
use fathom_property::{
    CheckReport, Judged, JudgedAs, ShownExecution, ShownRun, ShownSignal, Truth,
};
use fathom_record::{Shape, Unit};
use fathom_render::check::{execution_in_words, execution_name};

const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
/// The height of a signal's pane, and of a row of events.
const PANE: f64 = 104.0;
const ROW: f64 = 26.0;

/// What an execution's figure is of.
struct Drawn<'a> {
    judged: &'a Judged,
    shown: &'a ShownExecution,
    time_unit: &'a Unit,
    end: f64,
    /// The moment that decides.
    at: Option<f64>,
    panes: Vec<Pane<'a>>,
    rows: Vec<(String, &'a [f64])>,
}

/// A signal.
struct Pane<'a> {
    name: String,
    of: &'a ShownSignal,
    points: Vec<(f64, f64)>,
    is_thinned: bool,
}

/// A figure for each of the worst executions.
pub(super) fn figures(
    report: &CheckReport,
    worst: &[ShownExecution],
    fineness: Fineness,
) -> Vec<Figure> {
    let of = |(number, shown): (usize, &ShownExecution)| {
        let judged = report.judged.get(shown.place)?;
        figure(judged, shown, number + 1, fineness)
    };
    worst.iter().take(fineness.worst).enumerate().filter_map(of).collect()
}

fn figure(
    judged: &Judged,
    shown: &ShownExecution,
    number: usize,
    fineness: Fineness,
) -> Option<Figure> {
    let named = |run: &ShownRun, name: &str| match run.name.as_str() {
        "" => name.to_string(),
        of => format!("{name}@{of}"),
    };
    let panes: Vec<Pane<'_>> = shown
        .runs
        .iter()
        .flat_map(|run| run.signals.iter().map(move |one| (run, one)))
        .map(|(run, one)| pane(named(run, &one.name), run, one, fineness.points))
        .collect();
    let rows: Vec<(String, &[f64])> = shown
        .runs
        .iter()
        .flat_map(|run| run.events.iter().map(move |(name, at)| (named(run, name), at.as_slice())))
        .collect();
    let first = shown.runs.first()?;
    let end = shown.runs.iter().map(|run| run.end).fold(0.0, f64::max);
    let at = match &judged.result {
        JudgedAs::Property { at, .. } => at.as_ref().map(|at| at.0),
        _ => None,
    };
    let drawn = Drawn { judged, shown, time_unit: &first.time_unit, end, at, panes, rows };
    let legend = legend(&drawn);
    let [wide, narrow] = WIDTHS.map(|width| sketch(&drawn, &legend, width).finish());
    let is_thinned = drawn.panes.iter().any(|pane| pane.is_thinned);
    Some(Figure {
        id: format!("signals-{number}"),
        title: format!("{}: {}", title(judged, number), execution_name(judged)),
        says: says(&drawn),
        wide,
        narrow,
        readings: readings(&drawn),
        note: is_thinned.then(|| {
            "Thinned for display: of each stretch the first, least, greatest and last value."
                .to_string()
        }),
        table: table(&drawn),
    })
}

fn title(judged: &Judged, number: usize) -> String {
    let is_false = matches!(judged.result, JudgedAs::Property { truth: Truth::False, .. });
    let worst = match number {
        1 => "Worst execution".to_string(),
        2 => "Second worst".to_string(),
        3 => "Third worst".to_string(),
        n => format!("{n}th worst"),
    };
    match (&judged.result, is_false) {
        (JudgedAs::Property { .. }, false) => format!("{worst} (true)"),
        _ => worst,
    }
}

/// Of long signals, of each stretch the first, the least, the greatest and the last value.
fn pane<'a>(name: String, run: &ShownRun, of: &'a ShownSignal, most: usize) -> Pane<'a> {
    let (times, values) = (of.signal.times(), of.signal.values());
    let all: Vec<(f64, f64)> = times.iter().copied().zip(values.iter().copied()).collect();
    let mut points = Vec::new();
    let size = all.len().div_ceil((most / 4).max(1)).max(1);
    let is_thinned = all.len() > most;
    if is_thinned {
        for stretch in all.chunks(size) {
            let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
            let known = || stretch.iter().filter(|one| !one.1.is_nan());
            let mut some: Vec<(f64, f64)> = [
                stretch.first(),
                known().min_by(by_value),
                known().max_by(by_value),
                stretch.last(),
            ]
            .into_iter()
            .flatten()
            .copied()
            .collect();
            some.sort_by(|a, b| a.0.total_cmp(&b.0));
            some.dedup_by(|a, b| a.0 == b.0);
            points.extend(some);
        }
    } else {
        points = all;
    }
    // The last value holds to the end.
    if let Some(&(time, value)) = points.last()
        && time < run.end
    {
        points.push((run.end, value));
    }
    Pane { name, of, points, is_thinned }
}

fn says(drawn: &Drawn<'_>) -> String {
    let mut names: Vec<&str> = drawn.panes.iter().map(|pane| pane.name.as_str()).collect();
    names.extend(drawn.rows.iter().map(|(name, _)| name.as_str()));
    let what = execution_in_words(drawn.judged, None);
    let violated: Vec<String> = drawn
        .shown
        .violated
        .iter()
        .take(5)
        .map(|(from, to)| match from < to {
            true => {
                format!("{} to {}", amount(*from, drawn.time_unit), amount(*to, drawn.time_unit))
            }
            false => format!("at {}", amount(*from, drawn.time_unit)),
        })
        .collect();
    let more = match drawn.shown.violated.len().saturating_sub(violated.len()) {
        0 => String::new(),
        more => format!(" and {more} times more"),
    };
    let violated = match violated.is_empty() {
        true => String::new(),
        false => format!("; violated {}{more}", violated.join(", ")),
    };
    format!("{} over time in {what}{violated}.", names.join(", "))
}

fn legend(drawn: &Drawn<'_>) -> Vec<LegendEntry> {
    let mut entries = Vec::new();
    let has_thresholds = drawn.panes.iter().any(|pane| !pane.of.thresholds.is_empty());
    if !drawn.panes.is_empty() {
        entries.push(LegendEntry::new("line", LegendSign::Line, "signal"));
    }
    if has_thresholds {
        entries.push(LegendEntry::new("threshold", LegendSign::Line, "threshold"));
    }
    if !drawn.rows.is_empty() {
        entries.push(LegendEntry::new("event", LegendSign::Line, "event"));
    }
    if !drawn.shown.violated.is_empty() {
        entries.push(LegendEntry::new("violated", LegendSign::Area, "violated"));
    }
    if let Some(at) = drawn.at {
        let words = format!("decides the margin, {}", amount(at, drawn.time_unit));
        entries.push(LegendEntry::new("needed", LegendSign::Line, words));
    }
    entries
}

fn sketch(drawn: &Drawn<'_>, legend: &[LegendEntry], width: f64) -> Sketch {
    let top = Sketch::legend_height(width, legend) + 8.0;
    let panes = drawn.panes.len() as f64 * (PANE + 26.0);
    let rows = drawn.rows.len() as f64 * ROW;
    let bottom = top + panes + rows;
    let mut sketch = Sketch::new(width, bottom + 38.0);
    sketch.legend(legend);
    let right = width - RIGHT;
    let x = Axis::between(
        [0.0, if drawn.end > 0.0 { drawn.end } else { 1.0 }],
        drawn.time_unit,
        [LEFT, right],
        width / 110.0,
    );
    x.draw_below(&mut sketch, top + 12.0, bottom, "time");
    for &(from, to) in &drawn.shown.violated {
        let (from, to) = (x.place(from), x.place(to));
        let class = if to - from < 1.0 { "instant" } else { "violated" };
        match class {
            "instant" => sketch.line(class, (from, top + 12.0), (from, bottom)),
            _ => sketch.area(class, (from, top + 12.0), (to, bottom)),
        }
    }
    let mut base = top;
    for pane in &drawn.panes {
        let (high, low) = (base + 24.0, base + 24.0 + PANE - 6.0);
        let values = pane.points.iter().map(|point| point.1);
        let lines = pane.of.thresholds.iter().copied();
        let y = Axis::over(values.chain(lines), pane.of.signal.unit(), [low, high], 6.0);
        if let Some(y) = y {
            y.draw_left(&mut sketch, Upright { left: LEFT, right, title: &pane.name });
            for threshold in &pane.of.thresholds {
                sketch.line("threshold", (LEFT, y.place(*threshold)), (right, y.place(*threshold)));
            }
            outline(&mut sketch, pane, &x, &y);
        } else {
            sketch.text("label start", 2.0, high - 8.0, format!("{}: no values", pane.name));
        }
        base += PANE + 26.0;
    }
    for (name, times) in &drawn.rows {
        let middle = base + ROW / 2.0;
        sketch.text("label start", 2.0, middle + 3.5, shortened(name));
        sketch.line("grid", (LEFT, middle), (right, middle));
        let mut ticks = String::new();
        let mut last = f64::NEG_INFINITY;
        for time in *times {
            let at = (x.place(*time) * 2.0).round() / 2.0;
            // Many events may lie on one pixel.
            if at > last {
                ticks.push_str(&format!("M{at} {}v14", (middle - 7.0).round()));
                last = at;
            }
        }
        sketch.path("event", ticks);
        base += ROW;
    }
    if let Some(at) = drawn.at {
        sketch.line("needed", (x.place(at), top + 12.0), (x.place(at), bottom));
    }
    for (_, at) in moments(drawn) {
        sketch.mark(x.place(at), top + 12.0);
    }
    sketch
}

fn outline(sketch: &mut Sketch, pane: &Pane<'_>, x: &Axis, y: &Axis) {
    let is_step = pane.of.signal.shape() == Shape::Step;
    let mut points = Vec::with_capacity(2 * pane.points.len());
    let mut before: Option<f64> = None;
    for &(time, value) in &pane.points {
        let at = x.place(time);
        if value.is_nan() {
            if let (true, Some(before)) = (is_step, before) {
                points.push(Some((at, y.place(before))));
            }
            points.push(None);
            before = None;
            continue;
        }
        if let (true, Some(before)) = (is_step, before) {
            points.push(Some((at, y.place(before))));
        }
        points.push(Some((at, y.place(value))));
        before = Some(value);
    }
    sketch.through("line", points);
}

fn shortened(name: &str) -> String {
    const MOST: usize = 10;
    match name.char_indices().nth(MOST) {
        Some(_) => format!("{}…", name.chars().take(MOST - 1).collect::<String>()),
        None => name.to_string(),
    }
}

/// What the arrow keys lead to: the violations and the moment that decides.
fn moments(drawn: &Drawn<'_>) -> Vec<(String, f64)> {
    let mut all: Vec<(String, f64)> = drawn
        .shown
        .violated
        .iter()
        .take(500)
        .map(|&(from, to)| {
            let (begins, ends) = (amount(from, drawn.time_unit), amount(to, drawn.time_unit));
            let words = match from < to {
                true => format!("violated from {begins} to {ends}"),
                false => format!("violated at {begins}"),
            };
            (words, from)
        })
        .collect();
    if let Some(at) = drawn.at {
        let worst = execution_in_words(drawn.judged, None);
        let when = amount(at, drawn.time_unit);
        all.push((format!("{when} decides the margin; {worst}"), at));
    }
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

fn readings(drawn: &Drawn<'_>) -> Vec<String> {
    moments(drawn).into_iter().map(|(words, _)| words).collect()
}

fn table(drawn: &Drawn<'_>) -> FigureTable {
    let mut table = FigureTable::with_head(&["name", "time", "value"]);
    for pane in &drawn.panes {
        table.rows.extend(pane.points.iter().map(|&(time, value)| {
            let value = if value.is_nan() {
                "missing".to_string()
            } else {
                amount(value, pane.of.signal.unit())
            };
            vec![pane.name.clone(), amount(time, drawn.time_unit), value]
        }));
    }
    for (name, times) in &drawn.rows {
        table.rows.extend(
            times.iter().take(2000).map(|time| {
                vec![name.clone(), amount(*time, drawn.time_unit), "event".to_string()]
            }),
        );
    }
    table
}
