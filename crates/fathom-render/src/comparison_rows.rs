//! Comparisons as a table: the reference, then a row per subject.

use crate::known;
use crate::layout::Side::{self, Left, Right};
use crate::layout::visible;
use crate::quantile_table::word;
use crate::quantity::{Rounding, Scale};
use crate::ratio::{ratio_ends, ratio_text};
use crate::shell_startup::untold_cells;
use crate::shell_verdict::verdict_cell;
use crate::subject_columns::{SubjectColumns, spread, spread_head};
use crate::table::Table;
use crate::verdict_page::of_medians;
use crate::verdict_sentence::{Quantity, sentence};
use crate::view::View;
use fathom_analyze::compare::{ComparedStatistic, Comparison, QuantileRatio, percentile};
use fathom_analyze::{Report, Subject};
use fathom_record::{TimeUnit, Unit};

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
    let is_median = comparisons.iter().all(|found| found.statistic.is_median());
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
        .chain(statistic_head(is_median).map(String::from))
        .collect(),
    ];
    let find = |name: &str| report.subjects.iter().find(|one| one.series.name() == name);
    records.extend(comparisons.iter().flat_map(|comparison| {
        let (reference, subject) = (find(&comparison.reference), find(&comparison.subject));
        let unit = subject.map_or(String::new(), |one| one.series.unit().symbol().to_string());
        let rest = [vec![unit], spread(reference), columns.record(subject)].concat();
        let whole =
            |record: Vec<String>, sides: Vec<String>| [record, rest.clone(), sides].concat();
        if comparison.quantiles.is_empty() {
            let sides = statistic_cells(is_median, comparison.statistic, comparison.sides);
            return vec![whole(record(comparison), sides)];
        }
        let of = |one: &QuantileRatio| {
            let statistic = ComparedStatistic::Quantile(one.p);
            let sides = statistic_cells(false, statistic, Some(one.sides));
            whole(record_of_quantile(comparison, one), sides)
        };
        comparison.quantiles.iter().map(of).collect()
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
    let statistic = estimate.map_or("median".to_string(), |one| one.statistic.to_string());
    let of_median = known::column_head(estimate.map(|estimate| estimate.confidence));
    let of_ratio = known::column_head(comparisons.first().map(|found| found.confidence));
    if comparisons.iter().any(|found| !found.quantiles.is_empty()) {
        let cells = quantile_cells(report, comparisons, time_unit, &of_ratio);
        return Table { records, cells, sides: QUANTILE_SIDES, notes };
    }
    let head = ["subject", &statistic, &of_median, "ratio", &of_ratio, "verdict"];
    let mut cells = vec![head.map(String::from).to_vec()];
    let value = |subject: &Subject| subject.estimates.first().map(|estimate| estimate.value);
    let values: Vec<f64> = report.subjects.iter().filter_map(value).collect();
    // One unit for all rows.
    let column = |subject: &Subject| Scale::for_column(subject.series.unit(), &values, time_unit);
    let rows = report.subjects.iter().map(|subject| row(subject, comparisons, &column(subject)));
    cells.extend(rows);
    Table { records, cells, sides: SIDES, notes }
}

/// The columns that only other statistics than the median have.
fn statistic_head(is_median: bool) -> impl Iterator<Item = &'static str> {
    const COLUMNS: [&str; 3] = ["statistic", "reference_value", "value"];
    COLUMNS.into_iter().filter(move |_| !is_median)
}

fn statistic_cells(
    is_median: bool,
    statistic: ComparedStatistic,
    sides: Option<[f64; 2]>,
) -> Vec<String> {
    if is_median {
        return Vec::new();
    }
    let [reference, subject] = match sides {
        Some(sides) => sides.map(|value| value.to_string()),
        None => [String::new(), String::new()],
    };
    vec![statistic.to_string(), reference, subject]
}

/// A record of one quantile among many.
fn record_of_quantile(comparison: &Comparison, one: &QuantileRatio) -> Vec<String> {
    let of_one = Comparison {
        ratio: one.ratio,
        interval: one.interval,
        verdict: one.verdict,
        ..comparison.clone()
    };
    record(&of_one)
}

const QUANTILE_SIDES: &[Side] = &[Left, Left, Right, Right, Right, Right, Left];

/// A row for every quantile of every subject.
fn quantile_cells(
    report: &Report,
    comparisons: &[Comparison],
    time_unit: Option<TimeUnit>,
    of_ratio: &str,
) -> Vec<Vec<String>> {
    let quantity = Quantity::of(report.subjects.first());
    let unit = report.subjects.first().map_or(&Unit::SECONDS, |one| one.series.unit());
    let quantiles = || comparisons.iter().flat_map(|found| &found.quantiles);
    let values: Vec<f64> = quantiles().flat_map(|one| one.sides).collect();
    let column = Scale::for_column(unit, &values, time_unit);
    let head = ["subject", "quantile", "reference", "value", "ratio", of_ratio, "verdict"];
    let rows = comparisons.iter().flat_map(|found| {
        found.quantiles.iter().map(|one| {
            vec![
                visible(&found.subject),
                percentile(one.p),
                column.with_unit(one.sides[0], Rounding::Nearest),
                column.with_unit(one.sides[1], Rounding::Nearest),
                ratio_text(one.ratio, one.interval),
                ratio_ends(one.ratio, one.interval),
                word(one.verdict, quantity).to_string(),
            ]
        })
    });
    std::iter::once(head.map(String::from).to_vec()).chain(rows).collect()
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
