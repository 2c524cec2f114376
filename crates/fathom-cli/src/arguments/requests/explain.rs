//! `fathom explain`, and the questions about traces that `ui` and `report` take.

use crate::arguments::{
    AlignmentArguments, ExplainArguments, OpenArguments, QuestionArguments, RankingArguments,
    ReadingArguments, SelectionArguments,
};
use crate::failure::Failure;
use fathom_explain::contrast::PhaseChoice;
use fathom_request::value::OptionValue as _;
use fathom_request::{
    AgainstOption, AlignmentOptions, AlignmentPenalty, ContrastRequest, ExplainRequest,
    RankingOptions, Request, SuggestRequest, TraceFiles, WindowOption,
};
use std::path::PathBuf;

/// The options that suggestions read, besides those on how files are read: the request, and what
/// writes it. Every other option of `explain` is refused with `--suggest`.
pub(in crate::arguments) const READ_FOR_SUGGESTIONS: [&str; 14] = [
    "suggest",
    "traces",
    "target",
    "run",
    "top",
    "style",
    "format",
    "quiet",
    "export_json",
    "export_csv",
    "export_markdown",
    "export_asciidoc",
    "export_orgmode",
    "export_latex",
];

impl ExplainArguments {
    /// An explanation; with `--suggest` windows to explain; with two groups of runs what differs between
    /// them.
    pub(crate) fn request(&self) -> Result<Request, Failure> {
        if self.is_contrast() {
            return Ok(self.contrast_request()?.into());
        }
        if self.contrast.phases.is_some() {
            return Err(Failure::input(
                "--phases divides two groups of runs: name the second with --against TRACES, or use \
                 --runs-where",
            ));
        }
        if self.suggest {
            let traces = self.trace_files();
            let run = self.selection.run.clone();
            return Ok(SuggestRequest { traces, target: self.target.clone(), run }.into());
        }
        let Some(target) = self.target.clone() else {
            return Err(Failure::input(
                "what is to be explained is missing: name a metric with --target, or compare two \
                 groups of runs with --against TRACES or --runs-where",
            ));
        };
        let traces = self.trace_files();
        let (alignment, ranking) = (self.alignment.options(), self.ranking.options());
        Ok(explain(traces, &target, &self.selection, alignment, ranking)?.into())
    }

    fn trace_files(&self) -> TraceFiles {
        TraceFiles { store: self.metric_store.store(), ..self.reading.files(self.traces.clone()) }
    }

    /// Whether two groups of runs are compared.
    fn is_contrast(&self) -> bool {
        let is_traces = |one: &AgainstOption| matches!(one, AgainstOption::Traces(_));
        self.contrast.runs_where.is_some() || self.selection.baseline.iter().any(is_traces)
    }

    fn contrast_request(&self) -> Result<ContrastRequest, Failure> {
        if let Some(option) = self.unread_by_contrast() {
            return Err(Failure::input(format!(
                "{option} has no meaning for two groups of whole runs; leave it out"
            )));
        }
        let mut against = Vec::new();
        for one in &self.selection.baseline {
            match one {
                AgainstOption::Traces(path) => against.push(path.clone()),
                stretch => {
                    return Err(Failure::input(format!(
                        "--against {} is a stretch of time, but whole runs are compared; leave it out",
                        stretch.text()
                    )));
                }
            }
        }
        Ok(ContrastRequest {
            traces: self.trace_files(),
            against,
            runs_where: self.contrast.runs_where.clone(),
            run: self.selection.run.clone(),
            phases: self.contrast.phases.unwrap_or(PhaseChoice::Auto),
            alignment: self.alignment.options(),
            filter: self.ranking.metrics.clone(),
        })
    }

