//! From a question to rankings: a first one soon, the one that was asked for when it is there.

use super::{PageQuestion, PageRanking, Traces, Trouble, WireScoreIn, answer};
use fathom_explain::{
    Explanation, OneRun, ProgressWatch, ScoreIn, Stopped, TraceQuestion, TraceSource, explain_with,
};
use std::collections::HashSet;
use std::time::Instant;

impl Traces {
    /// Ranks metrics, and hands each answer on as soon as it is there: the last is the one that was
    /// asked for, and those before it are provisional. They are made if runs must be aligned first,
    /// from the target's run alone, and if metrics are scored in several runs, from one run each.
    pub fn explain(
        &self,
        question: &PageQuestion,
        watch: ProgressWatch<'_>,
        each: &mut dyn FnMut(PageRanking) -> Result<(), Stopped>,
    ) -> Result<(), Trouble> {
        let began = Instant::now();
        let request = question.request()?;
        let mut hand_on = |explanation: Explanation, provisional: bool| {
            let answer = answer(&self.opened, explanation, provisional, began.elapsed())?;
            each(answer).map_err(|Stopped| Trouble::Stopped)
        };
        if self.source().runs().len() < 2 {
            return hand_on(self.explanation(&request, watch)?, false);
        }
        let alignment = self.alignment(&question.run, &question.target, &request.alignment);
        if !self.alignments.is_made(&alignment)
            && let Some(alone) = OneRun::new(self.source(), &question.run)
        {
            self.first(&alone, &request, watch, &mut hand_on)?;
        }
        if question.score_in == WireScoreIn::Every && self.metrics_are_in_many_runs() {
            let nearest = TraceQuestion { score_in: ScoreIn::Nearest, ..request.clone() };
            self.first(self.source(), &nearest, watch, &mut hand_on)?;
            self.alignments.made(alignment.clone());
        }
        let found = self.explanation(&request, watch)?;
        self.alignments.made(alignment);
        hand_on(found, false)
    }

    /// Whether it is much less work to score each metric in one run than in every one.
    fn metrics_are_in_many_runs(&self) -> bool {
        let names = || self.source().runs().iter().flat_map(|run| &run.metrics);
        let different: HashSet<&str> = names().map(|metric| metric.name.as_str()).collect();
        names().count() >= 2 * different.len()
    }

    /// The explanation itself.
    pub(crate) fn explanation(
        &self,
        request: &TraceQuestion,
        watch: ProgressWatch<'_>,
    ) -> Result<Explanation, Trouble> {
        Ok(explain_with(self.source(), request, &self.cache, watch)?)
    }

    /// A provisional answer. If there is none, the complete one will say why.
    fn first(
        &self,
        source: &dyn TraceSource,
        request: &TraceQuestion,
        watch: ProgressWatch<'_>,
        hand_on: &mut dyn FnMut(Explanation, bool) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        match explain_with(source, request, &self.cache, watch).map_err(Trouble::from) {
            Ok(found) => hand_on(found, true),
            Err(Trouble::Stopped) => Err(Trouble::Stopped),
            Err(_) => Ok(()),
        }
    }
}
