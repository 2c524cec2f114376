//! Bytes to a series and a request, and what must hold of the answer.
//!
//! Shared by `tests/corpus.rs` and, by path, by `fuzz/fuzz_targets/analyze_pipeline.rs`. The first
//! 16 bytes are the request, the rest are the values; `testdata/fuzz/README.md` has the layout. Add
//! fields in the spare bytes of the header, where 0 must stay the default: the files of the corpus
//! keep their meaning.

use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{
    Document, EstimateRequest, IntervalOutcome, Method, Report, Statistic, Subject, analyze,
};
use fathom_record::{Environment, Series, Unit, own_json};
use fathom_stats::outliers::{self, OutlierGrid, OutlierRule};
use fathom_stats::{Confidence, Probability, Sides};
use serde_json::Value;

const HEADER: usize = 16;

/// More would make the fuzzer slow and find nothing else.
const MOST_VALUES: usize = 4096;

/// Where JSON may have no number: an interval that is declined, what could not be looked for.
const MAY_BE_NULL: [&str; 15] = [
    "coverage",
    "ranks",
    "class",
    "grid",
    "cut_height",
    "cut_curve",
    "cut_level",
    "largest_cluster",
    "kind",
    "cluster_size",
    "clustered_in_time_p",
    "lag1",
    "subsession",
    "lag1_merged",
    "effective_n",
];

/// What the bytes ask; `None` if they hold no finite value.
pub(crate) fn decode(bytes: &[u8]) -> Option<(Series, EstimateRequest)> {
    let (header, body) = bytes.split_at_checked(HEADER)?;
    let mut values = values(header[0], body);
    values.truncate(MOST_VALUES);
    let series = Series::new("fuzz", Unit::SECONDS, values).ok()?;
    let sizes = execution_sizes(series.len(), usize::from(header[1]));
    let series = if sizes.is_empty() { series } else { series.with_executions(sizes).ok()? };
    Some((series, request(header)))
}

/// Runs the pipeline and panics if the answer is not one.
pub(crate) fn check(bytes: &[u8]) {
    let Some((series, request)) = decode(bytes) else { return };
    let subject = analyze(series.clone(), &request);
    assert_eq!(subject.estimates.len(), request.statistics.len(), "{request:?}");
    check_numbers(&subject);

    let report = Report {
        command_line: "fuzz".to_string(),
        seed: request.seed,
        environment: Environment::of_this_build(),
        subjects: vec![subject],
        session: None,
        overhead_per_run: None,
        harness: None,
        instructions: None,
        comparisons: None,
        warnings: Vec::new(),
    };
    let text = Document::of(&report, true).to_json().expect("a document is JSON");
    let json: Value = serde_json::from_str(&text).expect("JSON parses");
    no_null(&json, "");
    let back = own_json::read(&text).expect("our own JSON reads back");
    assert_eq!(back, [series], "values change on the way through JSON");
}

fn check_numbers(subject: &Subject) {
    for estimate in &subject.estimates {
        assert!(estimate.value.is_finite(), "{estimate:?}");
        match &estimate.outcome {
            IntervalOutcome::Interval { interval, coverage, .. } => {
                assert!(interval.lower <= interval.upper, "{estimate:?}");
                assert!(interval.lower < f64::INFINITY, "{estimate:?}");
                assert!(interval.upper > f64::NEG_INFINITY, "{estimate:?}");
                let is_probability = |c: f64| (-1e-9..=1.0 + 1e-9).contains(&c);
                assert!(coverage.is_none_or(is_probability), "{estimate:?}");
            }
            IntervalOutcome::Declined { reason, .. } => {
                assert!(!reason.to_string().is_empty(), "{estimate:?}")
            }
        }
    }
    // Only ends of intervals may be infinite, and nothing may be NaN, wherever it is kept.
    let text = format!("{subject:?}").replace("lower: -inf", "").replace("upper: inf", "");
    for bad in ["NaN", ": inf", ": -inf", "(inf)", "(-inf)", "[inf", "[-inf", " inf,", " -inf,"] {
        assert!(!text.contains(bad), "{bad} in {text}");
    }
}

