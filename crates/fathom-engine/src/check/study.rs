//! The grid of a study, as its report has it.

use super::panel::{Panel, SystemTally};
use super::prepared::PreparedCheck;
use super::study_comparisons::comparisons;
use fathom_property::{CellSystem, JointReport, Study, StudyCell};
use fathom_record::shell;

/// The grid of a check with parameters, with what ran in its cells.
pub(super) fn study(
    check: &PreparedCheck<'_>,
    panel: &Panel,
    joint: &JointReport,
) -> Option<Study> {
    let grid = check.grid()?;
    let width = check.names().first().map_or(0, Vec::len);
    let none = SystemTally::default();
    let system = |place: usize, name: &str| {
        let words = check.recipe().systems.get(place).map_or(&[][..], |system| &system.words);
        let SystemTally { executions, kept, cut, failures } =
            panel.tallies().get(place).unwrap_or(&none).clone();
        CellSystem {
            // A single system has the name of its command.
            name: if width > 1 { name.to_string() } else { String::new() },
            command: shell::line(words.iter().map(String::as_str)),
            executions,
            kept,
            cut,
            failures,
        }
    };
    let cells = grid.cells.iter().zip(check.names()).enumerate().map(|(cell, (of_grid, names))| {
        let systems = names.iter().enumerate();
        StudyCell {
            name: of_grid.name.clone(),
            values: of_grid.values.clone(),
            systems: systems.map(|(place, name)| system(cell * width + place, name)).collect(),
        }
    });
    let each = joint.count() / grid.cells.len().max(1);
    let title = |question: &super::question::NamedQuestion| {
        question.title.clone().unwrap_or_else(|| question.parsed.text().to_string())
    };
    let mut study = Study {
        axes: grid.axes(),
        questions: check.questions().asked.iter().take(each).map(title).collect(),
        cells: cells.collect(),
        shares_seeds: check.options().shared_seeds,
        comparisons: Vec::new(),
    };
    study.comparisons = comparisons(check, panel, joint, &study);
    Some(study)
}
