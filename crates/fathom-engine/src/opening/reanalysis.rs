//! What was measured or read, analysed again with other options.

use crate::saved_session::SavedSession;
use crate::{Engine, EngineError, ReadWords, SessionFolder, compare, run, saved_report};
use fathom_analyze::clean::{OutlierPolicy, SteadyStatePolicy};
use fathom_analyze::{EstimateRequest as Analysis, Report, Statistic, analyze};
use fathom_request::{
    AnalyzeRequest, CleaningOptions, CompareRequest, CompareSource, Request, RunRequest,
};
use fathom_stats::outliers::{Method, OutlierRule};
use fathom_stats::{Confidence, Sides};
use std::path::{Path, PathBuf};

/// How samples are analysed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReanalysisOptions {
    /// The confidence of intervals.
    pub confidence: Confidence,
    /// What happens to outliers.
    pub outliers: OutlierPolicy,
    /// The rule that finds them; its settings are those that were asked for.
    pub outlier_method: Method,
    /// Which samples are the steady state.
    pub steady_state: SteadyStatePolicy,
    /// What is estimated.
    pub statistic: Statistic,
}

/// Samples that can be analysed again: of a session, of files, or of a report.
pub struct Reanalysis {
    samples: Samples,
    folder: SessionFolder,
    read_words: Option<&'static ReadWords>,
}

enum Samples {
    /// A session of `run`.
    Run(Box<RunRequest>, Box<SavedSession>),
    /// A session of `compare`.
    Compare(Box<CompareRequest>, Box<SavedSession>),
    /// A file of samples.
    File(Box<AnalyzeRequest>),
    /// Files of samples, compared with the first.
    Files(Box<CompareRequest>),
    /// A report. Its values are analysed again; its comparisons stay, since they do not follow from
    /// the values.
    Report(Box<Report>),
}

impl Reanalysis {
    /// Of a saved session.
    ///
    /// # Errors
    /// It has no samples, or nothing was measured yet.
    pub fn of_session(
        engine: &Engine<'_>,
        saved: SavedSession,
        read_words: Option<&'static ReadWords>,
    ) -> Result<Reanalysis, EngineError> {
        let id = saved.id;
        let samples = match engine.request_of(&saved)? {
            Request::Run(request) => Samples::Run(request, Box::new(saved)),
            Request::Compare(request) => Samples::Compare(request, Box::new(saved)),
            Request::Check(_) => {
                return Err(EngineError::usage(format!(
                    "session {id} is a check, which has an answer and no samples to look at: \
                     fathom show {id}"
                )));
            }
            _ => return Err(EngineError::usage(format!("session {id} saves no measurement"))),
        };
        Reanalysis { samples, folder: engine.saving.folder.clone(), read_words }.tried()
    }

