//! The grid of a study as a heat map: a figure for each question, a field for each cell.

use super::view::amount;
use crate::figure::{Figure, FigureTable, LegendEntry, LegendSign, Sketch, WIDTHS};
use fathom_property::decide::CheckVerdict;
use fathom_property::{CheckReport, JointReport, PropertyAnswer, Study};
use fathom_render::check::{QuestionRow, question_row};

/// About the width of a letter at 11 pixels.
const LETTER: f64 = 6.2;
const ROW: f64 = 30.0;
const RIGHT: f64 = 8.0;
/// How many shades values have.
const SHADES: [&str; 5] = ["heat one", "heat two", "heat three", "heat four", "heat five"];

/// A field of the map.
struct Field {
    row: usize,
    column: usize,
    class: &'static str,
    /// A sign that stands for the verdict, for those who see no colours.
    sign: &'static str,
    text: String,
    reading: String,
}

/// A map for each question of a study; none for other checks.
pub(super) fn figures(joint: &JointReport) -> Vec<Figure> {
    let Some(study) = &joint.study else { return Vec::new() };
    let answers: Vec<&CheckReport> = joint.questions().collect();
    (0..study.questions.len()).filter_map(|question| figure(study, &answers, question)).collect()
}

fn figure(study: &Study, answers: &[&CheckReport], question: usize) -> Option<Figure> {
    let title = study.questions.get(question)?;
    let last = study.axes.len().checked_sub(1)?;
    let columns = &study.axes.get(last)?.values;
    let rows: Vec<String> = row_names(study, last);
    let reports: Vec<(usize, &CheckReport)> = (0..study.cells.len())
        .filter_map(|cell| {
            let place = cell * study.questions_of_cell() + question;
            Some((cell, *answers.get(place)?))
        })
        .collect();
    let values = reports.iter().filter_map(|(_, report)| value(report));
    let range = values.fold(None, |range: Option<(f64, f64)>, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    });
    let mut table = FigureTable::with_head(&["cell", "verdict", "share or value", "interval"]);
    let mut fields = Vec::with_capacity(reports.len());
    for (cell, report) in &reports {
        let QuestionRow { verdict, estimate, interval, .. } = question_row(report, None);
        let of = study.cells.get(*cell)?;
        table.rows.push(vec![of.name.clone(), verdict.clone(), estimate.clone(), interval.clone()]);
        let (class, sign) = look(report, range);
        fields.push(Field {
            row: cell / columns.len().max(1),
            column: cell % columns.len().max(1),
            class,
            sign,
            reading: format!("{}: {verdict}, {estimate} ({interval})", of.name),
            text: estimate,
        });
    }
    let legend = legend(&reports, range);
    let axis = &study.axes.get(last)?.name;
    let [wide, narrow] = WIDTHS.map(|width| {
        sketch(&fields, &rows, (axis.as_str(), columns.as_slice()), &legend, width).finish()
    });
    let count = |class: &str| fields.iter().filter(|field| field.class == class).count();
    let says = match range {
        Some((low, high)) => {
            let unit = unit(&reports);
            let (low, high) = (amount(low, &unit), amount(high, &unit));
            format!("{title} in {} cells, from {low} to {high}.", fields.len())
        }
        None => format!(
            "{title} in {} cells: {} true, {} false, {} inconclusive.",
            fields.len(),
            count("heat holds"),
            count("heat broken"),
            count("heat open")
        ),
    };
    Some(Figure {
        id: format!("grid-{}", question + 1),
        title: format!("{title}, cell by cell"),
        says,
        wide,
        narrow,
        readings: fields.into_iter().map(|field| field.reading).collect(),
        note: None,
        table,
    })
}

/// What the rows are called: the values of all axes but the last.
fn row_names(study: &Study, last: usize) -> Vec<String> {
    let columns = study.axes.get(last).map_or(1, |axis| axis.values.len()).max(1);
    study
        .cells
        .iter()
        .step_by(columns)
        .map(|cell| {
            let values: Vec<&str> = (0..last).map(|axis| study.value(cell, axis)).collect();
            values.join(", ")
        })
        .collect()
}

