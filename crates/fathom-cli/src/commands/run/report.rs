//! From runs to the report.

use super::measure::Measured;
use super::plan::Plan;
use crate::commands::measuring::series::{oddities, resources};
use crate::commands::written;
use fathom_analyze::{Report, Stopped};
use fathom_record::Environment;

/// The report of what was measured.
pub(crate) fn report(plan: &Plan, measured: &Measured, seed: u64, warnings: Vec<String>) -> Report {
    let mut subjects = Vec::new();
    for (index, subject) in plan.subjects.iter().enumerate() {
        for (place, mut found) in plan.analysed(&measured.runs, index).into_iter().enumerate() {
            found.stopped = measured.stopped.get(index).copied().unwrap_or(Stopped::Interrupted);
            found.parameters.clone_from(&subject.parameters);
            found.resources = resources(&measured.runs, index);
            if place == 0 {
                let odd = oddities(&measured.runs, index, subject, plan.warmup);
                found.warnings.extend(odd);
            }
            subjects.push(found);
        }
    }
    Report {
        command_line: written::command_line(written::typed().iter().map(String::as_str)),
        seed,
        environment: Environment::of_this_build(),
        session: None,
        overhead_per_run: None,
        harness: None,
        subjects,
        comparisons: None,
        warnings,
    }
}
