//! Estimates as a table.

use crate::known;
use crate::layout::Side::{self, Left, Right};
use crate::layout::visible;
use crate::percent::percent;
use crate::quantity::{Rounding, Scale};
use crate::sentence::Words;
use crate::shell_startup::untold_cells;
use crate::subject_columns::SubjectColumns;
use crate::table::Table;
use crate::work_line;
use fathom_analyze::{Estimate, IntervalOutcome, Report, Subject, WorkEstimate};
use fathom_record::{TimeUnit, Unit};
use fathom_stats::Interval;

const SIDES: &[Side] = &[Left, Left, Right, Right, Left, Right];
const SIDES_WITH_RELATIVE: &[Side] = &[Left, Left, Right, Right, Right, Left, Right];

const SIDES_WITH_METHOD: &[Side] = &[Left, Left, Left, Right, Right, Left, Right];
const SIDES_WITH_BOTH: &[Side] = &[Left, Left, Left, Right, Right, Right, Left, Right];

const RELATIVE: &str = "Relative to the smallest value of the same statistic. Only a comparison side by \
                        side tells whether a difference is real.";

/// A table with a row per subject and statistic; cells for people show times in `time_unit`, or in one that
/// fits.
#[must_use]
pub fn estimates(report: &Report, time_unit: Option<TimeUnit>) -> Table {
    let mut rows = Vec::new();
    for subject in &report.subjects {
        rows.extend(subject.estimates.iter().map(|estimate| Row::of(subject, estimate)));
        if let Some(work) = &subject.work {
            rows.extend(Row::of_work(subject, work));
        }
    }
    let columns = SubjectColumns::of(report);
    let mut records: Vec<Vec<String>> = vec![
        [
            "subject",
            "metric",
            "unit",
            "statistic",
            "value",
            "lower",
            "upper",
            "confidence",
            "coverage",
            "method",
            "n",
            "n_used",
            "n_needed",
            "if_independent",
        ]
        .map(String::from)
        .into_iter()
        .chain(columns.head())
        .collect(),
    ];
    let record = |row: &Row<'_>| [row.record(), columns.record(Some(row.subject))].concat();
    records.extend(rows.iter().map(record));
    let head = ["subject", "statistic", "value", "CI", "confidence", "samples"];
    let mut cells = vec![head.map(String::from).to_vec()];
    cells.extend(rows.iter().map(|row| row.cells(&row.column(&rows, time_unit))));
    let relative: Vec<Option<String>> = rows.iter().map(|row| row.relative(&rows)).collect();
    // Methods side by side are told apart by a column.
    let with_method = rows.iter().enumerate().any(|(place, row)| {
        rows.iter().take(place).any(|other| {
            std::ptr::eq(other.subject, row.subject) && other.statistic == row.statistic
        })
    });
    if with_method {
        let methods = rows.iter().map(|row| row.method.to_string());
        let column = std::iter::once("method".to_string()).chain(methods);
        cells.iter_mut().zip(column).for_each(|(row, cell)| row.insert(2, cell));
    }
    // The same samples by another method are nothing to compare with.
    let is_one = report.subjects.len() == 1 && with_method;
    if is_one || relative.iter().all(Option::is_none) {
        let sides = if with_method { SIDES_WITH_METHOD } else { SIDES };
        return Table { records, cells, sides, notes: Vec::new() };
    }
    // Next to the value and its interval.
    let place = 4 + usize::from(with_method);
    let of_rows = relative.into_iter().map(Option::unwrap_or_default);
    for (row, cell) in cells.iter_mut().zip(std::iter::once("relative".to_string()).chain(of_rows))
    {
        row.insert(place, cell);
    }
    let sides = if with_method { SIDES_WITH_BOTH } else { SIDES_WITH_RELATIVE };
    Table { records, cells, sides, notes: vec![RELATIVE.to_string()] }
}

/// One estimate, whatever kind it is.
struct Row<'a> {
    subject: &'a Subject,
    unit: Unit,
    statistic: String,
    /// `None` for a rate that cannot be told.
    value: Option<f64>,
    interval: Option<Interval>,
    confidence: f64,
    coverage: Option<f64>,
    method: &'static str,
    /// The promise in words.
    sure: String,
    n_used: usize,
    n_needed: Option<usize>,
    /// Whether the interval holds only if the samples are independent.
    if_independent: bool,
    /// The estimate, unless it is one of work.
    estimate: Option<&'a Estimate>,
}