fn value(report: &CheckReport) -> Option<f64> {
    match &report.answer {
        PropertyAnswer::Value { value, .. } => value.value.filter(|value| value.is_finite()),
        PropertyAnswer::Verdict { .. } => None,
    }
}

fn unit(reports: &[(usize, &CheckReport)]) -> fathom_record::Unit {
    let of = reports.iter().find_map(|(_, report)| match &report.answer {
        PropertyAnswer::Value { unit, .. } => Some(unit.clone()),
        PropertyAnswer::Verdict { .. } => None,
    });
    of.unwrap_or(fathom_record::Unit::Unknown)
}

/// The class of a field, and its sign.
fn look(report: &CheckReport, range: Option<(f64, f64)>) -> (&'static str, &'static str) {
    match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => match summary.verdict {
            CheckVerdict::True => ("heat holds", "✓"),
            CheckVerdict::False => ("heat broken", "✗"),
            CheckVerdict::Inconclusive => ("heat open", "?"),
        },
        PropertyAnswer::Value { .. } => match (value(report), range) {
            (Some(value), Some((low, high))) if high > low => {
                // Halves first: the difference of large values would overflow.
                let share = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
                let shade = ((share * SHADES.len() as f64) as usize).min(SHADES.len() - 1);
                (SHADES.get(shade).copied().unwrap_or("heat open"), "")
            }
            (Some(_), _) => (SHADES[2], ""),
            (None, _) => ("heat open", "?"),
        },
    }
}

fn legend(reports: &[(usize, &CheckReport)], range: Option<(f64, f64)>) -> Vec<LegendEntry> {
    let area = |class, text: String| LegendEntry::new(class, LegendSign::Area, text);
    let mut entries = Vec::new();
    match range {
        Some((low, high)) => {
            let unit = unit(reports);
            entries.push(area(SHADES[0], amount(low, &unit)));
            entries.push(area(SHADES[2], "between".to_string()));
            entries.push(area(SHADES[4], amount(high, &unit)));
        }
        None => {
            entries.push(area("heat holds", "✓ true".to_string()));
            entries.push(area("heat broken", "✗ false".to_string()));
            entries.push(area("heat open", "? inconclusive".to_string()));
        }
    }
    entries
}

fn sketch(
    fields: &[Field],
    rows: &[String],
    (axis, columns): (&str, &[String]),
    legend: &[LegendEntry],
    width: f64,
) -> Sketch {
    let most = if width < 600.0 { 12 } else { 30 };
    let letters = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0).min(most);
    let left = 8.0 + LETTER * letters as f64;
    let top = Sketch::legend_height(width, legend) + 44.0;
    let bottom = top + rows.len() as f64 * ROW;
    let mut sketch = Sketch::new(width, bottom + 8.0);
    sketch.legend(legend);
    let room = (width - left - RIGHT) / columns.len().max(1) as f64;
    sketch.text("label start", left, top - 22.0, format!("{} →", shortened(axis, 40)));
    for (place, column) in columns.iter().enumerate() {
        let middle = left + (place as f64 + 0.5) * room;
        let fits = (room / LETTER) as usize;
        sketch.text("label middle", middle, top - 6.0, shortened(column, fits.max(1)));
    }
    for (place, row) in rows.iter().enumerate() {
        let middle = top + (place as f64 + 0.5) * ROW;
        sketch.text("label end", left - 6.0, middle + 4.0, shortened(row, most));
    }
    for field in fields {
        let from = (left + field.column as f64 * room, top + field.row as f64 * ROW);
        let to = (from.0 + room - 2.0, from.1 + ROW - 2.0);
        sketch.area(field.class, from, to);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let whole = format!("{} {}", field.sign, field.text).trim().to_string();
        let fits = whole.chars().count() as f64 * LETTER < room - 6.0;
        let words = if fits { whole } else { field.sign.to_string() };
        if !words.is_empty() {
            sketch.text("label middle strong", middle.0, middle.1 + 4.0, words);
        }
        sketch.mark(middle.0, middle.1);
    }
    sketch
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => format!("{}…", text.chars().take(most.saturating_sub(1)).collect::<String>()),
        None => text.to_string(),
    }
}
