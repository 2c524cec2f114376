//! What a duel found, for people: the answer in a line, then a row per function.

use crate::page::measured_instead;
use fathom_analyze::compare::{Comparison, GateOutcome, Verdict};
use fathom_analyze::{Report, Subject};
use fathom_record::{TimeUnit, Unit};
use fathom_render::comparison_notes::{
    Spent, gate_line, how_measured, of_batches, of_builds, settle, single_looks,
};
use fathom_render::layout::{
    FAINT, STRONG, Side, WARNING, columns, padded, push_warning, push_wrapped, shortened, styled,
    visible,
};
use fathom_render::medians_note::medians_note;
use fathom_render::ratio::{RatioAxis, ratio_ends, ratio_text};
use fathom_render::short_names::shortened_apart;
use fathom_render::verdict::{Quantity, sentence};
use fathom_render::{Rounding, Scale, View, percent};

/// Names are not cut to fewer columns than this.
const SHORTEST: usize = 12;
const AXIS: usize = 13;

/// A page of `width` columns. `labels` are those of the old build and the new.
#[must_use]
pub fn render(
    report: &Report,
    labels: [&str; 2],
    seconds: Option<f64>,
    view: &View,
    width: usize,
) -> String {
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let stopped = report.subjects.first().map(|subject| subject.stopped);
    let mut text = String::new();
    match comparisons {
        [] => push_wrapped(&mut text, "Nothing was compared.", "", STRONG, width),
        [one] => {
            let quantity = Quantity::of(report.subjects.first());
            push_wrapped(&mut text, &sentence(one, quantity), "", STRONG, width);
        }
        several => push_wrapped(&mut text, &summary(several), "", STRONG, width),
    }
    for comparison in comparisons {
        if let [one] = comparisons
            && let Some(line) = settle(one, Spent { seconds, stopped }, view.front_end)
        {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
        let is_one = comparisons.len() == 1;
        for (gate, outcome) in &comparison.gates {
            if is_one || *outcome != GateOutcome::Passed {
                let line = gate_line(comparison, *gate, *outcome, view.front_end);
                let line = if is_one { line } else { format!("{}: {line}", comparison.subject) };
                let passed = *outcome == GateOutcome::Passed;
                let style = if passed { FAINT } else { WARNING };
                push_wrapped(&mut text, &line, "  ", style, width);
            }
        }
    }
    if view.is_quiet() {
        return text;
    }
    text.push('\n');
    text.push_str(&table(report, comparisons, labels, view.time_unit, width));
    if let Some(line) = measured_instead(report) {
        push_wrapped(&mut text, &line, "  ", FAINT, width);
    }
    if let Some(first) = comparisons.first() {
        let batches = comparisons.iter().find_map(|one| of_batches(one, &report.subjects));
        let lines = how_measured(first, seconds).into_iter().take(1).chain(of_builds(first));
        for line in lines.chain(batches) {
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    for comparison in comparisons {
        if let Some(note) = of_medians(report, comparison, view.time_unit) {
            let line = format!("{}: {note}", visible(&comparison.subject));
            push_wrapped(&mut text, &line, "  ", FAINT, width);
        }
    }
    if view.is_verbose() {
        for comparison in comparisons {
            for line in how_measured(comparison, None).into_iter().chain(single_looks(comparison)) {
                let line = format!("{}: {line}", visible(&comparison.subject));
                push_wrapped(&mut text, &line, "  ", FAINT, width);
            }
        }
    }
    push_wrapped(&mut text, &format!("seed {}", report.seed), "  ", FAINT, width);
    let warnings = comparisons.iter().flat_map(|found| &found.warnings).chain(&report.warnings);
    for warning in warnings {
        push_warning(&mut text, &warning.said(view.front_end), width);
    }
    text
}

/// "1 of 12 functions is slower, 2 are faster, 9 differ by less than 1% (95% confidence for all
/// together)."
fn summary(comparisons: &[Comparison]) -> String {
    let count =
        |verdict: Verdict| comparisons.iter().filter(|found| found.verdict == verdict).count();
    let margin = percent(comparisons[0].margin.get());
    let parts = [
        (Verdict::Slower, "is slower", "are slower", String::new()),
        (Verdict::Faster, "is faster", "are faster", String::new()),
        (Verdict::Equivalent, "differs", "differ", format!(" by less than {margin}")),
        (Verdict::Inconclusive, "is inconclusive", "are inconclusive", String::new()),
        (
            Verdict::Mixed,
            "is slower at some quantiles and faster at others",
            "are slower at some quantiles and faster at others",
            String::new(),
        ),
    ];
    let mut said = Vec::new();
    for (verdict, one, many, rest) in parts {
        let n = count(verdict);
        if n > 0 {
            let of = if said.is_empty() {
                format!(" of {} functions", comparisons.len())
            } else {
                String::new()
            };
            said.push(format!("{n}{of} {}{rest}", if n == 1 { one } else { many }));
        }
    }
    let sure = percent(comparisons[0].confidence.get());
    let mut text = format!("{} ({sure} confidence for all together).", said.join(", "));
    let unchanged = comparisons.iter().filter(|found| found.is_code_unchanged()).count();
    if unchanged > 0 {
        let code =
            if unchanged == 1 { "of 1 function" } else { &format!("of {unchanged} functions") };
        let differs = |found: &&Comparison| {
            found.is_code_unchanged() && matches!(found.verdict, Verdict::Slower | Verdict::Faster)
        };
        // A difference of code that is the same must not be read as one of the code.
        let also = match comparisons.iter().filter(differs).count() {
            0 => String::new(),
            1 => ", including 1 that is slower or faster".to_string(),
            n => format!(", including {n} that are slower or faster"),
        };
        text.push_str(&format!(" The machine code {code} is unchanged{also}."));
    }
    text
}

fn table(
    report: &Report,
    comparisons: &[Comparison],
    labels: [&str; 2],
    time_unit: Option<TimeUnit>,
    width: usize,
) -> String {
    let head = ["".to_string(), visible(labels[0]), visible(labels[1])];
    let head = [&head[0], &head[1], &head[2]].map(|label| shortened(label, 14));
    let mut rows: Vec<[String; 6]> = Vec::new();
    let axis = RatioAxis::of(comparisons.iter().map(|found| found.interval), AXIS);
    for comparison in comparisons {
        let subject =
            |name: &str| report.subjects.iter().find(|subject| subject.series.name() == name);
        let [old, new] = [&comparison.reference, &comparison.subject]
            .map(|name| subject(name).map_or(String::new(), |subject| time(subject, time_unit)));
        let name = comparison.subject.strip_suffix(&format!(" ({})", labels[1]));
        let line = axis.map(|axis| axis.line(comparison.ratio, comparison.interval));
        rows.push([
            visible(name.unwrap_or(&comparison.subject)),
            old,
            new,
            format!(
                "{} ({})",
                ratio_text(comparison.ratio, comparison.interval),
                ratio_ends(comparison.ratio, comparison.interval)
            ),
            line.unwrap_or_default(),
            word(comparison),
        ]);
    }
    let mut widths = [0; 6];
    for (column, label) in head.iter().enumerate() {
        widths[column] = columns(label);
    }
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(columns(cell));
        }
    }
    // Long names give way to numbers.
    let others: usize = [1, 2, 3, 5].iter().map(|&column| 2 + widths[column]).sum();
    widths[0] = widths[0].min(width.saturating_sub(2 + others).max(SHORTEST));
    let mut text = format!(
        "  {}  {}  {}  {}\n",
        padded(&head[0], widths[0], Side::Left),
        padded(&head[1], widths[1], Side::Right),
        padded(&head[2], widths[2], Side::Right),
        "ratio"
    );
    text = styled(text.trim_end(), FAINT) + "\n";
    let names: Vec<String> = rows.iter().map(|row| row[0].clone()).collect();
    let names = shortened_apart(&names, widths[0]);
    for ([_, old, new, ratio, line, word], name) in rows.iter().zip(&names) {
        let mut row = format!(
            "  {}  {}  {}  {}  {}",
            padded(name, widths[0], Side::Left),
            padded(old, widths[1], Side::Right),
            padded(new, widths[2], Side::Right),
            padded(ratio, widths[3], Side::Left),
            padded(word, widths[5], Side::Left),
        );
        // The picture is what can be done without.
        if columns(&row) + 2 + widths[4] <= width {
            row = format!("{row}  {line}");
        }
        text.push_str(&format!("{}\n", row.trim_end()));
    }
    text
}

fn time(subject: &Subject, time_unit: Option<TimeUnit>) -> String {
    subject.estimates.first().map_or(String::new(), |estimate| {
        Scale::new(subject.series.unit(), estimate.value, time_unit)
            .with_unit(estimate.value, Rounding::Nearest)
    })
}

/// Why the medians in the table do not divide to the ratio, where they do not.
fn of_medians(
    report: &Report,
    comparison: &Comparison,
    time_unit: Option<TimeUnit>,
) -> Option<String> {
    let shown = |name: &str| {
        let subject = report.subjects.iter().find(|subject| subject.series.name() == name)?;
        let value = subject.estimates.first()?.value;
        Some(Scale::new(subject.series.unit(), value, time_unit).as_shown(value))
    };
    let shown = [shown(&comparison.reference)?, shown(&comparison.subject)?];
    let unit = report.subjects.first().map_or(&Unit::SECONDS, |subject| subject.series.unit());
    medians_note(comparison, shown, unit, time_unit)
}

fn word(comparison: &Comparison) -> String {
    let verdict = match comparison.verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Equivalent => "same",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Mixed => "slower and faster",
    };
    // Where nothing was found, that the code is the same is no surprise.
    match comparison.is_code_unchanged() && comparison.verdict != Verdict::Equivalent {
        true => format!("{verdict}, code unchanged"),
        false => verdict.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{comparison, report, subject};
    use fathom_analyze::compare::{Gate, LayoutArrangement, Layouts, Margin, Pairing, TwoBuilds};

    fn shown(report: &Report) -> String {
        let view = View::default();
        let text = render(report, ["main", "work tree"], Some(4.3), &view, 80);
        fathom_render::layout::plain(&text)
    }

    fn of(name: &str, log_ratio: f64, spread: f64) -> ([Subject; 2], Comparison) {
        let names = ["main", "work tree"].map(|label| format!("{name} ({label})"));
        let pair = [names[0].as_str(), names[1].as_str()];
        let gates = vec![Gate::NotSlower(Margin::DEFAULT)];
        let found = comparison(pair, log_ratio, spread, Pairing::Executions, gates);
        let subjects = [subject(pair[0], 1e-6), subject(pair[1], 1e-6 * log_ratio.exp())];
        (subjects, found)
    }

    #[test]
    fn several_functions() {
        let all = [
            of("parse/integer", 0.041, 0.002),
            of("parse/float", 0.0, 0.0003),
            of("parse/a rather long name of a function", -0.3, 0.01),
            of("sort", 0.001, 0.02),
        ];
        let (subjects, comparisons): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let mut report = report(subjects.into_iter().flatten().collect(), comparisons);
        report.warnings.push("only in main, so not compared: gone".to_string().into());
        insta::assert_snapshot!(shown(&report));
    }

    #[test]
    fn a_difference_of_unchanged_code_is_said_first() {
        let all = [of("median", 0.041, 0.002), of("found", 0.0, 0.0003)];
        let (subjects, comparisons): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let same = |found: Comparison| {
            let layouts = Layouts::Several {
                count: 15,
                executions: 1,
                arrangement: LayoutArrangement::Shuffled,
            };
            found.of_builds(TwoBuilds { layouts, is_code_unchanged: Some(true) }, false)
        };
        let comparisons = comparisons.into_iter().map(same).collect();
        let page = shown(&report(subjects.into_iter().flatten().collect(), comparisons));
        insta::assert_snapshot!(page.split_once("\n\n").expect("a headline").0);
    }

    #[test]
    fn one_function() {
        let (subjects, comparison) = of("parse", 0.041, 0.002);
        insta::assert_snapshot!(shown(&report(subjects.to_vec(), vec![comparison])));
        let empty = report(Vec::new(), Vec::new());
        assert!(shown(&empty).starts_with("Nothing was compared."));
    }
}
