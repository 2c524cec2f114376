//! Checks for tests.

use super::OpenedCheck;
use fathom_property::decide::{
    ErrorSharing, ExecutionOutcome, Method, ProportionQuestion, VacuousRule, decide_fixed,
};
use fathom_property::{
    AbnormalExecutions, Bounds, CellRatio, CheckReport, CheckStopReason, ComparisonMethod,
    JointReport, Judged, JudgedAs, PropertyAnswer, QuestionDetails, ShownExecution, ShownRun,
    ShownSignal, Study, StudyAxis, StudyCell, StudyComparison, Threshold, ThresholdSide, Truth,
    ValueMethod, ValueQuestion,
};
use fathom_record::{Environment, Shape, Signal, TimeUnit, Unit};
use fathom_stats::quantile::spa::Direction;
use fathom_stats::{Confidence, Interval, Probability};
use std::sync::Arc;

const SECONDS: &str = "s";

pub(crate) fn seconds() -> Unit {
    Unit::Time(TimeUnit::Seconds)
}

fn judged(run: u64, result: JudgedAs) -> Judged {
    Judged { runs: [run].into(), seeds: [7].into(), source: None, is_cut: run == 5, result }
}

/// How a property with the threshold 1 s turned out with this margin.
pub(crate) fn by_margin(run: u64, margin: f64) -> Judged {
    let truth = if margin > 0.0 { Truth::True } else { Truth::False };
    let decided_by = Some(Arc::new((SECONDS.to_string(), "x < 1 s".to_string())));
    let at = Some(Box::new((2.5, Arc::from("s"))));
    let robustness = Bounds::exactly(margin);
    judged(run, JudgedAs::Property { truth, robustness, decided_by, at })
}

pub(crate) fn failed(run: u64) -> Judged {
    judged(run, JudgedAs::Failed("exited with <status> 3".to_string()))
}

fn report(name: Option<&str>, judged: Vec<Judged>, answer: PropertyAnswer) -> CheckReport {
    CheckReport {
        name: name.map(str::to_string),
        group: None,
        sharing: None,
        command_line: "fathom check 'x < 1 s' --data runs.csv".to_string(),
        seed: 1,
        environment: Environment::of_this_build(),
        session: None,
        probability: Probability::new(0.9).unwrap(),
        confidence: Confidence::new(0.9).unwrap(),
        answer,
        tuple: Vec::new(),
        judged,
        leaves_failed_out: false,
        of_all: None,
        asks_precision: false,
        unused: 0,
        stopped: CheckStopReason::Fixed,
        plan: None,
        conditions: Vec::new(),
        caveats: Vec::new(),
        warnings: vec!["<b>be careful</b>".to_string()],
    }
}

/// A property of these executions.
pub(crate) fn property(name: Option<&str>, judged: Vec<Judged>) -> CheckReport {
    let question = ProportionQuestion {
        probability: Probability::new(0.9).unwrap(),
        confidence: Confidence::new(0.9).unwrap(),
        method: Method::Exact,
    };
    let outcomes = judged.iter().map(|one| match &one.result {
        JudgedAs::Property { truth: Truth::True, .. } => ExecutionOutcome::True,
        JudgedAs::Property { truth: Truth::False, .. } => ExecutionOutcome::False,
        JudgedAs::Property { truth: Truth::Vacuous, .. } => ExecutionOutcome::Vacuous,
        JudgedAs::Property { truth: Truth::Unknown, .. } => ExecutionOutcome::Unknown,
        _ => ExecutionOutcome::Failed,
    });
    let summary = decide_fixed(outcomes, question, VacuousRule::True).unwrap();
    report(name, judged, PropertyAnswer::Verdict { property: "x < 1 s".to_string(), summary })
}

/// An estimate of these values.
pub(crate) fn estimate(values: &[f64]) -> CheckReport {
    let question = ValueQuestion {
        probability: Probability::new(0.9).unwrap(),
        confidence: Confidence::new(0.9).unwrap(),
        direction: Direction::AtMost,
        method: ValueMethod::Exact,
    };
    let bounds: Vec<Bounds> = values.iter().map(|&value| Bounds::exactly(value)).collect();
    let judged =
        bounds.iter().zip(1..).map(|(bounds, run)| judged(run, JudgedAs::Value(*bounds))).collect();
    let value = question.answer(&bounds);
    let expression = "x".to_string();
    report(None, judged, PropertyAnswer::Value { expression, unit: seconds(), question, value })
}

