//! Comparisons as a table: the reference, then a row per subject.

use super::layout::visible;
use super::markup::{self, Side};
use super::quantity::{Rounding, Scale};
use super::verdict::{ratio_ends, ratio_text};
use crate::failure::Failure;
use fathom_analyze::Report;
use fathom_analyze::compare::Comparison;
use fathom_record::TimeUnit;

const ALIGNMENT: &[Side] =
    &[Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left];

pub(crate) struct ComparisonRows<'a> {
    report: &'a Report,
    comparisons: &'a [Comparison],
    time_unit: Option<TimeUnit>,
}

impl<'a> ComparisonRows<'a> {
    pub(crate) fn of(
        report: &'a Report,
        comparisons: &'a [Comparison],
        time_unit: Option<TimeUnit>,
    ) -> ComparisonRows<'a> {
        ComparisonRows { report, comparisons, time_unit }
    }

    /// For programs: full precision.
    pub(crate) fn csv(&self) -> Result<String, Failure> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let failed = |error: csv::Error| Failure::input(format!("no CSV: {error}"));
        writer
            .write_record([
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
                "more_pairs_needed",
            ])
            .map_err(failed)?;
        for comparison in self.comparisons {
            let further = comparison.further.map(|further| further.pairs.to_string());
            writer
                .write_record([
                    &comparison.reference,
                    &comparison.subject,
                    &comparison.ratio.to_string(),
                    &comparison.interval.lower.to_string(),
                    &comparison.interval.upper.to_string(),
                    &comparison.confidence.get().to_string(),
                    comparison.verdict.name(),
                    &comparison.margin.get().to_string(),
                    &comparison.p_value.map_or(String::new(), |p| p.to_string()),
                    &comparison.pairs().to_string(),
                    &further.unwrap_or_default(),
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

    fn cells(&self) -> Vec<Vec<String>> {
        let head = ["subject", "median", "interval", "ratio", "ratio's interval", "verdict"];
        let mut cells = vec![head.map(String::from).to_vec()];
        for subject in &self.report.subjects {
            let name = subject.series.name();
            let estimate = subject.estimates.first();
            let numbers = estimate.map(|estimate| {
                let scale = Scale::new(subject.series.unit(), estimate.value, self.time_unit)
                    .for_interval(estimate.value, estimate.interval());
                [
                    scale.with_unit(estimate.value, Rounding::Nearest),
                    scale.ends(estimate.interval(), true),
                ]
            });
            let [median, interval] = numbers.unwrap_or_default();
            let comparison = self.comparisons.iter().find(|found| found.subject == name);
            let [ratio, ends, verdict] = match comparison {
                Some(found) => [
                    ratio_text(found.ratio, found.interval),
                    ratio_ends(found),
                    found.verdict.name().to_string(),
                ],
                None => ["1".to_string(), String::new(), "reference".to_string()],
            };
            cells.push(vec![visible(name), median, interval, ratio, ends, verdict]);
        }
        cells
    }
}
