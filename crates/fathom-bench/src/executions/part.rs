//! What one execution is told to measure, and what it gives: some batches of a function.

use fathom_analyze::{AllocationsPerCall, CallTiming};
use fathom_record::Throughput;
use fathom_stats::Confidence;
use serde_json::{Value, json};
use std::time::Duration;

/// An order for batches of a function, back to back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartOrder {
    /// The number of the function.
    pub(crate) function: usize,
    /// Calls per batch; 0 to find out how many.
    pub(crate) calls: u64,
    /// How long to warm up first. Not at all, if the batches continue others.
    pub(crate) warm_up: Duration,
    /// How long to measure.
    pub(crate) time: Duration,
    /// The smallest number of batches.
    pub(crate) fewest: u64,
    /// Whether to count allocations as well.
    pub(crate) counts_allocations: bool,
    /// What timing costs, so that all executions subtract the same: `Instrument::to_bits`.
    pub(crate) instrument: [u64; 4],
}

/// What it gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Part {
    /// Seconds per call, batch by batch.
    pub(crate) values: Vec<f64>,
    pub(crate) calls: u64,
    /// How long it took to make what the function needs.
    pub(crate) set_up: Duration,
    pub(crate) allocations: Option<AllocationsPerCall>,
    /// How long the batches took, with what lies between them.
    pub(crate) spent: Duration,
    /// The CPU time that the process has used since it began.
    pub(crate) cpu: Duration,
    pub(crate) timing: Option<CallTiming>,
    pub(crate) asked: CodeSettings,
}

/// What a bench says in its code about one of its functions. Another process of the program may not
/// come to that code.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CodeSettings {
    pub(crate) throughput: Option<Throughput>,
    pub(crate) max_time: Option<Duration>,
    pub(crate) confidence: Option<Confidence>,
    /// Settings that were accepted and change nothing.
    pub(crate) without_effect: Vec<String>,
}

impl PartOrder {
    pub(crate) fn line(&self) -> String {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let [a, b, c, d] = self.instrument;
        format!(
            "measure {} {} {} {} {} {} {a} {b} {c} {d}\n",
            self.function,
            self.calls,
            nanoseconds(self.warm_up),
            nanoseconds(self.time),
            self.fewest,
            u8::from(self.counts_allocations),
        )
    }

    /// Reads the words after the first.
    pub(crate) fn read(words: &[&str]) -> Option<PartOrder> {
        let numbers: Option<Vec<u64>> = words.iter().map(|word| word.parse().ok()).collect();
        let [function, calls, warm_up, time, fewest, counts_allocations, instrument @ ..] =
            numbers.as_deref()?
        else {
            return None;
        };
        Some(PartOrder {
            function: usize::try_from(*function).ok()?,
            calls: *calls,
            warm_up: Duration::from_nanos(*warm_up),
            time: Duration::from_nanos(*time),
            fewest: *fewest,
            counts_allocations: *counts_allocations == 1,
            instrument: instrument.try_into().ok()?,
        })
    }
}

impl Part {
    pub(crate) fn line(&self) -> String {
        // As text: it is read back to the last bit.
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        let asked = &self.asked;
        let part = json!({
            "values": values.join(" "),
            "calls": self.calls,
            "set_up": self.set_up.as_secs_f64(),
            "allocations": self.allocations.map(|one| json!([one.count, one.bytes, one.calls])),
            "spent": self.spent.as_secs_f64(),
            "cpu": self.cpu.as_secs_f64(),
            "timing": self.timing.map(CallTiming::name),
            "throughput": asked.throughput.map(|one| json!([one.name(), one.per_call()])),
            "max_time": asked.max_time.map(|time| time.as_secs_f64()),
            "confidence": asked.confidence.map(Confidence::get),
            "without_effect": asked.without_effect,
        });
        format!("measured {part}\n")
    }

    /// Reads what follows the first word.
    pub(crate) fn read(rest: &str) -> Option<Part> {
        let part: Value = serde_json::from_str(rest).ok()?;
        let values = part["values"].as_str()?.split_whitespace();
        let values: Option<Vec<f64>> = values.map(|value| value.parse().ok()).collect();
        let values = values?;
        let is_time = |value: &f64| value.is_finite() && *value > 0.0;
        if values.is_empty() || !values.iter().all(is_time) {
            return None;
        }
        let time = |name: &str| Duration::try_from_secs_f64(part[name].as_f64()?).ok();
        let allocations = &part["allocations"];
        let throughput = &part["throughput"];
        let effects = part["without_effect"].as_array().cloned().unwrap_or_default();
        Some(Part {
            values,
            calls: part["calls"].as_u64().filter(|calls| *calls > 0)?,
            set_up: time("set_up")?,
            allocations: allocations[0].as_f64().zip(allocations[1].as_f64()).map(
                |(count, bytes)| {
                    let calls = allocations[2].as_u64();
                    AllocationsPerCall { count, bytes, calls }
                },
            ),
            spent: time("spent")?,
            cpu: time("cpu")?,
            timing: CallTiming::ALL
                .into_iter()
                .find(|timing| part["timing"].as_str() == Some(timing.name())),
            asked: CodeSettings {
                throughput: throughput[1].as_u64().and_then(|per_call| {
                    let mut all = Throughput::ALL.into_iter().map(|of| of(per_call));
                    all.find(|of| throughput[0].as_str() == Some(of.name()))
                }),
                max_time: time("max_time"),
                confidence: part["confidence"].as_f64().and_then(|c| Confidence::new(c).ok()),
                without_effect: effects
                    .iter()
                    .filter_map(|name| name.as_str().map(str::to_string))
                    .collect(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        let order = PartOrder {
            function: 3,
            calls: 1200,
            warm_up: Duration::from_micros(4),
            time: Duration::from_millis(80),
            fewest: 2,
            counts_allocations: true,
            instrument: [1.0_f64, 0.1, 1e-3, 0.0].map(f64::to_bits),
        };
        let line = order.line();
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        assert_eq!(PartOrder::read(&words), Some(order));
        assert_eq!(PartOrder::read(&words[1..]), None);
        let part = Part {
            values: vec![1.0 / 3.0e9, 1.234_567_890_123_456_7e-9],
            calls: 7,
            set_up: Duration::from_millis(3),
            allocations: Some(AllocationsPerCall { count: 1.5, bytes: 48.0, calls: Some(10) }),
            spent: Duration::from_millis(80),
            cpu: Duration::from_millis(125),
            timing: Some(CallTiming::Latency),
            asked: CodeSettings {
                throughput: Some(Throughput::Items(9)),
                max_time: Some(Duration::from_secs(7)),
                confidence: Confidence::new(0.9).ok(),
                without_effect: vec!["sample_size".to_string()],
            },
        };
        let line = part.line();
        assert_eq!(line.lines().count(), 1);
        assert_eq!(Part::read(line.strip_prefix("measured ").unwrap().trim_end()), Some(part));
        let empty = Part { calls: 7, ..Part::default() };
        for text in ["", "{}", "[1]", empty.line().strip_prefix("measured ").unwrap()] {
            assert_eq!(Part::read(text.trim_end()), None, "{text}");
        }
    }
}