impl<'a> Row<'a> {
    fn of(subject: &'a Subject, estimate: &'a Estimate) -> Row<'a> {
        let scale = Scale::new(subject.series.unit(), estimate.value, None);
        let (sure, n_needed) = match &estimate.outcome {
            IntervalOutcome::Interval { samples_needed, .. } => {
                (Words { estimate, scale: &scale }.how_sure(), *samples_needed)
            }
            IntervalOutcome::Declined { samples_needed, .. } => {
                ("no interval".to_string(), *samples_needed)
            }
        };
        Row {
            subject,
            unit: subject.series.unit().clone(),
            statistic: estimate.statistic.to_string(),
            value: Some(estimate.value),
            interval: estimate.interval(),
            confidence: estimate.confidence.get(),
            coverage: estimate.coverage(),
            method: estimate.method.name(),
            sure,
            n_used: estimate.n_used,
            n_needed,
            if_independent: estimate.if_independent,
            estimate: Some(estimate),
        }
    }

    /// The rate and the set-up time.
    fn of_work(subject: &'a Subject, work: &'a WorkEstimate) -> [Row<'a>; 2] {
        let condition = work.found.as_ref().is_ok_and(|found| found.if_independent);
        work_line::rows(work).map(|row| Row {
            subject,
            unit: row.unit,
            statistic: row.statistic.to_string(),
            value: row.value,
            interval: row.interval,
            confidence: work.confidence.get(),
            coverage: None,
            method: "regression",
            sure: match row.interval {
                Some(_) => {
                    format!("{}{}", percent(work.confidence.get()), known::condition(condition))
                }
                None => "no interval".to_string(),
            },
            n_used: work.n_used,
            n_needed: None,
            if_independent: condition,
            estimate: None,
        })
    }

    fn record(&self) -> Vec<String> {
        let known = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let series = &self.subject.series;
        let interval = self.interval.unwrap_or(Interval::EVERYTHING);
        vec![
            series.name().to_string(),
            series.metric().unwrap_or_default().to_string(),
            self.unit.symbol().to_string(),
            self.statistic.clone(),
            known(self.value),
            interval.lower.to_string(),
            interval.upper.to_string(),
            self.confidence.to_string(),
            known(self.coverage),
            self.method.to_string(),
            series.len().to_string(),
            self.n_used.to_string(),
            self.n_needed.map_or(String::new(), |needed| needed.to_string()),
            self.if_independent.to_string(),
        ]
    }

    fn ends(&self, scale: &Scale) -> String {
        match self.estimate {
            Some(estimate) => known::ends(estimate, scale, true),
            None => scale.ends(self.interval, true),
        }
    }

    /// How the values of all rows in this row's unit are written: in the same one.
    fn column(&self, rows: &[Row<'_>], time_unit: Option<TimeUnit>) -> Scale {
        let in_unit = rows.iter().filter(|row| row.unit == self.unit);
        let values: Vec<f64> = in_unit.map(Row::typical).collect();
        Scale::for_column(&self.unit, &values, time_unit)
    }

    /// The value, or an end of its interval where it is not known.
    fn typical(&self) -> f64 {
        self.value.unwrap_or(self.interval.map_or(0.0, |interval| interval.lower))
    }

    /// The value over the smallest of the same kind; `None` where there is nothing to compare it with.
    fn relative(&self, rows: &[Row<'_>]) -> Option<String> {
        let is_like = |row: &&Row<'_>| {
            row.estimate.is_some()
                && row.statistic == self.statistic
                && row.unit == self.unit
                && row.subject.series.metric() == self.subject.series.metric()
        };
        let values: Vec<f64> = rows.iter().filter(is_like).filter_map(|row| row.value).collect();
        let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
        // A time that cannot be told from that of the shell may be 0 or less.
        let is_known = values.len() > 1 && smallest > 0.0 && self.estimate.is_some();
        let ratio = self.value? / smallest;
        (is_known && ratio.is_finite()).then(|| match ratio {
            ratio if ratio < 10.0 => format!("{ratio:.2}"),
            ratio if ratio < 100.0 => format!("{ratio:.1}"),
            ratio => format!("{ratio:.0}"),
        })
    }

    fn cells(&self, column: &Scale) -> Vec<String> {
        let scale = column.clone().for_interval(self.typical(), self.interval);
        let untold =
            self.estimate.and_then(|one| untold_cells(self.subject, one, column.time_unit()));
        // What is not known has no confidence.
        let is_known = untold.is_none() || self.interval.is_some_and(|ends| ends.upper.is_finite());
        let value = self
            .value
            .map_or("cannot tell".to_string(), |value| scale.with_unit(value, Rounding::Nearest));
        let [value, ends] = untold.unwrap_or_else(|| [value, self.ends(&scale)]);
        vec![
            visible(self.subject.series.name()),
            self.statistic.clone(),
            value,
            ends,
            if is_known { self.sure.clone() } else { "no interval".to_string() },
            self.n_used.to_string(),
        ]
    }
}
