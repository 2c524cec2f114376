//! This executable against one that was kept.

use crate::benching::{BenchExecutable, Findings, show};
use crate::command_line::CommandLine;
use crate::duel::relink::LinkRecipe;
use crate::duel::{self, DuelError, DuelOptions, Program, Relinking, duel};
use crate::function::Broken;
use crate::measure::Settings;
use crate::selection::BenchFilters;
use crate::terminal::Terminal;
use fathom_analyze::{Report, Warning};
use fathom_sys::signals::Interrupt;
use std::path::PathBuf;

/// How the executable of today is called.
const NOW: &str = "now";

/// Measures the saved executable and this one alternately.
pub(crate) fn against_baseline(
    line: &CommandLine,
    selection: BenchFilters,
    place: &BenchExecutable,
    settings: &Settings,
    report: Report,
    terminal: &mut Terminal,
) -> Result<Findings, String> {
    let name = line.baseline.clone().unwrap_or_default();
    let results = place.kept()?;
    let kept = saved_executable(place, &name)?;
    let folder = results.relinking_folder(&place.suite);
    let [kept_recipe, own_recipe] = if line.layouts == Some(1) {
        ["", ""].map(|nothing| Err(nothing.to_string()))
    } else {
        terminal.progress(&|| "compiling for other layouts".to_string());
        let kept_recipe = results.kept_recipe(&place.suite, &name).map_err(|_| {
            format!(
                "{name} was saved without what the linker needs; save it again with `cargo bench -- \
                 --save {name}`"
            )
        });
        [kept_recipe, place.recipe()]
    };
    let relinking = |recipe: Result<LinkRecipe, String>| {
        recipe.map(|recipe| Relinking { recipe, folder: folder.clone() })
    };
    let old =
        Program { executable: kept, folder: None, label: name, relinking: relinking(kept_recipe) };
    let new = Program {
        executable: place.executable.clone(),
        folder: None,
        label: NOW.to_string(),
        relinking: relinking(own_recipe),
    };
    let options = DuelOptions {
        selection,
        statistic: settings.statistic,
        max_time: settings.max_time.unwrap_or(duel::TIME),
        confidence: settings.confidence,
        margin: settings.margin,
        gates: settings.gates.clone(),
        gate_unchanged: line.gate_unchanged,
        layouts: line.layouts,
        seed: settings.seed,
        interrupt: Interrupt::install().ok(),
    };
    let found = duel(&old, &new, &options, &mut |line| terminal.progress(line));
    terminal.clear();
    let found = match found {
        Ok(found) => found,
        Err(DuelError::Interrupted) => {
            return Ok(Findings { report, failures: Vec::new(), is_interrupted: true });
        }
        Err(error) => return Err(of_saved(&old, &error).unwrap_or_else(|| error.to_string())),
    };
    let mut report =
        Report { subjects: found.subjects, comparisons: Some(found.comparisons), ..report };
    report.warnings.extend(found.warnings.into_iter().map(Warning::from));
    let labels = [old.label.as_str(), new.label.as_str()];
    let text = duel::render(&report, labels, Some(found.seconds), &line.view(), terminal.width());
    show(&text, line, terminal);
    let failures =
        found.failures.into_iter().map(|(name, why)| (name, Broken::Elsewhere(why))).collect();
    Ok(Findings { report, failures, is_interrupted: found.is_interrupted })
}

/// What to do if the saved executable does not run: it may be damaged, or of another machine.
fn of_saved(old: &Program, error: &DuelError) -> Option<String> {
    let (executable, why) = match error {
        DuelError::NotStarted { executable, error } => (executable, error.to_string()),
        DuelError::NoBench { executable, why } => (executable, why.clone()),
        _ => return None,
    };
    let label = &old.label;
    (*executable == old.executable.display().to_string()).then(|| {
        format!(
            "the saved executable {executable} does not run as a bench: {why}; save it again with \
             `cargo bench -- --save {label}`"
        )
    })
}

/// The executable that was saved under a name; which there are, if not.
pub(crate) fn saved_executable(place: &BenchExecutable, name: &str) -> Result<PathBuf, String> {
    let results = place.kept()?;
    let kept = results.executable(&place.suite, name);
    if !kept.is_file() {
        let all = results.all().unwrap_or_default();
        let saved: Vec<&str> = all
            .iter()
            .filter(|one| one.suite == place.suite)
            .filter(|one| results.executable(&place.suite, &one.name).is_file())
            .map(|one| one.name.as_str())
            .collect();
        let known = match saved.as_slice() {
            [] => format!("nothing is saved yet; save it with --save {name}"),
            saved => format!("the saved ones are {}", saved.join(", ")),
        };
        return Err(format!("{} has no baseline {name}; {known}", place.suite));
    }
    Ok(kept)
}

#[cfg(test)]
mod tests;
