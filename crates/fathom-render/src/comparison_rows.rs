//! Comparisons as a table: the reference, then a row per subject.

use crate::known;
use crate::layout::Side::{self, Left, Right};
use crate::layout::visible;
use crate::quantity::{Rounding, Scale};
use crate::ratio::{ratio_ends, ratio_text};
use crate::shell_startup::untold_cells;
use crate::shell_verdict::verdict_cell;
use crate::subject_columns::{SubjectColumns, spread, spread_head};
use crate::table::Table;
use crate::verdict_page::of_medians;
use crate::verdict_sentence::{Quantity, sentence};
use crate::view::View;
use fathom_analyze::compare::Comparison;
use fathom_analyze::{Report, Subject};
use fathom_record::TimeUnit;

const SIDES: &[Side] = &[Left, Right, Right, Right, Right, Left];

/// A table of the reference and every subject; cells for people show times in `time_unit`, or in one that
/// fits.
#[must_use]
pub fn comparisons(
    report: &Report,
    comparisons: &[Comparison],
    time_unit: Option<TimeUnit>,
) -> Table {
    let quantity = Quantity::of(report.subjects.first());
    let columns = SubjectColumns::of(report);
    let mut records: Vec<Vec<String>> = vec![
        [
            "reference",
            "subject",
            "ratio",
            "lower",
            "upper",
            "confidence",
            "verdict",
            "margin",
            "p_value",
            "pairs",
            "more_needed",
            "if_independent",
            "verdict_of_all_blocks",
            "gates",
            "unit",
        ]
        .map(String::from)
        .into_iter()
        .chain(spread_head("reference"))
        .chain(columns.head())
        .collect(),
    ];
    let find = |name: &str| report.subjects.iter().find(|one| one.series.name() == name);
    records.extend(comparisons.iter().map(|comparison| {
        let (reference, subject) = (find(&comparison.reference), find(&comparison.subject));
        let unit = subject.map_or(String::new(), |one| one.series.unit().symbol().to_string());
        [record(comparison), vec![unit], spread(reference), columns.record(subject)].concat()
    }));
    let view = View { time_unit, ..View::default() };
    let notes = comparisons.iter().flat_map(|comparison| {
        let medians = of_medians(report, comparison, &view);
        let medians = medians.map(|note| format!("{}: {note}.", visible(&comparison.subject)));
        comparison
            .verdict_of_all_blocks()
            .map(|_| sentence(comparison, quantity))
            .into_iter()
            .chain(medians)
    });
    let notes = notes.collect();
    let estimate = report.subjects.first().and_then(|subject| subject.estimates.first());
    let of_median = known::column_head(estimate.map(|estimate| estimate.confidence));
    let of_ratio = known::column_head(comparisons.first().map(|found| found.confidence));
    let head = ["subject", "median", &of_median, "ratio", &of_ratio, "verdict"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let value = |subject: &Subject| subject.estimates.first().map(|estimate| estimate.value);
    let values: Vec<f64> = report.subjects.iter().filter_map(value).collect();
    // One unit for all rows.
    let column = |subject: &Subject| Scale::for_column(subject.series.unit(), &values, time_unit);
    let rows = report.subjects.iter().map(|subject| row(subject, comparisons, &column(subject)));
    cells.extend(rows);
    Table { records, cells, sides: SIDES, notes }
}

fn record(comparison: &Comparison) -> Vec<String> {
    vec![
        comparison.reference.clone(),
        comparison.subject.clone(),
        comparison.ratio.to_string(),
        comparison.interval.ends().lower.to_string(),
        comparison.interval.ends().upper.to_string(),
        comparison.confidence.get().to_string(),
        verdict_cell(comparison),
        comparison.margin.get().to_string(),
        comparison.p_value.map_or(String::new(), |p| p.to_string()),
        comparison.pairs().to_string(),
        comparison.further.map_or(String::new(), |further| further.pairs.to_string()),
        comparison.if_independent.to_string(),
        comparison.verdict_of_all_blocks().unwrap_or(comparison.verdict).name().to_string(),
        comparison.gated().map_or(String::new(), |outcome| outcome.name().to_string()),
    ]
}

fn row(subject: &Subject, comparisons: &[Comparison], column: &Scale) -> Vec<String> {
    let name = subject.series.name();
    let numbers = subject.estimates.first().map(|estimate| {
        let scale = column.clone().for_interval(estimate.value, estimate.interval());
        untold_cells(subject, estimate, column.time_unit()).unwrap_or_else(|| {
            let condition = known::brief_condition(estimate.if_independent);
            [
                scale.with_unit(estimate.value, Rounding::Nearest),
                format!("{}{condition}", known::ends(estimate, &scale, true)),
            ]
        })
    });
    let [median, interval] = numbers.unwrap_or_default();
    let comparison = comparisons.iter().find(|found| found.subject == name);
    let [ratio, ends, verdict] = match comparison {
        Some(found) => [
            ratio_text(found.ratio, found.interval),
            ratio_ends(found.ratio, found.interval),
            format!("{}{}", verdict_cell(found), known::brief_condition(found.if_independent)),
        ],
        None => ["1".to_string(), String::new(), "reference".to_string()],
    };
    vec![visible(name), median, interval, ratio, ends, verdict]
}
