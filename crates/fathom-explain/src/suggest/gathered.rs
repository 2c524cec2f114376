//! The metrics of a run, read to be asked together.

use super::company::Company;
use crate::align::{Reader, on_rows_of};
use crate::rank::copies::{self, Fingerprint};
use crate::{
    ExplainCache, Progress, ProgressWatch, Question, RunEntry, Sequence, Stage, Stopped,
    TraceSource, parallel,
};
use fathom_record::trace::{Layer, TraceMetric};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Metrics of a run on the rows of a question, and whose they are.
#[derive(Debug)]
pub struct Gathered<'s> {
    /// In the order of the company's members.
    pub metrics: Vec<&'s TraceMetric>,
    /// They themselves.
    pub sequences: Vec<Sequence>,
    /// The same without near copies, which would count what one of them does twice.
    pub company: Company,
}

impl<'s> Gathered<'s> {
    /// All metrics of a run but one. What cannot be read takes no part.
    ///
    /// # Errors
    /// If the watcher stops it.
    pub fn of(
        source: &dyn TraceSource,
        cache: &ExplainCache,
        run: &'s RunEntry,
        question: &Question,
        without: Option<&str>,
        watch: ProgressWatch<'_>,
    ) -> Result<Gathered<'s>, Stopped> {
        let metrics = run.metrics.iter().filter(|metric| Some(metric.name.as_str()) != without);
        let metrics: Vec<&TraceMetric> = metrics.collect();
        let done = AtomicUsize::new(0);
        let read = |place: usize| -> Result<Option<Sequence>, Stopped> {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(Progress { stage: Stage::Scoring, done, of: metrics.len() })?;
            let name = metrics.get(place).map_or("", |metric| metric.name.as_str());
            let samples = Reader::new(source, cache).samples(&run.id, name).ok();
            Ok(samples.map(|samples| on_rows_of(question, &samples)))
        };
        let mut kept = Vec::new();
        let mut sequences = Vec::new();
        for (metric, sequence) in metrics.iter().zip(parallel::map(metrics.len(), read)) {
            if let Some(sequence) = sequence?.filter(|sequence| sequence.count() > 0) {
                kept.push(*metric);
                sequences.push(sequence);
            }
        }
        let prints = parallel::map(sequences.len(), |place| Fingerprint::of(0, &sequences[place]));
        let copies = copies::groups(&prints.iter().map(Option::as_ref).collect::<Vec<_>>());
        // A copy keeps its place, and says nothing.
        let silent = || Sequence::from(Vec::new());
        let members = sequences.iter().zip(&copies);
        let company = Company::of(members.map(|(sequence, copy)| match copy {
            Some(_) => silent(),
            None => sequence.clone(),
        }));
        Ok(Gathered { metrics: kept, sequences, company })
    }

    /// Which of some members says it best: one of the program's own metrics, or else the clearest.
    #[must_use]
    pub fn leader(&self, members: &[(usize, f64)]) -> Option<usize> {
        let is_own = |member: usize| {
            self.metrics.get(member).is_some_and(|metric| metric.layer == Layer::Application)
        };
        let own = members.iter().find(|(member, _)| is_own(*member));
        own.or_else(|| members.first()).map(|(member, _)| *member)
    }
}
