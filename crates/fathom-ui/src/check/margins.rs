//! How far each execution is from breaking the promise, or what value each gave.

use super::fineness::{Fineness, chosen};
use super::view::amount;
use crate::figure::{Axis, Figure, FigureTable, LegendEntry, LegendSign, Sketch, Upright, WIDTHS};
use fathom_property::{CheckReport, Judged, JudgedAs, PropertyAnswer, Threshold, Truth};
use fathom_record::Unit;
use fathom_render::check::{execution_in_words, execution_name};

/// An execution in the figure.
struct Shown<'a> {
    place: usize,
    judged: &'a Judged,
    kind: Kind,
    /// Where it is, from the least it may be to the most.
    range: (f64, f64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fine,
    Broken,
    Vacuous,
    Unknown,
    Failed,
}

/// What is drawn: of one unit, with what stands across.
struct Drawn<'a> {
    shown: Vec<Shown<'a>>,
    unit: Unit,
    title: &'static str,
    /// A line across, and what it is.
    lines: Vec<(f64, &'static str, String)>,
    band: Option<((f64, f64), String)>,
    fine: &'static str,
}

const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const PLOT: f64 = 210.0;

/// The figures: one, or one for each unit in which margins are.
pub(super) fn figures(
    report: &CheckReport,
    threshold: Option<&Threshold>,
    fineness: Fineness,
) -> Vec<Figure> {
    let all = &report.judged;
    let places = chosen(all.len(), fineness.executions, |place| {
        all.get(place).is_some_and(|one| one.is_cut || !matches!(kind(one), Kind::Fine))
    });
    let note = (places.len() < all.len()).then(|| {
        format!(
            "{} of {} executions are drawn: all that are special, as far as they fit, and some of the \
             rest. `fathom show --export-csv FILE` has all.",
            places.len(),
            all.len()
        )
    });
    let mut units: Vec<String> = Vec::new();
    for unit in all.iter().filter_map(unit_of) {
        if !units.iter().any(|known| known == unit) {
            units.push(unit.to_string());
        }
    }
    if units.is_empty() {
        units.push(match &report.answer {
            PropertyAnswer::Value { unit, .. } => unit.symbol().to_string(),
            PropertyAnswer::Verdict { .. } => String::new(),
        });
    }
    let several = units.len() > 1;
    let mut figures = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let is_of_unit = |judged: &Judged| match unit_of(judged) {
            Some(of) => of == unit,
            // What has no unit belongs to the first figure.
            None => number == 0,
        };
        let shown = places.iter().filter_map(|&place| {
            let judged = all.get(place).filter(|judged| is_of_unit(judged))?;
            Some(Shown { place, judged, kind: kind(judged), range: range(judged) })
        });
        let drawn = drawn(report, threshold, shown.collect(), unit);
        let id = if several { format!("margins-{}", number + 1) } else { "margins".to_string() };
        figures.push(figure(report, &drawn, id, note.clone()));
    }
    figures
}

/// The unit of an execution's margin.
fn unit_of(judged: &Judged) -> Option<&str> {
    match &judged.result {
        JudgedAs::Property { decided_by, .. } => {
            decided_by.as_deref().map(|(unit, _)| unit.as_str())
        }
        JudgedAs::Value(_) | JudgedAs::Failed(_) => None,
    }
}

fn kind(judged: &Judged) -> Kind {
    match &judged.result {
        JudgedAs::Failed(_) => Kind::Failed,
        JudgedAs::Value(bounds) => match bounds.known() {
            Some(_) => Kind::Fine,
            None => Kind::Unknown,
        },
        JudgedAs::Property { truth, .. } => match truth {
            Truth::True => Kind::Fine,
            Truth::False => Kind::Broken,
            Truth::Vacuous => Kind::Vacuous,
            Truth::Unknown => Kind::Unknown,
        },
    }
}

fn range(judged: &Judged) -> (f64, f64) {
    match &judged.result {
        JudgedAs::Property { robustness, .. } => (robustness.low, robustness.high),
        JudgedAs::Value(bounds) => (bounds.low, bounds.high),
        JudgedAs::Failed(_) => (f64::NAN, f64::NAN),
    }
}

