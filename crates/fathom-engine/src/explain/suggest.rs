//! Where something odd is: in a metric, or in many at once.

mod document;

pub use document::{SuggestedStretch, SuggestionEntry, SuggestionsDocument};

use super::source::TraceSet;
use super::trace_provenance::TraceProvenance;
use super::watched;
use crate::{Answer, Engine, EngineError};
use fathom_explain::align::{AlignOptions, question_with};
use fathom_explain::suggest::{
    Company, Departing, Gathered, Suggestion, SupportedSuggestion, suggest_among, suggestion_of,
    together,
};
use fathom_explain::{
    ExplainCache, Question, RunEntry, Segments, Selection, Stretch, TargetRange, TraceSource,
};
use fathom_record::Timestamp;
use fathom_record::trace::Kind;
use fathom_render::explanation::Proposed;
use fathom_request::value::OptionValue as _;
use fathom_request::{ClockTime, ExplainRequest, Request, SuggestRequest, TypedMoment, TypedSpan};
use std::ops::Range;

/// Windows that are worth a question, the clearest first.
#[derive(Debug)]
pub struct Suggestions {
    /// The run that was looked at.
    pub run: String,
    /// The target in that run; of all metrics together the one with the clearest event.
    pub question: Question,
    /// What was found.
    pub proposed: Vec<ProposedWindows>,
    /// How many other metrics were asked.
    pub others: usize,
    provenance: TraceProvenance,
    request: SuggestRequest,
    command_line: String,
}

/// Something odd, and the windows to ask about it with.
#[derive(Debug)]
pub struct ProposedWindows {
    /// The metric that shows it.
    pub target: String,
    /// What was found.
    pub suggestion: Suggestion,
    /// The windows, as they are typed.
    pub windows: Vec<TypedSpan>,
    /// The same as rows of the target.
    pub rows: Vec<Range<usize>>,
    /// Other metrics that depart from their level there, the clearest first.
    pub departing: Vec<String>,
    /// The command that asks about it, to which a window is added.
    pub ask: String,
}

impl Engine<'_> {
    /// Proposes at most `most` windows.
    ///
    /// # Errors
    /// The traces cannot be read, have no such metric or run, or the user ended it.
    pub fn suggest(
        &mut self,
        request: &SuggestRequest,
        most: usize,
    ) -> Result<Answer<Suggestions>, EngineError> {
        let mut request = request.clone();
        let traces = TraceSet::open_watched(&mut request.traces, self.watch)?;
        if let Some(target) = &mut request.target {
            *target = traces.named_metric(target)?;
        }
        let request = &request;
        let cache = traces.cache();
        let found = {
            let watch = watched(self.watch)?;
            let stopped = |_| EngineError::interrupted();
            let scene = Scene::new(&traces, request, &cache)?;
            let without = request.target.as_deref();
            let (run, question) = (scene.run, &scene.question);
            let gathered = Gathered::of(&traces, &cache, run, question, without, &watch);
            scene.proposed(&gathered.map_err(stopped)?, most)
        };
        self.watch.clear();
        let Found { run, question, proposed, others } = found;
        let command_line = self.asked_by(&request.clone().into());
        let provenance = traces.provenance();
        let request = request.clone();
        let suggestions =
            Suggestions { run, question, proposed, others, provenance, request, command_line };
        Ok(Answer::of(suggestions))
    }
}

/// What is looked at.
struct Scene<'t> {
    traces: &'t TraceSet,
    request: &'t SuggestRequest,
    run: &'t RunEntry,
    question: Question,
}

/// What was found in it.
struct Found {
    run: String,
    question: Question,
    proposed: Vec<ProposedWindows>,
    others: usize,
}

impl<'t> Scene<'t> {
    fn new(
        traces: &'t TraceSet,
        request: &'t SuggestRequest,
        cache: &ExplainCache,
    ) -> Result<Scene<'t>, EngineError> {
        let asked = request.run.as_deref().map(|run| traces.named_run(run)).transpose()?;
        let target = match &request.target {
            Some(target) => traces.named_metric(target)?,
            None => clock(traces, asked.as_deref())?,
        };
        let selection = Selection {
            target,
            run: asked,
            windows: vec![TargetRange::Whole],
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        // Where the target is odd is seen in one run; nothing is aligned for that.
        let question = question_with(traces, &selection, &AlignOptions::default(), cache)?;
        let has_target = |run: &&RunEntry| match &selection.run {
            Some(id) => run.id == *id,
            None => run.metrics.iter().any(|metric| metric.name == selection.target),
        };
        let run = traces.runs().iter().find(has_target);
        let run = run.ok_or_else(|| EngineError::usage("there is no run to look at"))?;
        Ok(Scene { traces, request, run, question })
    }

