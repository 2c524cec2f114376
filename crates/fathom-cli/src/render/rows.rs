//! Estimates as a table: CSV, Markdown, AsciiDoc, Org-mode.

use super::layout::visible;
use super::markup::{self, Side};
use super::quantity::{Rounding, Scale};
use super::sentence::{Words, percent};
use crate::failure::Failure;
use fathom_analyze::{Estimate, Outcome, Report, Subject, WorkEstimate};
use fathom_record::{TimeUnit, Unit};
use fathom_stats::Interval;

const ALIGNMENT: &[Side] =
    &[Side::Left, Side::Left, Side::Right, Side::Right, Side::Left, Side::Right];

/// A row per subject and statistic.
pub(crate) struct Rows<'a> {
    rows: Vec<Row<'a>>,
    time_unit: Option<TimeUnit>,
}

/// One estimate, whatever kind it is.
struct Row<'a> {
    subject: &'a Subject,
    unit: Unit,
    statistic: String,
    value: f64,
    interval: Option<Interval>,
    confidence: f64,
    coverage: Option<f64>,
    method: &'static str,
    /// The promise in words.
    sure: String,
    n_used: usize,
    n_needed: Option<usize>,
}

impl<'a> Rows<'a> {
    /// The rows of a report; tables for people show times in `time_unit`, or in one that fits.
    pub(crate) fn of(report: &'a Report, time_unit: Option<TimeUnit>) -> Rows<'a> {
        let mut rows = Vec::new();
        for subject in &report.subjects {
            rows.extend(subject.estimates.iter().map(|estimate| Row::of(subject, estimate)));
            if let Some(work) = &subject.work {
                rows.extend(Row::of_work(subject, work));
            }
        }
        Rows { rows, time_unit }
    }

    /// For programs: full precision, the unit in a column of its own.
    pub(crate) fn csv(&self) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| Failure::input(format!("no CSV: {error}"));
        writer
            .write_record([
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
            ])
            .map_err(failed)?;
        for row in &self.rows {
            let end = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let series = &row.subject.series;
            writer
                .write_record([
                    series.name(),
                    series.metric().unwrap_or_default(),
                    row.unit.symbol(),
                    &row.statistic,
                    &row.value.to_string(),
                    &row.interval.unwrap_or(Interval::EVERYTHING).lower.to_string(),
                    &row.interval.unwrap_or(Interval::EVERYTHING).upper.to_string(),
                    &row.confidence.to_string(),
                    &end(row.coverage),
                    row.method,
                    &series.len().to_string(),
                    &row.n_used.to_string(),
                    &row.n_needed.map_or(String::new(), |needed| needed.to_string()),
                ])
                .map_err(failed)?;
        }
        let bytes = writer.into_inner().map_err(|error| Failure::input(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn markdown(&self) -> String {
        markup::markdown(&self.cells(), ALIGNMENT)
    }

    pub(crate) fn asciidoc(&self) -> String {
        markup::asciidoc(&self.cells(), ALIGNMENT)
    }

    pub(crate) fn orgmode(&self) -> String {
        markup::orgmode(&self.cells())
    }

    /// For people: the head, then rounded numbers with their unit.
    fn cells(&self) -> Vec<Vec<String>> {
        let head = ["subject", "statistic", "value", "interval", "sure", "samples"];
        let mut cells = vec![head.map(String::from).to_vec()];
        cells.extend(self.rows.iter().map(|row| row.cells(self.time_unit)));
        cells
    }
}

impl<'a> Row<'a> {
    fn of(subject: &'a Subject, estimate: &Estimate) -> Row<'a> {
        let scale = Scale::new(subject.series.unit(), estimate.value, None);
        let (sure, n_needed) = match &estimate.outcome {
            Outcome::Interval { samples_needed, .. } => {
                (Words { estimate, scale: &scale }.how_sure(), *samples_needed)
            }
            Outcome::Declined { samples_needed, .. } => ("declined".to_string(), *samples_needed),
        };
        Row {
            subject,
            unit: subject.series.unit().clone(),
            statistic: estimate.statistic.to_string(),
            value: estimate.value,
            interval: estimate.interval(),
            confidence: estimate.confidence.get(),
            coverage: estimate.coverage(),
            method: estimate.method.name(),
            sure,
            n_used: estimate.n_used,
            n_needed,
        }
    }

    /// The rate and the set-up time.
    fn of_work(subject: &'a Subject, work: &WorkEstimate) -> [Row<'a>; 2] {
        let row = |statistic: &str, unit: Unit, value: f64, interval: Interval| Row {
            subject,
            unit,
            statistic: statistic.to_string(),
            value,
            interval: Some(interval),
            confidence: work.confidence.get(),
            coverage: None,
            method: "regression",
            sure: format!("sure at {}", percent(work.confidence.get())),
            n_used: work.n_used,
            n_needed: None,
        };
        let found = &work.found;
        [
            row("work-rate", Unit::Other(work.rate_unit()), found.rate, found.rate_interval),
            row("set-up", work.time.clone(), found.setup, found.setup_interval),
        ]
    }

    fn cells(&self, time_unit: Option<TimeUnit>) -> Vec<String> {
        let scale =
            Scale::new(&self.unit, self.value, time_unit).for_interval(self.value, self.interval);
        vec![
            visible(self.subject.series.name()),
            self.statistic.clone(),
            scale.with_unit(self.value, Rounding::Nearest),
            scale.ends(self.interval, true),
            self.sure.clone(),
            self.n_used.to_string(),
        ]
    }
}
