//! Estimates as a table: CSV, Markdown, AsciiDoc, Org-mode.

use super::human::visible;
use super::quantity::{Rounding, Scale};
use super::sentence::{Words, percent};
use crate::failure::Failure;
use fathom_analyze::{Estimate, Outcome, Report, Subject};

/// A row per subject and statistic.
pub(crate) struct Rows<'a> {
    rows: Vec<(&'a Subject, &'a Estimate)>,
}

impl<'a> Rows<'a> {
    pub(crate) fn of(report: &'a Report) -> Rows<'a> {
        let rows = report
            .subjects
            .iter()
            .flat_map(|subject| subject.estimates.iter().map(move |estimate| (subject, estimate)));
        Rows { rows: rows.collect() }
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
        for (subject, estimate) in &self.rows {
            let interval = estimate.interval();
            let end = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let needed = match &estimate.outcome {
                Outcome::Interval { samples_needed, .. } => *samples_needed,
                Outcome::Declined { .. } => None,
            };
            writer
                .write_record([
                    subject.series.name(),
                    subject.series.metric().unwrap_or_default(),
                    subject.series.unit().symbol(),
                    &estimate.statistic.to_string(),
                    &estimate.value.to_string(),
                    &end(interval.map(|interval| interval.lower)),
                    &end(interval.map(|interval| interval.upper)),
                    &estimate.confidence.get().to_string(),
                    &end(estimate.coverage()),
                    estimate.method.name(),
                    &subject.series.len().to_string(),
                    &estimate.n_used.to_string(),
                    &needed.map_or(String::new(), |needed| needed.to_string()),
                ])
                .map_err(failed)?;
        }
        let bytes = writer.into_inner().map_err(|error| Failure::input(error.to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn markdown(&self) -> String {
        let escape =
            |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('`', "\\`");
        let mut text = String::new();
        for (number, row) in self.cells().iter().enumerate() {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if number == 0 {
                text.push_str("|:---|:---|---:|---:|:---|---:|\n");
            }
        }
        text
    }

    pub(crate) fn asciidoc(&self) -> String {
        let mut text = "[cols=\"<,<,>,>,<,>\", options=\"header\"]\n|===\n".to_string();
        for row in self.cells() {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text.push_str(&format!("| {}\n", cells.join(" | ")));
        }
        text.push_str("|===\n");
        text
    }

    pub(crate) fn orgmode(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.cells().iter().enumerate() {
            // Org has no escape for the bar; this entity shows as one.
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\vert{}")).collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
            if number == 0 {
                text.push_str("|---+---+---+---+---+---|\n");
            }
        }
        text
    }

    /// For people: the head, then rounded numbers with their unit.
    fn cells(&self) -> Vec<[String; 6]> {
        let mut cells = vec![
            ["subject", "statistic", "value", "interval", "sure", "samples"].map(String::from),
        ];
        for (subject, estimate) in &self.rows {
            let scale = Scale::new(subject.series.unit(), estimate.value, None)
                .for_interval(estimate.value, estimate.interval());
            let words = Words { estimate, scale: &scale };
            cells.push([
                visible(subject.series.name()),
                estimate.statistic.to_string(),
                scale.with_unit(estimate.value, Rounding::Nearest),
                words.ends(true),
                match estimate.outcome {
                    Outcome::Interval { .. } => words.how_sure(),
                    Outcome::Declined { .. } => percent(estimate.confidence.get()),
                },
                estimate.n_used.to_string(),
            ]);
        }
        cells
    }
}
