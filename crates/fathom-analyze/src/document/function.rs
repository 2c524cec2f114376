//! What is known of functions, in the JSON contract.

use crate::report::{AllocationsPerCall, Harness, Subject};
use fathom_record::Throughput;
use serde::Serialize;

/// What timing a function costs, in seconds.
#[derive(Debug, Serialize)]
pub(super) struct HarnessEntry {
    clock_grain: f64,
    clock_cost: f64,
    loop_floor: f64,
    loop_overhead: f64,
}

impl HarnessEntry {
    pub(super) fn of(harness: Harness) -> HarnessEntry {
        let Harness { clock_grain, clock_cost, loop_floor, loop_overhead } = harness;
        HarnessEntry { clock_grain, clock_cost, loop_floor, loop_overhead }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct FunctionEntry {
    calls_per_batch: u64,
    zero_measurement: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    throughput: Option<ThroughputEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocations: Option<AllocationsEntry>,
    stolen: Option<f64>,
    other_programs: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ThroughputEntry {
    unit: &'static str,
    per_call: u64,
    per_second: Option<f64>,
}

#[derive(Debug, Serialize)]
struct AllocationsEntry {
    per_call: f64,
    bytes_per_call: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
}

impl FunctionEntry {
    pub(super) fn of(subject: &Subject) -> Option<FunctionEntry> {
        let function = subject.function.as_ref()?;
        let seconds = subject.estimates.first().map_or(0.0, |estimate| estimate.value);
        Some(FunctionEntry {
            calls_per_batch: function.calls_per_batch,
            zero_measurement: function.is_zero,
            throughput: function.throughput.map(|throughput| ThroughputEntry {
                unit: match throughput {
                    Throughput::Bytes(_) => "bytes",
                    Throughput::Items(_) => "items",
                },
                per_call: throughput.per_call(),
                per_second: throughput.per_second(seconds).filter(|_| !function.is_zero),
            }),
            allocations: function.allocations.map(|AllocationsPerCall { count, bytes, calls }| {
                AllocationsEntry { per_call: count, bytes_per_call: bytes, calls }
            }),
            stolen: function.stolen,
            other_programs: function.others,
        })
    }
}
