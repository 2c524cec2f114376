//! How metrics are ranked.

use crate::TypedPattern;
use crate::command_line::CommandLine;
use crate::value::as_text;
use fathom_explain::onset::OrderBy;
use fathom_explain::{Correlator, ScoreIn, Segments};
use serde::{Deserialize, Serialize};

/// How metrics are ranked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RankingOptions {
    /// What metrics are ranked by.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub correlator: Correlator,
    /// How many straight lines are fitted to the target in each window.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub segments: Segments,
    /// The shape to look for, drawn over the target.
    pub pattern: Option<TypedPattern>,
    /// The runs in which a shared metric is scored.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub score_in: ScoreIn,
    /// In which order metrics are shown.
    #[serde(with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub by: OrderBy,
    /// Only metrics whose name contains one of these; all if there is none.
    pub filter: Vec<String>,
}

impl Default for RankingOptions {
    fn default() -> RankingOptions {
        RankingOptions {
            correlator: Correlator::Combined,
            segments: Segments::Auto,
            pattern: None,
            score_in: ScoreIn::Every,
            by: OrderBy::Evidence,
            filter: Vec::new(),
        }
    }
}

impl RankingOptions {
    pub(super) fn write(&self, line: &mut CommandLine) {
        let usual = RankingOptions::default();
        line.value("--correlator", &self.correlator, &usual.correlator);
        line.value("--segments", &self.segments, &usual.segments);
        line.optional("--pattern", self.pattern.as_ref());
        line.value("--score-in", &self.score_in, &usual.score_in);
        line.value("--by", &self.by, &usual.by);
        line.repeated("--filter", &self.filter);
    }
}
