//! Results as a table for programs and documents: a row per function, with its comparison.

use fathom_analyze::compare::Comparison;
use fathom_analyze::{CallTiming, Estimate, Report, Subject};
use fathom_record::{Throughput, TimeUnit, Unit};
use fathom_render::known;
use fathom_render::layout::{Side, visible};
use fathom_render::medians_note::medians_note;
use fathom_render::ratio::{ratio_ends, ratio_text};
use fathom_render::{Rounding, Scale, Table};

const SIDES: &[Side] =
    &[Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left];

/// The table of a report.
pub(crate) fn rows(report: &Report, time_unit: Option<TimeUnit>) -> Table {
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let of =
        |subject: &Subject| comparisons.iter().find(|found| found.subject == subject.series.name());
    let head = [
        "name",
        "seconds",
        "lower",
        "upper",
        "confidence",
        "samples",
        "calls_per_batch",
        "bytes_per_call",
        "items_per_call",
        "allocations_per_call",
        "allocated_bytes_per_call",
        "zero_measurement",
        "reference",
        "ratio",
        "ratio_lower",
        "ratio_upper",
        "verdict",
        "note",
        "executions",
        "timing",
        "metric",
        "unit",
        "value",
    ];
    let mut records = vec![head.map(String::from).to_vec()];
    let notes: Vec<Option<String>> = report
        .subjects
        .iter()
        .map(|subject| of(subject).and_then(|found| note(report, found, time_unit)))
        .collect();
    let records_of = report.subjects.iter().zip(&notes);
    records.extend(records_of.map(|(subject, note)| record(subject, of(subject), note.as_deref())));
    let estimate = report.subjects.first().and_then(|subject| subject.estimates.first());
    let of_median = known::column_head(estimate.map(|estimate| estimate.confidence));
    let comparisons = report.comparisons.as_deref().unwrap_or_default();
    let of_ratio = known::column_head(comparisons.first().map(|found| found.confidence));
    let head = ["name", "median", &of_median, "rate", "ratio", &of_ratio, "verdict"];
    let mut cells = vec![head.map(String::from).to_vec()];
    cells.extend(report.subjects.iter().map(|subject| row(subject, of(subject), time_unit)));
    let named = report.subjects.iter().zip(notes);
    let notes = named
        .filter_map(|(subject, note)| {
            Some(format!("{}: {}.", visible(subject.series.name()), note?))
        })
        .collect();
    Table { records, cells, sides: SIDES, notes }
}

/// Why the medians do not divide to the ratio, where they do not.
fn note(report: &Report, found: &Comparison, time_unit: Option<TimeUnit>) -> Option<String> {
    let shown = |name: &str| {
        let subject = report.subjects.iter().find(|subject| subject.series.name() == name)?;
        let estimate = subject.estimates.first()?;
        Some(scale_of(subject, estimate, time_unit).as_shown(estimate.value))
    };
    let shown = [shown(&found.reference)?, shown(&found.subject)?];
    let unit = report.subjects.first().map_or(&Unit::SECONDS, |subject| subject.series.unit());
    medians_note(found, shown, unit, time_unit)
}

fn scale_of(subject: &Subject, estimate: &Estimate, time_unit: Option<TimeUnit>) -> Scale {
    Scale::new(subject.series.unit(), estimate.value, time_unit)
        .for_interval(estimate.value, estimate.interval())
}

fn record(subject: &Subject, comparison: Option<&Comparison>, note: Option<&str>) -> Vec<String> {
    let text = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let estimate = subject.estimates.first();
    // A column's name says seconds, and of what time.
    let is_time = subject.series.is_wall_time();
    let interval = estimate.and_then(|estimate| estimate.interval());
    let function = subject.function.as_ref();
    let executions = function.and_then(|function| function.executions.as_ref());
    let throughput = function.and_then(|function| function.throughput);
    let per_call = |wanted: fn(Throughput) -> Option<u64>| {
        throughput.and_then(wanted).map_or(String::new(), |count| count.to_string())
    };
    let allocations = function.and_then(|function| function.allocations);
    vec![
        subject.series.name().to_string(),
        text(estimate.map(|estimate| estimate.value).filter(|_| is_time)),
        text(interval.map(|interval| interval.lower)),
        text(interval.map(|interval| interval.upper)),
        text(estimate.map(|estimate| estimate.confidence.get())),
        subject.series.len().to_string(),
        function.map_or(String::new(), |function| function.calls_per_batch.to_string()),
        per_call(|one| matches!(one, Throughput::Bytes(_)).then(|| one.per_call())),
        per_call(|one| matches!(one, Throughput::Items(_)).then(|| one.per_call())),
        text(allocations.map(|asked| asked.count)),
        text(allocations.map(|asked| asked.bytes)),
        function.map_or(String::new(), |function| function.is_zero.to_string()),
        comparison.map_or(String::new(), |found| found.reference.clone()),
        text(comparison.map(|found| found.ratio)),
        text(comparison.map(|found| found.interval.ends().lower)),
        text(comparison.map(|found| found.interval.ends().upper)),
        comparison.map_or(String::new(), |found| found.verdict.name().to_string()),
        note.unwrap_or_default().to_string(),
        executions.map_or(String::new(), |executions| executions.count().to_string()),
        function.and_then(|function| function.timing).map_or("", CallTiming::name).to_string(),
        subject.series.metric().unwrap_or("wall-time").to_string(),
        subject.series.unit().symbol().to_string(),
        text(estimate.map(|estimate| estimate.value)),
    ]
}

fn row(
    subject: &Subject,
    comparison: Option<&Comparison>,
    time_unit: Option<TimeUnit>,
) -> Vec<String> {
    let numbers = subject.estimates.first().map(|estimate| {
        let scale = scale_of(subject, estimate, time_unit);
        let condition = known::brief_condition(estimate.if_independent);
        [
            scale.with_unit(estimate.value, Rounding::Nearest),
            format!("{}{condition}", known::ends(estimate, &scale, true)),
        ]
    });
    let [median, interval] = numbers.unwrap_or_default();
    let [ratio, ends, verdict] = comparison.map_or_else(Default::default, |found| {
        [
            ratio_text(found.ratio, found.interval),
            ratio_ends(found.ratio, found.interval),
            found.verdict.name().to_string(),
        ]
    });
    let rate = crate::rate::rate_of(subject).unwrap_or_default();
    vec![visible(subject.series.name()), median, interval, rate, ratio, ends, verdict]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example_reports::{comparison, report, subject, with_facts};
    use fathom_analyze::compare::Pairing;

    #[test]
    fn a_row_has_the_function_and_its_comparison() {
        let subjects = vec![with_facts(subject("a", 1e-6), 1000, 2.0), subject("b", 1.1e-6)];
        let found = comparison(["a", "b"], 0.0953, 0.001, Pairing::Batches, Vec::new());
        let table = rows(&report(subjects, vec![found]), None);
        insta::assert_snapshot!(format!("{}\n{}", table.csv(), table.markdown()));
        let widths: Vec<usize> = table.records.iter().map(Vec::len).collect();
        assert_eq!(widths, [23; 3]);
    }
}
