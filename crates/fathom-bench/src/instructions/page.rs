//! Counted instructions for people.

use super::counting::PROCESSES;
use crate::command_line::front_end;
use fathom_analyze::compare::{Gate, GateOutcome};
use fathom_analyze::{ComparedCounts, CountVerdict, CountedFunction, InstructionReport};
use fathom_render::layout::{FAINT, STRONG, Side, WARNING, columns, padded, push_wrapped, visible};
use fathom_render::{View, percent};

/// The page: what was compared, a row per function, and what the numbers are.
pub(crate) fn page(report: &InstructionReport, view: &View, width: usize) -> String {
    let mut text = String::new();
    let functions = &report.functions;
    let of = |name: &str| functions.iter().find(|one| one.name() == name);
    for found in &report.comparisons {
        if let Some((reference, subject)) = of(&found.reference).zip(of(&found.subject)) {
            let line = sentence(found, reference, subject);
            push_wrapped(&mut text, &line, "", STRONG, width);
        }
        for (gate, outcome) in &found.gates {
            if *outcome != GateOutcome::Passed || report.comparisons.len() == 1 {
                let style = if *outcome == GateOutcome::Passed { FAINT } else { WARNING };
                push_wrapped(&mut text, &gate_line(found, *gate, *outcome), "  ", style, width);
            }
        }
    }
    if functions.is_empty() {
        return text;
    }
    if !view.is_quiet() {
        text.push_str(&rows(report));
    }
    let differing: Vec<String> = functions
        .iter()
        .filter(|function| !function.is_repeated())
        .map(|function| visible(function.name()))
        .collect();
    if !differing.is_empty() {
        let line = format!(
            "warning: the counts differ from one to the next (a random seed, threads, or a state that \
             changes): {}",
            differing.join(", ")
        );
        push_wrapped(&mut text, &line, "", WARNING, width);
    }
    if !view.is_quiet() {
        let times = functions.iter().map(|function| function.counts().len()).max().unwrap_or(0);
        let line = format!(
            "instructions per call, with those of the loop, counted by {} {times} times in \
             {PROCESSES} processes. Instructions are not time: cache misses, mispredicted branches and \
             waiting do not show",
            match report.counter {
                fathom_analyze::InstructionCounter::Processor => "the processor",
                fathom_analyze::InstructionCounter::Valgrind => "valgrind",
            }
        );
        push_wrapped(&mut text, &line, "", FAINT, width);
    }
    text
}

fn sentence(
    found: &ComparedCounts,
    reference: &CountedFunction,
    subject: &CountedFunction,
) -> String {
    let [name, than] = [&found.subject, &found.reference].map(|name| visible(name));
    let counts = format!("{} against {}", counts(subject), counts(reference));
    let change = change(found.ratio);
    match found.verdict() {
        CountVerdict::Same => {
            format!(
                "{name} executes exactly as many instructions as {than}: {}.",
                number(subject.middle())
            )
        }
        CountVerdict::More => {
            format!("{name} executes {change} more instructions than {than} ({counts}).")
        }
        CountVerdict::Fewer => {
            format!("{name} executes {change} fewer instructions than {than} ({counts}).")
        }
        CountVerdict::Overlap => {
            format!("{name} and {than} cannot be told apart: their counts overlap ({counts}).")
        }
    }
}

/// "gate --fail-if-slower 2%: FAILED, new executes more than 2% more instructions than old".
fn gate_line(found: &ComparedCounts, gate: Gate, outcome: GateOutcome) -> String {
    let [subject, reference] = [&found.subject, &found.reference].map(|name| visible(name));
    let limit = percent(gate.margin().get());
    let option = match gate {
        Gate::NotSlower(_) => "--fail-if-slower",
        Gate::Equivalent(_) => "--require-equivalent",
    };
    let said = match (outcome, gate) {
        (GateOutcome::Passed, _) => "passed".to_string(),
        (GateOutcome::Failed, Gate::NotSlower(_)) => {
            format!("FAILED, {subject} executes over {limit} more instructions than {reference}")
        }
        (GateOutcome::Failed, Gate::Equivalent(_)) => {
            format!("FAILED, {subject} and {reference} differ by more than {limit}")
        }
        (GateOutcome::Inconclusive, _) => {
            let allow = front_end().option(fathom_record::AdvisedOption::AllowInconclusive);
            let allow = allow.map_or(String::new(), |option| format!("; {option} accepts that"));
            format!("inconclusive, the counts of {subject} or {reference} differ too much{allow}")
        }
    };
    format!("gate {option} {limit}: {said}")
}

