//! `run`, `compare` and `doctor` for real: real commands, their failures, metrics and verdicts.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;

mod doctor;
mod hyperfine;
mod running;
mod saved_results;
mod shells;
mod usage;
mod verdicts;

use serde_json::Value;

fn values(document: &Value, subject: usize) -> Vec<f64> {
    let values = document["subjects"][subject]["values"].as_array().unwrap();
    values.iter().map(|value| value.as_f64().unwrap()).collect()
}