    fn proposed(self, gathered: &Gathered<'_>, most: usize) -> Found {
        let company = &gathered.company;
        let (proposed, question) = match &self.request.target {
            Some(target) => {
                let found =
                    suggest_among(&self.question.grid, &self.question.target, company, most);
                let propose = |one: SupportedSuggestion| {
                    self.propose(gathered, target, one.suggestion, &one.departing)
                };
                (found.into_iter().map(propose).collect(), self.question.clone())
            }
            None => self.overview(gathered, company, most),
        };
        let others = gathered.metrics.len();
        Found { run: self.run.id.clone(), question, proposed, others }
    }

    /// Where many metrics depart at once, each told by one of them, and the first of these.
    fn overview(
        &self,
        gathered: &Gathered<'_>,
        company: &Company,
        most: usize,
    ) -> (Vec<ProposedWindows>, Question) {
        let mut proposed = Vec::new();
        let mut question = self.question.clone();
        for event in together(company, most) {
            let Some(leader) = gathered.leader(&event.departing.members) else { continue };
            let (metric, sequence) = (gathered.metrics.get(leader), gathered.sequences.get(leader));
            let Some((metric, sequence)) = metric.zip(sequence) else { continue };
            let told = suggestion_of(&self.question.grid, sequence, company, &event, leader);
            let Some(suggestion) = told else { continue };
            if proposed.is_empty() {
                question = Question { target: sequence.clone(), ..question };
            }
            proposed.push(self.propose(gathered, &metric.name, suggestion, &event.departing));
        }
        (proposed, question)
    }

    fn propose(
        &self,
        gathered: &Gathered<'_>,
        target: &str,
        suggestion: Suggestion,
        departing: &Departing,
    ) -> ProposedWindows {
        let rows = suggestion.windows_to_ask(self.question.target.len());
        let typed = rows.iter().filter_map(|rows| self.typed_window(rows));
        let names = departing.members.iter().filter_map(|(one, _)| gathered.metrics.get(*one));
        let ask = Request::from(ExplainRequest {
            traces: self.request.traces.clone(),
            target: target.to_string(),
            run: (self.traces.runs().len() > 1).then(|| self.run.id.clone()),
            ..ExplainRequest::default()
        });
        ProposedWindows {
            target: target.to_string(),
            windows: typed.collect(),
            rows,
            departing: names
                .map(|metric| metric.name.clone())
                .filter(|name| name != target)
                .collect(),
            ask: ask.command_line(),
            suggestion,
        }
    }

    /// Rows of the target as they are typed: "12.4..14.1" in the trace's time unit.
    fn typed_window(&self, rows: &Range<usize>) -> Option<TypedSpan> {
        let stretch = Stretch::of(&self.question, rows)?;
        let origin = self.traces.origin(&self.run.id).unwrap_or_default();
        let moment = |time: Timestamp| match time.absolute_from(origin) {
            time if self.traces.is_of_store() => TypedMoment::on_clock(ClockTime::of(time)),
            time => TypedMoment::exactly(time, self.traces.time_unit()),
        };
        let (start, end) = (moment(stretch.start), moment(stretch.end));
        Some(TypedSpan::Time { start: Some(start), end: Some(end) })
    }
}

/// The metric whose rows all others are put on, if there is no target: the one by which runs are
/// aligned, or else the first of the run that is sampled.
fn clock(traces: &TraceSet, run: Option<&str>) -> Result<String, EngineError> {
    let mut runs = traces.runs().iter().filter(|entry| run.is_none_or(|id| entry.id == id));
    let Some(entry) = runs.next() else {
        // The same words as for a target.
        return Ok(traces.common().unwrap_or_default().to_string());
    };
    let has = |name: &&str| entry.metrics.iter().any(|metric| metric.name == **name);
    let sampled = entry.metrics.iter().find(|metric| metric.kind != Kind::Event);
    let name = traces.common().filter(has).map(str::to_string);
    name.or_else(|| sampled.map(|metric| metric.name.clone())).ok_or_else(|| {
        EngineError::usage(format!(
            "run {} has no metric over time; record some, or choose another run",
            entry.id
        ))
    })
}

impl Suggestions {
    /// For a page or a table.
    #[must_use]
    pub fn to_render(&self) -> Vec<Proposed<'_>> {
        let proposed = |one: &'_ ProposedWindows| -> (Vec<String>, Vec<Range<usize>>) {
            (one.windows.iter().map(|window| window.text()).collect(), one.rows.clone())
        };
        let render = |one| {
            let (windows, asked) = proposed(one);
            let ProposedWindows { target, suggestion, departing, ask, .. } = one;
            Proposed { target, suggestion, windows, asked, departing, others: self.others, ask }
        };
        self.proposed.iter().map(render).collect()
    }

    /// As JSON.
    ///
    /// # Errors
    /// None in practice: every number has a form in JSON.
    pub fn to_json(&self) -> Result<String, EngineError> {
        Ok(serde_json::to_string_pretty(&self.document())? + "\n")
    }
}