pub(crate) fn opened(reports: Vec<CheckReport>, details: Vec<QuestionDetails>) -> OpenedCheck {
    let mut reports = reports.into_iter();
    let first = reports.next().unwrap();
    let sharing = ErrorSharing::Shared;
    OpenedCheck {
        title: "<check>.json".to_string(),
        words: vec!["<check>.json".to_string()],
        report: JointReport {
            sharing,
            first,
            others: reports.collect(),
            abnormal: AbnormalExecutions::default(),
            recorded: None,
            study: None,
        },
        details,
        again: Vec::new(),
        notes: Vec::new(),
    }
}

/// Forty executions, some of them beyond the threshold, one failed and one cut.
pub(crate) fn forty() -> Vec<Judged> {
    let margin = |run: u64| 0.4 - 0.05 * ((run * 13) % 10) as f64;
    (1..=40).map(|run| if run == 9 { failed(run) } else { by_margin(run, margin(run)) }).collect()
}

/// What is known of the property besides.
pub(crate) fn details() -> QuestionDetails {
    let (times, values) = (vec![0.0, 1.0, 2.0, 3.0], vec![0.5, 0.7, 1.4, 0.6]);
    let signal = Signal::new(seconds(), Shape::Step, times, values).unwrap();
    let name = "x & </svg>".to_string();
    QuestionDetails {
        threshold: Some(Threshold {
            value: 1.0,
            unit: SECONDS.to_string(),
            side: ThresholdSide::Below,
        }),
        worst: vec![ShownExecution {
            place: 0,
            runs: vec![ShownRun {
                name: String::new(),
                end: 4.0,
                time_unit: seconds(),
                signals: vec![ShownSignal { name, signal, thresholds: vec![1.0] }],
                events: vec![("stop".to_string(), vec![0.5, 2.5])],
            }],
            violated: vec![(2.0, 3.0)],
        }],
    }
}

/// The tail with the larger cache relative to the smaller one, in both benchmarks; one is unbounded.
fn compared() -> StudyComparison {
    let ratio = |cell, ratio, upper| CellRatio {
        cell,
        baseline: Some(cell - 1),
        ratio: Some(ratio),
        interval: Interval { lower: 0.9 * ratio, upper },
    };
    StudyComparison {
        question: 1,
        axis: Some(1),
        value: 1,
        baseline: 0,
        ratios: vec![ratio(1, 1.2, 1.3), ratio(3, 0.8, f64::INFINITY)],
        mean: Some(0.98),
        interval: Interval { lower: 0.9, upper: 1.1 },
        confidence: Confidence::new(0.9).unwrap(),
        method: ComparisonMethod::Ranks,
        is_paired: false,
    }
}

/// A study of two benchmarks and two caches.
pub(crate) fn study() -> OpenedCheck {
    let axis = |name: &str, values: [&str; 2]| StudyAxis {
        name: name.to_string(),
        values: values.map(String::from).to_vec(),
    };
    let cells: Vec<StudyCell> = (0..4)
        .map(|cell| StudyCell {
            name: format!("cell {cell}"),
            values: vec![cell / 2, cell % 2],
            systems: Vec::new(),
        })
        .collect();
    let reports = (0..4).flat_map(|cell| {
        let margin = if cell == 3 { -0.2 } else { 0.2 };
        let judged = (1..=40).map(|run| by_margin(run, margin)).collect();
        let values: Vec<f64> =
            (0..40).map(|at| f64::from(cell) + f64::from(at * 7 % 40) / 100.0).collect();
        [property(Some("fast"), judged), estimate(&values)]
    });
    let mut opened = opened(reports.collect(), Vec::new());
    opened.report.study = Some(Study {
        axes: vec![axis("benchmark", ["ferret", "canneal"]), axis("l2", ["512kB", "1MB"])],
        questions: vec!["fast".to_string(), "tail".to_string()],
        cells,
        shares_seeds: false,
        comparisons: vec![compared()],
    });
    opened
}
