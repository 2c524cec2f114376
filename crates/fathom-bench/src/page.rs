//! What people see: a block for every group and comparison, as soon as it is measured.

mod executions_note;
pub(crate) mod growth;
mod remarks;
mod rows;

use executions_note::executions_note;
use fathom_analyze::compare::{Comparison, GateOutcome, Verdict};
use fathom_analyze::{Report, StopReason, Subject};
use fathom_record::Unit;
use fathom_render::assumption_notes::assumption_notes;
use fathom_render::comparison_notes::{
    Spent, gate_line, how_measured, of_batches, settle, single_looks,
};
use fathom_render::layout::{FAINT, STRONG, WARNING, push_wrapped, styled, visible};
use fathom_render::medians_note::medians_note;
use fathom_render::quantile_table::quantile_table;
use fathom_render::ratio::ratio_text;
use fathom_render::verdict::{Quantity, sentence};
use fathom_render::{View, percent};
pub(crate) use remarks::measured_instead;
use remarks::{remarks, warnings};
use rows::{facts, rows, shown};
use std::path::Path;

/// The page of results that were kept, in `width` columns.
#[must_use]
pub fn page(report: &Report, view: &View, width: usize) -> String {
    let mut page = Page::new(*view, width);
    let counted = report.instructions.as_ref();
    let mut text =
        counted.map_or(String::new(), |counted| crate::instructions::page(counted, view, width));
    for block in blocks(report) {
        text.push_str(&page.next(&block));
    }
    text.push_str(&page.end(report, None));
    text
}

/// The blocks of a report: functions that were compared with the same one belong together.
fn blocks(report: &Report) -> Vec<Block> {
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let subject = |name: &str| report.subjects.iter().find(|one| one.series.name() == name);
    let mut blocks: Vec<Block> = Vec::new();
    for one in &report.subjects {
        let name = one.series.name();
        let of_it: Vec<Comparison> =
            comparisons.iter().filter(|found| found.reference == name).cloned().collect();
        let is_compared = comparisons.iter().any(|found| found.subject == name);
        if of_it.is_empty() && is_compared {
            continue;
        }
        let others = of_it.iter().filter_map(|found| subject(&found.subject).cloned());
        let subjects = std::iter::once(one.clone()).chain(others).collect();
        let is_alone = of_it.is_empty();
        let name = if is_alone { name } else { name.rsplit_once('/').map_or(name, |(g, _)| g) };
        let name = name.to_string();
        blocks.push(Block { name, subjects, comparisons: of_it, seconds: None });
    }
    blocks
}

/// What one entry of a suite gave.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) comparisons: Vec<Comparison>,
    /// How long it took, where it was measured now.
    pub(crate) seconds: Option<f64>,
}

impl Block {
    /// What a single bench gave.
    pub(crate) fn of_single(name: &str, subject: Subject) -> Block {
        let (subjects, comparisons) = (vec![subject], Vec::new());
        Block { name: name.to_string(), subjects, comparisons, seconds: None }
    }
}

/// The page as it grows.
pub(crate) struct Page {
    width: usize,
    view: View,
    /// Benches of a group that is not complete yet.
    group: Vec<Block>,
    is_empty: bool,
}

impl Page {
    pub(crate) fn new(view: View, width: usize) -> Page {
        Page { width, view, group: Vec::new(), is_empty: true }
    }

    /// Takes a block; what can be shown now.
    pub(crate) fn next(&mut self, block: &Block) -> String {
        let is_alone = block.comparisons.is_empty() && block.subjects.len() == 1;
        let mut text = String::new();
        if !is_alone || self.group.last().is_some_and(|last| group(last) != group(block)) {
            text.push_str(&self.finished_group());
        }
        if is_alone {
            self.group.push(block.clone());
        } else {
            text.push_str(&self.comparison(block));
        }
        text
    }

