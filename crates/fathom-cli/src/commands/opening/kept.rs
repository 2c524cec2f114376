//! A report that somebody kept as JSON.

use crate::failure::Failure;
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{Document, Report, Request, Statistic, analyze};
use fathom_stats::Confidence;
use fathom_ui::SessionSource;
use fathom_ui::session::SessionOptions;
use std::path::Path;

/// Its values are analysed anew; what it says of comparisons stays, since the values do not tell it.
pub(super) struct KeptReport {
    report: Report,
}

impl KeptReport {
    pub(super) fn read(file: &Path) -> Result<KeptReport, Failure> {
        let problem = |error: String| Failure::input(format!("{}: {error}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| problem(error.to_string()))?;
        let report = Document::read(&text).map_err(problem)?;
        Ok(KeptReport { report })
    }
}

impl SessionSource for KeptReport {
    fn options(&self) -> SessionOptions {
        let first = self.report.subjects.first().and_then(|subject| subject.estimates.first());
        SessionOptions {
            confidence: first.map_or(Confidence::DEFAULT, |estimate| estimate.confidence),
            outliers: OutlierPolicy::Flag,
            steady_state: SteadyStatePolicy::Auto,
            statistic: first.map_or(Statistic::MEDIAN, |estimate| estimate.statistic),
        }
    }

    fn report(&self, options: &SessionOptions) -> Result<Report, String> {
        let request = Request {
            statistics: vec![options.statistic],
            confidence: options.confidence,
            outliers: options.outliers,
            steady_state: options.steady_state,
            seed: self.report.seed,
            correlogram: true,
            ..Request::default()
        };
        let mut report = self.report.clone();
        for subject in &mut report.subjects {
            let again = analyze(subject.series.clone(), &request);
            subject.labelled = again.labelled;
            subject.autocorrelation = again.autocorrelation;
            subject.estimates = again.estimates;
            subject.spread = again.spread;
            subject.warnings = again.warnings;
        }
        Ok(report)
    }
}