    /// Of files: one is analysed, several are compared with the first.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of_files(files: &[PathBuf]) -> Result<Reanalysis, EngineError> {
        let samples = match files {
            [file] => {
                let files = vec![file.clone()];
                Samples::File(Box::new(AnalyzeRequest { files, ..AnalyzeRequest::default() }))
            }
            files => Samples::Files(Box::new(CompareRequest {
                source: CompareSource::Files(files.to_vec()),
                ..CompareRequest::default()
            })),
        };
        Reanalysis { samples, folder: SessionFolder::default(), read_words: None }.tried()
    }

    /// Of a report that was kept as JSON.
    ///
    /// # Errors
    /// It cannot be read, or it is not a report.
    pub fn of_report(file: &Path) -> Result<Reanalysis, EngineError> {
        let samples = Samples::Report(Box::new(saved_report(file)?));
        Ok(Reanalysis { samples, folder: SessionFolder::default(), read_words: None })
    }

    /// What cannot be read is said before a page is opened.
    fn tried(self) -> Result<Reanalysis, EngineError> {
        self.report(&self.options())?;
        Ok(self)
    }

    /// The options that it was measured or read with.
    #[must_use]
    pub fn options(&self) -> ReanalysisOptions {
        let of = |confidence, cleaning: &CleaningOptions, statistic: Option<&Statistic>| {
            ReanalysisOptions {
                confidence,
                outliers: cleaning.outliers,
                outlier_method: cleaning.outlier_method,
                steady_state: cleaning.steady_state,
                statistic: statistic.copied().unwrap_or(Statistic::MEDIAN),
            }
        };
        match &self.samples {
            Samples::Run(asked, _) => {
                of(asked.confidence, &asked.cleaning, asked.statistics.first())
            }
            Samples::File(asked) => of(asked.confidence, &asked.cleaning, asked.statistics.first()),
            Samples::Compare(asked, _) | Samples::Files(asked) => {
                let statistic = asked.statistic.of_each_side();
                of(asked.confidence, &asked.cleaning, Some(&statistic))
            }
            Samples::Report(report) => {
                let subject = report.subjects.first();
                let first = subject.and_then(|subject| subject.estimates.first());
                let of_work = subject.and_then(|subject| Some(subject.work.as_ref()?.confidence));
                let confidence = first.map(|estimate| estimate.confidence).or(of_work);
                let confidence = confidence.unwrap_or(Confidence::DEFAULT);
                let statistic = first.map(|estimate| &estimate.statistic);
                of(confidence, &CleaningOptions::default(), statistic)
            }
        }
    }

    /// The report with these options.
    ///
    /// # Errors
    /// A file has changed and cannot be read any more, or nothing was measured.
    pub fn report(&self, options: &ReanalysisOptions) -> Result<Report, EngineError> {
        let mut nobody = ();
        let mut engine = Engine::new(&mut nobody);
        engine.saving.folder = self.folder.clone();
        engine.read_words = self.read_words.map(|read| read as &ReadWords);
        let (mut report, saved) = match &self.samples {
            Samples::Run(asked, saved) => {
                let mut asked = asked.clone();
                asked.confidence = options.confidence;
                asked.statistics = vec![options.statistic];
                cleaned(&mut asked.cleaning, options);
                (run::report_of_session(&asked, saved)?, Some(saved))
            }
            Samples::Compare(asked, saved) => {
                // The comparison itself was planned for its confidence; what stands next to it was not.
                let analysis = Analysis {
                    seed: saved.seed,
                    ..analysis(options, asked.cleaning.apply(Analysis::default()))
                };
                let found = compare::report_of_session(&mut engine, asked, saved, Some(analysis))?;
                let (report, _) = found.ok_or_else(|| {
                    let id = saved.id;
                    EngineError::usage(format!(
                        "session {id} has no finished block to show. Continue it with: fathom resume \
                         {id}"
                    ))
                })?;
                (report, Some(saved))
            }
            Samples::File(asked) => {
                let mut asked = asked.clone();
                asked.confidence = options.confidence;
                asked.statistics = vec![options.statistic];
                cleaned(&mut asked.cleaning, options);
                (engine.analyze(&asked)?.report, None)
            }
            Samples::Files(asked) => {
                let mut asked = asked.clone();
                asked.confidence = options.confidence;
                cleaned(&mut asked.cleaning, options);
                (engine.compare(&asked)?.report, None)
            }
            Samples::Report(report) => {
                let methods = methods_of(report, options.statistic);
                let analysis = Analysis {
                    seed: report.seed,
                    method: methods.first().copied(),
                    other_methods: methods.into_iter().skip(1).collect(),
                    ..analysis(options, Analysis::default())
                };
                return Ok(analysed_again(report, &analysis));
            }
        };
        if report.subjects.is_empty() {
            return Err(EngineError::usage("the session has no finished run to show"));
        }
        if let Some(saved) = saved {
            report.session = Some(saved.id.0);
            report.command_line = crate::engine::command_line(&saved.words);
        }
        Ok(report)
    }
}

fn analysis(options: &ReanalysisOptions, rest: Analysis) -> Analysis {
    Analysis {
        statistics: vec![options.statistic],
        confidence: options.confidence,
        outliers: options.outliers,
        outlier_rule: OutlierRule { method: options.outlier_method, ..rest.outlier_rule },
        steady_state: options.steady_state,
        correlogram: true,
        ..rest
    }
}

fn cleaned(cleaning: &mut CleaningOptions, options: &ReanalysisOptions) {
    cleaning.outliers = options.outliers;
    cleaning.outlier_method = options.outlier_method;
    cleaning.steady_state = options.steady_state;
    cleaning.correlogram = true;
}

/// The methods that a report was made with, as far as they serve a statistic.
fn methods_of(report: &Report, statistic: Statistic) -> Vec<fathom_analyze::Method> {
    let mut methods = Vec::new();
    for estimate in report.subjects.iter().flat_map(|subject| &subject.estimates) {
        let is_new = !methods.contains(&estimate.method);
        if is_new && estimate.method.serve(statistic, Sides::Both).is_ok() {
            methods.push(estimate.method);
        }
    }
    methods
}

fn analysed_again(report: &Report, analysis: &Analysis) -> Report {
    let mut report = report.clone();
    for subject in &mut report.subjects {
        let again = match &subject.work {
            Some(work) => work.again(subject.series.clone(), analysis),
            None => analyze(subject.series.clone(), analysis),
        };
        subject.work = again.work;
        subject.labelled = again.labelled;
        subject.autocorrelation = again.autocorrelation;
        subject.estimates = again.estimates;
        subject.spread = again.spread;
        subject.warnings = again.warnings;
    }
    report
}
