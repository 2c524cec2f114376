//! What is known of functions, in the JSON contract.

use super::growth::InputEntry;
use crate::report::{AllocationsPerCall, CallTiming, Harness, MeasuredExecutions, Subject};
use fathom_derive::Serialize;

/// What timing a function costs, in seconds.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct HarnessEntry {
    /// The smallest step of the clock.
    clock_grain: f64,
    /// What two readings of the clock take. It is subtracted from every batch.
    clock_cost: f64,
    /// What the loop around an empty function takes. A shorter function cannot be measured.
    loop_floor: f64,
    /// What the loop adds to a call. It is subtracted.
    loop_overhead: f64,
}

impl HarnessEntry {
    pub(super) fn of(harness: Harness) -> HarnessEntry {
        let Harness { clock_grain, clock_cost, loop_floor, loop_overhead } = harness;
        HarnessEntry { clock_grain, clock_cost, loop_floor, loop_overhead }
    }
}

/// How a function was timed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FunctionEntry<'a> {
    /// The number of calls in a batch. A value is the time of a batch divided by it.
    calls_per_batch: u64,
    /// Whether the function takes no longer than the loop around an empty one.
    zero_measurement: bool,
    /// What the time of a call is. `latency`: each call waits for the one before. `throughput`: calls
    /// may overlap in the processor. Absent if it is unknown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = crate::CallTiming::ALL.map(|timing| timing.name()))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<&'static str>,
    /// The number of executions of the program in which the function was measured. If there are
    /// several, each counts once in the interval (`sample` is `execution`); if there is one, the
    /// interval is for this execution only. Absent if two builds were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    executions: Option<usize>,
    /// Why there is only one execution, if you did not ask for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_execution_because: Option<String>,
    /// The throughput, if the bench says how much a call processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    throughput: Option<ThroughputEntry>,
    /// The size of the input, if the function has an argument that is a number or the bench says the
    /// size.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<InputEntry<'a>>,
    /// The allocations of a call, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    allocations: Option<AllocationsEntry>,
    /// The share of the machine that the hypervisor took meanwhile; `null` if unknown.
    stolen: Option<f64>,
    /// The share of the machine that other programs took meanwhile; `null` if unknown.
    other_programs: Option<f64>,
}

/// How much a function processes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ThroughputEntry {
    /// What it processes.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = fathom_record::Throughput::ALL.map(|of| of(0).name()))))]
    unit: &'static str,
    /// The amount per call.
    per_call: u64,
    /// The amount per second; `null` if the function cannot be measured.
    per_second: Option<f64>,
}

/// What a call asks of the allocator, on average.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct AllocationsEntry {
    /// Allocations per call.
    per_call: f64,
    /// Bytes per call.
    bytes_per_call: f64,
    /// The number of calls that were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
}

impl<'a> FunctionEntry<'a> {
    pub(super) fn of(subject: &'a Subject) -> Option<FunctionEntry<'a>> {
        let function = subject.function.as_ref()?;
        let executions = function.executions.as_ref();
        let seconds = subject.estimates.first().map_or(0.0, |estimate| estimate.value);
        Some(FunctionEntry {
            calls_per_batch: function.calls_per_batch,
            zero_measurement: function.is_zero,
            timing: function.timing.map(CallTiming::name),
            executions: executions.map(MeasuredExecutions::count),
            one_execution_because: executions
                .and_then(MeasuredExecutions::why_one)
                .map(str::to_string),
            throughput: function.throughput.map(|throughput| ThroughputEntry {
                unit: throughput.name(),
                per_call: throughput.per_call(),
                per_second: throughput
                    .per_second(seconds)
                    .filter(|_| !function.is_zero && subject.series.is_wall_time()),
            }),
            input: function.input.as_ref().map(InputEntry::of),
            allocations: function.allocations.map(|AllocationsPerCall { count, bytes, calls }| {
                AllocationsEntry { per_call: count, bytes_per_call: bytes, calls }
            }),
            stolen: function.stolen,
            other_programs: function.others,
        })
    }
}
