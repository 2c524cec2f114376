//! What people see: a block for every group and comparison, as soon as it is measured.

use crate::rate::rate_of;
use fathom_analyze::compare::{Comparison, GateOutcome, Verdict};
use fathom_analyze::{Report, Stopped, Subject};
use fathom_record::Unit;
use fathom_render::comparison_notes::{gate_line, how_measured, settle, single_looks};
use fathom_render::layout::{
    FAINT, STRONG, Side, WARNING, columns, padded, push_wrapped, shortened, styled, visible,
};
use fathom_render::quantity::quick;
use fathom_render::ratio::ratio_text;
use fathom_render::verdict::{Quantity, sentence};
use fathom_render::{Rounding, Scale, View, percent};
use std::path::Path;

/// The page of results that were kept, in `width` columns.
#[must_use]
pub fn page(report: &Report, view: &View, width: usize) -> String {
    let mut page = Page::new(*view, width);
    let mut text = String::new();
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
        blocks.push(Block { name: name.to_string(), subjects, comparisons: of_it });
    }
    blocks
}

/// What one entry of a suite gave.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) comparisons: Vec<Comparison>,
}

/// The page as it grows.
pub(crate) struct Page {
    width: usize,
    view: View,
    /// Benches of a group that is not complete yet.
    group: Vec<Block>,
    is_empty: bool,
}

