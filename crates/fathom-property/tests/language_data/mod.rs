//! What the tests of the language are about: executions with names of all kinds.

use fathom_property::Catalogue;
use fathom_record::Observation;

/// Execution X, which the templates refer to.
pub(crate) const X: &str = r#"{"schema": "fathom-execution/1", "end": 100, "time_unit": "cycles",
    "clock_hz": 1e9,
    "scalars": {"ipc": 1.5, "power": {"value": 12, "unit": "W"}, "ok": 1},
    "signals": {"temp": {"unit": "degC", "times": [0, 20, 50, 80], "values": [60, 80, 95, 70]}},
    "states": {"mispredict": [[20, 30], [60, 65]], "sprinting": [[10, 40], [50, 70]],
               "handling": [[5, 20], [25, 30], [45, 60], [85, 95]]},
    "events": {"tlb_miss": [5, 25, 45, 85], "error": [10, 30, 90], "alert": [40],
               "R": {"times": [1, 2], "attributes": {"latency": {"unit": "ns", "values": [60, 40]},
                                                     "size": [1, 2]}},
               "S": {"times": [1], "attributes": {"latency": {"unit": "ns", "values": [90]}}}}}"#;

/// An execution with more units, lines, and names that need quotes; its time is in milliseconds.
pub(crate) const Y: &str = r#"{"schema": "fathom-execution/1", "end": 100, "time_unit": "ms",
    "scalars": {"runtime": {"value": 2, "unit": "s"}, "cpu_time": {"value": 250, "unit": "ms"},
        "energy": {"value": 3, "unit": "Joule"}, "cycles": {"value": 9, "unit": "Cycle"},
        "insts": {"value": 9, "unit": "Count"}, "ipc": {"value": 1, "unit": "Count/Cycle"},
        "cpi": {"value": 1, "unit": "(Cycle/Count)"}, "misses": {"value": 1, "unit": "misses"},
        "accesses": {"value": 1, "unit": "accesses"}, "ticks": {"value": 1, "unit": "Tick"},
        "usage": {"value": 1, "unit": "%"}, "memory": {"value": 1, "unit": "B"},
        "ratio": {"value": 1, "unit": "Ratio"}, "plain": 1, "L1-misses": 3, "F": 1, "duration": 1},
    "signals": {"ramp": {"unit": "W", "linear": true, "times": [0], "values": [1]},
                "slope": {"linear": true, "times": [0], "values": [1]},
                "level": {"times": [0], "values": [1]}, "watts": {"unit": "W", "times": [0], "values": [1]}},
    "events": {"tick": [1], "Q": {"times": [1], "attributes": {"wait": [1], "duration": [2]}}}}"#;

/// What such an execution has.
pub(crate) fn catalogue(text: &str) -> Catalogue {
    let seen: Observation = serde_json::from_str(text).unwrap();
    Catalogue::of(&seen)
}

/// The only system, without a name.
pub(crate) fn only(text: &str) -> Vec<(String, Catalogue)> {
    vec![(String::new(), catalogue(text))]
}

/// Two systems.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn base_and_new(text: &str) -> Vec<(String, Catalogue)> {
    vec![("base".to_string(), catalogue(text)), ("new".to_string(), catalogue(text))]
}