/// A double that is not a number is written as null.
fn no_null(json: &Value, key: &str) {
    match json {
        Value::Null => assert!(MAY_BE_NULL.contains(&key), "\"{key}\" is null"),
        Value::Array(items) => items.iter().for_each(|item| no_null(item, key)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| no_null(value, key)),
        _ => {}
    }
}

fn request(header: &[u8]) -> EstimateRequest {
    let level = u16::from_le_bytes([header[6], header[7]]);
    let mut statistics = Vec::new();
    if header[2] & 1 != 0 {
        statistics.push(Statistic::MEDIAN);
    }
    if header[2] & 2 != 0 {
        statistics.push(Statistic::Mean);
    }
    if header[2] & 4 != 0 {
        let p = (f64::from(level) + 1.0) / 65_537.0;
        statistics.extend(Probability::new(p).ok().map(Statistic::Quantile));
    }
    if header[2] & 8 != 0 {
        statistics.push(Statistic::HarmonicMean);
    }
    let mut request = EstimateRequest {
        confidence: confidence(header[3]),
        sides: [Sides::Both, Sides::Lower, Sides::Upper][usize::from(header[4] % 3)],
        seed: u64::from(header[8]),
        assume_independent: header[9] & 1 != 0,
        correlogram: header[9] & 2 != 0,
        steady_state: match header[10] {
            0 => SteadyStatePolicy::Auto,
            1 => SteadyStatePolicy::Off,
            skip => SteadyStatePolicy::Skip(usize::from(skip) - 1),
        },
        outliers: [OutlierPolicy::Flag, OutlierPolicy::Remove, OutlierPolicy::Keep]
            [usize::from(header[11] % 3)],
        outlier_rule: OutlierRule {
            method: outliers::Method::ALL[usize::from(header[12]) % outliers::Method::ALL.len()],
            grid: match header[13] {
                0 => OutlierGrid::Auto,
                1 => OutlierGrid::Off,
                // From 1e-297 to 1e300.
                power => OutlierGrid::Step(10.0_f64.powi((i32::from(power) - 128) * 300 / 127)),
            },
            ..OutlierRule::default()
        },
        ..EstimateRequest::default()
    };
    if !statistics.is_empty() {
        request.statistics = statistics;
    }
    request.method = method(header[5]);
    // A method that does not serve is refused before the pipeline.
    if request.check().is_err() {
        request.method = None;
    }
    request
}

/// 0 is the default, 1 the least and 255 almost 1.
fn confidence(byte: u8) -> Confidence {
    let level = match byte {
        0 => return Confidence::DEFAULT,
        255 => 1.0 - 1e-12,
        other => 0.5 + f64::from(other - 1) / 508.0,
    };
    Confidence::new(level).unwrap_or(Confidence::DEFAULT)
}

/// 0 is each statistic's default.
fn method(byte: u8) -> Option<Method> {
    let choice = usize::from(byte) % (Method::ALL.len() + 1);
    choice.checked_sub(1).map(|index| Method::ALL[index])
}

/// Executions of `size` values each, the last one of what is left; none for 0.
fn execution_sizes(n: usize, size: usize) -> Vec<usize> {
    let starts = if size == 0 { 0..0 } else { 0..n };
    starts.step_by(size.max(1)).map(|start| size.min(n - start)).collect()
}

/// Doubles reach every magnitude; the others make ties and long series from few bytes.
fn values(encoding: u8, body: &[u8]) -> Vec<f64> {
    match encoding % 4 {
        0 => body
            .chunks_exact(8)
            .filter_map(|part| part.try_into().ok().map(f64::from_le_bytes))
            .filter(|value| value.is_finite())
            .collect(),
        1 => body.iter().map(|&byte| f64::from(byte)).collect(),
        2 => body
            .chunks_exact(2)
            .map(|part| 1.0 + f64::from(i16::from_le_bytes([part[0], part[1]])) * 1e-9)
            .collect(),
        // Runs: how often, then the value.
        _ => body
            .chunks_exact(3)
            .flat_map(|part| {
                let value = f64::from(i16::from_le_bytes([part[1], part[2]]));
                std::iter::repeat_n(value, usize::from(part[0]))
            })
            .collect(),
    }
}