const NAME: usize = 28;
const BAR: usize = 10;
/// Batches are so many that an interval may support more digits than anybody reads.
const DIGITS: i32 = 4;

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
        if !doubtful.is_empty() && !self.view.verbose {
            let line = format!(
                "warning: unsteady or too few samples, -v says more: {}",
                doubtful.join(", ")
            );
            push_wrapped(&mut text, &line, "", WARNING, self.width);
        }
        for warning in warnings(report) {
            push_wrapped(&mut text, &format!("warning: {warning}"), "", WARNING, self.width);
        }
        if self.view.quiet || report.subjects.is_empty() {
            return text;
        }
        if report.subjects.iter().any(|subject| subject.stopped == Stopped::Interrupted) {
            text.push_str(&styled("interrupted: this is what was measured until then\n", FAINT));
        }
        let mut line = format!("seed {}", report.seed);
        if let Some(harness) = report.harness {
            let time = |seconds| quick(seconds, &Unit::SECONDS);
            line = format!(
                "subtracted: clock {} per batch, loop {} per call; the loop around nothing takes \
                 {}; {line}",
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
        for row in self.rows(&subjects, &prefix, |subject| self.facts(subject)) {
            text.push_str(&row);
        }
        for subject in subjects {
            text.push_str(&self.remarks(subject));
        }
        text
    }

    /// The verdicts of a comparison and the rows of its functions.
    fn comparison(&mut self, block: &Block) -> String {
        let mut text = self.gap();
        for comparison in &block.comparisons {
            let line = sentence(comparison, Quantity::Time);
            push_wrapped(&mut text, &line, "", STRONG, self.width);
            if let Some(line) = settle(comparison, None) {
                push_wrapped(&mut text, &line, "  ", FAINT, self.width);
            }
            for (gate, outcome) in &comparison.gates {
                let line = gate_line(*gate, *outcome, &comparison.subject);
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
            text.push_str(&self.remarks(subject));
        }
        if self.view.quiet {
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
                    format!("{ratio} {}", verdict_word(found))
                },
            )];
            parts.extend(Some(self.facts(subject)).filter(|facts| !facts.is_empty()));
            parts.join("  ")
        };
        for row in self.rows(&subjects, &prefix, tail) {
            text.push_str(&row);
        }
        for comparison in &block.comparisons {
            let name = match block.comparisons.len() {
                1 => String::new(),
                _ => format!("{}: ", visible(without(&comparison.subject, &prefix))),
            };
            let mut lines = how_measured(comparison, None);
            if self.view.verbose {
                lines.extend(single_looks(comparison));
            }
            for line in lines {
                push_wrapped(&mut text, &format!("{name}{line}"), "  ", FAINT, self.width);
            }
        }
        text
    }

    /// Rows over one scale of bars.
    fn rows(
        &self,
        subjects: &[&Subject],
        prefix: &str,
        tail: impl Fn(&Subject) -> String,
    ) -> Vec<String> {
        let cells: Vec<[String; 4]> = subjects
            .iter()
            .map(|subject| {
                let name = shortened(&visible(without(subject.series.name(), prefix)), NAME);
                let [time, ends] = self.times(subject);
                [name, time, ends, tail(subject)]
            })
            .collect();
        let width =
            |column: usize| cells.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
        let widths = [width(0), width(1), width(2)];
        let largest = subjects.iter().map(|subject| median(subject)).fold(0.0, f64::max);
        let mut rows = Vec::new();
        for (subject, [name, time, ends, tail]) in subjects.iter().zip(cells.iter()) {
            let mut row = format!(
                "  {}  {}  {}  {}",
                padded(name, widths[0], Side::Left),
                padded(time, widths[1], Side::Right),
                padded(ends, widths[2], Side::Left),
                padded(&bar(median(subject), largest), BAR, Side::Left),
            );
            let start = columns(&row) + 2;
            if start + columns(tail) <= self.width {
                row.push_str(&format!("  {tail}"));
            } else if !tail.is_empty() {
                // It does not fit beside; below it does.
                row = format!("{}\n{}{tail}", row.trim_end(), " ".repeat(4 + widths[0]));
            }
            rows.push(format!("{}\n", row.trim_end()));
        }
        rows
    }

    /// "12.43 ns" and "(12.41 to 12.46)".
    fn times(&self, subject: &Subject) -> [String; 2] {
        let is_zero = subject.function.as_ref().is_some_and(|function| function.is_zero);
        let Some(estimate) = subject.estimates.first().filter(|_| !is_zero) else {
            return ["zero".to_string(), String::new()];
        };
        let scale = Scale::new(subject.series.unit(), estimate.value, self.view.time_unit)
            .for_interval(estimate.value, estimate.interval())
            .with_at_most(DIGITS, estimate.value);
        let ends = scale.ends(estimate.interval(), false);
        [scale.with_unit(estimate.value, Rounding::Nearest), format!("({ends})")]
    }

    /// "805 MB/s  2 allocations of 48 B".
    fn facts(&self, subject: &Subject) -> String {
        let mut parts: Vec<String> = rate_of(subject).into_iter().collect();
        let asked = subject.function.as_ref().and_then(|function| function.allocations);
        if let Some(asked) = asked.filter(|asked| asked.count > 0.0) {
            let count = format!("{:.1}", asked.count);
            let count = count.trim_end_matches(".0");
            let plural = if count == "1" { "alloc" } else { "allocs" };
            let bytes = if asked.bytes < 1024.0 {
                format!("{:.0} B", asked.bytes)
            } else {
                quick(asked.bytes, &Unit::Bytes)
            };
            parts.push(format!("{count} {plural}, {bytes}"));
        } else if asked.is_some() {
            parts.push("no allocs".to_string());
        }
        parts.join("  ")
    }

    /// What must be said of a function besides its times.
    fn remarks(&self, subject: &Subject) -> String {
        let mut text = String::new();
        let name = visible(subject.series.name());
        if subject.function.as_ref().is_some_and(|function| function.is_zero) {
            let line = format!(
                "warning: {name}: zero measurement: it takes no longer than the loop around \
                 nothing, so it was probably optimised away; wrap its input and result in \
                 black_box(...)"
            );
            push_wrapped(&mut text, &line, "  ", WARNING, self.width);
            return text;
        }
        if self.view.verbose {
            for line in &subject.warnings {
                let line = format!("warning: {name}: {line}");
                push_wrapped(&mut text, &line, "  ", WARNING, self.width);
            }
            push_wrapped(&mut text, &format!("{name}: {}", how(subject)), "  ", FAINT, self.width);
        }
        text
    }

    /// An empty line before every block but the first.
    fn gap(&mut self) -> String {
        let gap = if self.is_empty || self.view.quiet { "" } else { "\n" };
        self.is_empty = false;
        gap.to_string()
    }
}