fn drawn<'a>(
    report: &CheckReport,
    threshold: Option<&Threshold>,
    shown: Vec<Shown<'a>>,
    unit: &str,
) -> Drawn<'a> {
    match &report.answer {
        PropertyAnswer::Verdict { .. } => {
            let unit = Unit::parse(unit);
            let words = match threshold {
                Some(threshold) => {
                    format!("threshold {}", amount(threshold.value, &Unit::parse(&threshold.unit)))
                }
                None => "threshold".to_string(),
            };
            Drawn {
                shown,
                unit,
                title: "margin",
                lines: vec![(0.0, "threshold", words)],
                band: None,
                fine: "true",
            }
        }
        PropertyAnswer::Value { value, unit, .. } => {
            let line =
                value.value.map(|at| (at, "threshold", format!("estimate {}", amount(at, unit))));
            let interval = value.interval;
            let has_band = interval.lower.is_finite() || interval.upper.is_finite();
            let confidence = fathom_render::percent(report.confidence.get());
            Drawn {
                shown,
                unit: unit.clone(),
                title: "value",
                lines: line.into_iter().collect(),
                band: has_band
                    .then(|| ((interval.lower, interval.upper), format!("its {confidence} CI"))),
                fine: "execution",
            }
        }
    }
}

fn figure(report: &CheckReport, drawn: &Drawn<'_>, id: String, note: Option<String>) -> Figure {
    let count = |kind: Kind| drawn.shown.iter().filter(|one| one.kind == kind).count();
    let cut = drawn.shown.iter().filter(|one| one.judged.is_cut).count();
    let (title, what) = match &report.answer {
        PropertyAnswer::Verdict { .. } => (
            "Margins by execution",
            "the margin of each execution: above 0 it satisfies the property, below 0 it does not",
        ),
        PropertyAnswer::Value { .. } => ("Values by execution", "the value of each execution"),
    };
    let mut parts = Vec::new();
    for (number, words) in [
        (count(Kind::Broken), "false"),
        (count(Kind::Vacuous), "never tested"),
        (count(Kind::Unknown), "undecided"),
        (count(Kind::Failed), "failed"),
        (cut, "cut short"),
    ] {
        if number > 0 {
            parts.push(format!("{number} {words}"));
        }
    }
    let parts = if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) };
    let says = format!("{} executions in order, and {what}{parts}.", drawn.shown.len());
    let mut table =
        FigureTable::with_head(&["execution", "seeds", "outcome", drawn.title, "cut short"]);
    table.rows.extend(drawn.shown.iter().map(|one| row(one, &drawn.unit)));
    let legend = legend(drawn, cut);
    let [wide, narrow] = WIDTHS.map(|width| sketch(report, drawn, &legend, width).finish());
    let readings = drawn.shown.iter().map(|one| execution_in_words(one.judged, None)).collect();
    Figure { id, title: title.to_string(), says, wide, narrow, readings, note, table }
}

fn row(one: &Shown<'_>, unit: &Unit) -> Vec<String> {
    let outcome = match one.kind {
        Kind::Fine => match &one.judged.result {
            JudgedAs::Property { .. } => "true".to_string(),
            _ => "value".to_string(),
        },
        Kind::Broken => "false".to_string(),
        Kind::Vacuous => "never tested".to_string(),
        Kind::Unknown => "undecided".to_string(),
        Kind::Failed => match &one.judged.result {
            JudgedAs::Failed(how) => format!("failed: {how}"),
            _ => "failed".to_string(),
        },
    };
    let (low, high) = one.range;
    let number = match one.kind {
        Kind::Failed => String::new(),
        _ if low >= high => amount(low, unit),
        _ => format!("{} to {}", amount(low, unit), amount(high, unit)),
    };
    let seeds: Vec<String> = one.judged.seeds.iter().map(u32::to_string).collect();
    let cut = if one.judged.is_cut { "yes" } else { "" };
    vec![execution_name(one.judged), seeds.join(" "), outcome, number, cut.to_string()]
}

