//! Which moments of two runs belong together, to draw between them.

use super::{Traces, Trouble};
use fathom_explain::align::{self, AlignOptions};
use fathom_explain::{ProgressWatch, Segments, Selection};
use serde::{Deserialize, Serialize};

/// What is asked: the run that others are aligned with, and how.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct WarpQuery {
    /// The run.
    pub run: String,
    /// The metric that is looked at in it.
    pub target: String,
    /// The metric to align by, if one was chosen.
    pub common: Option<String>,
    /// Whether by z-scores.
    #[serde(default)]
    pub normalise: bool,
    /// What a step costs in which one run stands still.
    #[serde(default)]
    pub penalty: f64,
}

/// The same moments in two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageRibbon {
    /// The run that others are aligned with.
    pub from: String,
    /// The other.
    pub to: String,
    /// Moments in the one, in seconds.
    pub here: Vec<f64>,
    /// The same in the other.
    pub there: Vec<f64>,
    /// How far apart they are, in standard deviations of the common metric.
    pub difference: Vec<f64>,
    /// In a word.
    pub fit: &'static str,
    /// How well they fit.
    pub cost_per_step: f64,
}

impl Traces {
    /// A ribbon from the run to every other, as they come. None if there is but one run.
    pub fn ribbons(
        &self,
        query: &WarpQuery,
        watch: ProgressWatch<'_>,
        each: &(dyn Fn(PageRibbon) + Sync),
    ) -> Result<(), Trouble> {
        let selection = Selection {
            target: query.target.clone(),
            run: Some(query.run.clone()),
            windows: Vec::new(),
            baseline: None,
            segments: Segments::Auto,
            pattern: None,
        };
        let WarpQuery { normalise, penalty, .. } = *query;
        let options =
            AlignOptions { common: query.common.clone(), normalise, penalty, by_hand: Vec::new() };
        let found = |ribbon: align::Ribbon| each(drawn(&ribbon));
        align::ribbons(self.source(), &selection, &options, &self.cache, watch, &found)?;
        self.alignments.made(self.alignment(&query.run, &query.target, &options));
        Ok(())
    }
}

fn drawn(ribbon: &align::Ribbon) -> PageRibbon {
    let knots = &ribbon.knots;
    PageRibbon {
        from: ribbon.from.clone(),
        to: ribbon.to.clone(),
        here: knots.iter().map(|knot| knot.here.seconds()).collect(),
        there: knots.iter().map(|knot| knot.there.seconds()).collect(),
        difference: knots.iter().map(|knot| knot.difference).collect(),
        fit: ribbon.fit.as_str(),
        cost_per_step: ribbon.cost_per_step,
    }
}
