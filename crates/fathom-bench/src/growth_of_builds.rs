//! How the functions of two builds grow with the size of their input.

use crate::suite::Suite;
use fathom_analyze::{InputSize, Report};

/// The sizes that a suite knows, by the names of its functions.
pub(crate) fn sizes(suite: &Suite<'_>) -> Vec<(String, InputSize)> {
    let functions = suite.entries.iter().flat_map(|entry| &entry.functions);
    functions.filter_map(|one| Some((one.name.clone(), one.input.clone()?))).collect()
}

/// Sets them in a report whose subjects have the label of a build behind their names: "sort/10 (now)".
pub(crate) fn set(report: &mut Report, sizes: &[(String, InputSize)]) {
    for subject in &mut report.subjects {
        let Some((name, label)) = subject.series.name().rsplit_once(" (") else { continue };
        let found = sizes.iter().find(|(known, _)| known == name);
        let input = found
            .map(|(_, input)| InputSize::new(&format!("{} ({label}", input.family), input.size));
        if let Some(function) = &mut subject.function {
            function.input = input;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{report, subject};

    #[test]
    fn each_build_has_a_line_of_its_own() {
        let mut suite = Suite::new();
        suite.bench_args("sort", [10, 100], |n| *n);
        let names = ["sort/10 (main)", "sort/10 (now)", "sort/100 (main)", "sort/100 (now)"];
        let mut report = report(names.map(|name| subject(name, 1e-6)).to_vec(), Vec::new());
        set(&mut report, &sizes(&suite));
        let growth = report.growth();
        let found: Vec<(&str, usize)> =
            growth.iter().map(|one| (one.name.as_str(), one.sizes())).collect();
        assert_eq!(found, [("sort (main)", 2), ("sort (now)", 2)]);
    }
}
