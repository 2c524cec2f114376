//! How sure the answer would be for other thresholds: figure 4 of the SPA paper.

use super::fineness::Fineness;
use super::view::amount;
use crate::figure::{Axis, Figure, FigureTable, LegendEntry, LegendSign, Sketch, Upright, WIDTHS};
use fathom_property::decide::{
    ConfidenceCurve, ConfidenceStep, CurveQuestion, Method, VacuousRule,
};
use fathom_property::{
    Bounds, CheckReport, JudgedAs, PropertyAnswer, Threshold, ThresholdSide, Truth, ValueMethod,
};
use fathom_record::Unit;
use fathom_render::percent;
use fathom_stats::quantile::spa::Direction;

const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const PLOT: f64 = 190.0;

/// What is drawn.
struct Drawn {
    curve: ConfidenceCurve,
    unit: Unit,
    /// The threshold that was asked about, or the value that was estimated, and what it is.
    asked: Option<(f64, String)>,
    /// The shaded thresholds, and what they are.
    band: ((f64, f64), String),
    /// "at least 90% are below", "fewer are".
    answers: [String; 2],
    needed: String,
    says: String,
    note: Option<String>,
}

/// The figure; `None` if the property has no single threshold, or nothing is known.
pub(super) fn figure(
    report: &CheckReport,
    threshold: Option<&Threshold>,
    fineness: Fineness,
) -> Option<Figure> {
    let drawn = match &report.answer {
        PropertyAnswer::Verdict { .. } => of_property(report, threshold?)?,
        PropertyAnswer::Value { .. } => of_estimate(report)?,
    };
    let steps = thinned(&drawn.curve.steps, fineness.points);
    // The first step has no beginning.
    let first = steps.get(1)?.from;
    let last = steps.last()?.from;
    let mut table =
        FigureTable::with_head(&["threshold from", &drawn.answers[0], &drawn.answers[1]]);
    table.rows.extend(steps.iter().map(|step| {
        let from = match step.from.is_finite() {
            true => amount(step.from, &drawn.unit),
            false => "−∞".to_string(),
        };
        vec![from, share(step.reached.at_least), share(step.reached.less)]
    }));
    let readings = steps.iter().skip(1).map(|step| reading(step, &drawn)).collect();
    let legend = legend(&drawn);
    let [wide, narrow] =
        WIDTHS.map(|width| sketch(&drawn, &steps, (first, last), &legend, width).finish());
    Some(Figure {
        id: "thresholds".to_string(),
        title: "Confidence against threshold".to_string(),
        says: drawn.says,
        wide,
        narrow,
        readings,
        note: drawn.note,
        table,
    })
}

fn of_property(report: &CheckReport, threshold: &Threshold) -> Option<Drawn> {
    let PropertyAnswer::Verdict { summary, .. } = &report.answer else { return None };
    let counts = &summary.counts;
    let values: Vec<Bounds> = report
        .judged
        .iter()
        .filter_map(|judged| match &judged.result {
            JudgedAs::Property { truth: Truth::Vacuous, .. }
            | JudgedAs::Failed(_)
            | JudgedAs::Value(_) => None,
            JudgedAs::Property { truth, robustness, .. } => {
                threshold.value_of_judged(*truth, *robustness)
            }
        })
        .collect();
    let vacuous_as =
        |rule: VacuousRule| if counts.vacuous_rule == rule { counts.vacuous } else { 0 };
    let confidence = summary.question.confidence;
    let is_anytime = matches!(summary.question.method, Method::Anytime | Method::Wald { .. });
    let curve = ConfidenceCurve::of(
        &values,
        &CurveQuestion {
            probability: report.probability,
            confidence,
            side: threshold.side,
            is_anytime,
            always_true: vacuous_as(VacuousRule::True),
            always_false: counts.failed + vacuous_as(VacuousRule::False),
            dependence: summary.dependence,
        },
    );
    let unit = Unit::parse(&threshold.unit);
    let side = match threshold.side {
        ThresholdSide::Below => "below",
        ThresholdSide::Above => "above",
    };
    let share = percent(report.probability.get());
    let band = curve.undecided();
    let asked = amount(threshold.value, &unit);
    let sure = percent(confidence.get());
    let how = match is_anytime {
        true => "valid however often you look",
        false => "for a number of executions that was fixed beforehand",
    };
    let alone = match confidence.get() > report.confidence.get() {
        true => format!(
            " This question alone needs {sure}, so that all answers together hold with {}.",
            percent(report.confidence.get())
        ),
        false => String::new(),
    };
    let wald = match summary.question.method {
        Method::Wald { .. } => {
            " The verdict is by Wald's test; the curves are by the default method."
        }
        _ => "",
    };
    Some(Drawn {
        says: format!(
            "How sure the answers would be with another threshold: {} are inconclusive. The question \
             is about {asked}.",
            range_words(band, &unit)
        ),
        note: Some(format!("Curves {how}.{alone}{wald}")),
        asked: Some((threshold.value, format!("asked: {asked}"))),
        band: (band, "inconclusive".to_string()),
        answers: [format!("at least {share} {side}"), format!("fewer than {share} {side}")],
        needed: format!("needed: {sure}"),
        curve,
        unit,
    })
}

