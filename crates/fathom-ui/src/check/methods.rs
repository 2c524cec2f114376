//! The intervals of every method for the same executions, side by side: figure 5 of the SPA paper.

use super::view::amount;
use crate::figure::{Axis, Figure, FigureTable, LegendEntry, LegendSign, Sketch, WIDTHS};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{EstimateRequest, QuantileProperty, analyze};
use fathom_property::decide::{CheckVerdict, Method};
use fathom_property::{
    Bounds, CheckReport, JudgedAs, PropertyAnswer, ValueAnswer, ValueMethod, ValueQuestion,
};
use fathom_record::{Series, Unit};
use fathom_render::percent;
use fathom_stats::Interval;
use fathom_stats::quantile::spa::Direction;

const LEFT: f64 = 12.0;
const RIGHT: f64 = 16.0;
const ROW: f64 = 40.0;
/// A bootstrap of more values takes longer than a page should.
const MOST_FOR_BOOTSTRAP: usize = 20_000;

/// A method and its interval.
struct Row {
    name: String,
    /// What it promises.
    promise: String,
    interval: Option<Interval>,
    estimate: Option<f64>,
    /// What it answers, of a property.
    answer: String,
    is_used: bool,
}

/// The figure; `None` without executions.
pub(super) fn figure(report: &CheckReport) -> Option<Figure> {
    let (rows, unit, asked) = match &report.answer {
        PropertyAnswer::Verdict { summary, .. } => {
            if summary.counts.samples() == 0 {
                return None;
            }
            (of_share(report), Unit::Unknown, Some(100.0 * report.probability.get()))
        }
        PropertyAnswer::Value { question, value, unit, .. } => {
            if value.samples == 0 {
                return None;
            }
            (of_value(report, question, value, unit), unit.clone(), None)
        }
    };
    let is_share = asked.is_some();
    let shown = |end: f64| if is_share { format!("{}%", short(end)) } else { amount(end, &unit) };
    let ends = |interval: &Option<Interval>| match interval {
        None => "none".to_string(),
        Some(Interval { lower, upper }) => match (lower.is_finite(), upper.is_finite()) {
            (true, true) => format!("{} to {}", shown(*lower), shown(*upper)),
            (true, false) => format!("at least {}", shown(*lower)),
            (false, true) => format!("at most {}", shown(*upper)),
            (false, false) => "none".to_string(),
        },
    };
    let mut table = FigureTable::with_head(&["method", "promise", "interval", "answer"]);
    table.rows.extend(rows.iter().map(|row| {
        vec![row.name.clone(), row.promise.clone(), ends(&row.interval), row.answer.clone()]
    }));
    let readings = rows
        .iter()
        .map(|row| {
            let answer = match row.answer.as_str() {
                "" => String::new(),
                answer => format!(", {answer}"),
            };
            format!("{}: {}{answer}; {}", row.name, ends(&row.interval), row.promise)
        })
        .collect();
    let mut legend = vec![LegendEntry::new("interval", LegendSign::Line, "interval")];
    if rows.iter().any(|row| row.estimate.is_some()) {
        legend.push(LegendEntry::new("dot", LegendSign::Dot, "estimate"));
    }
    if let Some(asked) = asked {
        let words = format!("required: {}%", short(asked));
        legend.push(LegendEntry::new("threshold", LegendSign::Line, words));
    }
    let [wide, narrow] = WIDTHS.map(|width| sketch(&rows, (&unit, asked), &legend, width).finish());
    let what = if is_share { "the share of executions" } else { "the value" };
    let used = rows.iter().find(|row| row.is_used).map_or("", |row| row.name.as_str());
    Some(Figure {
        id: "methods".to_string(),
        title: "Methods side by side".to_string(),
        says: format!(
            "Intervals of {what} by {} methods from the same executions; the answer uses {used}.",
            rows.len()
        ),
        wide,
        narrow,
        readings,
        note: Some(
            "Choose a method before you look: the narrowest of several intervals covers less than \
             it says."
                .to_string(),
        ),
        table,
    })
}

/// A share in percent without zeros at its end.
fn short(percents: f64) -> String {
    percent(percents / 100.0).trim_end_matches('%').to_string()
}

fn of_share(report: &CheckReport) -> Vec<Row> {
    let PropertyAnswer::Verdict { summary, .. } = &report.answer else { return Vec::new() };
    let sure = percent(summary.question.confidence.get());
    let estimate = summary.estimate.filter(|range| range.lower >= range.upper);
    let hundredfold = |share: f64| 100.0 * share;
    let mut rows: Vec<Row> = summary
        .by_methods()
        .into_iter()
        .map(|one| Row {
            name: one.method.name().to_string(),
            promise: match one.method {
                Method::Anytime => format!("both ends with {sure}, however often you look"),
                Method::Exact => format!("both ends with {sure}, for a number fixed beforehand"),
                _ => format!("each end alone with {sure}, for a number fixed beforehand"),
            },
            interval: Some(Interval {
                lower: hundredfold((one.interval.lower * 1e4).floor() / 1e4),
                upper: hundredfold((one.interval.upper * 1e4).ceil() / 1e4),
            }),
            estimate: estimate.map(|range| hundredfold(range.lower)),
            answer: match one.verdict {
                CheckVerdict::True => "true".to_string(),
                CheckVerdict::False => "false".to_string(),
                CheckVerdict::Inconclusive => "inconclusive".to_string(),
            },
            is_used: one.method.name() == summary.question.method.name(),
        })
        .collect();
    if let Method::Wald { indifference } = summary.question.method {
        rows.push(Row {
            name: "wald".to_string(),
            promise: format!(
                "a verdict, unless the true share is within {} of the required one; no interval",
                percent(indifference)
            ),
            interval: None,
            estimate: None,
            answer: summary.verdict.name().to_string(),
            is_used: true,
        });
    }
    rows
}

