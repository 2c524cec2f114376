//! What is remembered of a run, and how it is written for Fathom.

use crate::thermal::CLOCK_HZ;
use std::fmt::Write as _;

/// Stretches of time in which a state holds, in order; their ends do not belong to them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stretches(Vec<(u64, u64)>);

impl Stretches {
    /// Adds a stretch that begins no earlier than the last one; one that overlaps or touches it
    /// becomes part of it.
    pub fn add(&mut self, from: u64, to: u64) {
        match self.0.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => self.0.push((from, to)),
        }
    }
}

/// A stretch of time over which power is averaged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub begin: u64,
    pub end: u64,
    pub ipc: f64,
    pub power: f64,
    /// At its end.
    pub temperature: f64,
}

/// What is remembered of a run. Times are cycles.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// The first core waits for a mispredicted branch, from fetching it to fetching again.
    pub mispredict: Stretches,
    /// The first core walks the page table.
    pub handling: Stretches,
    pub sprinting: Stretches,
    /// Of the first core.
    pub tlb_miss: Vec<u64>,
    /// Correctable errors of the memory.
    pub error: Vec<u64>,
    /// Thermal alerts.
    pub alert: Vec<u64>,
    /// Lookup tasks: when they were done, and what they took with the wait for the lock.
    pub r: Vec<(u64, u64)>,
    /// Chase tasks, likewise.
    pub s: Vec<(u64, u64)>,
    pub intervals: Vec<Interval>,
    /// The temperature at the start.
    pub first_temperature: f64,
}

/// Numbers that hold for a whole run.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub cycles: u64,
    pub instructions: u64,
    pub ipc: f64,
    pub runtime_ms: f64,
    pub power: f64,
    pub l2_miss_share: f64,
    pub misprediction_share: f64,
}

fn list<T>(items: impl IntoIterator<Item = T>, write: impl Fn(T) -> String) -> String {
    let items: Vec<String> = items.into_iter().map(write).collect();
    format!("[{}]", items.join(","))
}

impl Trace {
    /// The run as a `fathom-execution/1` document.
    pub fn to_json(&self, summary: &Summary) -> String {
        let end = summary.cycles;
        let numbers = |times: &[u64]| list(times, |time| time.to_string());
        // A walk begun for a store may outlast the run.
        let state = |stretches: &Stretches| {
            let inside = stretches.0.iter().filter(|(from, _)| *from < end);
            list(inside, |&(from, to)| format!("[{from},{}]", to.min(end)))
        };
        let request = |seen: &[(u64, u64)]| {
            let mut seen = seen.to_vec();
            seen.sort_unstable();
            let times = list(&seen, |(time, _)| time.to_string());
            let ns = list(&seen, |&(_, cycles)| format!("{}", cycles as f64 / CLOCK_HZ * 1e9));
            format!(
                r#"{{"times":{times},"attributes":{{"latency":{{"unit":"ns","values":{ns}}}}}}}"#
            )
        };
        let begins = list(&self.intervals, |interval| interval.begin.to_string());
        let ends = list(&self.intervals, |interval| interval.end.to_string());
        let temperatures = list(&self.intervals, |i| format!("{:.3}", i.temperature));
        // The first value is that at the start.
        let after = |first: &str, rest: &str| format!("[{first},{}", &rest[1..]);
        let power = list(&self.intervals, |interval| format!("{:.3}", interval.power));
        let ipc = list(&self.intervals, |interval| format!("{:.4}", interval.ipc));

        let mut json = String::new();
        _ = write!(
            json,
            r#"{{"schema":"fathom-execution/1","end":{end},"time_unit":"cycles","clock_hz":{CLOCK_HZ:e},
"scalars":{{"ipc":{:.6},"power":{{"value":{:.6},"unit":"W"}},"runtime":{{"value":{:.6},"unit":"ms"}},
"instructions":{},"l2_miss_share":{:.6},"misprediction_share":{:.6}}},
"signals":{{"temp":{{"unit":"degC","linear":true,"times":{},"values":{}}},
"interval_power":{{"unit":"W","times":{begins},"values":{power}}},
"interval_ipc":{{"times":{begins},"values":{ipc}}}}},
"states":{{"mispredict":{},
"handling":{},
"sprinting":{}}},
"events":{{"tlb_miss":{},
"error":{},
"alert":{},
"R":{},
"S":{}}}}}
"#,
            summary.ipc,
            summary.power,
            summary.runtime_ms,
            summary.instructions,
            summary.l2_miss_share,
            summary.misprediction_share,
            after("0", &ends),
            after(&format!("{:.3}", self.first_temperature), &temperatures),
            state(&self.mispredict),
            state(&self.handling),
            state(&self.sprinting),
            numbers(&self.tlb_miss),
            numbers(&self.error),
            numbers(&self.alert),
            request(&self.r),
            request(&self.s),
        );
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_overlap_or_touch_are_one() {
        let mut stretches = Stretches::default();
        for (from, to) in [(1, 5), (3, 4), (5, 8), (9, 10)] {
            stretches.add(from, to);
        }
        assert_eq!(stretches.0, [(1, 8), (9, 10)]);
    }

    #[test]
    fn the_document_has_every_name() {
        let summary = Summary {
            cycles: 2_000,
            instructions: 1_000,
            ipc: 0.5,
            runtime_ms: 0.001,
            power: 5.25,
            l2_miss_share: 0.5,
            misprediction_share: 0.25,
        };
        let mut trace = Trace { first_temperature: 55.0, ..Trace::default() };
        trace.handling.add(1_990, 2_030);
        trace.tlb_miss.push(1_990);
        trace.r = vec![(700, 300), (600, 301)];
        let interval = Interval { begin: 0, end: 2_000, ipc: 0.5, power: 5.25, temperature: 56.0 };
        trace.intervals.push(interval);
        let json = trace.to_json(&summary);
        for part in [
            r#""schema":"fathom-execution/1","end":2000,"time_unit":"cycles","clock_hz":2e9"#,
            r#""power":{"value":5.250000,"unit":"W"}"#,
            r#""temp":{"unit":"degC","linear":true,"times":[0,2000],"values":[55.000,56.000]}"#,
            r#""handling":[[1990,2000]]"#,
            r#""mispredict":[]"#,
            r#""R":{"times":[600,700],"attributes":{"latency":{"unit":"ns","values":[150.5,150]}}}"#,
        ] {
            assert!(json.contains(part), "{part} is not in {json}");
        }
    }
}