/// The group of a bench: its name without the last part.
fn group(block: &Block) -> Option<&str> {
    block.name.rsplit_once('/').map(|(group, _)| group)
}

fn without<'a>(name: &'a str, prefix: &str) -> &'a str {
    name.strip_prefix(prefix).unwrap_or(name)
}

fn median(subject: &Subject) -> f64 {
    subject.estimates.first().map_or(0.0, |estimate| estimate.value)
}

fn verdict_word(comparison: &Comparison) -> String {
    match comparison.verdict {
        Verdict::Faster => "faster".to_string(),
        Verdict::Slower => "slower".to_string(),
        Verdict::Equivalent => format!("same within {}", percent(comparison.margin.get())),
        Verdict::Inconclusive => "cannot tell".to_string(),
    }
}

/// How a function was measured.
fn how(subject: &Subject) -> String {
    let calls = subject.function.as_ref().map_or(1, |function| function.calls_per_batch);
    let mut text = format!("{} batches of {calls} calls", subject.series.len());
    text.push_str(match subject.stopped {
        Stopped::Precision => ", precise enough",
        Stopped::Verdict => ", until the verdict",
        Stopped::MaxTime | Stopped::MaxRuns => ", out of time",
        Stopped::Interrupted => ", interrupted",
        Stopped::Fixed => "",
    });
    let function = subject.function.as_ref();
    let shares = [
        ("other programs used", function.and_then(|function| function.others)),
        ("the hypervisor took", function.and_then(|function| function.stolen)),
    ];
    for (who, share) in shares {
        if let Some(share) = share {
            text.push_str(&format!("; {who} {:.0}% of the machine", 100.0 * share));
        }
    }
    text
}

/// Machine and comparisons; what is known of single functions stands beside them.
fn warnings(report: &Report) -> Vec<String> {
    const NOTABLE_OTHERS: f64 = 0.1;
    const NOTABLE_STEAL: f64 = 0.02;
    let mut warnings = report.warnings.clone();
    let worst = |of: fn(&fathom_analyze::Function) -> Option<f64>, notable: f64| {
        let shares = report.subjects.iter().filter_map(|subject| {
            let share = of(subject.function.as_ref()?)?;
            Some((share, subject.series.name()))
        });
        shares.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(share, _)| *share >= notable)
    };
    if let Some((share, name)) = worst(|function| function.others, NOTABLE_OTHERS) {
        warnings.push(format!(
            "other programs used up to {:.0}% of the machine meanwhile ({}); stop what `top` shows \
             and measure again",
            100.0 * share,
            visible(name)
        ));
    }
    if let Some((share, name)) = worst(|function| function.stolen, NOTABLE_STEAL) {
        warnings.push(format!(
            "the hypervisor took up to {:.0}% of the CPU time away meanwhile ({}); measure longer, \
             or on a machine of its own",
            100.0 * share,
            visible(name)
        ));
    }
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    warnings.extend(comparisons.iter().flat_map(|found| found.warnings.iter().cloned()));
    warnings
}

/// A bar of eighths of a column.
fn bar(value: f64, largest: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if largest <= 0.0 || !value.is_finite() {
        return String::new();
    }
    let eighths = (8.0 * BAR as f64 * value / largest).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(1.0, 1.0), "█".repeat(10));
        assert_eq!(bar(0.5, 1.0), "█".repeat(5));
        assert_eq!(bar(0.0125, 1.0), "▏");
        assert_eq!(bar(1.0, 0.0), "");
    }
}
