//! Vectors: numbers in, numbers out, made by an independent oracle.

use crate::repository;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A file of cases.
#[derive(Debug, Deserialize)]
pub struct Vectors<Case> {
    /// What made the numbers.
    pub oracle: String,
    /// The cases.
    pub cases: Vec<Case>,
}

/// Reads `testdata/vectors/<name>`.
///
/// # Panics
/// If the file is missing or does not have the shape the test expects: there is no test then.
#[must_use]
#[allow(clippy::panic, reason = "a test without its vectors must fail loudly")]
pub fn load<Case: DeserializeOwned>(name: &str) -> Vec<Case> {
    let path = repository::testdata().join("vectors").join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Vectors<Case> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!vectors.cases.is_empty(), "{name} has no cases");
    vectors.cases
}

/// The relative distance of two numbers; 0 where both are zero or the same infinity.
#[must_use]
pub fn relative_error(found: f64, expected: f64) -> f64 {
    if found == expected {
        return 0.0;
    }
    ((found - expected) / if expected == 0.0 { 1.0 } else { expected }).abs()
}