fn of_estimate(report: &CheckReport) -> Option<Drawn> {
    let PropertyAnswer::Value { question, value, unit, .. } = &report.answer else { return None };
    let mut failed = 0;
    let values: Vec<Bounds> = report
        .judged
        .iter()
        .filter_map(|judged| match &judged.result {
            JudgedAs::Value(bounds) => Some(*bounds),
            JudgedAs::Failed(_) => {
                failed += 1;
                None
            }
            JudgedAs::Property { .. } => None,
        })
        .collect();
    let (side, words) = match question.direction {
        Direction::Below | Direction::AtMost => (ThresholdSide::Below, "at most"),
        Direction::Above | Direction::AtLeast => (ThresholdSide::Above, "at least"),
    };
    let is_anytime = question.method == ValueMethod::Anytime;
    let curve = ConfidenceCurve::of(
        &values,
        &CurveQuestion {
            probability: question.probability,
            confidence: question.confidence,
            side,
            is_anytime,
            always_true: 0,
            always_false: if report.leaves_failed_out { 0 } else { failed },
            dependence: value.dependence,
        },
    );
    let band = (value.interval.lower, value.interval.upper);
    let (share, sure) = (percent(report.probability.get()), percent(question.confidence.get()));
    let note = match question.method {
        ValueMethod::Spa => None,
        _ => Some(format!(
            "An answer about one threshold needs {sure}. The interval has two ends that hold together, \
             so it is wider than where the curves cross that line."
        )),
    };
    Some(Drawn {
        says: format!(
            "How sure it is that {share} of executions are {words} a threshold, for every threshold; \
             the interval is {}.",
            range_words(band, unit)
        ),
        note,
        asked: value.value.map(|at| (at, format!("estimate: {}", amount(at, unit)))),
        band: (band, format!("{} CI", percent(report.confidence.get()))),
        answers: [format!("{share} are {words} that"), format!("fewer than {share} are")],
        needed: format!("needed: {sure}"),
        curve,
        unit: unit.clone(),
    })
}

fn range_words((low, high): (f64, f64), unit: &Unit) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", amount(low, unit), amount(high, unit)),
        (true, false) => format!("all thresholds from {}", amount(low, unit)),
        (false, true) => format!("all thresholds up to {}", amount(high, unit)),
        (false, false) => "all thresholds".to_string(),
    }
}

/// A confidence with the digits that matter.
fn share(share: f64) -> String {
    let most = if share > 0.999 && share < 1.0 { 0.999_99_f64.min(share) } else { share };
    percent((most * 1e5).floor() / 1e5)
}

fn reading(step: &ConfidenceStep, drawn: &Drawn) -> String {
    let [at_least, fewer] = &drawn.answers;
    format!(
        "threshold from {}: {at_least} with {}, {fewer} with {}",
        amount(step.from, &drawn.unit),
        share(step.reached.at_least),
        share(step.reached.less)
    )
}

/// Of very many steps some; the first and the last always.
fn thinned(steps: &[ConfidenceStep], most: usize) -> Vec<ConfidenceStep> {
    let every = steps.len().div_ceil(most.max(2)).max(1);
    let last = steps.len().saturating_sub(1);
    let is_shown = |place: usize| place <= 1 || place == last || place.is_multiple_of(every);
    steps.iter().enumerate().filter(|(place, _)| is_shown(*place)).map(|(_, step)| *step).collect()
}

fn legend(drawn: &Drawn) -> Vec<LegendEntry> {
    let [at_least, fewer] = &drawn.answers;
    let mut entries = vec![
        LegendEntry::new("line", LegendSign::Line, at_least.as_str()),
        LegendEntry::new("line other", LegendSign::Line, fewer.as_str()),
        LegendEntry::new("needed", LegendSign::Line, drawn.needed.as_str()),
        LegendEntry::new("band", LegendSign::Area, drawn.band.1.as_str()),
    ];
    if let Some((_, text)) = &drawn.asked {
        entries.push(LegendEntry::new("threshold", LegendSign::Line, text.as_str()));
    }
    entries
}

fn sketch(
    drawn: &Drawn,
    steps: &[ConfidenceStep],
    (first, last): (f64, f64),
    legend: &[LegendEntry],
    width: f64,
) -> Sketch {
    let top = Sketch::legend_height(width, legend) + 24.0;
    let bottom = top + PLOT;
    let mut sketch = Sketch::new(width, bottom + 38.0);
    sketch.legend(legend);
    let right = width - RIGHT;
    let ends = [first, last].into_iter().chain(drawn.asked.as_ref().map(|(at, _)| *at));
    let x = Axis::over(ends, &drawn.unit, [LEFT, right], width / 110.0);
    let Some(x) = x else { return sketch };
    let y = Axis::between([0.0, 100.0], &Unit::Unknown, [bottom, top], 5.0);
    let height = |confidence: f64| y.place(100.0 * confidence);
    let (low, high) = drawn.band.0;
    let place = |end: f64, edge: f64| if end.is_finite() { x.place(end) } else { edge };
    sketch.area(
        "band",
        (place(low, LEFT), top),
        (place(high, right).max(place(low, LEFT) + 1.0), bottom),
    );
    y.draw_left(&mut sketch, Upright { left: LEFT, right, title: "confidence, %" });
    x.draw_below(&mut sketch, top, bottom, "threshold");
    let needed = height(drawn.curve.confidence.get());
    sketch.line("needed", (LEFT, needed), (right, needed));
    let stairs = |of: fn(&ConfidenceStep) -> f64| -> Vec<(f64, f64)> {
        let step = |step: &ConfidenceStep| (place(step.from, LEFT), height(of(step)));
        steps.iter().map(step).collect()
    };
    sketch.stairs("line other", &stairs(|step| step.reached.less), right);
    sketch.stairs("line", &stairs(|step| step.reached.at_least), right);
    if let Some((at, _)) = &drawn.asked {
        sketch.line("threshold", (x.place(*at), top), (x.place(*at), bottom));
    }
    for step in steps.iter().skip(1) {
        let most = step.reached.at_least.max(step.reached.less);
        sketch.mark(x.place(step.from), height(most));
    }
    sketch
}
