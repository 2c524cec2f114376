//! Two groups of runs against vectors.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fathom_stats::two_groups::{compare, smallest_p_value};
use fathom_testkit::vectors::{load, relative_error};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Case {
    first: usize,
    second: usize,
    measures: Vec<Vec<Option<f64>>>,
    separations: Vec<f64>,
    p_values: Vec<f64>,
    family: Vec<f64>,
}

#[test]
fn every_division_by_hand() {
    for case in load::<Case>("two_groups/family.json") {
        let is_second: Vec<bool> =
            (0..case.first + case.second).map(|run| run >= case.first).collect();
        let found = compare(&is_second, &case.measures, 0);
        assert!(found.are_all);
        for (place, one) in found.measures.iter().enumerate() {
            let name = format!("{} and {}, measure {place}", case.first, case.second);
            assert!(relative_error(one.separation, case.separations[place]) < 1e-9, "{name}");
            assert!(relative_error(one.p_value, case.p_values[place]) < 1e-12, "{name}");
            assert!(relative_error(one.family_p_value, case.family[place]) < 1e-12, "{name}");
            assert!(one.p_value >= smallest_p_value(case.first, case.second) - 1e-15, "{name}");
        }
    }
}