    /// What is left to be shown when everything was measured.
    pub(crate) fn end(&mut self, report: &Report, kept: Option<&Path>) -> String {
        let mut text = self.finished_group();
        let doubtful: Vec<String> = report
            .subjects
            .iter()
            .filter(|subject| !subject.warnings.is_empty())
            .map(|subject| visible(subject.series.name()))
            .collect();
        if !doubtful.is_empty() && !self.view.is_verbose() {
            let line = format!(
                "warning: unsteady or too few samples (-v shows more): {}",
                doubtful.join(", ")
            );
            push_wrapped(&mut text, &line, "", WARNING, self.width);
        }
        if let Some(line) = measured_instead(report) {
            push_wrapped(&mut text, &line, "", FAINT, self.width);
        }
        for warning in warnings(report, self.view.front_end) {
            push_wrapped(&mut text, &format!("warning: {warning}"), "", WARNING, self.width);
        }
        if self.view.is_quiet() || report.subjects.is_empty() {
            return text;
        }
        if report.subjects.iter().any(|subject| subject.stopped == StopReason::Interrupted) {
            text.push_str(&styled("interrupted: these are the results up to that point\n", FAINT));
        }
        for line in executions_note(report) {
            push_wrapped(&mut text, &line, "", FAINT, self.width);
        }
        let mut line = format!("seed {}", report.seed);
        if let Some(harness) = report.harness {
            // Hundredths of a nanosecond are what there is to see.
            let time = |seconds: f64| format!("{:.2} ns", 1e9 * seconds);
            line = format!(
                "subtracted: clock {} per batch, loop {} per call; an empty loop takes {}; {line}",
                time(harness.clock_cost),
                time(harness.loop_overhead),
                time(harness.loop_floor)
            );
        }
        push_wrapped(&mut text, &line, "", FAINT, self.width);
        if let Some(kept) = kept {
            let line = format!("results: {}", kept.display());
            push_wrapped(&mut text, &line, "", FAINT, self.width);
        }
        text
    }

    /// The rows of a group of single benches, under its name.
    fn finished_group(&mut self) -> String {
        let blocks = std::mem::take(&mut self.group);
        let Some(first) = blocks.first() else { return String::new() };
        let subjects: Vec<&Subject> = blocks.iter().flat_map(|block| &block.subjects).collect();
        let mut text = self.gap();
        let prefix = group(first).map(|group| format!("{group}/"));
        if let Some(prefix) = &prefix {
            let title = visible(prefix.trim_end_matches('/'));
            text.push_str(&format!("{}\n", styled(&title, STRONG)));
        }
        let prefix = prefix.unwrap_or_default();
        for row in rows(&subjects, &prefix, &self.view, self.width, facts) {
            text.push_str(&row);
        }
        for subject in &subjects {
            text.push_str(&remarks(subject, &self.view, self.width));
        }
        text.push_str(&growth::lines(&subjects, &self.view, self.width));
        text
    }

    /// The verdicts of a comparison and the rows of its functions.
    fn comparison(&mut self, block: &Block) -> String {
        let mut text = self.gap();
        for comparison in &block.comparisons {
            let line = sentence(comparison, Quantity::of(block.subjects.first()));
            push_wrapped(&mut text, &line, "", STRONG, self.width);
            let stopped = block.subjects.first().map(|subject| subject.stopped);
            let spent = Spent { seconds: block.seconds, stopped };
            if let Some(line) = settle(comparison, spent, self.view.front_end) {
                push_wrapped(&mut text, &line, "  ", FAINT, self.width);
            }
            let is_one = block.comparisons.len() == 1;
            let is_worth_a_line = |outcome| is_one || outcome != GateOutcome::Passed;
            let gates = comparison.gates.iter().filter(|(_, outcome)| is_worth_a_line(*outcome));
            for (gate, outcome) in gates {
                let line = gate_line(comparison, *gate, *outcome, self.view.front_end);
                let style = if *outcome == GateOutcome::Passed { FAINT } else { WARNING };
                push_wrapped(&mut text, &line, "  ", style, self.width);
            }
        }
        if block.comparisons.is_empty() {
            let line = format!("{}: nothing to compare.", visible(&block.name));
            push_wrapped(&mut text, &line, "", STRONG, self.width);
        }
        let subjects: Vec<&Subject> = block.subjects.iter().collect();
        for subject in &subjects {
            text.push_str(&remarks(subject, &self.view, self.width));
        }
        if self.view.is_quiet() {
            return text;
        }
        let prefix = format!("{}/", block.name);
        let tail = |subject: &Subject| {
            let name = subject.series.name();
            let found = block.comparisons.iter().find(|found| found.subject == name);
            let mut parts = vec![found.map_or_else(
                || "reference".to_string(),
                |found| {
                    let ratio = ratio_text(found.ratio, found.interval);
                    format!("ratio {ratio}, {}", verdict_word(found))
                },
            )];
            parts.extend(Some(facts(subject)).filter(|facts| !facts.is_empty()));
            parts.join("  ")
        };
        for row in rows(&subjects, &prefix, &self.view, self.width, tail) {
            text.push_str(&row);
        }
        for comparison in &block.comparisons {
            let unit = subjects.first().map_or(&Unit::SECONDS, |one| one.series.unit());
            let quantity = Quantity::of(block.subjects.first());
            let time_unit = self.view.time_unit;
            text.push_str(&quantile_table(comparison, unit, quantity, time_unit, self.width));
            let name = match block.comparisons.len() {
                1 => String::new(),
                _ => format!("{}: ", visible(without(&comparison.subject, &prefix))),
            };
            let mut lines = how_measured(comparison, block.seconds);
            lines.extend(of_batches(comparison, &block.subjects));
            let of = |name: &str| {
                let subject = subjects.iter().find(|one| one.series.name() == name)?;
                shown(subject, &self.view)
            };
            if let Some(medians) = of(&comparison.reference).zip(of(&comparison.subject)) {
                let unit = subjects.first().map_or(&Unit::SECONDS, |one| one.series.unit());
                let time_unit = self.view.time_unit;
                lines.extend(medians_note(comparison, medians.into(), unit, time_unit));
            }
            if self.view.is_verbose() {
                lines.extend(single_looks(comparison));
                lines.extend(assumption_notes(comparison));
            }
            for line in lines {
                push_wrapped(&mut text, &format!("{name}{line}"), "  ", FAINT, self.width);
            }
        }
        text
    }

