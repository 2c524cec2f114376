//! `--instructions`: how many instructions a call executes.
//!
//! This process counts nothing itself. It starts the executable as a worker, twice, where the
//! processor counts, or valgrind; the second process has other random seeds and other addresses. The
//! worker makes batches of n and of 2n calls, and the difference belongs to n calls: what a batch
//! costs besides its calls is in both.

mod counter;
mod counting;
mod page;
mod valgrind;

pub(crate) use counter::{Counts, counted};
pub(crate) use page::page;

use crate::Suite;
use crate::against_baseline::saved_executable;
use crate::benching::{BenchExecutable, Findings, show};
use crate::command_line::CommandLine;
use crate::function::Broken;
use crate::selection::BenchFilters;
use crate::suite::{Entry, Kind};
use crate::terminal::Terminal;
use counting::{CountedBuild, Counting};
use fathom_analyze::compare::Gate;
use fathom_analyze::{ComparedCounts, InstructionReport, Report, Warning};
use fathom_record::Advice;
use std::path::Path;

/// How the executable of today is called, next to a saved one.
const NOW: &str = "now";

/// Counts the instructions of what is selected, and compares what is to be compared.
pub(crate) fn instructions(
    suite: &Suite<'_>,
    line: &CommandLine,
    selection: &BenchFilters,
    place: &BenchExecutable,
    report: Report,
    terminal: &mut Terminal,
) -> Result<Findings, String> {
    let old = match &line.baseline {
        Some(name) => Some((name.clone(), saved_executable(place, name)?)),
        None => None,
    };
    let wanted: Vec<&Entry<'_>> =
        suite.entries.iter().filter(|entry| selection.takes(entry)).collect();
    let names: Vec<&str> = wanted
        .iter()
        .flat_map(|entry| &entry.functions)
        .map(|function| function.name.as_str())
        .collect();
    let counting = Counting::prepare(selection)?;
    let mut findings = Findings { report, failures: Vec::new(), is_interrupted: false };
    let mut count = |program: &Path, label: Option<&str>| {
        counting.build(program, label, &names, &mut |line| terminal.progress(line))
    };
    let new = count(&place.executable, old.as_ref().map(|_| NOW))?;
    let old = match &old {
        Some((name, program)) => Some(count(program, Some(name))?),
        None => None,
    };
    terminal.clear();
    let counter = counting.counter();
    let mut counted = InstructionReport { counter, functions: Vec::new(), comparisons: Vec::new() };
    match old {
        None => alone(&wanted, new, &line.gates, &mut counted, &mut findings),
        Some(old) => two_builds(&names, [old, new], &line.gates, &mut counted, &mut findings),
    }
    findings.is_interrupted = counting.is_interrupted();
    let text = page(&counted, &line.view(), terminal.width());
    show(&text, line, terminal);
    findings.report.instructions = Some(counted);
    Ok(findings)
}

/// The functions of one build; those of a comparison against its first.
fn alone(
    wanted: &[&Entry<'_>],
    mut build: CountedBuild,
    gates: &[Gate],
    counted: &mut InstructionReport,
    findings: &mut Findings,
) {
    for entry in wanted {
        let mut reference = None;
        for function in &entry.functions {
            let Some(found) = build.take(&function.name, findings) else { continue };
            if let (Kind::Comparison, Some(reference)) = (entry.kind, &reference) {
                match ComparedCounts::of(reference, &found, gates) {
                    Some(compared) => counted.comparisons.push(compared),
                    None => findings.report.warnings.push(no_ratio(found.name())),
                }
            }
            let is_first = function.name == entry.functions[0].name;
            counted.functions.push(found.clone());
            if is_first {
                reference = Some(found);
            }
        }
    }
}

/// Every function of the new build against that of the old one.
fn two_builds(
    names: &[&str],
    [mut old, mut new]: [CountedBuild; 2],
    gates: &[Gate],
    counted: &mut InstructionReport,
    findings: &mut Findings,
) {
    for name in names {
        if !old.has(name) {
            let what = format!("{name}: the saved executable has no such bench");
            findings.report.warnings.push(Advice::new(what).into());
            continue;
        }
        let [Some(before), Some(after)] = [old.take(name, findings), new.take(name, findings)]
        else {
            continue;
        };
        match ComparedCounts::of(&before, &after, gates) {
            Some(compared) => counted.comparisons.push(compared),
            None => findings.report.warnings.push(no_ratio(name)),
        }
        counted.functions.extend([before, after]);
    }
}

fn no_ratio(name: &str) -> Warning {
    Advice::new(format!("{name}: no instructions were counted, so there is no ratio")).into()
}

impl CountedBuild {
    /// The counts of a function, if it was counted; why not is one of the failures.
    fn take(
        &mut self,
        name: &str,
        findings: &mut Findings,
    ) -> Option<fathom_analyze::CountedFunction> {
        match self.found(name)? {
            Ok(counted) => Some(counted),
            Err(why) => {
                findings.failures.push((name.to_string(), Broken::Elsewhere(why)));
                None
            }
        }
    }
}