/// "3.2%", "0.0004%": two digits, or one behind the point.
fn change(ratio: f64) -> String {
    let share = 100.0 * (ratio - 1.0).abs();
    let decimals = if share >= 1.0 { 1 } else { (1.0 - share.max(1e-9).log10().floor()) as usize };
    format!("{share:.decimals$}%")
}

fn rows(report: &InstructionReport) -> String {
    let cells: Vec<[String; 3]> = report
        .functions
        .iter()
        .map(|function| {
            let found = report.comparisons.iter().find(|one| one.subject == function.name());
            let tail = found.map(|found| format!("ratio {:.4}", found.ratio));
            [visible(function.name()), counts(function), tail.unwrap_or_default()]
        })
        .collect();
    let widest = |column: usize| cells.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
    let [name, count] = [widest(0), widest(1)];
    let row = |[one, two, three]: &[String; 3]| {
        let row = format!(
            "  {}  {}  {three}",
            padded(one, name, Side::Left),
            padded(two, count, Side::Right)
        );
        format!("{}\n", row.trim_end())
    };
    cells.iter().map(row).collect()
}

/// "1,234", or "1,200 to 1,260" if the counts differ.
fn counts(function: &CountedFunction) -> String {
    if function.is_repeated() {
        return number(function.middle());
    }
    format!("{} to {}", number(function.lower()), number(function.upper()))
}

/// "1,234,567"; with a decimal if it is the mean of several calls that differ.
fn number(value: f64) -> String {
    let text = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") };
    let (whole, part) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let mut digits = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            digits.push(',');
        }
        digits.push(digit);
    }
    part.map_or(digits.clone(), |part| format!("{digits}.{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analyze::InstructionCounter;
    use fathom_analyze::compare::Margin;
    use fathom_render::Detail;
    use fathom_render::layout::plain;

    fn counted(name: &str, counts: &[f64]) -> CountedFunction {
        CountedFunction::new(name, 64, counts.to_vec()).unwrap()
    }

    fn compared(functions: Vec<CountedFunction>, pairs: &[[usize; 2]]) -> InstructionReport {
        let gates = [Gate::NotSlower(Margin::new(0.02).unwrap())];
        let comparisons = pairs.iter().map(|[reference, subject]| {
            ComparedCounts::of(&functions[*reference], &functions[*subject], &gates).unwrap()
        });
        let comparisons = comparisons.collect();
        InstructionReport { counter: InstructionCounter::Valgrind, functions, comparisons }
    }

    #[test]
    fn what_repeats_is_a_number_and_what_does_not_is_a_range() {
        let functions = vec![
            counted("parse (main)", &[1234.0; 4]),
            counted("parse (now)", &[1273.0; 4]),
            counted("sum (main)", &[2_000_003.0; 4]),
            counted("sum (now)", &[2_000_003.0; 4]),
            counted("hash (main)", &[210.5, 214.0, 210.5, 210.5]),
            counted("hash (now)", &[211.0, 230.0, 211.0, 250.25]),
        ];
        let report = compared(functions, &[[0, 1], [2, 3], [4, 5]]);
        insta::assert_snapshot!(plain(&page(&report, &View::default(), 80)));
        let quiet = View { detail: Detail::Answer, ..View::default() };
        insta::assert_snapshot!("quiet", plain(&page(&report, &quiet, 80)));
    }

    #[test]
    fn changes_have_two_digits() {
        assert_eq!(
            [1.099, 0.5, 1.00012, 1.000_000_4].map(change),
            ["9.9%", "50.0%", "0.012%", "0.000040%"]
        );
    }

    #[test]
    fn numbers_have_separators() {
        assert_eq!(
            [7.0, 999.5, 1000.0, 1_234_567.0].map(number),
            ["7", "999.5", "1,000", "1,234,567"]
        );
    }
}