    /// An option that was typed and that two groups of runs do not read.
    fn unread_by_contrast(&self) -> Option<&'static str> {
        let usual = RankingOptions::default();
        let ranking = &self.ranking;
        let options = [
            ("--target", self.target.is_some()),
            ("--window", !self.selection.windows.is_empty()),
            ("--suggest", self.suggest),
            ("--correlator", ranking.correlator != usual.correlator),
            ("--segments", ranking.segments != usual.segments),
            ("--pattern", ranking.pattern.is_some()),
            ("--score-in", ranking.score_in != usual.score_in),
            ("--by", ranking.by != usual.by),
            ("--while", !self.reading.conditions.is_empty()),
            ("--except", !self.reading.except.is_empty()),
        ];
        options.into_iter().find(|(_, is_typed)| *is_typed).map(|(option, _)| option)
    }
}

impl QuestionArguments {
    /// The question about these traces, if a target was named.
    pub(crate) fn request(&self, traces: TraceFiles) -> Result<Option<ExplainRequest>, Failure> {
        let Some(target) = self.target.as_deref() else { return Ok(None) };
        let of_run = self.selection.windows.iter().find_map(|window| match window {
            WindowOption::OfRun(span) => Some(span.text()),
            WindowOption::Plain(_) => None,
        });
        if let Some(window) = of_run {
            return Err(Failure::input(format!(
                "--window {window}: windows of several runs are for `fathom explain`; here --run chooses \
                 the run"
            )));
        }
        let (alignment, ranking) = (self.alignment.options(), self.ranking.options());
        explain(traces, target, &self.selection, alignment, ranking).map(Some)
    }
}

impl OpenArguments {
    /// What was named, if it is traces.
    pub(crate) fn traces(&self) -> TraceFiles {
        let store = self.metric_store.store();
        // Without names, `data` is the last session.
        let data = if store.is_some() { &[][..] } else { self.data.as_slice() };
        TraceFiles { store, ..self.reading.files(data.iter().map(PathBuf::from).collect()) }
    }
}

fn explain(
    traces: TraceFiles,
    target: &str,
    selection: &SelectionArguments,
    alignment: AlignmentOptions,
    ranking: RankingOptions,
) -> Result<ExplainRequest, Failure> {
    let (mut against, mut run_baselines) = (None, Vec::new());
    for one in &selection.baseline {
        match one {
            AgainstOption::Span(span) => {
                if against.replace(span.clone()).is_some() {
                    return Err(Failure::input(
                        "--against was given twice, but a window has one baseline; leave one of them \
                         out, or say which run each is for, as in --against run-2:0..10",
                    ));
                }
            }
            AgainstOption::OfRun(span) => run_baselines.push(span.clone()),
            AgainstOption::Traces(path) => {
                return Err(Failure::input(format!(
                    "--against {}: two groups of runs are compared by `fathom explain`; here it is a \
                     stretch of time, like 0..90",
                    path.display()
                )));
            }
        }
    }
    let (mut windows, mut run_windows) = (Vec::new(), Vec::new());
    for one in &selection.windows {
        match one {
            WindowOption::Plain(span) => windows.push(span.clone()),
            WindowOption::OfRun(span) => run_windows.push(span.clone()),
        }
    }
    Ok(ExplainRequest {
        traces,
        target: target.to_string(),
        run: selection.run.clone(),
        windows,
        run_windows,
        run_baselines,
        against,
        alignment,
        ranking,
    })
}

impl ReadingArguments {
    fn files(&self, paths: Vec<PathBuf>) -> TraceFiles {
        TraceFiles {
            paths,
            time_unit: self.trace_time_unit,
            counters: self.counters.clone(),
            layers: self.layers.clone(),
            derived: self.derived.clone(),
            conditions: self.conditions.clone(),
            except: self.except.clone(),
            store: None,
        }
    }
}

impl AlignmentArguments {
    fn options(&self) -> AlignmentOptions {
        AlignmentOptions {
            common: self.common.clone(),
            normalize: self.normalise,
            // The parser lets nothing else through.
            penalty: AlignmentPenalty::new(self.penalty).unwrap_or_default(),
        }
    }
}

impl RankingArguments {
    fn options(&self) -> RankingOptions {
        RankingOptions {
            correlator: self.correlator,
            segments: self.segments,
            pattern: self.pattern.clone(),
            score_in: self.score_in,
            by: self.by,
            filter: self.metrics.clone(),
        }
    }
}