fn of_value(
    report: &CheckReport,
    question: &ValueQuestion,
    answer: &ValueAnswer,
    unit: &Unit,
) -> Vec<Row> {
    let sure = percent(question.confidence.get());
    // A failed execution that counts keeps to no value.
    let beyond = match question.direction {
        Direction::Below | Direction::AtMost => f64::INFINITY,
        Direction::Above | Direction::AtLeast => f64::NEG_INFINITY,
    };
    let values: Vec<Bounds> = report
        .judged
        .iter()
        .filter_map(|judged| match &judged.result {
            JudgedAs::Value(bounds) => Some(*bounds),
            JudgedAs::Failed(_) if !report.leaves_failed_out => Some(Bounds::exactly(beyond)),
            JudgedAs::Failed(_) | JudgedAs::Property { .. } => None,
        })
        .collect();
    let counted = values.get(..answer.samples).unwrap_or(&values);
    let mut rows: Vec<Row> = ValueMethod::ALL
        .into_iter()
        .map(|method| {
            let found = ValueQuestion { method, ..*question }.answer(counted);
            Row {
                name: method.name().to_string(),
                promise: match method {
                    ValueMethod::Exact => {
                        format!("both ends with {sure}, for a number fixed beforehand")
                    }
                    ValueMethod::Anytime => {
                        format!("both ends with {sure}, however often you look")
                    }
                    ValueMethod::Spa => format!(
                        "each end alone with {sure}; both cover {}",
                        percent((found.coverage * 1e3).floor() / 1e3)
                    ),
                },
                interval: Some(found.interval).filter(|ends| *ends != Interval::EVERYTHING),
                estimate: found.value,
                answer: String::new(),
                is_used: method == question.method,
            }
        })
        .collect();
    rows.extend(bootstrap(counted, question, unit));
    rows
}

/// The BCa bootstrap, where all values are known.
fn bootstrap(values: &[Bounds], question: &ValueQuestion, unit: &Unit) -> Option<Row> {
    let known: Vec<f64> = values.iter().filter_map(|bounds| bounds.known()).collect();
    let is_complete = known.len() == values.len() && known.iter().all(|value| value.is_finite());
    if !is_complete || known.len() > MOST_FOR_BOOTSTRAP {
        return None;
    }
    let series = Series::new("", unit.clone(), known).ok()?;
    let property =
        QuantileProperty { proportion: question.probability, direction: question.direction };
    let request = EstimateRequest {
        statistics: vec![property.statistic()],
        confidence: question.confidence,
        method: Some(fathom_analyze::Method::Bca),
        steady_state: SteadyStatePolicy::Off,
        outliers: OutlierPolicy::Keep,
        assume_independent: true,
        ..EstimateRequest::default()
    };
    let subject = analyze(series, &request);
    let estimate = subject.estimates.first()?;
    Some(Row {
        name: "bca".to_string(),
        promise: format!(
            "approximately {}, for independent executions",
            percent(question.confidence.get())
        ),
        interval: estimate.interval(),
        estimate: Some(estimate.value),
        answer: String::new(),
        is_used: false,
    })
}

fn sketch(
    rows: &[Row],
    (unit, asked): (&Unit, Option<f64>),
    legend: &[LegendEntry],
    width: f64,
) -> Sketch {
    let top = Sketch::legend_height(width, legend) + 10.0;
    let bottom = top + rows.len() as f64 * ROW;
    let mut sketch = Sketch::new(width, bottom + 38.0);
    sketch.legend(legend);
    let right = width - RIGHT;
    let ends = rows.iter().flat_map(|row| {
        let interval = row.interval.map(|Interval { lower, upper }| [lower, upper]);
        interval.into_iter().flatten().chain(row.estimate)
    });
    let from = if sketch.is_narrow() { LEFT } else { 96.0 };
    let Some(x) = Axis::over(ends.chain(asked), unit, [from, right], width / 110.0) else {
        return sketch;
    };
    let title = if asked.is_some() { "share of executions, %" } else { "value" };
    x.draw_below(&mut sketch, top, bottom, title);
    if let Some(asked) = asked {
        sketch.line("threshold", (x.place(asked), top), (x.place(asked), bottom));
    }
    for (place, row) in rows.iter().enumerate() {
        let base = top + place as f64 * ROW;
        let middle = base + 27.0;
        let name = if row.is_used { format!("{} (used)", row.name) } else { row.name.clone() };
        let name = match row.answer.as_str() {
            "" => name,
            answer => format!("{name}: {answer}"),
        };
        let class = if row.is_used { "label strong" } else { "label start" };
        sketch.text(class, 2.0, base + 14.0, name);
        let mark = row.estimate.unwrap_or_else(|| row.interval.map_or(f64::NAN, |ends| ends.lower));
        sketch.mark(x.place(mark), middle);
        let Some(interval) = row.interval else {
            sketch.text("label start", from, middle + 4.0, "no interval");
            continue;
        };
        let end = |value: f64, edge: f64| match value.is_finite() {
            true => (x.place(value), x.is_beyond(value)),
            false => (edge, true),
        };
        let ends = [end(interval.lower, from), end(interval.upper, right)];
        let estimate = row.estimate.filter(|value| value.is_finite()).map(|value| x.place(value));
        sketch.interval(middle, ends, estimate);
    }
    sketch
}