    /// An empty line before every block but the first.
    fn gap(&mut self) -> String {
        let gap = if self.is_empty || self.view.is_quiet() { "" } else { "\n" };
        self.is_empty = false;
        gap.to_string()
    }
}

/// The group of a bench: its name without the last part.
fn group(block: &Block) -> Option<&str> {
    let functions = block.subjects.iter().filter_map(|subject| subject.function.as_ref());
    // An argument may have a slash in it.
    let family = functions.filter_map(|function| function.input.as_ref()).next();
    if let Some(input) = family {
        return Some(&input.family);
    }
    block.name.rsplit_once('/').map(|(group, _)| group)
}

fn without<'a>(name: &'a str, prefix: &str) -> &'a str {
    name.strip_prefix(prefix).unwrap_or(name)
}

fn verdict_word(comparison: &Comparison) -> String {
    match comparison.verdict {
        Verdict::Faster => "faster".to_string(),
        Verdict::Slower => "slower".to_string(),
        Verdict::Equivalent => format!("same within {}", percent(comparison.margin.get())),
        Verdict::Inconclusive => "inconclusive".to_string(),
        Verdict::Mixed => "slower and faster".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{comparison, report, subject, with_facts};
    use fathom_analyze::compare::{Gate, Margin, Pairing};
    use fathom_render::Detail;

    fn plain(report: &Report, view: &View) -> String {
        fathom_render::layout::plain(&page(report, view, 80))
    }

    #[test]
    fn groups_and_comparisons() {
        let subjects = vec![
            with_facts(subject("parse/integer", 12.43e-9), 8, 0.0),
            with_facts(subject("parse/float", 31.1e-9), 12, 2.0),
            subject("sort/std", 20.1e-6),
            subject("sort/radix", 17.7e-6),
            subject("sort/merge", 20.12e-6),
            subject("hash", 3.1e-3),
        ];
        let two = Margin::new(0.02).unwrap();
        let gates = vec![Gate::NotSlower(two)];
        let comparisons = vec![
            comparison(["sort/std", "sort/radix"], -0.127, 0.002, Pairing::Batches, gates.clone()),
            comparison(["sort/std", "sort/merge"], 0.001, 0.0005, Pairing::Batches, gates),
        ];
        let mut report = report(subjects, comparisons);
        report.warnings.push("the machine is busy (load 3.0 on 2 CPUs); wait".to_string().into());
        insta::assert_snapshot!(plain(&report, &View::default()));
        let quiet = View { detail: Detail::Answer, ..View::default() };
        insta::assert_snapshot!("quiet", plain(&report, &quiet));
    }

    #[test]
    fn what_cannot_be_told_and_what_was_optimised_away() {
        let mut zero = subject("nothing", 2.7e-10);
        if let Some(function) = &mut zero.function {
            function.is_zero = true;
        }
        let mut long = subject(&format!("a/{}", "very long name ".repeat(5)), 1.5e-6);
        long.warnings.push("no steady state".to_string().into());
        let subjects = vec![zero, long, subject("pair/a", 1e-6), subject("pair/b", 1.002e-6)];
        let comparisons =
            vec![comparison(["pair/a", "pair/b"], 0.002, 0.02, Pairing::Batches, Vec::new())];
        let report = report(subjects, comparisons);
        insta::assert_snapshot!(plain(&report, &View::default()));
        let verbose = View { detail: Detail::Everything, ..View::default() };
        insta::assert_snapshot!("verbose", plain(&report, &verbose));
    }

    /// A comparison whose functions measured nothing has no ratios; it is shown as what it is.
    #[test]
    fn a_comparison_without_ratios_is_no_bench_of_a_group() {
        let subjects = vec![subject("sort/std", 20.1e-6), subject("sort/radix", 17.7e-6)];
        let block = Block { name: "sort".into(), subjects, comparisons: Vec::new(), seconds: None };
        let text = Page::new(View::default(), 80).next(&block);
        assert!(text.contains("sort: nothing to compare."), "{text}");
    }
}