fn legend(drawn: &Drawn<'_>, cut: usize) -> Vec<LegendEntry> {
    let has = |kind: Kind| drawn.shown.iter().any(|one| one.kind == kind);
    let mut entries = Vec::new();
    let mut add = |is_there: bool, class, sign, text: &str| {
        if is_there {
            entries.push(LegendEntry::new(class, sign, text));
        }
    };
    add(has(Kind::Fine), "dot", LegendSign::Dot, drawn.fine);
    add(has(Kind::Broken), "false", LegendSign::Cross, "false");
    add(has(Kind::Vacuous), "unknown", LegendSign::Ring, "never tested");
    add(has(Kind::Unknown), "unknown", LegendSign::Line, "undecided: range");
    add(has(Kind::Failed), "failed", LegendSign::Arrow, "failed");
    add(cut > 0, "cut", LegendSign::Ring, "cut short");
    for (_, class, text) in &drawn.lines {
        add(true, class, LegendSign::Line, text);
    }
    if let Some((_, text)) = &drawn.band {
        add(true, "band", LegendSign::Area, text);
    }
    entries
}

fn sketch(report: &CheckReport, drawn: &Drawn<'_>, legend: &[LegendEntry], width: f64) -> Sketch {
    let top = Sketch::legend_height(width, legend) + 24.0;
    let bottom = top + PLOT;
    let mut sketch = Sketch::new(width, bottom + 38.0);
    sketch.legend(legend);
    let right = width - RIGHT;
    let x = Axis::counting(report.judged.len(), [LEFT + 8.0, right - 8.0], width / 110.0);
    let ends = drawn.shown.iter().flat_map(|one| [one.range.0, one.range.1]);
    let band = drawn.band.iter().flat_map(|((low, high), _)| [*low, *high]);
    let lines = drawn.lines.iter().map(|(at, ..)| *at);
    let y = Axis::over(ends.chain(band).chain(lines), &drawn.unit, [bottom, top], 5.0);
    // Without any number there is still a true and a false side.
    let y = y.unwrap_or_else(|| Axis::between([-1.0, 1.0], &Unit::Unknown, [bottom, top], 2.0));
    if let Some(((low, high), _)) = &drawn.band {
        sketch.area("band", (LEFT, y.place(*high)), (right, y.place(*low)));
    }
    y.draw_left(&mut sketch, Upright { left: LEFT, right, title: drawn.title });
    x.draw_below(&mut sketch, bottom, bottom, "execution");
    for (at, class, _) in &drawn.lines {
        sketch.line(class, (LEFT, y.place(*at)), (right, y.place(*at)));
    }
    let dense = drawn.shown.len() as f64 > 0.4 * width;
    let mut points: [Vec<(f64, f64)>; 5] = Default::default();
    let [fine, broken, vacuous, failed, cut] = &mut points;
    let mut beyond: [Vec<(f64, f64)>; 2] = Default::default();
    for one in &drawn.shown {
        let at = x.place(one.place as f64 + 1.0);
        let (low, high) = one.range;
        let middle = match (low.is_finite(), high.is_finite()) {
            (true, true) => low / 2.0 + high / 2.0,
            (true, false) => low,
            (false, true) => high,
            (false, false) => low,
        };
        let height = match one.kind {
            Kind::Failed => bottom - 4.0,
            // A truth without a number, such as that of a state, is at the edge of its side.
            _ if middle.is_nan() => y.place(0.0),
            Kind::Vacuous if !middle.is_finite() => y.place(0.0),
            _ => y.place(middle),
        };
        match one.kind {
            Kind::Failed => failed.push((at, bottom)),
            Kind::Vacuous => vacuous.push((at, height)),
            Kind::Unknown => {
                sketch.line("unknown", (at, y.place(low)), (at, y.place(high)));
            }
            Kind::Broken if middle.is_finite() => broken.push((at, height)),
            Kind::Fine if middle.is_finite() => fine.push((at, height)),
            Kind::Broken => beyond[1].push((at, bottom)),
            Kind::Fine => beyond[0].push((at, top)),
        }
        if one.judged.is_cut {
            cut.push((at, height));
        }
        sketch.mark(at, height);
    }
    let [fine, broken, vacuous, failed, cut] = &points;
    sketch.dots(if dense { "dot small" } else { "dot" }, fine);
    sketch.rings("unknown", vacuous, 3.0);
    sketch.crosses("false", broken, 3.5);
    sketch.arrows("solid", &beyond[0], true);
    sketch.arrows("failed", &beyond[1], false);
    sketch.arrows("failed", failed, false);
    sketch.rings("cut", cut, 5.0);
    sketch
}
