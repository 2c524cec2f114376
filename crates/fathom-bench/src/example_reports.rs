//! Reports with made-up numbers, for tests of what people see.

use fathom_analyze::compare::{Comparison, Course, Gate, Margin, Pairing};
use fathom_analyze::{
    AllocationsPerCall, CallTiming, EstimateRequest, Function, Harness, MeasuredExecutions, Report,
    StopReason, Subject, analyze,
};
use fathom_record::{Environment, Series, Throughput, Unit};
use fathom_stats::Confidence;
use fathom_stats::paired::Block;

/// A function whose batches took about this many seconds per call.
pub(crate) fn subject(name: &str, seconds: f64) -> Subject {
    let values = (0..200).map(|i| seconds * (1.0 + 0.001 * ((i * 7 % 10) as f64 - 4.5))).collect();
    let series = Series::new(name, Unit::SECONDS, values).expect("the values are finite");
    let mut subject = analyze(series, &EstimateRequest::default());
    subject.stopped = StopReason::Precision;
    subject.function = Some(Function {
        calls_per_batch: 81,
        is_zero: false,
        timing: Some(CallTiming::Throughput),
        executions: Some(MeasuredExecutions::Several { count: 12 }),
        throughput: None,
        input: fathom_analyze::InputSize::of_name(name),
        allocations: None,
        stolen: Some(0.0),
        others: Some(0.01),
    });
    subject
}

/// What a function does besides taking time.
pub(crate) fn with_facts(mut subject: Subject, bytes: u64, allocations: f64) -> Subject {
    if let Some(function) = &mut subject.function {
        function.throughput = Some(Throughput::Bytes(bytes));
        function.allocations =
            Some(AllocationsPerCall { count: allocations, bytes: 48.0, calls: Some(1620) });
    }
    subject
}

/// What blocks with log-ratios about `log_ratio` say.
pub(crate) fn comparison(
    names: [&str; 2],
    log_ratio: f64,
    spread: f64,
    pairing: Pairing,
    gates: Vec<Gate>,
) -> Comparison {
    let margin = Margin::new(0.005).expect("half a percent is a margin");
    let mut course = Course::new(1, 40, Confidence::DEFAULT, margin, gates, 0.0);
    for i in 0..40_usize {
        let noise = spread * ((i * 7 % 10) as f64 - 4.5);
        if course.take(&[(0, Block { log_ratio: log_ratio + noise, log_total: 0.0 })]) {
            break;
        }
    }
    Comparison::of(&course, 0, names, pairing, 0.001).expect("there are blocks")
}

/// A report of these.
pub(crate) fn report(subjects: Vec<Subject>, comparisons: Vec<Comparison>) -> Report {
    Report {
        command_line: "cargo bench --bench parser".to_string(),
        seed: 7,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: Some(Harness {
            clock_grain: 1e-8,
            clock_cost: 2.22e-8,
            loop_floor: 2.7e-10,
            loop_overhead: 1e-12,
        }),
        instructions: None,
        subjects,
        comparisons: Some(comparisons).filter(|all| !all.is_empty()),
        warnings: Vec::new(),
    }
}
