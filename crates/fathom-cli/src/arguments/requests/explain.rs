//! `fathom explain`, and the questions about traces that `ui` and `report` take.

use crate::arguments::{
    AlignmentArguments, ExplainArguments, OpenArguments, QuestionArguments, RankingArguments,
    ReadingArguments, SelectionArguments,
};
use fathom_request::{
    AlignmentOptions, AlignmentPenalty, ExplainRequest, RankingOptions, Request, SuggestRequest,
    TraceFiles,
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
    /// An explanation, or with `--suggest` windows to explain.
    pub(crate) fn request(&self) -> Request {
        if self.suggest { self.suggest_request().into() } else { self.explain_request().into() }
    }

    pub(crate) fn suggest_request(&self) -> SuggestRequest {
        SuggestRequest {
            traces: self.reading.files(self.traces.clone()),
            target: self.target.clone(),
            run: self.selection.run.clone(),
        }
    }

    pub(crate) fn explain_request(&self) -> ExplainRequest {
        let traces = self.reading.files(self.traces.clone());
        let (alignment, ranking) = (self.alignment.options(), self.ranking.options());
        // The parser requires one, unless windows are suggested.
        let target = self.target.as_deref().unwrap_or_default();
        explain(traces, target, &self.selection, alignment, ranking)
    }
}

impl QuestionArguments {
    /// The question about these traces, if a target was named.
    pub(crate) fn request(&self, traces: TraceFiles) -> Option<ExplainRequest> {
        let target = self.target.as_deref()?;
        let (alignment, ranking) = (self.alignment.options(), self.ranking.options());
        Some(explain(traces, target, &self.selection, alignment, ranking))
    }
}

impl OpenArguments {
    /// What was named, if it is traces.
    pub(crate) fn traces(&self) -> TraceFiles {
        self.reading.files(self.data.iter().map(PathBuf::from).collect())
    }
}

fn explain(
    traces: TraceFiles,
    target: &str,
    selection: &SelectionArguments,
    alignment: AlignmentOptions,
    ranking: RankingOptions,
) -> ExplainRequest {
    ExplainRequest {
        traces,
        target: target.to_string(),
        run: selection.run.clone(),
        windows: selection.windows.clone(),
        against: selection.baseline.clone(),
        alignment,
        ranking,
    }
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
