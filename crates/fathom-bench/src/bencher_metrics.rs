//! Results for bencher.dev: the Bencher Metric Format, which its adapter `json` reads.

use fathom_analyze::{CountedFunction, Report, Subject};
use fathom_record::{Throughput, TimeUnit, Unit};
use serde_json::{Map, Number, Value};

/// The JSON of a report: a benchmark for each function, with a measure for each thing that was
/// measured. Functions that were optimised away are left out: bencher.dev knows no "zero".
pub(crate) fn bencher_metrics(report: &Report) -> Result<String, serde_json::Error> {
    let mut benchmarks = Map::new();
    for subject in &report.subjects {
        if let Some(measures) = measures(subject) {
            benchmarks.insert(subject.series.name().to_string(), measures);
        }
    }
    for counted in report.instructions.iter().flat_map(|counted| &counted.functions) {
        benchmarks.insert(counted.name().to_string(), instructions(counted));
    }
    serde_json::to_string_pretty(&Value::Object(benchmarks)).map(|text| format!("{text}\n"))
}

fn measures(subject: &Subject) -> Option<Value> {
    let is_zero = subject.function.as_ref().is_some_and(|function| function.is_zero);
    let estimate = subject.estimates.first().filter(|_| !is_zero)?;
    // bencher.dev has latencies in nanoseconds.
    let scale = |value: f64| match subject.series.unit() {
        Unit::Time(unit) => unit.convert(value, TimeUnit::Nanoseconds),
        _ => value,
    };
    let ends = estimate.interval().map(|interval| (interval.lower, interval.upper));
    let (lower, upper) = ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let mut measures = Map::new();
    let name = if subject.series.is_wall_time() { "latency".to_string() } else { slug(subject) };
    measures.insert(name, metric(scale(estimate.value), scale(lower), scale(upper)));
    let throughput = subject.function.as_ref().and_then(|function| function.throughput);
    if let Some(Throughput::Items(items)) = throughput.filter(|_| subject.series.is_wall_time()) {
        // The longest time is the lowest rate.
        let rate = |seconds: f64| items as f64 / seconds;
        let metric = metric(rate(estimate.value), rate(upper), rate(lower.max(0.0)));
        measures.insert("throughput".to_string(), metric);
    }
    Some(Value::Object(measures))
}

fn instructions(counted: &CountedFunction) -> Value {
    let metric = metric(counted.middle(), counted.lower(), counted.upper());
    Value::Object(Map::from_iter([("instructions".to_string(), metric)]))
}

/// A value and the ends that are known.
fn metric(value: f64, lower: f64, upper: f64) -> Value {
    let parts = [("value", value), ("lower_value", lower), ("upper_value", upper)];
    let known = parts.into_iter().filter_map(|(name, number)| {
        Some((name.to_string(), Value::Number(Number::from_f64(number)?)))
    });
    Value::Object(known.collect())
}

/// The name of a measure: "process-cpu-time".
fn slug(subject: &Subject) -> String {
    let name = subject.series.metric().unwrap_or("value").to_lowercase();
    let plain = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
    plain.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{report, subject};
    use fathom_analyze::{InstructionCounter, InstructionReport};

    #[test]
    fn every_function_is_a_benchmark() {
        let mut counted = subject("parse/int", 12e-9);
        if let Some(function) = &mut counted.function {
            function.throughput = Some(Throughput::Items(3));
        }
        let mut zero = subject("nothing", 2.7e-10);
        if let Some(function) = &mut zero.function {
            function.is_zero = true;
        }
        let mut cpu = subject("parse/float", 31e-9);
        cpu.series = cpu.series.with_metric("process CPU time");
        let mut report = report(vec![counted, zero, cpu], Vec::new());
        report.instructions = Some(InstructionReport {
            counter: InstructionCounter::Valgrind,
            functions: vec![CountedFunction::new("hash", 64, vec![210.0, 214.0]).unwrap()],
            comparisons: Vec::new(),
        });
        let found: Value = serde_json::from_str(&bencher_metrics(&report).unwrap()).unwrap();
        assert_eq!(found.as_object().map(Map::len), Some(3), "{found}");
        let latency = &found["parse/int"]["latency"];
        let of = |key: &str| latency[key].as_f64().unwrap();
        assert!((of("value") - 12.0).abs() < 0.1, "{latency}");
        assert!(of("lower_value") <= of("value") && of("value") <= of("upper_value"));
        let throughput = found["parse/int"]["throughput"]["value"].as_f64().unwrap();
        assert!((throughput / 2.5e8 - 1.0).abs() < 0.01, "{throughput}");
        assert!(found["parse/float"]["process-cpu-time"]["value"].as_f64().unwrap() > 30.0);
        assert_eq!(found["hash"]["instructions"]["upper_value"], 214.0);
    }

    #[test]
    fn unknown_ends_are_left_out() {
        let open = metric(5.0, f64::NEG_INFINITY, 6.0);
        assert_eq!(open, serde_json::json!({ "value": 5.0, "upper_value": 6.0 }));
    }
}
